#include "wbt/node.h"

#include <cassert>
#include <map>
#include <mutex>
#include <utility>

#include "wbt/parser.h"

namespace protobeam::wbt {
namespace {

/// The value that a field table's default text stands for. Parsed once per text.
const Value& default_value(const char* text) {
  static std::mutex mutex;
  static std::map<std::string, Value, std::less<>> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(std::string_view(text));
  if (found != known.end()) return found->second;
  return known.emplace(text, parse_value(text)).first->second;
}

}  // namespace

Place Value::element_place(std::size_t index) const {
  if (index >= offsets.size()) return place;
  return {place.source, offsets[index], 1};
}

const Field* Node::find(std::string_view name) const {
  for (const auto& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

Field* Node::find(std::string_view name) {
  return const_cast<Field*>(std::as_const(*this).find(name));
}

const Value& NodeView::value(std::string_view name) const {
  if (const Field* field = node_.find(name)) return field->value;
  const NodeSchema* schema = schemas_.find(node_.type);
  const FieldSpec* spec = schema ? schemas_.find_field(*schema, name) : nullptr;
  assert(spec && "the node type has no such field");
  static const Value kNone;
  return spec ? default_value(spec->default_text) : kNone;
}

bool NodeView::boolean(std::string_view name) const { return number(name) != 0; }

int NodeView::integer(std::string_view name) const { return static_cast<int>(number(name)); }

double NodeView::number(std::string_view name) const {
  const Value& v = value(name);
  return v.numbers.empty() ? 0 : v.numbers[0];
}

std::string NodeView::string(std::string_view name) const {
  const Value& v = value(name);
  return v.strings.empty() ? std::string() : v.strings[0];
}

Vec2 NodeView::vec2(std::string_view name) const {
  const Value& v = value(name);
  return v.numbers.size() < 2 ? Vec2(Vec2::Zero()) : Vec2(v.numbers[0], v.numbers[1]);
}

Vec3 NodeView::vec3(std::string_view name) const {
  const Value& v = value(name);
  if (v.numbers.size() < 3) return Vec3::Zero();
  return {v.numbers[0], v.numbers[1], v.numbers[2]};
}

Quat NodeView::rotation(std::string_view name) const {
  const Value& v = value(name);
  if (v.numbers.size() < 4) return Quat::Identity();
  return axis_angle({v.numbers[0], v.numbers[1], v.numbers[2]}, v.numbers[3]);
}

std::vector<double> NodeView::numbers(std::string_view name) const { return value(name).numbers; }

std::vector<std::string> NodeView::strings(std::string_view name) const {
  return value(name).strings;
}

std::unique_ptr<Fields> NodeView::child(std::string_view name) const {
  const NodePtr child = node(name);
  return child ? std::make_unique<NodeView>(*child, schemas_) : nullptr;
}

bool NodeView::is_set(std::string_view name) const { return node_.find(name) != nullptr; }

Place NodeView::place(std::string_view name) const {
  const Field* field = node_.find(name);
  return field ? field->value.place : node_.place;
}

NodePtr NodeView::node(std::string_view name) const {
  const Value& v = value(name);
  return v.nodes.empty() ? nullptr : v.nodes[0];
}

std::vector<NodePtr> NodeView::nodes(std::string_view name) const {
  std::vector<NodePtr> out;
  for (const auto& child : value(name).nodes) {
    if (child) out.push_back(child);
  }
  return out;
}

bool NodeView::has(std::string_view name) const {
  const NodeSchema* schema = schemas_.find(node_.type);
  return schema && schemas_.find_field(*schema, name);
}

}  // namespace protobeam::wbt
