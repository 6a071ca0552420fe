#include "sdf/models.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/libm.h"
#include "sdf/detachable.h"
#include "sdf/geometry.h"
#include "sdf/graph.h"
#include "sdf/inertial.h"
#include "sdf/looks.h"
#include "sdf/scenery.h"
#include "sdf/surface.h"
#include "sdf/water.h"
#include "urdf/labels.h"
#include "urdf/link_forces.h"
#include "urdf/robot_tree.h"
#include "urdf/shapes.h"
#include "urdf/thermal.h"
#include "urdf/tracks.h"
#include "urdf/values.h"

namespace protobeam::sdf {
namespace {

using Type = urdf::Joint::Type;

constexpr double kNoLimit = 1e9;  // rad or m: beyond, a limit is none
constexpr double kParallel = 1e-3;  // rad, about

/// "inf" and "-inf", which other readers of numbers take.
bool is_infinite(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text == "inf" || text == "Inf" || text == "infinity";
}

class RobotMaker {
 public:
  RobotMaker(Context& context, const Element& model, const Graph& graph, bool is_static)
      : context_(context), model_(model), graph_(graph), static_(is_static) {}

  /// `alone`: it is all of the model, and has its name.
  std::optional<urdf::Robot> run(const Tree& tree, bool alone) {
    urdf::Robot out;
    out.file = context_.file;
    out.element = std::shared_ptr<const Element>(context_.sdf, &model_);
    const std::string name = name_of(model_);
    out.name = alone ? name : name + "::" + root_name(tree);
    index_.assign(graph_.bodies.size(), -1);
    if (tree.root < 0) {
      urdf::Link world;
      world.name = "world";
      world.element = &model_;
      out.links.push_back(std::move(world));
      out.root = 0;
    }
    for (const int body : tree.bodies) {
      index_[static_cast<std::size_t>(body)] = static_cast<int>(out.links.size());
      out.links.push_back(link(graph_.bodies[static_cast<std::size_t>(body)]));
    }
    if (tree.root >= 0) out.root = index_[static_cast<std::size_t>(tree.root)];
    out.fixed_to_world = static_;
    for (const Tree::Branch& branch : tree.branches) {
      const int number = static_cast<int>(out.joints.size());
      urdf::Joint made = joint(branch);
      out.links[static_cast<std::size_t>(made.child)].parent_joint = number;
      out.links[static_cast<std::size_t>(made.parent)].joints.push_back(number);
      out.joints.push_back(std::move(made));
    }
    for (const Tree::Branch& branch : tree.closing) {
      urdf::Joint made = joint(branch);
      if (!made.moves()) {
        if (made.element->attribute("type")->value != "gearbox")
          context_.ignored.add("a fixed joint that closes a loop", made.element->place);
        continue;
      }
      out.links[static_cast<std::size_t>(made.parent)].closing.push_back(
          static_cast<int>(out.joints.size()));
      out.joints.push_back(std::move(made));
    }
    for (urdf::Joint& one : out.joints) follow(out, one);
    return is_deep(out, tree) ? std::nullopt : std::optional<urdf::Robot>(std::move(out));
  }

  /// All bodies of a model that does not move, on one root.
  urdf::Robot standing() {
    Tree tree;
    tree.root = -1;
    for (std::size_t i = 0; i < graph_.bodies.size(); ++i)
      tree.bodies.push_back(static_cast<int>(i));
    urdf::Robot out = *run(tree, true);
    for (std::size_t i = 1; i < out.links.size(); ++i) {
      urdf::Joint made;
      made.element = out.links[i].element;
      made.name = out.links[i].name;
      made.parent = 0;
      made.child = static_cast<int>(i);
      made.X_PJ = graph_.bodies[i - 1].X_ML;
      out.links[i].parent_joint = static_cast<int>(out.joints.size());
      out.links[0].joints.push_back(static_cast<int>(out.joints.size()));
      out.joints.push_back(std::move(made));
    }
    return out;
  }

