// What a sensor plugin is: a node type with a field table that turns the state of its device and
// the world around it into a sample.
//
// A sensor neither knows the simulation nor the controller. It is made from checked fields, is
// asked for a sample when one is due, and writes it where it is told (the shared memory of the
// robot's controller, or the simulator's own memory when nobody listens).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/device_data.h"
#include "base/field_table.h"
#include "base/fields.h"
#include "base/math.h"
#include "base/rng.h"
#include "raycast/ray_scene.h"
#include "sensor/surroundings.h"

namespace protobeam {

/// A contact of the device's own Solid, for touch sensors.
struct TouchContact {
  Vec3 point_S;
  Vec3 force_S;  ///< N, on the device, in its frame
};

/// First collision surface (boundingObject) along a ray of the world.
struct SolidHit {
  double distance;   ///< m
  Vec3 normal_W;
};

/// What one sample may look at. S is the device's frame, W the world's.
struct SensorInput {
  double time = 0;          ///< s, simulated, at the end of the step
  double step = 0;          ///< s, basicTimeStep
  double period = 0;        ///< s, what the controller asked for
  std::uint64_t frame = 0;  ///< samples taken before this one
  Pose X_WS;                ///< at the end of the step
  std::optional<Pose> X_WS_before;  ///< at the start of the step; unset: S stands still
  Vec3 v_WS = Vec3::Zero(), w_WS = Vec3::Zero();  ///< of S's origin, in W
  Vec3 a_WS = Vec3::Zero();       ///< m/s^2 of S's origin over the last step, without gravity
  Vec3 gravity_W = Vec3::Zero();  ///< (0, 0, -9.81)
  RayScene* visible = nullptr;    ///< what lidars and cameras see
  const SurfaceTable* surfaces = nullptr;   ///< of `visible`, when needs_surfaces(); null: unknown
  const Atmosphere* atmosphere = nullptr;   ///< null: clear air
  const Sun* sun = nullptr;                 ///< null: it is dark
  std::function<std::optional<SolidHit>(const Vec3& from_W, const Vec3& direction_W, double max)>
      solid_ray;                  ///< what sonars feel: boundingObjects, not the device's own body
  std::span<const TouchContact> contacts;
  std::function<Vec3(const Vec3& p_W)> to_geodetic;  ///< latitude, longitude (degrees), altitude; empty: local
  bool gnss_outage = false;       ///< S is where a PropertyRegion hides the satellites
  NoiseKey noise;                 ///< seed and device are set; frame equals `frame`
};

class Sensor {
 public:
  virtual ~Sensor() = default;

  virtual DeviceKind kind() const { return DeviceKind::kCustom; }
  /// Constant facts for the controller and for `info`.
  virtual Properties properties() const = 0;
  /// Bytes of one sample: fixed for the sensor's life.
  virtual std::size_t data_size() const = 0;
  /// Sampled at every physics step while enabled (a rotating head); otherwise once a period.
  virtual bool every_step() const { return false; }
  /// Wants SensorInput::surfaces; asked once, when the world is made.
  virtual bool needs_surfaces() const { return false; }
  /// A command of the controller other than enable and disable; returns a message when it cannot be
  /// obeyed ("frequency 50 Hz is outside [5, 20]"), "" when it was.
  virtual std::string command(const DeviceCommand& command);
  /// Called when the device is enabled: buffers, counters and angles start afresh.
  virtual void reset() {}
  /// Writes one sample into `out` (data_size() bytes, aligned to 64). Same input, same bytes.
  virtual void sample(const SensorInput& in, std::span<std::byte> out) = 0;
  /// True when the last sample() completed a frame: every sample for most, a whole sweep for a
  /// rotating head.
  virtual bool frame_complete() const { return true; }
  /// False when the last sample() left `out` as it was: a sweep that is still being fired.
  virtual bool sample_changed() const { return true; }
  /// Returns in the last completed frame (a lidar's finite ranges); 0 where it means nothing.
  virtual std::size_t points() const { return 0; }
  /// Angle (rad, about the device's z) of a visible rotating head; the fields' `rotatingHead` turns.
  virtual double head_angle() const { return 0; }
};

/// A sensor of beams: what `scan`, pictures and recorders ask besides the sample.
class BeamSensor : public Sensor {
 public:
  virtual int layers() const = 0;
  virtual int columns() const = 0;
  virtual double max_range() const = 0;
  /// All beams of the sweep that lies in `data` (the last sample of this sensor), layer by layer;
  /// behind them the second returns of those that have one (return_number 2).
  std::vector<BeamReturn> beams(std::span<const std::byte> data) const {
    std::vector<BeamReturn> out;
    write_beams(data, out);
    return out;
  }
  /// The same in memory that was there before: millions of beams a second leave no time for more.
  virtual void write_beams(std::span<const std::byte> data, std::vector<BeamReturn>& out) const = 0;
};

}  // namespace protobeam
