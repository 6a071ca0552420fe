#include "wbt/saved_motion.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace protobeam::wbt {
namespace {

struct Part {
  NodePtr solid;
  std::vector<NodePtr> joints;
};

class Parts {
 public:
  Parts(const SchemaRegistry& schemas, const NodePtr& root) : schemas_(schemas) {
    if (schemas.is_a(root->type, "Solid")) add(root);
  }
  const Part* at(std::size_t index) const { return index < all_.size() ? &all_[index] : nullptr; }

 private:
  void add(const NodePtr& solid) {
    const std::size_t index = all_.size();
    all_.push_back({solid, {}});
    std::vector<NodePtr> solids, joints;
    look_in(*solid, "children", solids, joints);
    all_[index].joints = std::move(joints);
    for (const NodePtr& one : solids) add(one);
  }
  /// The Solids and joints in it that stand in no other Solid.
  void look_in(const Node& node, std::string_view field, std::vector<NodePtr>& solids,
               std::vector<NodePtr>& joints) const {
    const Field* held = node.find(field);
    if (!held) return;
    for (const NodePtr& child : held->value.nodes) {
      if (!child) continue;
      if (schemas_.is_a(child->type, "Solid")) {
        solids.push_back(child);
      } else if (child->type == "Slot") {
        look_in(*child, "endPoint", solids, joints);
      } else if (child->type.ends_with("Joint")) {
        joints.push_back(child);
        look_in(*child, "endPoint", solids, joints);
      } else if (schemas_.is_a(child->type, "Group")) {
        look_in(*child, "children", solids, joints);
      }
    }
  }

  const SchemaRegistry& schemas_;
  std::vector<Part> all_;
};

void set(Node& node, std::string_view name, const Field& saved) {
  if (Field* known = node.find(name)) {
    known->value = saved.value;
    return;
  }
  Field field;
  field.name = name;
  field.value = saved.value;
  field.place = saved.place;
  node.fields.push_back(std::move(field));
}

void set_position(Node& joint, std::size_t axis, const Field& saved) {
  constexpr const char* kParameters[] = {"jointParameters", "jointParameters2", "jointParameters3"};
  Field* held = joint.find(kParameters[axis]);
  if (!held) {
    Field field;
    field.name = kParameters[axis];
    field.place = saved.place;
    joint.fields.push_back(std::move(field));
    held = &joint.fields.back();
  }
  const bool there = held->value.nodes.size() == 1 && held->value.nodes[0];
  if (there) return set(*held->value.nodes[0], "position", saved);
  auto parameters = std::make_shared<Node>();
  parameters->type = axis > 0 || joint.type == "SliderJoint" ? "JointParameters"
                     : joint.type == "BallJoint"             ? "BallJointParameters"
                                                             : "HingeJointParameters";
  parameters->place = saved.place;
  parameters->expanded_from = joint.expanded_from;
  set(*parameters, "position", saved);
  if (joint.type == "BallJoint" && axis == 1) {
    // That of one without them; JointParameters have z.
    Field x = saved;
    x.value.numbers = {1, 0, 0};
    x.value.offsets = std::vector<std::uint32_t>(3, saved.place.offset);
    set(*parameters, "axis", x);
  }
  held->value = Value{};
  held->value.kind = Value::Kind::kNodes;
  held->value.nodes = {std::move(parameters)};
  held->value.offsets = {saved.place.offset};
  held->value.place = saved.place;
}

/// "position2_3_0": position2, 3 and 0.
struct Name {
  std::string_view what;
  std::vector<std::size_t> numbers;
};
std::optional<Name> parts_of(std::string_view name) {
  Name out;
  out.what = name.substr(0, name.find('_'));
  while (out.numbers.size() < 3 && name.find('_') != std::string_view::npos) {
    name.remove_prefix(name.find('_') + 1);
    std::size_t number = 0;
    const char* end = name.data() + name.size();
    const auto read = std::from_chars(name.data(), end, number);
    if (read.ec != std::errc() || (read.ptr != end && *read.ptr != '_')) return std::nullopt;
    out.numbers.push_back(number);
  }
  return out;
}

}  // namespace

void apply_saved_motion(const Node& raw, const SchemaRegistry& schemas, const NodePtr& made) {
  if (std::ranges::none_of(raw.fields, &Field::hidden)) return;
  const Parts parts(schemas, made);
  for (const Field& field : raw.fields) {
    const auto name = field.hidden ? parts_of(field.name) : std::nullopt;
    if (!name || name->numbers.empty() || field.value.kind != Value::Kind::kNumbers) continue;
    const Part* part = parts.at(name->numbers[0]);
    if (!part) continue;
    const std::string_view what = name->what;
    const std::size_t given = field.value.numbers.size();
    if (name->numbers.size() == 1) {
      const bool vector =
          what == "translation" || what == "linearVelocity" || what == "angularVelocity";
      if ((vector && given == 3) || (what == "rotation" && given == 4)) {
        set(*part->solid, what, field);
      }
      continue;
    }
    const std::size_t axis = what == "position" ? 0 : what == "position2" ? 1 : 2;
    const bool joint = axis < 2 || what == "position3";
    if (!joint || given != 1 || name->numbers[1] >= part->joints.size()) continue;
    Node& of = *part->joints[name->numbers[1]];
    const bool has_axis =
        axis == 0 || of.type == "BallJoint" || (axis == 1 && of.type == "Hinge2Joint");
    if (has_axis) set_position(of, axis, field);
  }
}

}  // namespace protobeam::wbt
