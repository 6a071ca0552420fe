#include "urdf/structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace protobeam::urdf {
namespace {

const std::map<std::string, Joint::Type, std::less<>> kTypes{
    {"fixed", Joint::Type::kFixed},           {"revolute", Joint::Type::kRevolute},
    {"continuous", Joint::Type::kContinuous}, {"prismatic", Joint::Type::kPrismatic},
    {"floating", Joint::Type::kFloating},     {"planar", Joint::Type::kPlanar}};

constexpr int kHints = 20;  // each compares a name with all others

using Names = std::map<std::string, int, std::less<>>;

class Structure {
 public:
  Structure(Robot& robot, const Limits& limits, Diagnostics& diagnostics)
      : robot_(robot), limits_(limits), diagnostics_(diagnostics) {}

  bool run() {
    const int before = diagnostics_.error_count();
    read_links();
    read_joints();
    for (Joint& joint : robot_.joints) read_mimic(joint);
    if (diagnostics_.error_count() == before) check_tree();
    if (diagnostics_.error_count() == before) check_mimics();
    return diagnostics_.error_count() == before;
  }

 private:
  /// The name of a link or joint; adds it to those that are known.
  std::string name_of(const Element& element, int index, Names& known) {
    const Text* name = element.attribute("name");
    if (!name || name->value.empty()) {
      diagnostics_.error(element.place, fmt::format("a <{}> needs a name", element.tag));
      return {};
    }
    const auto [at, added] = known.try_emplace(name->value, index);
    if (!added) {
      diagnostics_.error(name->place,
                         fmt::format("there are two {}s '{}'", element.tag, name->value));
    }
    return name->value;
  }

  void read_links() {
    const auto elements = robot_.element->all("link");
    if (elements.empty()) {
      diagnostics_.error(robot_.element->place, "a <robot> needs a <link>",
                         robot_.element->child("webots")
                             ? "with <webots> alone it tells webots_ros2 about a robot of a world: "
                               "run the world"
                             : "");
    }
    if (elements.size() > limits_.links) {
      diagnostics_.error(elements[limits_.links]->place,
                         fmt::format("more than {} links", limits_.links));
      return;
    }
    for (const Element* element : elements) {
      Link link;
      link.element = element;
      link.name = name_of(*element, static_cast<int>(robot_.links.size()), links_);
      robot_.links.push_back(std::move(link));
    }
  }

  int find(const Text& text, const Names& known, const char* what) {
    const auto at = known.find(text.value);
    if (at != known.end()) return at->second;
    std::vector<std::string> names;
    if (++unknown_ <= kHints) {
      for (const auto& [name, index] : known) names.push_back(name);
    }
    diagnostics_.error(text.place, fmt::format("there is no {} '{}'", what, text.value),
                       did_you_mean(text.value, names));
    return -1;
  }

  int link_of(const Element& joint, const char* end) {
    const Element* element = joint.child(end);
    const Text* name = element ? element->attribute("link") : nullptr;
    if (!name) {
      diagnostics_.error(element ? element->place : joint.place,
                         fmt::format("a <joint> needs <{} link=\"...\"/>", end));
      return -1;
    }
    return find(*name, links_, "link");
  }

  void read_joints() {
    for (const Element* element : robot_.element->all("joint")) {
      if (robot_.joints.size() >= limits_.links) {
        diagnostics_.error(element->place, fmt::format("more than {} joints", limits_.links));
        return;
      }
      Joint joint;
      joint.element = element;
      joint.name = name_of(*element, static_cast<int>(robot_.joints.size()), joints_);
      const Text* type = element->attribute("type");
      if (!type) {
        diagnostics_.error(element->place, "a <joint> needs a type",
                           "revolute, continuous, prismatic, fixed, floating or planar");
      } else if (const auto known = kTypes.find(type->value); known != kTypes.end()) {
        joint.type = known->second;
      } else {
        std::vector<std::string> names;
        for (const auto& [name, value] : kTypes) names.push_back(name);
        diagnostics_.error(type->place,
                           fmt::format("there is no type '{}' of a <joint>", type->value),
                           did_you_mean(type->value, names));
      }
      joint.parent = link_of(*element, "parent");
      joint.child = link_of(*element, "child");
      const int index = static_cast<int>(robot_.joints.size());
      if (joint.parent >= 0 && joint.child >= 0) {
        Link& child = robot_.links[static_cast<std::size_t>(joint.child)];
        if (joint.parent == joint.child) {
          diagnostics_.error(element->place, fmt::format("joint '{}' joins link '{}' to itself",
                                                         joint.name, child.name));
        } else if (child.parent_joint >= 0) {
          diagnostics_.error(
              element->child("child")->place,
              fmt::format("link '{}' is the child of joint '{}' and of joint '{}'", child.name,
                          robot_.joints[static_cast<std::size_t>(child.parent_joint)].name,
                          joint.name),
              "links are a tree: each has one parent");
        } else {
          child.parent_joint = index;
          robot_.links[static_cast<std::size_t>(joint.parent)].joints.push_back(index);
        }
      }
      robot_.joints.push_back(std::move(joint));
    }
  }

