#include "sim/supervisor/live_tree.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "wbt/document.h"
#include "wbt/parser.h"

namespace protobeam {
namespace {

using wbt::Node;
using wbt::NodePtr;
using wbt::ProtoInstance;
using wbt::Value;

/// Programs may go over fields by their numbers, so a node that has a place lists them as Webots
/// does (resources/nodes/*.wrl): what each of them has, what is its own, what is hidden, and last
/// what only we have.
void order_as_webots(std::vector<const FieldSpec*>& fields, const std::string& type) {
  // clang-format off
  std::vector<std::string_view> first = {
      "translation", "rotation", "scale", "children", "name", "model", "description",
      "contactMaterial", "immersionProperties", "boundingObject", "physics", "locked",
      "translationStep", "rotationStep", "radarCrossSection", "recognitionColors"};
  // clang-format on
  if (type == "Solid") std::rotate(first.end() - 4, first.end() - 2, first.end());
  constexpr std::string_view kLast[] = {"linearVelocity", "angularVelocity", "temperature",
                                        "samplingPeriod"};
  const auto rank = [&](const FieldSpec* field) {
    const auto at = std::ranges::find(first, field->name);
    if (at != first.end()) return at - first.begin();
    const auto end = std::ranges::find(kLast, field->name);
    return std::ssize(first) + (end == std::end(kLast) ? 0 : 1 + (end - std::begin(kLast)));
  };
  std::ranges::stable_sort(fields, {}, rank);
}

const Instantiation* scope_of(const Node& node) {
  return node.instance ? node.instance->outside.get() : node.expanded_from.get();
}

template <class Visit>
void each_instance(const Node& node, const Visit& visit) {
  for (auto proto = node.instance; proto; proto = proto->base) visit(proto);
}

bool holds(const Value& value, const Node* node) {
  return std::ranges::any_of(value.nodes, [node](const NodePtr& one) { return one.get() == node; });
}

}  // namespace

LiveTree::LiveTree(wbt::LoadedWorld& world, const SchemaRegistry& schemas)
    : world_(world), schemas_(schemas) {
  for (const NodePtr& node : world.nodes) {
    if (node) add(node, nullptr);
  }
}

void LiveTree::add(const NodePtr& node, const Node* parent) {
  if (const auto known = ids_.find(node.get()); known != ids_.end()) {
    entries_.at(known->second).parents.push_back(parent);
    return;
  }
  const auto before = known_ids_.find(node.get());
  const int id = before == known_ids_.end() ? next_++ : before->second;
  if (before != known_ids_.end()) known_ids_.erase(before);
  ids_[node.get()] = id;
  Entry entry{node, {parent}, kNone};
  if (const auto owner = owners_.find(scope_of(*node)); owner != owners_.end()) {
    entry.owner = owner->second;
  }
  entries_[id] = std::move(entry);
  if (!node->def.empty()) defs_[node->def].insert(id);
  each_instance(*node, [&](const std::shared_ptr<ProtoInstance>& proto) {
    owners_[proto->inside.get()] = id;
    for (std::size_t i = 0; i < proto->links.size(); ++i) {
      const auto outer = proto->links[i].instance.lock();
      if (!outer) continue;
      inner_links_[{outer.get(), proto->links[i].parameter}].push_back(
          {proto.get(), static_cast<int>(i)});
    }
  });
  for (const wbt::Field& field : node->fields) {
    if (const auto from = field.from.instance.lock()) {
      links_[{from.get(), field.from.parameter}].push_back({node.get(), field.name});
    }
  }
  for (const wbt::Field& field : node->fields) {
    for (const NodePtr& child : field.value.nodes) {
      if (child) add(child, node.get());
    }
  }
  // Parameters that only a template reads.
  each_instance(*node, [&](const std::shared_ptr<ProtoInstance>& proto) {
    for (const Value& value : proto->values) {
      for (const NodePtr& child : value.nodes) {
        if (child && !ids_.contains(child.get())) add(child, node.get());
      }
    }
  });
}

void LiveTree::remove(const NodePtr& node, const Node* parent) {
  const auto known = ids_.find(node.get());
  if (known == ids_.end()) return;
  Entry& entry = entries_.at(known->second);
  const auto held = std::ranges::find(entry.parents, parent);
  if (held != entry.parents.end()) entry.parents.erase(held);
  if (!entry.parents.empty()) return;
  const int id = known->second;
  ids_.erase(known);
  entries_.erase(id);
  if (!node->def.empty()) defs_[node->def].erase(id);
  for (const wbt::Field& field : node->fields) {
    if (const auto from = field.from.instance.lock()) {
      auto& slots = links_[{from.get(), field.from.parameter}];
      std::erase(slots, Slot{node.get(), field.name});
      if (slots.empty()) links_.erase({from.get(), field.from.parameter});
    }
    for (const NodePtr& child : field.value.nodes) {
      if (child) remove(child, node.get());
    }
  }
  each_instance(*node, [&](const std::shared_ptr<ProtoInstance>& proto) {
    owners_.erase(proto->inside.get());
    for (std::size_t i = 0; i < proto->links.size(); ++i) {
      const auto outer = proto->links[i].instance.lock();
      if (!outer) continue;
      std::erase(inner_links_[{outer.get(), proto->links[i].parameter}],
                 std::pair<const ProtoInstance*, int>(proto.get(), static_cast<int>(i)));
    }
    for (const Value& value : proto->values) {
      for (const NodePtr& child : value.nodes) {
        if (child) remove(child, node.get());
      }
    }
    for (std::size_t i = 0; i < proto->values.size(); ++i) {
      links_.erase({proto.get(), static_cast<int>(i)});
      inner_links_.erase({proto.get(), static_cast<int>(i)});
    }
  });
}

int LiveTree::id(const Node* node) const {
  const auto found = ids_.find(node);
  return found == ids_.end() ? kNone : found->second;
}

NodePtr LiveTree::node(int id) const {
  const auto found = entries_.find(id);
  return found == entries_.end() ? nullptr : found->second.node;
}

int LiveTree::parent(int id) const {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return kNone;
  const Node* parent = found->second.parents.front();
  return parent ? this->id(parent) : kRoot;
}

const std::vector<const Node*>& LiveTree::parents(const Node& node) const {
  static const std::vector<const Node*> kNobody;
  const auto found = entries_.find(id(&node));
  return found == entries_.end() ? kNobody : found->second.parents;
}

std::vector<NodePtr> LiveTree::subtree(const NodePtr& node) const {
  std::vector<NodePtr> out{node};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const NodePtr one = out[i];
    for (const wbt::Field& field : one->fields) {
      for (const NodePtr& child : field.value.nodes) {
        if (child) out.push_back(child);
      }
    }
  }
  return out;
}

