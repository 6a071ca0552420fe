// What the world looks like in visible light, for devices that take pictures. Colours are linear.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/math.h"
#include "geometry/geometry.h"
#include "geometry/material.h"
#include "geometry/paint_layer.h"

namespace protobeam {

/// One shape of the ray scene: by its instance's number, then its own, as RayBlock has them.
struct ShapeLook {
  std::shared_ptr<const Material> material;
  std::shared_ptr<const Geometry> geometry;
  Pose X_IS;  ///< in its instance
  int object = -1;  ///< of Appearance::objects; -1: none
  float temperature = 0;  ///< K, of the nearest Solid around it that has one; 0: none has
  std::shared_ptr<const PaintLayer> paint;  ///< what pens drew on it; null: nothing
};

/// A Solid that has recognitionColors.
struct RecognizableObject {
  struct Part {
    std::shared_ptr<const Geometry> geometry;
    Pose X_OS;
    Bounds box_S;
    std::span<const Vec3> corners_S;  ///< of a mesh in `bounding`; else none: those of box_S
  };

  int id = 0;      ///< of the Solid's node, as supervisors know it
  int robot = -1;  ///< number of the Robot that it is, or that it is a child of; -1: none
  std::string model;
  std::vector<Eigen::Vector3f> colors;       ///< as written, 0..1
  std::vector<Part> parts;                   ///< its Shapes, without those of parts behind a joint
  /// boundingObjects of the Solid and of all Solids in it, those behind joints where they are at
  /// the end of the step.
  std::vector<Part> bounding;
  Vec3 min_O = Vec3::Zero(), max_O = Vec3::Zero();  ///< box around its parts, in its frame
  Pose X_WO;                                 ///< at the end of the step
};

struct InstanceLook {
  std::vector<ShapeLook> shapes;
  Pose X_WI;         ///< at the end of the step
  Pose X_WI_before;  ///< at its start
};

struct LightSource {
  enum class Kind { kDirectional, kPoint, kSpot };
  Kind kind = Kind::kDirectional;
  Eigen::Vector3f color{1, 1, 1};  ///< as it is written, sRGB
  float intensity = 1;
  float ambient = 0;  ///< ambientIntensity: what it adds to the world's ambient light, in its colour
  bool casts_shadows = false;
  Vec3 p_W = Vec3::Zero();
  Vec3 direction_W{0, 0, -1};   ///< where it shines, unit length
  Vec3 attenuation{1, 0, 0};    ///< 1 / (x + y d + z d^2)
  double radius = 100;          ///< m; no light beyond (points and spots)
  double beam_width = 1.570796, cut_off_angle = 0.785398;  ///< rad; full inside, none outside
};

struct SkyLook {
  Eigen::Vector3f color{0, 0, 0};  ///< as it is seen
  Eigen::Vector3f light{0, 0, 0};  ///< what it sends, times the luminosity, to physical surfaces
  float luminosity = 1;
  /// Right, left, top, bottom, front, back, as Webots names them; null where none is given.
  std::array<std::shared_ptr<const Image>, 6> sides;
  Vec3 up = Vec3::UnitZ();  ///< of the world: z or y
};

struct FogLook {
  enum class Kind { kLinear, kExponential, kExponential2 };
  Kind kind = Kind::kLinear;
  Eigen::Vector3f color{1, 1, 1};
  double visibility_range = 0;  ///< m; 0: none
};

/// A disc of light where a beam meets a surface.
struct BeamSpot {
  Vec3 p_W;
  Vec3 normal_W;  ///< unit length
  double radius;  ///< m
  Eigen::Vector3f light{0, 0, 0};  ///< that it sends out
};

/// A disc of ink that a pen leaves on a shape.
struct InkMark {
  std::uint32_t instance, shape;  ///< as RayBlock has them
  Vec3 p_W, normal_W;             ///< its centre; unit, to the pen
  double width;                   ///< m
  Ink ink;                        ///< its colour is light, 0 to 1
};

struct Appearance {
  std::vector<InstanceLook> instances;
  std::vector<LightSource> lights;
  SkyLook sky;
  FogLook fog;
  std::vector<BeamSpot> spots;
  std::vector<RecognizableObject> objects;
  /// Pictures of materials that change: Image::version tells when.
  std::vector<std::shared_ptr<const Image>> changing;
};

}  // namespace protobeam