 private:
  /// position = multiplier * (position of the leader - reference) + offset
  void follow(const urdf::Robot& robot, urdf::Joint& joint) {
    const Element* mimic = joint.element->find({"axis", "mimic"});
    if (!mimic || !joint.moves()) return;
    const Text* name = mimic->attribute("joint");
    // Of a nested model both have the same names before theirs.
    const std::string own = name_of(*joint.element);
    const std::string prefix = joint.name.substr(0, joint.name.size() - own.size());
    const auto leader =
        std::ranges::find(robot.joints, prefix + (name ? name->value : ""), &urdf::Joint::name);
    const bool known = leader != robot.joints.end() && &*leader != &joint;
    if (!known || leader->passive || leader->element->find({"axis", "mimic"})) {
      context_.ignored.add(known ? "a <mimic> of a joint that has no motor of its own"
                                 : "a <mimic> of a joint that is not there",
                           mimic->place);
      return;
    }
    const double multiplier = number_in(context_, *mimic, "multiplier", 1);
    joint.mimic = {static_cast<int>(leader - robot.joints.begin()), multiplier,
                   number_in(context_, *mimic, "offset", 0) -
                       multiplier * number_in(context_, *mimic, "reference", 0),
                   mimic};
  }

  std::string root_name(const Tree& tree) const {
    return tree.root < 0 ? "world" : graph_.bodies[static_cast<std::size_t>(tree.root)].name;
  }

  bool is_deep(const urdf::Robot& robot, const Tree& tree) {
    std::vector<std::size_t> depth(robot.links.size());
    for (const Tree::Branch& branch : tree.branches) {
      const auto child = static_cast<std::size_t>(index(branch.child));
      depth[child] = depth[static_cast<std::size_t>(index(branch.parent))] + 1;
      if (depth[child] <= context_.options.limits.chain) continue;
      context_.diagnostics.error(
          robot.links[child].element->place,
          fmt::format("more than {} links in a row", context_.options.limits.chain));
      return true;
    }
    return false;
  }

  int index(int body) const { return body < 0 ? 0 : index_[static_cast<std::size_t>(body)]; }

  urdf::Link link(const Body& body) {
    urdf::Link out;
    out.name = body.name;
    out.element = body.link;
    read_decay(*body.link, out);
    out.gravity = flag_in(*body.link, "gravity", true);
    if (!static_ && flag_in(*body.link, "kinematic", false))
      context_.ignored.add("a <kinematic> of a <link> that is on",
                           body.link->child("kinematic")->place);
    for (const Element& child : body.link->children) {
      if (child.tag == "visual") {
        for (const Element* plugin : child.all("plugin")) {
          if (!urdf::is_label(*plugin) && !urdf::is_thermal(*plugin))
            urdf::note_plugin(context_.ignored, *plugin, " of a <visual>");
        }
        const auto label = urdf::label_of(child, context_.diagnostics);
        const auto temperature =
            urdf::temperature_of(child, context_.ignored, context_.diagnostics);
        if (auto shape = shape_of(context_, child)) {
          shape->label = label;
          shape->temperature = temperature;
          shape->appearance =
              appearance_of(context_, child, shape->kind == urdf::Shape::Kind::kMesh);
          out.visuals.push_back(std::move(*shape));
        }
      } else if (child.tag == "collision") {
        if (collides(context_, child)) {
          if (auto shape = shape_of(context_, child)) {
            add_surface(context_, child, *shape);
            out.collisions.push_back(std::move(*shape));
          }
        }
      } else if (child.tag == "sensor") {
        out.sensors.push_back(&in_its_pose(child));
      } else if (child.tag == "light") {
        if (NodePtr light = link_light(context_, child)) out.more.push_back(std::move(light));
      }
    }
    if (!static_) {
      out.inertial = inertial_of(context_, *body.link, out);
      out.added_mass = read_added_mass(context_, *body.link);
    }
    const std::string whole = graph_.joined ? body.name : name_of(model_) + "::" + body.name;
    if (!static_ && context_.water.carries(whole)) out.fluid = context_.water.fluid;
    out.devices = holds_others(context_, whole);
    for (NodePtr& node : connectors_of(context_, whole)) out.more.push_back(std::move(node));
    return out;
  }

  /// ODE takes such a share of the velocity away in each step (dBodySetLinearDamping).
  void read_decay(const Element& link, urdf::Link& out) {
    const Element* decay = link.child("velocity_decay");
    if (!decay || static_) return;
    if (!context_.classic) {
      if (number_in(context_, *decay, "linear", 0) != 0 ||
          number_in(context_, *decay, "angular", 0) != 0)
        context_.ignored.add("<velocity_decay> of a <link>", decay->place,
                             "Gazebo Classic alone knows it");
      return;
    }
    const auto share = [&](const char* tag) {
      const double each = number_in(context_, *decay, tag, 0, 0, 1);
      return 1 - libm::pow(1 - each, 1 / context_.step);
    };
    out.linear_damping = share("linear");
    out.angular_damping = share("angular");
  }

