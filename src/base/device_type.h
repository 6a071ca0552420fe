// What a device type declares, once: the channels of its sample, its commands, its properties and
// the inputs that it asks for. The layout in shared memory, the checks of commands, the access of
// controllers by name, `info types`, the pages in docs/nodes and the recording of channels all
// follow from this one declaration; nothing else keys on a type's name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/device_data.h"
#include "base/field_table.h"

namespace protobeam {

class Fields;

/// Type of one element of a channel. Little endian, IEEE 754.
enum class ElementType : std::uint8_t {
  kFloat32 = 1,
  kFloat64,
  kInt32,
  kUint32,
  kUint16,
  kUint8,
  kRecord,  ///< several named numbers: ChannelSpec::components
};
std::size_t size_of(ElementType type);  ///< bytes; 0 for kRecord
std::string_view to_string(ElementType type);  ///< "float32", ..., "record"

/// One number of a record, without padding after the one before.
struct Component {
  std::string name;
  ElementType type = ElementType::kFloat32;
  std::string unit;
  bool operator==(const Component&) const = default;
};

/// One extent of a channel: a number, or the name of a property (else a field) of the device that
/// holds it. A list counts with its length.
struct Dimension {
  std::string name;      ///< "" for a number
  std::size_t size = 0;  ///< when `name` is ""
  Dimension(std::size_t fixed) : size(fixed) {}           // NOLINT(google-explicit-constructor)
  Dimension(int fixed) : size(static_cast<std::size_t>(fixed)) {}  // NOLINT
  Dimension(const char* property) : name(property) {}     // NOLINT
};

/// A named array of the sample.
struct ChannelSpec {
  std::string name;
  ElementType type = ElementType::kFloat64;
  std::vector<Dimension> shape;  ///< row-major; empty: one element
  std::string unit;              ///< "" for none
  std::string frame;             ///< "device", "world", ...; "" where it means nothing
  std::string missing;           ///< what says that there is no value: "inf", "nan"; "" for never
  std::string meaning;           ///< one line
  std::vector<Component> components;  ///< of a kRecord
};

struct ArgumentSpec {
  std::string name;
  std::string unit;
  Range range;            ///< NaN is never in it
  bool infinite = false;  ///< infinity is allowed on a side where the range has no bound
};

/// What a controller may tell the device, besides enable and disable, which all with a sample have.
struct CommandSpec {
  std::string name;
  std::vector<ArgumentSpec> arguments;
  std::string meaning;
  bool bytes = false;       ///< carries a string of bytes as well
  std::size_t repeats = 0;  ///< > 0: the last argument comes 0 to so many times; 0: once
};

/// A constant fact for controllers. A device may leave one out, and have more than are listed.
struct PropertySpec {
  std::string name;
  std::string unit;
  std::string meaning;
};

/// What a sample may look at. The simulation prepares just what is asked for.
enum class Input : std::uint32_t {
  kMotion = 1u << 0,         ///< velocity and acceleration of the device
  kVisibleRays = 1u << 1,    ///< Shapes, as lidars and cameras see them
  kSurfaces = 1u << 2,       ///< how Shapes reflect light, weather, sun
  kSolidRays = 1u << 3,      ///< boundingObjects, as sonars feel them
  kContacts = 1u << 4,       ///< contacts of the device's own boundingObject
  kBodyContacts = 1u << 5,   ///< contacts of the whole body that carries the device, each step
  kGeodetic = 1u << 6,       ///< latitude, longitude and altitude of a point
  kOutage = 1u << 7,         ///< whether satellites are hidden
  kSignals = 1u << 8,        ///< what other devices have sent in this step
  kAppearance = 1u << 9,     ///< what Shapes look like, lights, sky and fog
  kRadarTargets = 1u << 10,  ///< the Solids of the world that have a radarCrossSection
  kOtherSamples = 1u << 11,  ///< what the robot's other devices have sampled, in this step too
  kMountForce = 1u << 12,    ///< of the device's Solid on what it is mounted on
  kHousing = 1u << 13,       ///< the visible shapes of its robot that are fixed to the device
  /// With kBodyContacts: also those of its own boundingObject, if that does not yield, with what
  /// does not yield either.
  kUnyieldingContacts = 1u << 14,
  kCarrierWrench =
      1u << 15,  ///< with which what carries the Solid that the device stands in acts on it
  kModels = 1u << 16,  ///< name and pose of the topmost Solids of the world
};
struct Inputs {
  std::uint32_t bits = 0;
  constexpr Inputs() = default;
  constexpr Inputs(Input one) : bits(static_cast<std::uint32_t>(one)) {}  // NOLINT
  constexpr Inputs(std::initializer_list<Input> all) {
    for (Input one : all) bits |= static_cast<std::uint32_t>(one);
  }
  constexpr bool has(Input one) const { return (bits & static_cast<std::uint32_t>(one)) != 0; }
  constexpr Inputs without(Input one) const {
    Inputs rest = *this;
    rest.bits &= ~static_cast<std::uint32_t>(one);
    return rest;
  }
};
/// "visible rays, contacts"
std::string to_string(Inputs inputs);

/// An axis that no joint has: its position follows from its motor alone.
enum class OwnAxis : std::uint8_t { kNone, kRotational, kLinear };

/// A field with a Solid that is seen rotating by DeviceModel::head_angle().
struct TurningField {
  const char* field;
  const char* axis;    ///< the field that holds the direction, in the device's frame
  const char* centre;  ///< the field that holds a point of the axis, m
};

struct DeviceType {
  /// Name, base, fields. The base says where it stands: "Device" (a Solid of a robot),
  /// "JointDevice", "RotationalDevice" or "LinearDevice" (the `device` field of a joint),
  /// "BodyDevice" (in a Solid, without a frame or name of its own: controllers do not see it).
  NodeSchema node;
  std::vector<ChannelSpec> channels;
  std::vector<CommandSpec> commands;
  std::vector<PropertySpec> properties;
  Inputs inputs;
  /// sample() takes long and, of what changes, touches only the device itself, its `in` and `out`: several
  /// devices are sampled at once, after those of types without it and before those with kOtherSamples. Of no
  /// effect with kContacts, kRadarTargets and kOtherSamples.
  bool concurrent = false;
  /// Before each substep it may push on its body or set its joint (DeviceModel::before_substep).
  bool forces = false;
  /// It says where its robot is at each time (DeviceModel::motion); the robot has no Physics.
  bool moves_robot = false;
  bool emits = false;     ///< colours what is in its first child (DeviceModel::emission)
  bool draws = false;     ///< leaves ink on what is visible (DeviceModel::draw)
  bool events = false;    ///< does what a run notes in words (DeviceModel::take_events)
  bool anywhere = false;  ///< acts outside of robots, too
  bool hidden = false;    ///< controllers do not see it, though it has a name
  /// The devices in its field `device` stand on this axis, which DeviceContext::joint gives to it
  /// too.
  OwnAxis own_axis = OwnAxis::kNone;
  /// Fields with names of RotationalMotors of its robot that it moves: DeviceContext::motors.
  std::vector<const char*> motors;
  bool motors_may_slide = false;      ///< these may be LinearMotors, too
  std::vector<TurningField> turning;  ///< one of them is seen (DeviceModel::seen_turning)
  bool sends = false;     ///< has signals for other devices
  bool messages = false;  ///< delivers messages of any length (DeviceModel::take_messages)
  /// What moves "arm::left" (RobotDriver) goes to all devices whose names begin with "arm::", too.
  bool coupled_by_name = false;
  /// Whose functions of the controller library serve it ; "": its own name's.
  const char* api = "";
  /// What wb_device_get_node_type() says: WbNodeType of Webots R2025a, or one of ours from 1000 on.
  std::int32_t webots_node = 1000;

