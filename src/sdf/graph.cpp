#include "sdf/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace protobeam::sdf {
namespace {

using Names = std::map<std::string, int, std::less<>>;

class Flattener {
 public:
  explicit Flattener(Context& context) : context_(context) {}

  Graph run(const Element& model) {
    bodies(model, "", {}, false);
    joints(model, "", {});
    return take();
  }

  Graph run(const JoinedModels& joined) {
    out_.joined = true;
    for (const Element* model : joined.models)
      bodies(*model, name_of(*model) + "::", context_.pose(*model), false);
    for (const Element* model : joined.models)
      joints(*model, name_of(*model) + "::", context_.pose(*model));
    for (const Element* one : joined.joints) joint(*one, "", {});
    return take();
  }

 private:
  Graph take() {
    for (const auto& [plugin, prefix] : plugins_)
      out_.plugins.push_back(prefix.empty() ? plugin : &with_whole_names(*plugin, prefix));
    return std::move(out_);
  }

  void bodies(const Element& model, const std::string& prefix, const Pose& X, bool fixed) {
    for (const Element& child : model.children) {
      if (child.tag == "link") {
        const std::string name = prefix + name_of(child);
        names_[name] = static_cast<int>(out_.bodies.size());
        out_.bodies.push_back({&child, name, X * context_.pose(child), fixed});
      } else if (child.tag == "model") {
        bodies(child, prefix + name_of(child) + "::", X * context_.pose(child),
               fixed || flag_in(child, "static", false));
      } else if (child.tag == "plugin") {
        plugins_.emplace_back(&child, prefix);
      }
    }
  }

  /// A plugin of a nested model, with the joints and links that it names as they are called here.
  const Element& with_whole_names(const Element& plugin, const std::string& prefix) {
    Element& out = context_.made.emplace_back(plugin);
    for (Element& child : out.children) {
      const std::string whole = prefix + child.text.value;
      const bool names_link =
          child.tag == "link" || child.tag == "link_name" || child.tag == "linkName";
      if (std::ranges::find(out_.edges, whole, &Edge::name) != out_.edges.end() ||
          (names_link && names_.contains(whole)))
        child.text.value = whole;
    }
    return out;
  }

  int find(const std::string& prefix, const std::string& name) const {
    const auto at = names_.find(prefix + name);
    return at == names_.end() ? -1 : at->second;
  }

  void joints(const Element& model, const std::string& prefix, const Pose& X) {
    for (const Element& child : model.children) {
      if (child.tag == "model")
        joints(child, prefix + name_of(child) + "::", X * context_.pose(child));
      if (child.tag == "joint") joint(child, prefix, X);
    }
  }

  void joint(const Element& element, const std::string& prefix, const Pose& X) {
    const JointFrame* frame = context_.frames.joint(element);
    if (!frame) return;
    Edge edge;
    edge.joint = &element;
    edge.name = prefix + name_of(element);
    edge.parent = frame->parent == "world" ? -1 : find(prefix, frame->parent);
    edge.child = frame->child == "world" ? -1 : find(prefix, frame->child);
    edge.X_MJ = X * frame->X_MJ;
    edge.axis = X.R * frame->axis;
    edge.axis2 = X.R * frame->axis2;
    if (edge.parent != edge.child) {
      out_.edges.push_back(std::move(edge));
      return;
    }
    context_.diagnostics.warning(
        element.place, fmt::format("joint '{}' joins '{}' to itself", edge.name, frame->child),
        "it is left out");
  }

  Context& context_;
  Graph out_;
  Names names_;
  std::vector<std::pair<const Element*, std::string>> plugins_;  ///< with the models before theirs
};

/// Grows one tree from its root, along joints from parent to child as long as there are any, else
/// against one. Gearboxes couple links that other joints move, and come last.
class Grower {
 public:
  explicit Grower(const Graph& graph)
      : graph_(graph), reached_(graph.bodies.size()), used_(graph.edges.size()) {}

  Tree from(int root) {
    Tree out;
    out.root = root;
    if (root >= 0) reach(out, root);
    while (grow(out, false, false) || grow(out, true, false) || grow(out, false, true) ||
           grow(out, true, true)) {
    }
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      const Edge& edge = graph_.edges[i];
      if (used_[i] || !is_in(out, edge.parent) || !is_in(out, edge.child)) continue;
      used_[i] = true;
      // The root has no name that a SolidReference could use, nor has the world.
      const bool inverted = edge.child == out.root || edge.child < 0;
      out.closing.push_back({static_cast<int>(i), inverted ? edge.child : edge.parent,
                             inverted ? edge.parent : edge.child, inverted});
    }
    return out;
  }
  bool has(int body) const { return reached_[static_cast<std::size_t>(body)]; }

 private:
  void reach(Tree& tree, int body) {
    reached_[static_cast<std::size_t>(body)] = true;
    tree.bodies.push_back(body);
  }
  bool is_in(const Tree& tree, int body) const { return body < 0 ? tree.root < 0 : has(body); }

  bool grow(Tree& tree, bool inverted, bool gearboxes) {
    bool grown = false;
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      const Edge& edge = graph_.edges[i];
      const int from = inverted ? edge.child : edge.parent;
      const int to = inverted ? edge.parent : edge.child;
      if (used_[i] || to < 0 || has(to) || !is_in(tree, from)) continue;
      if ((edge.joint->attribute("type")->value == "gearbox") != gearboxes) continue;
      used_[i] = grown = true;
      reach(tree, to);
      tree.branches.push_back({static_cast<int>(i), from, to, inverted});
      if (inverted || gearboxes) break;
    }
    return grown;
  }

  const Graph& graph_;
  std::vector<bool> reached_, used_;
};

}  // namespace

Graph graph_of(Context& context, const Element& model) { return Flattener(context).run(model); }
Graph graph_of(Context& context, const JoinedModels& joined) {
  return Flattener(context).run(joined);
}

std::vector<Tree> trees_of(const Graph& graph) {
  std::vector<Tree> out;
  Grower grower(graph);
  std::vector<bool> is_child(graph.bodies.size());
  bool anchored = false;
  for (const Edge& edge : graph.edges) {
    if (edge.child >= 0) is_child[static_cast<std::size_t>(edge.child)] = true;
    anchored = anchored || edge.child < 0 || edge.parent < 0;
  }
  if (anchored) out.push_back(grower.from(-1));
  for (const bool children : {false, true}) {
    for (std::size_t i = 0; i < graph.bodies.size(); ++i) {
      const int body = static_cast<int>(i);
      if (!grower.has(body) && is_child[i] == children) out.push_back(grower.from(body));
    }
  }
  return out;
}

}  // namespace protobeam::sdf
