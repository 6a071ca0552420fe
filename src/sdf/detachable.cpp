#include "sdf/detachable.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

#include "urdf/ros_names.h"
#include "urdf/wheels.h"

namespace protobeam::sdf {
namespace {

constexpr double kAnyDistance = 1e9;  // m
constexpr double kStatePeriod = 20;   // ms

/// All links of a world, and its plugins for these joints with the models that they are in.
class Finder {
 public:
  Finder(Context& context, const Element& world) : context_(context) { visit(world, ""); }

  std::vector<DetachableJoint> run() {
    std::vector<DetachableJoint> out;
    for (const auto& [plugin, model] : plugins_) {
      note_tags(*plugin);
      DetachableJoint made{plugin, model + "::" + urdf::child_text(*plugin, "parent_link"),
                           child_of(*plugin, model), static_cast<int>(out.size()) + 1};
      const Problem problem = problem_of(made);
      if (problem.what.empty()) {
        out.push_back(std::move(made));
      } else {
        context_.diagnostics.warning(
            plugin->place, "a detachable joint has no effect: " + problem.what, problem.hint);
      }
    }
    return out;
  }

 private:
  struct Problem {
    std::string what, hint;
  };

  Problem problem_of(const DetachableJoint& joint) const {
    for (const char* tag : {"parent_link", "child_model", "child_link"})
      if (urdf::child_text(*joint.plugin, tag).empty())
        return {fmt::format("it has no <{}>", tag), ""};
    for (const std::string* link : {&joint.parent, &joint.child}) {
      if (links_.contains(*link)) continue;
      const std::vector<std::string> known(links_.begin(), links_.end());
      return {fmt::format("there is no link '{}'", *link), did_you_mean(*link, known)};
    }
    if (joint.parent == joint.child)
      return {fmt::format("both its ends are the link '{}'", joint.parent), ""};
    return {};
  }

  /// Says which are none of gz-sim's DetachableJoint.
  void note_tags(const Element& plugin) const {
    static const std::vector<std::string> kTags{
        "parent_link",  "child_model",  "child_link",   "topic",
        "detach_topic", "attach_topic", "output_topic", "suppress_child_warning"};
    for (const Element& child : plugin.children) {
      if (std::ranges::find(kTags, child.tag) == kTags.end())
        context_.ignored.add(fmt::format("<{}> of a detachable joint", child.tag), child.place,
                             did_you_mean(child.tag, kTags));
    }
  }

  void visit(const Element& holder, const std::string& name) {
    for (const Element& child : holder.children) {
      const std::string whole = (name.empty() ? "" : name + "::") + name_of(child);
      if (child.tag == "model") visit(child, whole);
      if (child.tag == "link") links_.insert(whole);
      if (child.tag == "plugin" && !name.empty() && is_detachable_joint(child))
        plugins_.emplace_back(&child, name);
    }
  }

  /// The one of that name, or of several nested ones the one below the plugin's model.
  std::string child_of(const Element& plugin, const std::string& model) const {
    const std::string link = urdf::child_text(plugin, "child_link");
    const std::string other = urdf::child_text(plugin, "child_model");
    if (other == "__model__") return model + "::" + link;
    const std::string wanted = other + "::" + link;
    if (links_.contains(wanted)) return wanted;
    std::vector<std::string> nested, below;
    for (const std::string& one : links_) {
      if (!one.ends_with("::" + wanted)) continue;
      nested.push_back(one);
      if (one.starts_with(model + "::")) below.push_back(one);
    }
    if (nested.size() == 1) return nested.front();
    return below.empty() ? wanted : below.front();
  }

  Context& context_;
  std::set<std::string, std::less<>> links_;  ///< "model::link"
  std::vector<std::pair<const Element*, std::string>> plugins_;
};

/// The first that is a name of ROS; "" when none is.
std::string first_topic(std::initializer_list<std::string> names) {
  const auto found = std::ranges::find_if(names, urdf::is_topic);
  return found == names.end() ? "" : *found;
}

}  // namespace

bool is_detachable_joint(const Element& plugin) {
  return urdf::file_has(plugin, "detachable_joint");
}

std::vector<DetachableJoint> read_detachable_joints(Context& context, const Element& world) {
  return Finder(context, world).run();
}

bool holds_others(const Context& context, const std::string& link) {
  return std::ranges::find(context.detachable_joints, link, &DetachableJoint::parent) !=
         context.detachable_joints.end();
}

std::vector<NodePtr> connectors_of(const Context& context, const std::string& link) {
  std::vector<NodePtr> out;
  for (const DetachableJoint& joint : context.detachable_joints) {
    const Element& plugin = *joint.plugin;
    const std::string pair = fmt::format("detachable joint {}", joint.number);
    const auto connector = [&](const std::string& other, const char* type) {
      NodeMaker made("Connector", at(plugin));
      made.text("name", "joint to " + other).text("model", pair).text("type", type);
      return made;
    };
    if (link == joint.child) out.push_back(connector(joint.parent, "passive").take());
    if (link != joint.parent) continue;
    out.push_back(connector(joint.child, "active")
                      .number("samplingPeriod", kStatePeriod)
                      .flag("isLocked", true)
                      .flag("snap", false)
                      .number("distanceTolerance", kAnyDistance)
                      .number("axisTolerance", kPi)
                      .number("numberOfRotations", 0)
                      .take());
    const auto text = [&](const char* tag) { return urdf::child_text(plugin, tag); };
    const auto topic = [&](const char* message, std::initializer_list<std::string> names) {
      NodeMaker made("Topic", at(plugin));
      made.text("device", "joint to " + joint.child).text("message", message);
      if (const std::string name = first_topic(names); !name.empty()) made.text("name", name);
      out.push_back(made.take());
    };
    const std::string own =
        joint.parent.substr(0, joint.parent.size() - text("parent_link").size() - 2);
    const auto last = own.rfind("::");
    const std::string usual =
        "/model/" + (last == own.npos ? own : own.substr(last + 2)) + "/detachable_joint/";
    topic("unlock", {text("detach_topic"), text("topic"), usual + "detach"});
    topic("lock", {text("attach_topic"), usual + "attach"});
    topic("state",
          {text("output_topic"), "/model/" + text("child_model") + "/detachable_joint/state"});
  }
  return out;
}

}  // namespace protobeam::sdf
