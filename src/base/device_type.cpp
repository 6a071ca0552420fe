#include "base/device_type.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "base/fields.h"

namespace protobeam {
namespace {

constexpr double kMostBytes = 4.0 * 1024 * 1024 * 1024;

std::size_t element_size(const ChannelSpec& channel) {
  if (channel.type != ElementType::kRecord) return size_of(channel.type);
  std::size_t size = 0;
  for (const Component& component : channel.components) size += size_of(component.type);
  return size;
}

std::size_t alignment(const ChannelSpec& channel) {
  if (channel.type != ElementType::kRecord) return size_of(channel.type);
  std::size_t largest = 1;
  for (const Component& component : channel.components) {
    largest = std::max(largest, size_of(component.type));
  }
  return largest;
}

std::size_t resolve(const ChannelSpec& channel, const Dimension& dimension,
                    const Properties& properties, const Fields& fields) {
  if (dimension.name.empty()) return dimension.size;
  double value = 0;
  const auto known = properties.find(dimension.name);
  if (known == properties.end()) {
    const auto numbers = fields.numbers(dimension.name);
    value = numbers.size() == 1 ? numbers.front() : static_cast<double>(numbers.size());
  } else if (const auto* number = std::get_if<double>(&known->second)) {
    value = *number;
  } else if (const auto* list = std::get_if<std::vector<double>>(&known->second)) {
    value = static_cast<double>(list->size());
  } else {
    value = std::numeric_limits<double>::quiet_NaN();
  }
  if (!(value >= 0 && value <= kMostBytes && value == std::floor(value))) {
    throw std::invalid_argument("'" + dimension.name + "', a dimension of channel '" +
                                channel.name + "', is no count: " + std::to_string(value));
  }
  return static_cast<std::size_t>(value);
}

/// FNV-1a, 64 bits.
class TextHash {
 public:
  void add(std::string_view text) {
    for (char c : text) step(static_cast<unsigned char>(c));
    step(0xff);
  }
  std::uint64_t value() const { return hash_; }