int LiveTree::from_def(std::string_view path) const {
  const std::size_t dot = path.find('.');
  const auto first = defs_.find(path.substr(0, dot));
  if (first == defs_.end()) return kNone;
  // The rest of the path, backwards: each is somewhere below the one before it.
  const auto below = [this](int id, int above) {
    for (id = parent(id); id > kRoot; id = parent(id)) {
      if (id == above) return true;
    }
    return false;
  };
  std::vector<int> found(first->second.begin(), first->second.end());
  std::erase_if(found, [this](int id) { return !in_world_text(id); });
  while (path.find('.') != std::string_view::npos) {
    path.remove_prefix(path.find('.') + 1);
    const auto next = defs_.find(path.substr(0, path.find('.')));
    if (next == defs_.end()) return kNone;
    std::vector<int> deeper;
    for (const int id : next->second) {
      const bool fits = in_world_text(id) &&
                        std::ranges::any_of(found, [&](int above) { return below(id, above); });
      if (fits) deeper.push_back(id);
    }
    found = std::move(deeper);
  }
  return found.empty() ? kNone : found.front();
}

int LiveTree::from_proto_def(int proto, std::string_view def) const {
  const auto named = defs_.find(def);
  if (named == defs_.end()) return kNone;
  for (const int id : named->second) {
    if (entries_.at(id).owner == proto) return id;
  }
  return kNone;
}

bool LiveTree::in_world_text(int id) const {
  const auto found = entries_.find(id);
  return found != entries_.end() && found->second.owner == kNone;
}

const std::vector<const FieldSpec*>& LiveTree::fields_of(const std::string& type) const {
  const auto known = fields_.find(type);
  if (known != fields_.end()) return known->second;
  auto& out = fields_[type];
  if (const NodeSchema* schema = schemas_.find(type)) {
    for (const FieldSpec* spec : schemas_.fields(*schema)) {
      if (!spec->alias_of) out.push_back(spec);
    }
  }
  if (schemas_.is_a(type, "Pose")) order_as_webots(out, type);
  return out;
}