  /// A sensor whose pose is that in the link.
  const Element& in_its_pose(const Element& sensor) {
    const Element* pose = sensor.child("pose");
    if (!pose || !pose->attribute("relative_to")) return sensor;
    const Pose X = context_.pose(sensor);
    Element& out = context_.made.emplace_back(sensor);
    for (Element& child : out.children) {
      if (child.tag != "pose") continue;
      child.text.value = fmt::format("{} {} {} {} {} {} {}", X.p.x(), X.p.y(), X.p.z(), X.R.x(),
                                     X.R.y(), X.R.z(), X.R.w());
      child.attributes = {{"rotation_format", child.place, {"quat_xyzw", child.place, false}}};
    }
    return out;
  }

  urdf::Joint joint(const Tree::Branch& branch) {
    const Edge& edge = graph_.edges[static_cast<std::size_t>(branch.edge)];
    const Element& element = *edge.joint;
    const auto place = [&](int body) {
      return body < 0 ? Pose() : graph_.bodies[static_cast<std::size_t>(body)].X_ML;
    };
    const Pose X_MC = place(branch.child);
    urdf::Joint out;
    out.element = &element;
    out.name = edge.name;
    out.parent = index(branch.parent);
    out.child = index(branch.child);
    out.X_PJ = place(branch.parent).inverse() * X_MC;
    out.anchor = X_MC.inverse() * edge.X_MJ.p;
    // Taken from its child to its parent, a joint turns about the opposite axis by the same angle.
    const double sign = branch.inverted ? -1 : 1;
    out.axis = sign * (X_MC.R.conjugate() * edge.axis);
    out.passive = !is_commanded(edge.name);
    out.endless = true;
    for (const Element* sensor : element.all("sensor"))
      out.sensors.push_back({sensor, X_MC.inverse() * edge.X_MJ, branch.inverted});
    const std::string& type = element.attribute("type")->value;
    if (type == "fixed" || type == "gearbox") {
      if (type == "gearbox") context_.ignored.add("a gearbox", element.place);
      return out;
    }
    if (type == "ball") {
      out.type = Type::kBall;
      return out;
    }
    if (type == "screw") out.thread = thread(element);
    out.type = type == "prismatic" ? Type::kPrismatic : Type::kRevolute;
    axis(element.child("axis"), out);
    bool two = type == "universal" || type == "revolute2";
    if (two && edge.axis.cross(edge.axis2).norm() < kParallel) {
      context_.ignored.add("the second axis of a joint along its first one", element.place,
                           "it turns about one");
      two = false;
    }
    if (two) {
      auto second = std::make_shared<urdf::Joint>();
      second->axis = sign * (X_MC.R.conjugate() * edge.axis2);
      second->passive = true;
      axis(element.child("axis2"), *second);
      out.type = Type::kUniversal;
      out.second = std::move(second);
    } else if (out.type == Type::kRevolute && !out.limited) {
      out.type = Type::kContinuous;
    } else if (out.limited && out.lower == out.upper && out.lower == 0) {
      out.type = Type::kFixed;
    }
    return out;
  }

  /// m in a revolution, right-handed. An older <thread_pitch> is in rad/m, and left-handed.
  double thread(const Element& joint) {
    constexpr double kUnwritten = 1, kMost = 1000;  // m
    const Element* older = joint.child("thread_pitch");
    if (joint.child("screw_thread_pitch") || !older)
      return number_in(context_, joint, "screw_thread_pitch", kUnwritten, -kMost, kMost);
    const double pitch = -2 * kPi / number_in(context_, joint, "thread_pitch", 1);
    if (std::abs(pitch) <= kMost) return pitch;
    context_.ignored.add("a <thread_pitch> of nearly 0", older->place, "the joint turns");
    return 0;
  }

