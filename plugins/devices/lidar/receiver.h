// From what the beams hit to what the device reports: the stage between the ray scene and the
// image. Whatever a real receiver does with an echo happens here and in signal/ and nowhere else.
#pragma once

#include <optional>

#include "base/fields.h"
#include "device/device_model.h"
#include "returns.h"
#include "signal/signal_model.h"

namespace protobeam {

class Receiver {
 public:
  /// Reads the fields about ranges; throws std::invalid_argument when they contradict each other.
  explicit Receiver(const Fields& fields);

  const RangeModel& model() const { return model_; }
  double near() const { return near_; }
  double noise() const { return noise_; }
  /// Nothing: a nominal device, which sees everything up to maxRange.
  const std::optional<SignalModel>& signal() const { return signal_; }

  /// Rays as this receiver needs them, at the pose of the sensor; directions are up to the caller.
  RayBatch batch(const SampleInput& in) const;
  void detect(const SampleInput& in, const PulseBatch& pulses,
              const ReceiverCallback& callback) const;

 private:
  RangeModel model_;
  double near_, noise_;
  std::optional<SignalModel> signal_;
};

}  // namespace protobeam