const Value& LiveTree::default_value(const char* text) const {
  const auto known = defaults_.find(text);
  if (known != defaults_.end()) return known->second;
  return defaults_[text] = wbt::parse_value(text);
}

std::shared_ptr<ProtoInstance> LiveTree::proto(int id, int level) const {
  const NodePtr of = node(id);
  auto proto = of ? of->instance : nullptr;
  for (; proto && level > 0; --level) proto = proto->base;
  return proto;
}

std::vector<std::string> LiveTree::field_names(int id, const link::FieldAddress& address) const {
  if (id == kRoot) return {"children"};
  std::vector<std::string> names;
  const NodePtr of = node(id);
  if (!of) return names;
  const bool parameters = address.space == link::FieldAddress::kProto ||
                          (address.space == link::FieldAddress::kOwn && of->instance);
  if (parameters) {
    const auto instance =
        proto(id, address.space == link::FieldAddress::kProto ? address.level : 0);
    if (!instance) return names;
    for (const auto& parameter : instance->document->proto->parameters) {
      names.push_back(parameter.name);
    }
    return names;
  }
  for (const FieldSpec* spec : fields_of(of->type)) names.emplace_back(spec->name);
  return names;
}

std::optional<TreeField> LiveTree::field(int id, const link::FieldAddress& address) const {
  if (id == kRoot) {
    if (address.index != 0) return std::nullopt;
    TreeField children;
    children.name = "children";
    children.type = FieldType::kMFNode;
    return children;
  }
  const NodePtr of = node(id);
  if (!of || address.index < 0) return std::nullopt;
  const auto index = static_cast<std::size_t>(address.index);
  const bool parameters = address.space == link::FieldAddress::kProto ||
                          (address.space == link::FieldAddress::kOwn && of->instance);
  TreeField out;
  out.node = of;
  if (parameters) {
    out.instance = proto(id, address.space == link::FieldAddress::kProto ? address.level : 0);
    if (!out.instance) return std::nullopt;
    const auto& all = out.instance->document->proto->parameters;
    if (index >= all.size()) return std::nullopt;
    out.parameter = address.index;
    out.name = all[index].name;
    out.type = all[index].type;
    return out;
  }
  const auto& specs = fields_of(of->type);
  if (index >= specs.size()) return std::nullopt;
  out.spec = specs[index];
  out.name = out.spec->name;
  out.type = out.spec->type;
  return out;
}

TreeField LiveTree::field_of(const NodePtr& node, std::string_view name) const {
  TreeField out;
  out.node = node;
  out.name = name;
  for (const FieldSpec* spec : fields_of(node->type)) {
    if (spec->name != name) continue;
    out.spec = spec;
    out.type = spec->type;
  }
  return out;
}

void LiveTree::linked_slots(const ProtoInstance& instance, int parameter,
                            std::vector<Slot>& out) const {
  const ParameterKey key{&instance, parameter};
  if (const auto direct = links_.find(key); direct != links_.end()) {
    out.insert(out.end(), direct->second.begin(), direct->second.end());
  }
  if (const auto inner = inner_links_.find(key); inner != inner_links_.end()) {
    for (const auto& [proto, index] : inner->second) linked_slots(*proto, index, out);
  }
}

std::vector<TreeField> LiveTree::linked(const ProtoInstance& instance, int parameter) const {
  std::vector<Slot> slots;
  linked_slots(instance, parameter, slots);
  std::vector<TreeField> out;
  for (const auto& [of, name] : slots) {
    const NodePtr there = node(id(of));
    if (!there) continue;
    TreeField field = field_of(there, name);
    if (field.spec) out.push_back(std::move(field));
  }
  return out;
}

bool LiveTree::read_by_template(const ProtoInstance& instance, int parameter) {
  const wbt::ProtoInterface& proto = *instance.document->proto;
  if (!proto.javascript && !proto.lua) return false;
  const auto& tags = instance.document->tags;
  if (std::ranges::find(tags, "indirectFieldAccess") != tags.end()) return true;
  const std::string& name = proto.parameters[static_cast<std::size_t>(parameter)].name;
  const std::string_view body =
      instance.document->source->text().substr(proto.body_begin, proto.body_end - proto.body_begin);
  const std::string wanted = "fields." + name;
  for (std::size_t at = body.find(wanted); at != std::string_view::npos;
       at = body.find(wanted, at + 1)) {
    const std::size_t end = at + wanted.size();
    const bool longer = end < body.size() &&
                        (std::isalnum(static_cast<unsigned char>(body[end])) || body[end] == '_');
    if (!longer) return true;
  }
  return false;
}