  void axis(const Element* axis, urdf::Joint& out) {
    if (!axis) return;
    if (const Element* limit = axis->child("limit")) {
      constexpr double kMost = std::numeric_limits<double>::max();
      out.limit = limit;
      const auto stop = [&](const char* tag, double endless) {
        const Element* child = limit->child(tag);
        if (child && is_infinite(child->text.value))
          return child->text.value.starts_with('-') ? -kMost : kMost;
        return number_in(context_, *limit, tag, endless, -kMost, kMost);
      };
      const double lower = stop("lower", -kMost);
      const double upper = stop("upper", kMost);
      out.limited = lower > -kNoLimit || upper < kNoLimit;
      if (lower > upper) {
        context_.diagnostics.warning(
            limit->place, fmt::format("<lower> must be at most <upper> ({}), got {}", upper, lower),
            "the joint has no limits");
        out.limited = false;
      }
      out.lower = std::max(lower, -kNoLimit);
      out.upper = std::min(upper, kNoLimit);
      const auto most = [&](const char* tag) {
        const Element* child = limit->child(tag);
        return child && is_infinite(child->text.value) ? -1 : number_in(context_, *limit, tag, -1);
      };
      const double effort = most("effort"), velocity = most("velocity");
      if (effort > 0 && effort < kNoLimit) out.effort = effort;
      if (velocity > 0 && velocity < kNoLimit) out.velocity = velocity;
    }
    if (const Element* dynamics = axis->child("dynamics")) {
      out.damping = number_in(context_, *dynamics, "damping", 0);
      out.friction = number_in(context_, *dynamics, "friction", 0);
      out.stiffness = number_in(context_, *dynamics, "spring_stiffness", 0);
      out.rest = number_in(context_, *dynamics, "spring_reference", 0);
    }
  }

  /// Plugins with which other programs move joints; which ones, some do not say.
  bool is_commanded(const std::string& joint) const {
    return std::ranges::any_of(graph_.plugins, [&](const Element* plugin) {
      if (urdf::is_link_force(*plugin)) return urdf::rotor_joint(*plugin) == joint;
      const Text* text = plugin->attribute("filename");
      std::string file = text ? text->value : "";
      std::ranges::replace(file, '-', '_');
      const bool moves = file.find("ros_control") != std::string::npos ||
                         file.find("ros2_control") != std::string::npos ||
                         file.find("joint_position_controller") != std::string::npos ||
                         file.find("joint_trajectory_controller") != std::string::npos ||
                         file.find("joint_controller") != std::string::npos ||
                         file.find("apply_joint_force") != std::string::npos;
      std::vector<const Element*> names = plugin->all("joint_name");
      return moves && (names.empty() || std::ranges::any_of(names, [&](const Element* name) {
                         return name->text.value == joint;
                       }));
    });
  }

  Context& context_;
  const Element& model_;
  const Graph& graph_;
  bool static_;
  std::vector<int> index_;  ///< of the robot's links by bodies
};

/// What a robot has and a thing has not.
bool has_devices(const urdf::Robot& robot) {
  return !robot.plugins.empty() || std::ranges::any_of(robot.joints, [](const urdf::Joint& one) {
    return urdf::turns_or_slides(one) || !one.sensors.empty();
  }) || std::ranges::any_of(robot.links, [](const urdf::Link& one) {
    return one.devices || !one.sensors.empty() || !one.added_mass.empty();
  });
}

class ModelMaker {
 public:
  ModelMaker(Context& context, const Element& model)
      : context_(context), model_(model), graph_(graph_of(context, model)) {}
  /// `model`: says how all of them are called.
  ModelMaker(Context& context, const Element& model, const JoinedModels& joined)
      : context_(context), model_(model), graph_(graph_of(context, joined)) {}

  /// With the pose of the root of each in the model.
  std::vector<std::pair<urdf::Robot, Pose>> robots() {
    std::vector<std::pair<urdf::Robot, Pose>> out;
    if (graph_.bodies.empty()) {
      context_.ignored.add("a <model> without a <link>", model_.place);
      return out;
    }
    if (graph_.bodies.size() > context_.options.limits.links ||
        graph_.edges.size() > context_.options.limits.links) {
      context_.diagnostics.error(
          model_.place, fmt::format("more than {} links or joints", context_.options.limits.links));
      return out;
    }
    const bool is_static =
        flag_in(model_, "static", false) || std::ranges::all_of(graph_.bodies, &Body::fixed);
    if (is_static && graph_.bodies.size() > 1) {
      out.emplace_back(RobotMaker(context_, model_, graph_, true).standing(), Pose());
      add_plugins(out.back().first);
      return out;
    }
    const std::vector<Tree> trees = trees_of(graph_);
    const Tree* first = &trees.front();
    for (const Tree& tree : trees) {
      if (tree.branches.size() > first->branches.size()) first = &tree;
    }
    for (const Tree& tree : trees) {
      const bool stands = is_static || is_fixed(tree);
      auto robot = RobotMaker(context_, model_, graph_, stands).run(tree, &tree == first);
      if (!robot) continue;
      if (&tree == first) add_plugins(*robot);
      out.emplace_back(
          std::move(*robot),
          tree.root < 0 ? Pose() : graph_.bodies[static_cast<std::size_t>(tree.root)].X_ML);
    }
    return out;
  }

