#include "urdf/masses.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "urdf/joints.h"
#include "urdf/shapes.h"

namespace protobeam::urdf {
namespace {

constexpr double kSmallestMass = 1e-3;  // kg
constexpr double kShare = 0.01;         // of what a body without mass carries
constexpr double kRadius = 0.05;        // m, of the ball that a body without mass and shape is

class Bodies {
 public:
  explicit Bodies(Import& import)
      : import_(import),
        robot_(import.robot),
        first_(robot_.links.size(), -1),
        X_BL_(robot_.links.size()) {}

  Masses run() {
    out_.of_link.resize(robot_.links.size());
    // Parents before children.
    std::vector<int> order{robot_.root};
    first_[static_cast<std::size_t>(robot_.root)] = robot_.root;
    for (std::size_t n = 0; n < order.size(); ++n) {
      const auto parent = static_cast<std::size_t>(order[n]);
      for (const int index : import_.link(order[n]).joints) {
        const Joint& joint = import_.joint(index);
        const auto child = static_cast<std::size_t>(joint.child);
        const bool same = !turns_or_slides(joint);
        first_[child] = same ? first_[parent] : joint.child;
        if (same) X_BL_[child] = X_BL_[parent] * joint.X_PJ;
        order.push_back(joint.child);
      }
    }
    std::vector<double> carried(robot_.links.size(), 0);  // mass of a link and all beyond it
    for (auto link = order.rbegin(); link != order.rend(); ++link) {
      const auto i = static_cast<std::size_t>(*link);
      if (robot_.links[i].inertial) carried[i] += robot_.links[i].inertial->mass;
      if (const Joint* joint = robot_.parent_joint(*link); joint && *link != robot_.root) {
        carried[static_cast<std::size_t>(joint->parent)] += carried[i];
      }
    }
    for (const int link : order) {
      if (first_[static_cast<std::size_t>(link)] == link)
        body(link, order, carried[static_cast<std::size_t>(link)]);
    }
    return std::move(out_);
  }

 private:
  void body(int first, const std::vector<int>& order, double carried) {
    std::vector<int> members;
    for (const int link : order) {
      if (first_[static_cast<std::size_t>(link)] == first) members.push_back(link);
    }
    const bool heavy = std::any_of(members.begin(), members.end(), [&](int link) {
      return import_.link(link).inertial.has_value();
    });
    const bool root = first == robot_.root;
    if (root && (!heavy || import_.link(first).name == "world" || robot_.fixed_to_world)) {
      out_.fixed_to_world = true;
      if (!robot_.fixed_to_world && import_.link(first).name != "world") {
        import_.diagnostics.warning(
            import_.link(first).element->place,
            fmt::format("root link '{}' has no mass: the robot stands fixed in the world",
                        import_.link(first).name),
            "name it 'world' when that is meant, or give it an <inertial>");
      }
      return;
    }
    if (!heavy) return weightless(first, carried);
    const bool each = std::all_of(members.begin(), members.end(), [&](int link) {
      const Joint* joint = robot_.parent_joint(link);
      return !import_.link(link).inertial || link == first || !joint ||
             import_.link(joint->parent).inertial;
    });
    if (each) {
      for (const int link : members)
        out_.of_link[static_cast<std::size_t>(link)] = import_.link(link).inertial;
    } else {
      out_.of_link[static_cast<std::size_t>(first)] = merged(members);
    }
  }

  Inertial merged(const std::vector<int>& members) {
    MassProperties all;
    for (const int index : members) {
      const Link& link = import_.link(index);
      if (!link.inertial) continue;
      MassProperties own{link.inertial->mass, link.inertial->com, Mat3::Zero()};
      if (link.inertial->inertia) {
        own.inertia = *link.inertial->inertia;
      } else if (const MassProperties shapes = shape_mass(link, own.mass); shapes.mass > 0) {
        own.inertia = shapes.inertia;
      }
      all = combined(all, transformed(own, X_BL_[static_cast<std::size_t>(index)]));
    }
    Inertial out{all.mass, all.com, all.inertia};
    const Vec3 moments =
        Eigen::SelfAdjointEigenSolver<Mat3>(all.inertia, Eigen::EigenvaluesOnly).eigenvalues();
    if (!(moments[0] > 1e-9 * moments[2])) out.inertia.reset();
    return out;
  }

  void weightless(int first, double carried) {
    const Link& link = import_.link(first);
    const double mass = std::max(kSmallestMass, kShare * carried);
    import_.diagnostics.warning(
        link.element->place,
        fmt::format("link '{}' moves but has no mass: it gets {:.3g} kg", link.name, mass),
        "give it an <inertial>");
    Inertial out{mass, Vec3::Zero(),
                 Mat3(Vec3::Constant(0.4 * mass * kRadius * kRadius).asDiagonal())};
    if (const MassProperties shapes = shape_mass(link, mass); shapes.mass > 0) {
      out.com = shapes.com;
      out.inertia = shapes.inertia;
    }
    out_.of_link[static_cast<std::size_t>(first)] = out;
  }

  Import& import_;
  const Robot& robot_;
  std::vector<int> first_;  ///< of the body that the link belongs to
  std::vector<Pose> X_BL_;  ///< of the link in that first link
  Masses out_;
};

}  // namespace

Masses masses_of(Import& import) { return Bodies(import).run(); }

bool is_about_gravity(const Element& element) {
  return element.tag == "gravity" || element.tag == "turnGravityOff";
}

bool has_gravity(const Robot& robot, const Link& link) {
  bool out = link.gravity;
  for (const Element* gazebo : robot.element->all("gazebo")) {
    const Text* reference = gazebo->attribute("reference");
    if (!reference || reference->value != link.name) continue;
    for (const Element& child : gazebo->children) {
      if (!is_about_gravity(child) || child.text.value.empty()) continue;
      const bool yes = child.text.value == "true" || child.text.value == "1";
      out = (child.tag == "gravity") == yes;
    }
  }
  return out;
}

}  // namespace protobeam::urdf
