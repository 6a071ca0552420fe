// What one sample of a device may look at, and where it is written.
#pragma once

#include <cassert>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/device_type.h"
#include "base/math.h"
#include "base/rng.h"
#include "device/appearance.h"
#include "device/label_table.h"
#include "device/surroundings.h"
#include "geometry/geometry.h"
#include "raycast/ray_scene.h"

namespace protobeam {

/// A contact of the device's own Solid.
struct TouchContact {
  Vec3 point_S;
  Vec3 force_S;  ///< N, on the device, in its frame, with friction
};

/// First collision surface (boundingObject) along a ray of the world.
struct SolidHit {
  double distance;  ///< m
  Vec3 normal_W;
  int solid = -1;  ///< number of the Solid that was hit, in the order of the world's text; -1: none
};

/// A Solid T that has a radarCrossSection, at the end of the step.
struct RadarTarget {
  double cross_section;  ///< m^2
  Pose X_WT;
  Vec3 v_WT;                   ///< m/s, of T's origin, in W
  Vec3 min_T, max_T;           ///< of boundingObjects of T and all Solids in it; or zero
  std::span<const int> parts;  ///< numbers of the Solid and of those in it, rising
};

/// A topmost Solid M, at the end of the step.
struct ModelPose {
  std::string_view name;
  Pose X_WM;
};

/// A visible shape of the device's robot that goes where the device goes.
struct FixedShape {
  std::shared_ptr<const Geometry> geometry;
  Pose X_SG;           ///< at angle 0 when it turns
  bool turns = false;  ///< about the z axis of S: a part of the device's rotatingHead
};

/// S is the device's frame, W the world's. What belongs to an Input that the type did not ask for
/// is empty.
/// Of what carries a Solid on that, in S and about its origin: a joint, or the part around it.
struct CarrierWrench {
  Vec3 force_S, torque_S;  ///< N, N m
};

struct SampleInput {
  double time = 0;          ///< s, simulated, at the end of the step
  double step = 0;          ///< s, basicTimeStep
  double period = 0;        ///< s, what the controller asked for
  std::uint64_t frame = 0;  ///< samples taken before this one
  NoiseKey noise;           ///< seed and device are set; frame equals `frame`
  Pose X_WS;                ///< at the end of the step
  std::optional<Pose> X_WS_before;  ///< at the start of the step; unset: S stands still
  Vec3 gravity_W = Vec3::Zero();    ///< (0, 0, -9.81)
  Vec3 up_W = Vec3::UnitZ();        ///< of the world's axes, wherever gravity points

  // Input::kMotion
  Vec3 v_WS = Vec3::Zero(), w_WS = Vec3::Zero();  ///< of S's origin, in W
  Vec3 a_WS = Vec3::Zero();  ///< m/s^2 of S's origin over the last step, without gravity

  RayScene* visible = nullptr;             ///< Input::kVisibleRays
  const SurfaceTable* surfaces = nullptr;  ///< Input::kSurfaces: of `visible`; null: unknown
  const Atmosphere* atmosphere = nullptr;  ///< Input::kSurfaces; null: clear
  const Sun* sun = nullptr;                ///< Input::kSurfaces; null: it is dark
  const LabelTable* labels = nullptr;      ///< of `visible`; null: nobody records labels

  const Appearance* appearance = nullptr;  ///< Input::kAppearance: of `visible`
  int robot = -1;                          ///< number of the Robot that carries the device

  /// Input::kHousing. While it is the same pointer, these are the same shapes. Null: there are none, or
  /// the device does not see its own robot.
  std::shared_ptr<const std::vector<FixedShape>> fixed_shapes;

  /// Input::kSolidRays: boundingObjects, not those of the device's own robot unless it has
  /// selfCollision. What the ray begins in is met at its far side, as in Webots.
  std::function<std::optional<SolidHit>(const Vec3& from_W, const Vec3& direction_W, double max)>
      solid_ray;
  std::span<const TouchContact> contacts;  ///< Input::kContacts, of the last step
  /// Input::kMountForce: N in S, averaged over the last step, of the device's Solid and all that is
  /// fixed to it or hangs on its joints, on the rest of its body. Unset: it has no Physics, or is at
  /// the end of a joint.
  std::optional<Vec3> mount_force_S;
  /// Input::kCarrierWrench, averaged over the last step. Unset: the Solid that the device stands in
  /// has no Physics.
  std::optional<CarrierWrench> carrier_wrench;
  /// Input::kRadarTargets: in the order of the world's text, without those of the device's own
  /// robot.
  std::span<const RadarTarget> radar_targets;
  std::span<const ModelPose> models;  ///< Input::kModels: in the order of the world's text
  /// Input::kGeodetic: latitude, longitude (degrees), altitude; of a local world p_W plus its
  /// gpsReference; empty: p_W.
  std::function<Vec3(const Vec3& p_W)> to_geodetic;
  bool gnss_outage = false;  ///< Input::kOutage: S is where a PropertyRegion hides the satellites
};

/// Where a sample goes: the shared memory of the robot's controller, or the simulator's own memory
/// when nobody listens. Aligned to 64 bytes; holds the sample before.
class Sample {
 public:
  Sample(std::span<std::byte> bytes, const SampleLayout& layout)
      : bytes_(bytes), layout_(&layout) {}

  /// Channel number `index` of the declaration, as elements of T (a struct for a record).
  template <class T>
  std::span<T> channel(std::size_t index) const {
    const ChannelLayout& channel = layout_->channels[index];
    assert(sizeof(T) == channel.element_size);
    return {reinterpret_cast<T*>(bytes_.data() + channel.offset), channel.count()};
  }
  std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> bytes_;
  const SampleLayout* layout_;
};

}  // namespace protobeam
