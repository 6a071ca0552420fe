// Prepares what a sample may look at: for each device just what its type asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "sim/carrier_wrench.h"
#include "sim/model.h"

namespace protobeam {

class LiveTree;

/// Where an object for cameras comes from.
struct ObjectSolid {
  int solid;
  std::vector<std::size_t> collisions;  ///< of WorldModel::collisions, as its `bounding`
};

class SampleInputs {
 public:
  SampleInputs(const WorldModel& model, const LiveTree& tree) : model_(model), tree_(tree) {}
  SampleInputs(const SampleInputs&) = delete;

  /// The step starts, for a device that is enabled: notes how it moves now.
  void before_step(Device& device);
  /// For a sample at `time`, the end of the step. What it points to holds until the next call.
  SampleInput prepare(Device& device, double time);
  /// Shapes or devices have other places in their bodies, or in the world that carries them.
  void parts_moved() { fixed_shapes_.clear(); }

 private:
  Vec3 velocity_of(const Device& device, const Vec3& p_B) const;
  void find_contacts(const Device& device, const Pose& X_WS);
  std::optional<Vec3> mount_force(const Device& device, const Pose& X_WS);
  void find_appearance(double time);
  void find_spots();
  using FixedShapes = std::shared_ptr<const std::vector<FixedShape>>;
  const FixedShapes& fixed_shapes_of(const Device& device);
  void find_emissions();
  void find_paint();
  void find_radar_solids();
  void find_radar_targets(const Device& device);
  void find_models();

  /// A Solid with a radarCrossSection: what of it never changes.
  struct RadarSolid {
    struct Shape {
      std::size_t collision;  ///< of WorldModel::collisions
      Bounds box_S;
    };
    int solid;
    std::vector<int> parts;
    std::vector<Shape> shapes;  ///< boundingObjects of the parts
    std::optional<Vec3> p_WS_before;  ///< of one that is part of no body, as the step starts
  };

  /// What is mounted by means of a device's Solid: this and what is fixed to it.
  struct Mounted {
    bool there = false;      ///< Input::kMountForce means something
    std::vector<int> solids;  ///< rising
    double mass = 0;
    double weight_mass = 0;  ///< of it, at which gravity pulls
    Vec3 centre_B = Vec3::Zero();
    std::vector<physics::JointId> joints;  ///< that stand in it
  };
  const Mounted& mounted_by(const Device& device);
  CarrierWrenchMeter& carrier_meter(const Device& device) {
    return carrier_meters_.try_emplace(&device, model_, device).first->second;
  }

  const WorldModel& model_;
  const LiveTree& tree_;
  std::vector<TouchContact> contacts_;
  std::optional<std::vector<RadarSolid>> radar_solids_;  ///< once somebody has asked
  std::vector<RadarTarget> radar_targets_;
  std::vector<ModelPose> models_;
  std::function<Vec3(const Vec3&)> to_geodetic_;
  Appearance appearance_;
  std::map<const Device*, FixedShapes> fixed_shapes_;  ///< of those that have asked
  std::vector<ObjectSolid> object_solids_;             ///< of the objects in it
  std::map<const Device*, Mounted> mounted_;
  std::map<const Device*, CarrierWrenchMeter> carrier_meters_;
  double appearance_time_ = -1;  ///< s; it holds for one step
  std::uint64_t emissions_ = 0;  ///< WorldModel::emissions, as in appearance_
  std::uint64_t painted_ = 0;    ///< WorldModel::painted, as in appearance_
};

/// In the world, now.
Pose pose_of(const WorldModel& model, const Device& device);
Pose pose_of(const WorldModel& model, const SolidInfo& solid);

}  // namespace protobeam