  void read_mimic(Joint& joint) {
    const Element* element = joint.element->child("mimic");
    if (!element) return;
    const Text* name = element->attribute("joint");
    if (!name) {
      diagnostics_.error(element->place, "a <mimic> needs a joint");
      return;
    }
    const int master = find(*name, joints_, "joint");
    if (master < 0) return;
    if (&robot_.joints[static_cast<std::size_t>(master)] == &joint) {
      diagnostics_.error(name->place, fmt::format("joint '{}' mimics itself", joint.name));
      return;
    }
    joint.mimic = Mimic{master, 1, 0, element};
  }

  void check_tree() {
    std::vector<const Link*> roots;
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      if (robot_.links[i].parent_joint >= 0) continue;
      if (roots.empty()) robot_.root = static_cast<int>(i);
      roots.push_back(&robot_.links[i]);
    }
    if (roots.empty()) {
      diagnostics_.error(robot_.links.front().element->place,
                         "the links are a loop: every one is the child of a joint");
      return;
    }
    if (roots.size() > 1) {
      diagnostics_.error(
          roots[1]->element->place,
          fmt::format("'{}' and '{}' are both roots: neither is the child of a joint",
                      roots[0]->name, roots[1]->name),
          "join them with a joint");
      return;
    }
    // What the root does not reach hangs on a loop.
    std::vector<std::size_t> depth(robot_.links.size(), 0);
    std::vector<int> open{robot_.root};
    depth[static_cast<std::size_t>(robot_.root)] = 1;
    while (!open.empty()) {
      const auto at = static_cast<std::size_t>(open.back());
      open.pop_back();
      if (depth[at] > limits_.chain) {
        diagnostics_.error(robot_.links[at].element->place,
                           fmt::format("more than {} links in a row", limits_.chain));
        return;
      }
      for (const int joint : robot_.links[at].joints) {
        const int child = robot_.joints[static_cast<std::size_t>(joint)].child;
        depth[static_cast<std::size_t>(child)] = depth[at] + 1;
        open.push_back(child);
      }
    }
    for (std::size_t i = 0; i < depth.size(); ++i) {
      if (depth[i] > 0) continue;
      diagnostics_.error(
          robot_.links[i].element->place,
          fmt::format("link '{}' is in a loop, or hangs on one", robot_.links[i].name),
          "links are a tree");
      return;
    }
  }

  void check_mimics() {
    for (const Joint& joint : robot_.joints) {
      const Joint* at = &joint;
      for (std::size_t n = 0; at->mimic; ++n) {
        at = &robot_.joints[static_cast<std::size_t>(at->mimic->joint)];
        if (n <= robot_.joints.size()) continue;
        diagnostics_.error(joint.element->child("mimic")->place,
                           fmt::format("joint '{}' mimics itself through others", joint.name));
        return;
      }
    }
  }

  Robot& robot_;
  const Limits& limits_;
  Diagnostics& diagnostics_;
  Names links_, joints_;
  int unknown_ = 0;  ///< names
};

/// The first sign of xacro, or null.
const Place* xacro_place(const Element& element) {
  if (element.tag.starts_with("xacro:")) return &element.place;
  for (const xml::Attribute& one : element.attributes) {
    if (one.text.value.find("${") != std::string::npos ||
        one.text.value.find("$(") != std::string::npos) {
      return &one.text.place;
    }
  }
  for (const Element& child : element.children) {
    if (const Place* found = xacro_place(child)) return found;
  }
  return nullptr;
}

}  // namespace

bool find_structure(Robot& robot, const Limits& limits, Diagnostics& diagnostics) {
  return Structure(robot, limits, diagnostics).run();
}

bool is_xacro(const Element& root, Diagnostics& diagnostics) {
  const Place* place = xacro_place(root);
  if (!place) return false;
  const std::filesystem::path file = place->source->path();
  std::string plain = file.stem().string();
  if (!plain.ends_with(".urdf")) plain += ".urdf";
  if (plain == file.filename()) plain = "plain_" + plain;
  diagnostics.error(*place, "this is text for xacro, not a URDF yet",
                    fmt::format("run xacro first: xacro {} > {}", file.filename().string(), plain));
  return true;
}

}  // namespace protobeam::urdf
