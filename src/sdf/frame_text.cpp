#include "sdf/frame_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sdf/frames.h"
#include "urdf/values.h"

namespace protobeam::sdf {
namespace {

struct JointKind {
  const char* type;   ///< as it is written
  const char* plain;  ///< as libsdformat gets it
  int axes;
};
constexpr std::array kJointKinds{
    JointKind{"revolute", "revolute", 1},   JointKind{"continuous", "revolute", 1},
    JointKind{"prismatic", "revolute", 1},  JointKind{"screw", "revolute", 1},
    JointKind{"gearbox", "revolute", 1},    JointKind{"universal", "universal", 2},
    JointKind{"revolute2", "universal", 2}, JointKind{"ball", "ball", 0},
    JointKind{"fixed", "fixed", 0}};

constexpr std::array kAxes{"axis", "axis2"};

std::string encoded(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return out;
}

std::string text_of(const Element& element, const char* attribute) {
  const Text* text = element.attribute(attribute);
  return text ? text->value : "";
}

/// Names in flattened models hold "::", which ours do not.
std::string reference(const Element& model, const std::string& name) {
  std::string flat = name;
  for (auto at = flat.find("::"); at != std::string::npos; at = flat.find("::"))
    flat.replace(at, 2, "__");
  const auto is_it = [&](const Element& one) {
    const Text* own = one.attribute("name");
    return own && own->value == flat;
  };
  return flat != name && std::ranges::any_of(model.children, is_it) ? flat : name;
}

bool has_own_pose(const Element& element) {
  const Element* pose = element.child("pose");
  return !pose || text_of(*pose, "relative_to").empty();
}

/// Nothing in the model is in another frame than its parent's.
bool is_simple(const Element& model) {
  const auto is_simple_part = [](const Element& part) {
    if (part.tag == "model" || part.tag == "joint" || part.tag == "frame") return false;
    return part.tag != "link" ||
           (has_own_pose(part) && std::ranges::all_of(part.children, has_own_pose));
  };
  return !model.attribute("placement_frame") && has_own_pose(model) &&
         std::ranges::all_of(model.children, is_simple_part);
}

}  // namespace

std::string FrameText::run(const Element& sdf) {
  out_ = "<sdf version=\"1.9\">";
  lines_ = {&sdf};
  const Element* world = sdf.child("world");
  const Element& scope = world ? *world : sdf;
  open(scope, "world", {{"name", "w"}});
  // libsdformat takes milliseconds a model, and there are worlds with thousands.
  const bool named = std::ranges::any_of(scope.children, [](const Element& child) {
    return child.tag == "frame" || child.tag == "joint" ||
           (child.tag == "model" && !has_own_pose(child));
  });
  for (const Element& child : scope.children) {
    if (child.tag == "model" && (named || !is_simple(child))) model(child);
    if (child.tag == "frame") frame(child, scope);
    if (child.tag == "joint" && world) world_joint(child, scope);
  }
  out_ += "</world></sdf>\n";
  return out_;
}

void FrameText::open(const Element& element, const std::string& tag, const Attributes& attributes) {
  out_ += "\n<" + tag;
  for (const auto& [name, value] : attributes)
    out_ += fmt::format(" {}=\"{}\"", name, encoded(value));
  out_ += '>';
  lines_.push_back(&element);
}
void FrameText::close(const char* tag) { out_ += fmt::format("</{}>", tag); }
void FrameText::leaf(const Element& element, const char* tag, const std::string& text) {
  open(element, tag, {});
  out_ += encoded(text);
  close(tag);
}

void FrameText::pose(const Element& owner, const Element& scope) {
  const Element* element = owner.child("pose");
  if (!element) return;
  const Pose X = urdf::child_pose(owner, diagnostics_);
  if (X.p.cwiseAbs().maxCoeff() > kFarthest) {
    diagnostics_.error(element->place, "the numbers of a <pose> must be within 1e9 of zero");
    return;
  }
  Attributes attributes{{"rotation_format", "quat_xyzw"}};
  if (const std::string to = text_of(*element, "relative_to"); !to.empty())
    attributes.emplace_back("relative_to", reference(scope, to));
  open(*element, "pose", attributes);
  out_ += fmt::format("{} {} {} {} {} {} {}", X.p.x(), X.p.y(), X.p.z(), X.R.x(), X.R.y(), X.R.z(),
                      X.R.w());
  close("pose");
}

void FrameText::frame(const Element& element, const Element& scope) {
  Attributes attributes{{"name", text_of(element, "name")}};
  if (const std::string to = text_of(element, "attached_to"); !to.empty())
    attributes.emplace_back("attached_to", reference(scope, to));
  open(element, "frame", attributes);
  pose(element, scope);
  close("frame");
}

void FrameText::model(const Element& element) {
  Attributes attributes{{"name", text_of(element, "name")}};
  for (const char* name : {"placement_frame", "canonical_link"}) {
    if (const std::string value = text_of(element, name); !value.empty())
      attributes.emplace_back(name, reference(element, value));
  }
  open(element, "model", attributes);
  const auto holds = [](const Element& one) { return one.tag == "link" || one.tag == "model"; };
  if (!std::ranges::any_of(element.children, holds)) out_ += "<static>true</static>";
  pose(element, element);
  for (const Element& child : element.children) {
    if (child.tag == "model") model(child);
    if (child.tag == "link") link(child, element);
    if (child.tag == "joint") joint(child, element);
    if (child.tag == "frame") frame(child, element);
  }
  close("model");
}

void FrameText::link(const Element& element, const Element& scope) {
  open(element, "link", {{"name", text_of(element, "name")}});
  pose(element, scope);
  for (const Element& child : element.children) {
    const Element* own = child.child("pose");
    if (!own || text_of(*own, "relative_to").empty()) continue;
    Attributes attributes{{"name", text_of(child, "name")}};
    const bool shape = child.tag == "visual" || child.tag == "collision";
    if (!shape && child.tag != "sensor" && child.tag != "light") continue;
    if (!shape) attributes.emplace_back("type", child.tag == "light" ? "point" : "altimeter");
    open(child, child.tag, attributes);
    pose(child, scope);
    if (shape) out_ += "<geometry><empty/></geometry>";
    close(child.tag.c_str());
  }
  close("link");
}

std::optional<std::string> FrameText::plain_type(const Element& joint, int& axes) {
  const std::string type = text_of(joint, "type");
  const auto kind =
      std::ranges::find_if(kJointKinds, [&](const JointKind& one) { return one.type == type; });
  if (kind == kJointKinds.end()) {
    std::vector<std::string> known;
    for (const JointKind& one : kJointKinds) known.emplace_back(one.type);
    diagnostics_.error(joint.attribute("type") ? joint.attribute("type")->place : joint.place,
                       type.empty() ? "a <joint> needs a type"
                                    : fmt::format("there is no type '{}' of a <joint>", type),
                       did_you_mean(type, known));
    return std::nullopt;
  }
  for (const char* end : {"parent", "child"}) {
    const Element* name = joint.child(end);
    if (name && !name->text.value.empty()) continue;
    diagnostics_.error(name ? name->place : joint.place,
                       fmt::format("a <joint> needs a <{}>", end));
    return std::nullopt;
  }
  axes = kind->axes;
  return kind->plain;
}

void FrameText::joint(const Element& element, const Element& scope) {
  int axes = 0;
  const auto type = plain_type(element, axes);
  if (!type) return;
  open(element, "joint", {{"name", text_of(element, "name")}, {"type", *type}});
  pose(element, scope);
  for (const char* end : {"parent", "child"})
    leaf(*element.child(end), end, reference(scope, element.child(end)->text.value));
  for (int i = 0; i < axes; ++i) axis(element, kAxes[static_cast<std::size_t>(i)], scope);
  close("joint");
}

void FrameText::world_joint(const Element& element, const Element& world) {
  int axes = 0;
  if (!plain_type(element, axes)) return;
  const std::string name = text_of(element, "name");
  // A frame that is attached to nothing is attached to the world.
  const auto add_frame = [&](const Element& owner, const std::string& frame, const std::string& to,
                             bool posed) {
    Attributes attributes{{"name", frame}};
    if (to != "world") attributes.emplace_back("attached_to", reference(world, to));
    open(owner, "frame", attributes);
    if (posed) pose(element, world);
    close("frame");
    return frame;
  };
  WorldJoint out{.element = &element};
  const auto end = [&](const char* tag) { return element.child(tag); };
  out.parent = add_frame(*end("parent"), "parent of " + name, end("parent")->text.value, false);
  out.child = add_frame(*end("child"), "child of " + name, end("child")->text.value, true);
  for (int i = 0; i < axes; ++i) {
    const char* tag = kAxes[static_cast<std::size_t>(i)];
    const Element* xyz = element.find({tag, "xyz"});
    const std::string in = xyz ? text_of(*xyz, "expressed_in") : "";
    out.axes.push_back(
        {in.empty() ? out.child : add_frame(*xyz, fmt::format("{} of {}", tag, name), in, false),
         direction(xyz)});
  }
  world_joints_.push_back(std::move(out));
}

Vec3 FrameText::direction(const Element* xyz) {
  if (!xyz) return Vec3::UnitZ();
  const auto got = urdf::numbers_of(xyz->text, 3, "<xyz>", diagnostics_);
  const Vec3 out = got ? Vec3((*got)[0], (*got)[1], (*got)[2]) : Vec3::UnitZ();
  if (out.norm() > 1e-9 && out.norm() < kFarthest) return out;
  diagnostics_.error(xyz->place, "an axis has a length greater than 0");
  return Vec3::UnitZ();
}

void FrameText::axis(const Element& joint, const char* tag, const Element& scope) {
  const Element* axis = joint.child(tag);
  const Element* xyz = axis ? axis->child("xyz") : nullptr;
  const Vec3 v = direction(xyz);
  open(axis ? *axis : joint, tag, {});
  Attributes attributes;
  if (const std::string in = xyz ? text_of(*xyz, "expressed_in") : ""; !in.empty())
    attributes.emplace_back("expressed_in", reference(scope, in));
  open(xyz ? *xyz : joint, "xyz", attributes);
  out_ += fmt::format("{} {} {}</xyz>", v.x(), v.y(), v.z());
  close(tag);
}

}  // namespace protobeam::sdf
