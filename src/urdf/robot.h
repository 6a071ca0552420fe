// The robot that a URDF describes: links, joints and their shapes, checked.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/math.h"
#include "urdf/options.h"
#include "wbt/node.h"
#include "xml/element.h"

namespace protobeam::urdf {

using xml::Element;
using xml::Text;

struct Shape {
  enum class Kind : std::uint8_t {
    kBox,
    kSphere,
    kCylinder,
    kCapsule,
    kMesh,
    kEllipsoid,
    kPlane,
    kMade
  };
  Kind kind = Kind::kBox;
  Vec3 size = Vec3::Zero();          ///< m, of a box and of a plane; the radii of an ellipsoid
  double radius = 0;                 ///< m
  double length = 0;                 ///< m, along z; of a capsule: between its half spheres
  Text file;                         ///< address of a mesh
  std::string part;                  ///< of the mesh; "": all of it
  Vec3 scale = Vec3::Ones();         ///< of a mesh
  Pose X_LS;                         ///< of the shape in the link
  const Element* element = nullptr;  ///< <visual> or <collision>
  const Element* shape = nullptr;    ///< <box>, <mesh>, ...
  wbt::NodePtr appearance;           ///< null: what the <material> of a URDF says
  wbt::NodePtr made;                 ///< kMade: the geometry
  std::string contact_material;      ///< of a <collision>, in addition to that of <gazebo>
  std::optional<int> label;          ///< of a <visual> that cameras recognise
  std::optional<double> temperature;  ///< K, of a <visual>
};

struct Inertial {
  double mass = 0;          ///< kg, > 0
  Vec3 com = Vec3::Zero();  ///< m, in the link's frame
  /// kg m^2, about com in the axes of the link; nothing when the text has no usable one.
  std::optional<Mat3> inertia;
};

struct Link {
  std::string name;
  const Element* element = nullptr;
  std::optional<Inertial> inertial;  ///< nothing without a mass
  std::vector<Shape> visuals, collisions;
  int parent_joint = -1;                ///< -1: the root
  std::vector<int> joints;              ///< to its children, in the order of the text
  std::vector<int> closing;             ///< to links that have another parent: they close loops
  std::vector<const Element*> sensors;  ///< in addition to those of <gazebo>
  std::vector<wbt::NodePtr> more;       ///< other children of its Solid
  bool devices = false;                 ///< are among these, for a Robot
  std::string fluid;                    ///< that carries it; "": none does
  const Element* track = nullptr;       ///< the plugin that runs a belt over its shapes
  bool gravity = true;                  ///< it pulls at its mass
  /// Shares of its velocity and angular velocity that it loses in a second.
  double linear_damping = 0, angular_damping = 0;
  std::vector<double> added_mass;       ///< of water, as Hydrodynamics has it; empty: none
};

/// A sensor in a joint.
struct JointSensor {
  const Element* element = nullptr;
  Pose X_CJ;              ///< of the joint in its child
  bool inverted = false;  ///< the text has parent and child the other way around
};

struct Mimic {
  int joint = -1;
  double multiplier = 1, offset = 0;
  const Element* element = nullptr;
};

struct Joint {
  enum class Type : std::uint8_t {
    kFixed,
    kRevolute,
    kContinuous,
    kPrismatic,
    kFloating,
    kPlanar,
    kBall,
    kUniversal
  };
  std::string name;
  const Element* element = nullptr;
  const Element* limit = nullptr;  ///< null: the <limit> of the element
  Type type = Type::kFixed;
  int parent = -1, child = -1;             ///< links
  Pose X_PJ;                               ///< of the child in the parent at position 0
  Vec3 axis = Vec3::UnitX();               ///< unit vector in the child's frame
  Vec3 anchor = Vec3::Zero();              ///< m, a point of the axis in the child's frame
  bool limited = false;                    ///< lower and upper count
  double lower = 0, upper = 0;             ///< rad or m
  std::optional<double> effort, velocity;  ///< N m or N, rad/s or m/s
  bool endless = false;                    ///< without these it has no limits of them
  double damping = 0, friction = 0, stiffness = 0;
  double rest = 0;  ///< the position at which a spring of that stiffness is at rest
  double thread = 0;  ///< m along the axis in a revolution, right-handed: of a screw
  std::optional<Mimic> mimic;
  bool passive = false;                 ///< has no motor unless a plugin drives it
  std::vector<JointSensor> sensors;     ///< in addition to those of <gazebo>
  std::shared_ptr<const Joint> second;  ///< universal: the other axis, with its limits and dynamics

  bool moves() const {
    return type != Type::kFixed && type != Type::kFloating && type != Type::kPlanar;
  }
  /// Simulators write joints that do as revolute ones with limits far away, too.
  bool turns_on() const {
    return type == Type::kContinuous || (type == Type::kRevolute && !limited);
  }
  bool has_one_axis() const {
    return type == Type::kRevolute || type == Type::kContinuous || type == Type::kPrismatic;
  }
};

struct Robot {
  std::filesystem::path file;
  std::shared_ptr<const Element> element;  ///< <robot> or <model>; all other elements are in it
  std::string name;
  std::vector<Link> links;    ///< in the order of the text
  std::vector<Joint> joints;  ///< in the order of the text
  int root = -1;
  bool fixed_to_world = false;          ///< whatever its masses are
  std::vector<const Element*> plugins;  ///< in addition to those of <gazebo>
  /// The plugin for ros2_control that Options::controllers stand for, if the text has none; one of
  /// `plugins`.
  std::shared_ptr<const Element> control_node;

  const Joint* parent_joint(int link) const {
    const int joint = links[static_cast<std::size_t>(link)].parent_joint;
    return joint < 0 ? nullptr : &joints[static_cast<std::size_t>(joint)];
  }
};

/// Reads and checks a URDF: all mistakes in one run. Null with errors.
std::unique_ptr<const Robot> read_robot(const std::filesystem::path& file, const Options& options,
                                        Diagnostics& diagnostics);
/// The same of a text that would lie in that file.
std::unique_ptr<const Robot> read_robot_text(std::string text, const std::filesystem::path& file,
                                             const Options& options, Diagnostics& diagnostics);

}  // namespace protobeam::urdf