 private:
  void step(unsigned char byte) { hash_ = (hash_ ^ byte) * 1099511628211ull; }
  std::uint64_t hash_ = 14695981039346656037ull;
};

}  // namespace

std::size_t size_of(ElementType type) {
  switch (type) {
    case ElementType::kFloat64:
      return 8;
    case ElementType::kFloat32:
    case ElementType::kInt32:
    case ElementType::kUint32:
      return 4;
    case ElementType::kUint16:
      return 2;
    case ElementType::kUint8:
      return 1;
    case ElementType::kRecord:
      break;
  }
  return 0;
}

std::string_view to_string(ElementType type) {
  switch (type) {
    case ElementType::kFloat64:
      return "float64";
    case ElementType::kFloat32:
      return "float32";
    case ElementType::kInt32:
      return "int32";
    case ElementType::kUint32:
      return "uint32";
    case ElementType::kUint16:
      return "uint16";
    case ElementType::kUint8:
      return "uint8";
    case ElementType::kRecord:
      break;
  }
  return "record";
}

std::string to_string(Inputs inputs) {
  constexpr std::pair<Input, const char*> kNames[] = {
      {Input::kMotion, "own motion"},
      {Input::kVisibleRays, "visible rays"},
      {Input::kSurfaces, "surfaces"},
      {Input::kSolidRays, "solid rays"},
      {Input::kContacts, "contacts"},
      {Input::kBodyContacts, "contacts of the body"},
      {Input::kGeodetic, "geodetic frame"},
      {Input::kOutage, "outage regions"},
      {Input::kSignals, "signals of other devices"},
      {Input::kAppearance, "appearance"},
      {Input::kRadarTargets, "radar targets"},
      {Input::kOtherSamples, "samples of other devices"},
      {Input::kMountForce, "force on its mount"},
      {Input::kHousing, "shapes that are fixed to it"},
      {Input::kUnyieldingContacts, "contacts with what does not yield"},
      {Input::kCarrierWrench, "force and torque on its Solid"},
      {Input::kModels, "models of the world"}};
  std::string out;
  for (const auto& [input, name] : kNames) {
    if (inputs.has(input)) out += (out.empty() ? "" : ", ") + std::string(name);
  }
  return out;
}

std::size_t ChannelLayout::count() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

const ChannelLayout* SampleLayout::find(std::string_view name) const {
  for (const ChannelLayout& channel : channels) {
    if (channel.name == name) return &channel;
  }
  return nullptr;
}

SampleLayout layout_of(const DeviceType& type, const Properties& properties, const Fields& fields) {
  SampleLayout layout;
  for (const ChannelSpec& spec : type.channels) {
    ChannelLayout channel;
    channel.name = spec.name;
    channel.type = spec.type;
    channel.unit = spec.unit;
    channel.frame = spec.frame;
    channel.components = spec.components;
    channel.element_size = element_size(spec);
    double bytes = static_cast<double>(channel.element_size);
    for (const Dimension& dimension : spec.shape) {
      channel.shape.push_back(resolve(spec, dimension, properties, fields));
      bytes *= static_cast<double>(channel.shape.back());
    }
    const std::size_t align = alignment(spec);
    channel.offset = (layout.size + align - 1) / align * align;
    if (static_cast<double>(channel.offset) + bytes > kMostBytes) {
      throw std::invalid_argument("a sample with channel '" + spec.name + "' is larger than 4 GiB");
    }
    layout.size = channel.offset + channel.bytes();
    layout.channels.push_back(std::move(channel));
  }
  return layout;
}

std::uint64_t layout_hash(std::span<const ChannelLayout> channels,
                          std::span<const CommandSpec> commands) {
  TextHash hash;
  for (const ChannelLayout& channel : channels) {
    hash.add(channel.name);
    hash.add(to_string(channel.type));
    hash.add(channel.unit);
    hash.add(channel.frame);
    hash.add(std::to_string(channel.offset));
    for (std::size_t extent : channel.shape) hash.add(std::to_string(extent));
    for (const Component& component : channel.components) {
      hash.add(component.name);
      hash.add(to_string(component.type));
      hash.add(component.unit);
    }
  }
  for (const CommandSpec& command : commands) {
    hash.add(command.name);
    hash.add(std::to_string(command.bytes) + " " + std::to_string(command.repeats));
    for (const ArgumentSpec& argument : command.arguments) {
      hash.add(argument.name);
      hash.add(argument.unit);
      hash.add(argument.range.to_string());
    }
  }
  return hash.value();
}

int find_command(std::span<const CommandSpec> commands, std::string_view name) {
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (commands[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

int wrong_number(const CommandSpec& spec, std::span<const double> numbers) {
  for (std::size_t i = 0; i < numbers.size() && !spec.arguments.empty(); ++i) {
    const ArgumentSpec& argument = spec.arguments[std::min(i, spec.arguments.size() - 1)];
    const double value = numbers[i];
    const double bound = value > 0 ? argument.range.max : argument.range.min;
    const bool allowed = std::isinf(value) ? argument.infinite && value == bound
                                           : std::abs(value) <= kLargestNumber &&
                                                 argument.range.contains(value);
    if (!allowed) return static_cast<int>(i);
  }
  return -1;
}

std::string problem_of(const CommandSpec& spec, const DeviceCommand& command) {
  const std::size_t most = spec.arguments.size() + (spec.repeats > 0 ? spec.repeats - 1 : 0);
  const std::size_t least = spec.arguments.size() - (spec.repeats > 0 ? 1 : 0);
  const std::size_t given = command.numbers.size();
  if (given < least || given > most || (!spec.bytes && !command.bytes.empty())) {
    return "has the wrong size";
  }
  const int wrong = wrong_number(spec, command.numbers);
  return wrong < 0 ? ""
                   : "holds " + std::to_string(command.numbers[static_cast<std::size_t>(wrong)]);
}

}  // namespace protobeam
