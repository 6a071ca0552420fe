// What a device does: the object behind one node of a device type.
//
// It neither knows the simulation nor the controller. It is made from checked fields, is asked for
// a sample when one is due, gets the commands that its type declares, and may push on its body or
// set its joint before each substep. Everything has a default: a type overrides what it needs.
#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/device_type.h"
#include "base/fields.h"
#include "device/odometry.h"
#include "device/ports.h"
#include "device/sample_input.h"
#include "device/topics.h"
#include "geometry/material.h"

namespace protobeam {

class DeviceModel {
 public:
  virtual ~DeviceModel() = default;

  // --- Once, when the world is made.

  /// Bodies and joints are there.
  virtual void attach(const DeviceContext& context) {}
  /// All devices of this type in the world, this one included: after all were attached, and again
  /// when the world gets new ones.
  virtual void meet(std::span<DeviceModel* const> all) {}
  /// Constant facts for the controller and for `info`; asked after attach().
  virtual Properties properties() const { return {}; }
  /// The axes of its data in its own frame, X_SD: for calibration files. A camera's are x right, y
  /// down, z forward.
  virtual Pose data_frame() const { return {}; }
  /// Of the inputs that the type declares, those that this device wants; asked after attach().
  virtual Inputs inputs(Inputs declared) const { return declared; }

  // --- Samples.

  /// Sampled at every physics step while enabled (a rotating head); otherwise once a period.
  virtual bool every_step() const { return false; }
  /// The device is enabled: buffers, counters and angles start afresh.
  virtual void reset() {}
  /// Writes what there is before the first sample; all bytes are 0.
  virtual void blank(Sample& out) const {}
  /// Writes one sample. Same input, same bytes.
  virtual void sample(const SampleInput& in, Sample& out) {}
  /// True when the last sample() completed a frame: every sample for most, a whole sweep for a
  /// rotating head.
  virtual bool frame_complete() const { return true; }
  /// False when the last sample() left the data as they were, or added to a frame that is not yet
  /// complete: the state hash takes a sweep once, not again with each step that fires a part of it.
  virtual bool sample_changed() const { return true; }
  /// Returns in the last completed frame (a lidar's finite ranges); 0 where it means nothing.
  virtual std::size_t points() const { return 0; }
  /// Angle (rad, about the device's z) of a visible rotating head; the fields' `rotatingHead`
  /// turns, and what the type declares as TurningField. A belt's: its position (m), from which
  /// wheels get theirs.
  virtual double head_angle() const { return 0; }
  /// Which of the fields in DeviceType::turning is seen; the others are not there.
  virtual std::size_t seen_turning() const { return 0; }

  // --- Commands.

  /// Command number `index` of the type's declaration, its numbers checked against it. "" or a
  /// message for the controller's author: "frequency 50 Hz is outside [5, 20]".
  virtual std::string command(std::size_t index, std::span<const double> numbers,
                              std::string_view bytes) {
    return "";
  }
  /// A supervisor has given the field `name`, or one of the node in it, another value, which
  /// `fields` have already. False: the device cannot take it and has to be made anew.
  virtual bool change(const Fields& fields, std::string_view name) { return false; }
  /// The controller has ended: whatever drives stops.
  virtual void release() {}
  /// The robot's battery is empty, or is so no longer. Without power nothing is sampled.
  virtual void set_power(bool on) {
    if (!on) release();
  }
  /// Commands that come without power are for later; those of other devices have no effect.
  virtual bool keeps_commands() const { return false; }

  // --- Steps. Only for types that declare `forces`.

  /// Before a step of the world, at `time` (s).
  virtual void before_step(double time) {}
  /// Before each substep of `dt` s, which starts at `time`: forces and set-points.
  virtual void before_substep(double time, double dt) {}
  /// After the step, once for each contact of its body (Input::kBodyContacts).
  virtual void body_contact(const BodyContact& contact) {}
  /// After the step, which ended at `time`; `noise.frame` is the number of the step.
  virtual void after_step(double time, double dt, const NoiseKey& noise) {}
  /// Adds state that no body holds (the spin of wheels): it counts in the state hash.
  virtual void append_state(std::vector<double>& state) const {}
  /// W that it drew from the robot's battery in the last step.
  virtual double power() const { return 0; }
  /// "" or what is not finite; such a device no longer pushes.
  virtual std::string broken() const { return ""; }

