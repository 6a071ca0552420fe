// What a Solid is held and pushed with by what carries it.
#pragma once

#include <optional>
#include <vector>

#include "device/sample_input.h"
#include "sim/model.h"

namespace protobeam {

/// Of the Solid in which a device stands, with all that is fixed to it or hangs on its joints. By
/// Newton's and Euler's laws: of all that acts on these, the carrier gives what is missing to their
/// change of momentum over the step. Contacts and weight are known; what else acts on them from
/// outside (damping, fluids, Connectors, loops of joints, propellers) is taken for the carrier's.
class CarrierWrenchMeter {
 public:
  CarrierWrenchMeter(const WorldModel& model, const Device& device);

  /// The step starts.
  void before_step();
  /// At its end, about the origin of the device; nothing when nothing carries the Solid.
  std::optional<CarrierWrench> measure(const Pose& X_WS) const;

 private:
  /// A Solid with a mass of its own.
  struct Part {
    int solid;
    // As the step started, in W.
    Vec3 centre = Vec3::Zero(), momentum = Vec3::Zero(), spin = Vec3::Zero();
  };
  void find(Part& part) const;
  bool carries(int solid) const;

  const WorldModel& model_;
  int root_ = -1;  ///< the Solid in which the device stands; -1: nothing moves there
  std::vector<Part> parts_;
};

}  // namespace protobeam