  bool has_sample() const { return !channels.empty() || messages; }
};

/// A channel of one device: its place in the sample.
struct ChannelLayout {
  std::string name;
  ElementType type = ElementType::kFloat64;
  std::vector<std::size_t> shape;  ///< empty: one element
  std::string unit, frame;
  std::vector<Component> components;
  std::size_t offset = 0;        ///< bytes, from the start of the sample
  std::size_t element_size = 8;  ///< bytes
  std::size_t count() const;     ///< elements
  std::size_t bytes() const { return count() * element_size; }
  bool operator==(const ChannelLayout&) const = default;
};

/// A sample's channels one after another, each aligned to its elements.
struct SampleLayout {
  std::vector<ChannelLayout> channels;
  std::size_t size = 0;  ///< bytes

  const ChannelLayout* find(std::string_view name) const;
};

/// Resolves the shapes with what the device says about itself. Throws std::invalid_argument for a
/// dimension that nothing tells, or that is no count, and for a sample of more than 4 GiB.
SampleLayout layout_of(const DeviceType& type, const Properties& properties, const Fields& fields);

/// Of the declared channels and commands with their types, shapes, units and ranges: what a program
/// relies on that was built against the declaration.
std::uint64_t layout_hash(std::span<const ChannelLayout> channels,
                          std::span<const CommandSpec> commands);

/// Position of the command in the list; -1 for none of that name.
int find_command(std::span<const CommandSpec> commands, std::string_view name);

/// No finite number that a device is told is larger; products of such numbers are still finite.
inline constexpr double kLargestNumber = 1e12;

/// Place of the first number that is not in its argument's range; -1 for none.
int wrong_number(const CommandSpec& spec, std::span<const double> numbers);

/// "" or what is wrong with the command's numbers and bytes: "has the wrong size", "holds -1.0".
std::string problem_of(const CommandSpec& spec, const DeviceCommand& command);

}  // namespace protobeam
