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
#include "xml/element.h"

namespace protobeam::urdf {

using xml::Element;
using xml::Text;

struct Shape {
  enum class Kind : std::uint8_t { kBox, kSphere, kCylinder, kCapsule, kMesh };
  Kind kind = Kind::kBox;
  Vec3 size = Vec3::Zero();          ///< m, of a box
  double radius = 0;                 ///< m
  double length = 0;                 ///< m, along z; of a capsule: between its half spheres
  std::string file;                  ///< address of a mesh, as written
  Vec3 scale = Vec3::Ones();         ///< of a mesh
  Pose X_LS;                         ///< of the shape in the link
  const Element* element = nullptr;  ///< <visual> or <collision>
  const Element* shape = nullptr;    ///< <box>, <mesh>, ...
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
  int parent_joint = -1;    ///< -1: the root
  std::vector<int> joints;  ///< to its children, in the order of the text
};

struct Mimic {
  int joint = -1;
  double multiplier = 1, offset = 0;
};

struct Joint {
  enum class Type : std::uint8_t { kFixed, kRevolute, kContinuous, kPrismatic, kFloating, kPlanar };
  std::string name;
  const Element* element = nullptr;
  Type type = Type::kFixed;
  int parent = -1, child = -1;             ///< links
  Pose X_PJ;                               ///< of the child in the parent at position 0
  Vec3 axis = Vec3::UnitX();               ///< unit vector in the joint's frame
  bool limited = false;                    ///< lower and upper count
  double lower = 0, upper = 0;             ///< rad or m
  std::optional<double> effort, velocity;  ///< N m or N, rad/s or m/s
  double damping = 0, friction = 0;
  std::optional<Mimic> mimic;

  bool moves() const {
    return type == Type::kRevolute || type == Type::kContinuous || type == Type::kPrismatic;
  }
};

struct Robot {
  std::filesystem::path file;
  std::unique_ptr<const Element> element;  ///< <robot>; all other elements are in it
  std::string name;
  std::vector<Link> links;    ///< in the order of the text
  std::vector<Joint> joints;  ///< in the order of the text
  int root = -1;

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