 private:
  /// All of it is in static models, which no joint joins to what moves.
  bool is_fixed(const Tree& tree) {
    const auto fixed = [&](int body) {
      return graph_.bodies[static_cast<std::size_t>(body)].fixed;
    };
    if (std::ranges::none_of(tree.bodies, fixed)) return false;
    if (tree.bodies.size() == 1) return true;
    context_.ignored.add("<static> of a <model> in one that moves", model_.place);
    return false;
  }

  void add_plugins(urdf::Robot& robot) {
    for (const Element* plugin : graph_.plugins) {
      if (urdf::is_known_plugin(*plugin)) {
        robot.plugins.push_back(plugin);
      } else if (urdf::is_label(*plugin)) {
        const bool own = std::ranges::any_of(
            model_.children, [&](const Element& child) { return &child == plugin; });
        if (!own)  // gz-sim does not know those either (Label.cc)
          context_.ignored.add("a label of a nested model", plugin->place);
      } else if (!is_detachable_joint(*plugin)) {
        urdf::note_plugin(context_.ignored, *plugin);
      }
    }
    urdf::add_tracks(robot, robot.plugins, context_.diagnostics);
  }

  Context& context_;
  const Element& model_;
  Graph graph_;
};

}  // namespace

namespace {

std::vector<NodePtr> nodes_of(Context& context, const Element& model, ModelMaker maker,
                              const Pose& X_WM) {
  std::vector<NodePtr> out;
  const auto robots = maker.robots();
  const auto label = urdf::label_of(model, context.diagnostics);
  for (const auto& [robot, X_MR] : robots) {
    urdf::Import import{robot, context.options,  context.folder, context.diagnostics,
                        true,  context.resources};
    import.magnetic_field = context.geography.magnetic_field;
    import.elevation = context.geography.elevation;
    import.ambient_temperature = context.geography.temperature;
    const Surface smooth{.along = 0, .across = 0};
    import.smooth_material = material_name(smooth);
    urdf::RobotTree tree(import);
    if (tree.any_smooth()) context.materials[smooth] = import.smooth_material;
    const bool is_robot = has_devices(robot);
    NodeMaker made(is_robot ? "Robot" : "Solid", at(*robot.element));
    made.pose(X_WM * X_MR).text("name", robot.name);
    if (label) urdf::add_label(made, *label);
    if (is_robot) made.text("controller", "<none>");
    if (is_robot && flag_in(model, "self_collide", false)) made.flag("selfCollision", true);
    out.push_back(tree.run(std::move(made)));
    context.ignored.add(import.ignored);
  }
  return out;
}

}  // namespace

std::vector<NodePtr> model_nodes(Context& context, const Element& model, const Pose& X_WM) {
  return nodes_of(context, model, ModelMaker(context, model), X_WM);
}

std::vector<NodePtr> joined_nodes(Context& context, const JoinedModels& joined) {
  if (joined.joints.empty()) {
    const Element& model = *joined.models.front();
    return model_nodes(context, model, context.pose(model));
  }
  Element& whole = context.made.emplace_back(*joined.models.front());
  std::erase_if(whole.children, [](const Element& child) { return child.tag != "self_collide"; });
  return nodes_of(context, whole, ModelMaker(context, whole, joined), Pose());
}

double lowest_point(Context& context, const Element& model) {
  Diagnostics said;  // by model_nodes
  Ignored ignored;
  Context quiet{context.options, context.file,      context.folder, context.sdf,
                context.frames,  context.resources, ignored,        said};
  quiet.classic = context.classic;
  double lowest = 0;
  bool known = false;
  const auto robots = ModelMaker(quiet, model).robots();
  for (const auto& [robot, X_MR] : robots) {
    urdf::Import import{robot, context.options, context.folder, said, true, context.resources};
    const double own = X_MR.p.z() + urdf::extent_of(import).lowest;
    lowest = known ? std::min(lowest, own) : own;
    known = true;
  }
  return lowest;
}

}  // namespace protobeam::sdf
