// Which fields a supervisor may change: those that stand in the world's text. What is inside of a
// PROTO follows its parameters, and is read only (Webots, src/controller/c/supervisor.c,
// is_read_only).
#include <algorithm>
#include <deque>

#include "sim/supervisor/live_tree.h"

namespace protobeam {

link::FieldAddress LiveTree::address(const TreeField& field) const {
  link::FieldAddress out;
  if (field.of_root()) {
    out.index = 0;
    return out;
  }
  out.space = link::FieldAddress::kBase;
  const auto& specs = fields_of(field.node->type);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i] == field.spec) out.index = static_cast<int>(i);
  }
  return out;
}

bool LiveTree::is_shown(int id, const link::FieldAddress& address) const {
  if (id == kRoot) return true;
  const wbt::NodePtr of = node(id);
  return of && in_world_text(id) && (address.space == link::FieldAddress::kOwn || !of->instance);
}

bool LiveTree::feeds_template(const wbt::ProtoInstance& instance, int parameter) const {
  if (read_by_template(instance, parameter)) return true;
  const auto inner = inner_links_.find({&instance, parameter});
  return inner != inner_links_.end() && std::ranges::any_of(inner->second, [this](const auto& to) {
           return feeds_template(*to.first, to.second);
         });
}

LiveTree::FieldPlace LiveTree::shown_field(int id, const link::FieldAddress& address) const {
  if (is_shown(id, address)) return {id, address};
  const auto of = field(id, address);
  if (!of) return {};
  // From the inside out: the parameters that it follows, and those that they follow.
  std::deque<ParameterKey> keys;
  if (of->instance) {
    keys.emplace_back(of->instance.get(), of->parameter);
  } else {
    const Slot slot{of->node.get(), of->name};
    for (const auto& [key, slots] : links_) {
      if (std::ranges::find(slots, slot) != slots.end()) keys.push_back(key);
    }
  }
  for (; !keys.empty(); keys.pop_front()) {
    const ParameterKey key = keys.front();
    for (const auto& [node_id, entry] : entries_) {
      if (entry.owner == kNone && entry.node->instance.get() == key.first)
        return {node_id, {link::FieldAddress::kOwn, 0, key.second}};
    }
    for (const auto& [outer, inner] : inner_links_) {
      if (std::ranges::find(inner, key) != inner.end()) keys.push_back(outer);
    }
  }
  return {};
}

std::vector<wbt::NodePtr> LiveTree::made_with(const wbt::ProtoInstance& instance) const {
  std::vector<wbt::NodePtr> out;
  for (const auto& [id, entry] : entries_) {
    if (entry.node->instance.get() == &instance) out.push_back(entry.node);
  }
  return out;
}

wbt::NodePtr LiveTree::copy_of(const wbt::NodePtr& node) {
  std::map<const wbt::Node*, wbt::NodePtr> copies;
  const auto copy = [&](const auto& self, const wbt::NodePtr& one) -> wbt::NodePtr {
    if (!one) return nullptr;
    if (const auto known = copies.find(one.get()); known != copies.end()) return known->second;
    auto made = std::make_shared<wbt::Node>(*one);
    copies[one.get()] = made;
    for (wbt::Field& field : made->fields) {
      for (wbt::NodePtr& child : field.value.nodes) child = self(self, child);
    }
    return made;
  };
  return copy(copy, node);
}

void LiveTree::succeed(const wbt::Node& old, const wbt::NodePtr& node) {
  if (old.type != node->type || old.proto != node->proto) return;
  if (const int known = id(&old); known != kNone) known_ids_[node.get()] = known;
  const auto each = [this](const wbt::Value& before, const wbt::Value& after) {
    if (before.nodes.size() != after.nodes.size()) return;
    for (std::size_t i = 0; i < before.nodes.size(); ++i) {
      if (before.nodes[i] && after.nodes[i]) succeed(*before.nodes[i], after.nodes[i]);
    }
  };
  if (!old.instance) {
    for (const wbt::Field& field : old.fields) {
      if (const wbt::Field* after = node->find(field.name)) each(field.value, after->value);
    }
    return;
  }
  // What is inside is new, but for what the parameters bring in.
  if (!node->instance || node->instance->values.size() != old.instance->values.size()) return;
  for (std::size_t i = 0; i < old.instance->values.size(); ++i) {
    each(old.instance->values[i], node->instance->values[i]);
  }
}

}  // namespace protobeam