const Value& LiveTree::value(const TreeField& field) const {
  if (field.of_root()) {
    root_children_.kind = Value::Kind::kNodes;
    root_children_.bracketed = true;
    root_children_.nodes = world_.nodes;
    return root_children_;
  }
  if (field.instance) {
    const auto slots = linked(*field.instance, field.parameter);
    if (!slots.empty()) return value(slots.front());
    // No node has it: it is what the outermost parameter that sets it says now.
    auto from = field.instance;
    auto parameter = static_cast<std::size_t>(field.parameter);
    while (parameter < from->links.size()) {
      const auto outer = from->links[parameter].instance.lock();
      if (!outer) break;
      parameter = static_cast<std::size_t>(from->links[parameter].parameter);
      from = outer;
    }
    return from->values[parameter];
  }
  if (const wbt::Field* written = field.node->find(field.name)) return written->value;
  return default_value(field.spec->default_text);
}

Value LiveTree::original(const TreeField& field) const {
  const auto known = originals_.find(Slot{field.node.get(), field.name});
  if (known == originals_.end()) return value(field);
  return known->second.field ? known->second.field->value : default_value(field.spec->default_text);
}

std::vector<NodePtr> LiveTree::nodes(const TreeField& field) const {
  std::vector<NodePtr> out;
  for (const NodePtr& node : value(field).nodes) {
    if (node) out.push_back(node);
  }
  return out;
}

void LiveTree::note(const TreeField& field) {
  if (field.of_root()) {
    if (!original_nodes_) original_nodes_ = world_.nodes;
    return;
  }
  if (field.instance) {
    const auto index = static_cast<std::size_t>(field.parameter);
    original_parameters_.try_emplace(
        {field.instance.get(), field.parameter},
        OriginalParameter{field.instance, field.instance->values[index],
                          field.instance->given[index]});
    return;
  }
  const Slot slot{field.node.get(), field.name};
  if (originals_.contains(slot)) return;
  Original original{field.node, std::nullopt};
  if (const wbt::Field* written = field.node->find(field.name)) original.field = *written;
  originals_.emplace(slot, std::move(original));
}

void LiveTree::set(const TreeField& field, Value value) {
  note(field);
  // Held here, so that what leaves is not gone before it has left.
  const Value before = this->value(field);
  const Node* parent = field.node.get();
  const auto update_tree = [&](const Value& after) {
    for (const NodePtr& one : before.nodes) {
      if (one && !holds(after, one.get())) remove(one, parent);
    }
    for (const NodePtr& one : after.nodes) {
      if (one && !holds(before, one.get())) add(one, parent);
    }
  };
  if (field.of_root()) {
    world_.nodes = value.nodes;
    update_tree(value);
    return;
  }
  if (field.instance) {
    const auto index = static_cast<std::size_t>(field.parameter);
    const bool only_template = linked(*field.instance, field.parameter).empty();
    field.instance->values[index] = value;
    field.instance->given[index] = true;
    if (only_template) update_tree(value);
    return;
  }
  if (wbt::Field* written = field.node->find(field.name)) {
    written->value = value;
  } else {
    wbt::Field made;
    made.name = field.name;
    made.place = field.node->place;
    made.value = value;
    field.node->fields.push_back(std::move(made));
  }
  update_tree(value);
}

void LiveTree::restore() {
  if (original_nodes_) world_.nodes = *original_nodes_;
  for (auto& [slot, original] : originals_) {
    auto& fields = original.node->fields;
    const std::string& name = slot.second;
    if (wbt::Field* written = original.node->find(name)) {
      if (original.field) {
        *written = *original.field;
      } else {
        std::erase_if(fields, [&](const wbt::Field& one) { return one.name == name; });
      }
    } else if (original.field) {
      fields.push_back(*original.field);
    }
  }
  for (auto& [key, original] : original_parameters_) {
    const auto index = static_cast<std::size_t>(key.second);
    original.instance->values[index] = original.value;
    original.instance->given[index] = original.given;
  }
  original_nodes_.reset();
  originals_.clear();
  original_parameters_.clear();
  known_ids_ = std::move(ids_);
  ids_.clear();
  entries_.clear();
  defs_.clear();
  owners_.clear();
  links_.clear();
  inner_links_.clear();
  for (const NodePtr& node : world_.nodes) {
    if (node) add(node, nullptr);
  }
  known_ids_.clear();
}

}  // namespace protobeam