  // --- Only for types that declare `moves_robot`.

  /// At a time of the simulation (s); asked for the start of the world and for the end of each step.
  virtual ImposedMotion motion(double time) const { return {}; }
  /// Between the two times it is somewhere else at once: nothing moves in between.
  virtual bool jumps(double from, double to) const { return false; }

  // --- Only for types that declare `emits`.

  /// The colour of the Shapes and lights in its first child, 0 to 1 as a world has it; black: off.
  virtual Eigen::Vector3f emission() const { return Eigen::Vector3f::Zero(); }

  // --- Only for types that declare `draws`.

  /// At the start of each step: the mark that it leaves there. Of its inputs it gets kVisibleRays
  /// and kHousing; none: it draws nothing.
  virtual std::optional<InkMark> draw(const SampleInput& in) { return std::nullopt; }

  // --- Only for types that declare `events`.

  /// What it has done since the last call, a line each, for the files of a run.
  virtual std::vector<std::string> take_events() { return {}; }
  // --- What it shows.

  /// A picture on the textured Shapes of its first child, the same object for its life; it changes
  /// in after_step() only (types that declare `forces`), and then counts Image::version on.
  virtual std::shared_ptr<const Image> picture() const { return nullptr; }

  /// The spot of its beam on what it met with its last sample; cameras see it while it is enabled.
  virtual std::optional<BeamSpot> spot() const { return std::nullopt; }

  // --- Other devices and messages.

  /// What was sent since the last call (types that declare `sends`).
  virtual std::vector<Signal> take_signals() { return {}; }
  /// Something that another device sent; X_WS is this one's pose (Input::kSignals, while enabled).
  virtual void receive(const Signal& signal, const Pose& X_WS) {}
  /// What waits for the controller (types that declare `messages`); tags are filled in later.
  virtual std::vector<DeviceMessage> take_messages() { return {}; }

  // --- Messages for the world outside.

  /// Its streams; asked after prepare(). The functions in them live as long as the device.
  virtual std::vector<DeviceTopic> topics(const TopicRequest& request) const {
    return channel_topics(*this);
  }

  /// What it takes of other programs; asked after prepare(). The functions in them live as long as
  /// the device, and are called between steps.
  virtual std::vector<DeviceSubscription> subscriptions(const TopicRequest& request) { return {}; }

  /// Where its wheels say that its frame is, after the last step: the robot's `odom`. The first
  /// device of a robot that has one counts.
  virtual std::optional<WheelOdometry> odometry() const { return std::nullopt; }
  /// Of what drives its robot by motors.
  virtual std::optional<DriveOrders> orders() const { return std::nullopt; }

  /// The frames of its messages; the main one first.
  virtual std::vector<DeviceFrame> frames() const { return {{"", data_frame()}}; }

  // --- Derived from the declaration.

  /// The command of that name, checked as one of a controller is; "" or what is wrong.
  std::string send_command(std::string_view name, std::vector<double> numbers = {},
                           std::string bytes = {});

  /// attach(), properties() and the layout, in this order. Throws std::invalid_argument.
  void prepare(const DeviceType& type, const Fields& fields, const DeviceContext& context);
  /// properties() anew: they may have changed, but not the layout.
  void renew_facts() { facts_ = properties(); }
  const DeviceType& type() const { return *type_; }
  const Properties& facts() const { return facts_; }  ///< properties(), as prepared or renewed
  const SampleLayout& layout() const { return layout_; }
  /// Channel number `index` of a sample, as elements of T.
  template <class T>
  std::span<const T> channel(std::span<const std::byte> data, std::size_t index) const {
    const ChannelLayout& channel = layout_.channels[index];
    assert(sizeof(T) == channel.element_size);
    return {reinterpret_cast<const T*>(data.data() + channel.offset), channel.count()};
  }

 private:
  const DeviceType* type_ = nullptr;
  Properties facts_;
  SampleLayout layout_;
};

/// A sensor of beams: what `scan`, pictures and recorders ask besides the sample.
class BeamSensor : public DeviceModel {
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
