#include "controller/device_access.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace protobeam::controller {

Access::Access(const char* function, unsigned tag, std::initializer_list<std::string_view> apis)
    : function_(function), tag_(tag), lock_(Client::get().mutex) {
  auto& client = Client::get();
  if (!client.started()) {
    complain("called before wb_robot_init()");
  } else if (tag == 0 || tag > client.devices().size()) {
    complain("called with an invalid device tag (" + std::to_string(tag) + ")");
  } else {
    Device& device = client.devices()[tag - 1];
    const bool fits = std::any_of(apis.begin(), apis.end(),
                                  [&](std::string_view api) { return device.serves(api); });
    if (fits || apis.size() == 0) {
      device_ = &device;
    } else {
      complain("called with device '" + device.record.name + "', which is of another type");
    }
  }
}

namespace {

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace

bool Access::command(std::string_view name, std::vector<double> numbers, std::string bytes) const {
  if (!device_) return false;
  const auto& commands = device_->record.commands;
  const int index = find_command(commands, name);
  if (index < 0) {
    complain("called for '" + device_->record.name + "', which knows no command '" +
             std::string(name) + "'");
    return false;
  }
  DeviceCommand command{static_cast<std::uint16_t>(tag_),
                        static_cast<std::uint16_t>(device_op::kFirstCommand + index),
                        std::move(numbers), std::move(bytes)};
  const std::string problem = problem_of(commands[static_cast<std::size_t>(index)], command);
  if (!problem.empty()) {
    const CommandSpec& spec = commands[static_cast<std::size_t>(index)];
    const int bad = wrong_number(spec, command.numbers);
    if (bad >= 0) {
      const auto at = static_cast<std::size_t>(bad);
      const ArgumentSpec& argument = spec.arguments[std::min(at, spec.arguments.size() - 1)];
      const std::string range = argument.range.to_string();
      complain("called with an invalid '" + argument.name + "' (" +
               short_number(command.numbers[at]) + ") for device '" + device_->record.name + "'" +
               (range.empty() ? "" : "; it must be " + range));
      return false;
    }
    complain("called for '" + device_->record.name + "': command '" + std::string(name) + "' " +
             problem);
    return false;
  }
  device_->sent_bytes += command.bytes.size();
  Client::get().push(std::move(command));
  return true;
}

bool Access::valid(const char* name, double value, double least) const {
  if (value >= least) return true;
  complain("called with an invalid '" + std::string(name) + "' (" + std::to_string(value) +
           ") for device '" + device_->record.name + "'");
  return false;
}

void Access::enable(double period_ms) const {
  if (!device_ || !valid("sampling_period", period_ms, 0)) return;
  period_ms = std::min<double>(period_ms, std::numeric_limits<int>::max());
  if (period_ms == 0) return disable();
  if (!device_->record.has_sample()) {
    return complain("called for '" + device_->record.name + "', which has no samples");
  }
  device_->period = std::max(1, static_cast<int>(std::lround(period_ms)));
  Client::get().push(
      {static_cast<std::uint16_t>(tag_), device_op::kEnable, {period_ms}, {}});
}

void Access::sample_every(double period_ms) const {
  const auto tag = static_cast<std::uint16_t>(tag_);
  if (period_ms > 0) {
    Client::get().push({tag, device_op::kEnable, {period_ms}, {}});
  } else {
    Client::get().push({tag, device_op::kDisable, {}, {}});
  }
}

void Access::disable() const {
  if (!device_ || device_->period == 0) return;
  device_->period = 0;
  Client::get().push({static_cast<std::uint16_t>(tag_), device_op::kDisable, {}, {}});
}

bool Access::enabled() const {
  if (!device_) return false;
  if (device_->period > 0) return true;
  complain("called for the disabled device '" + device_->record.name + "'; enable it first");
  return false;
}

void Access::warn_not_simulated(const char* consequence) const {
  if (!device_ || std::exchange(device_->warned, true)) return;
  std::fprintf(stderr, "Warning: '%s' is a %s, which is not simulated: %s\n",
               device_->record.name.c_str(), device_->record.type.c_str(), consequence);
}

std::span<const std::byte> Access::channel_bytes(std::string_view name, std::size_t element) const {
  const ChannelLayout* channel = device_->channel(name);
  if (!channel || channel->element_size != element) {
    complain("finds no channel '" + std::string(name) + "' of elements of " +
             std::to_string(element) + " bytes in '" + device_->record.name + "'");
    return {};
  }
  return device_->data.subspan(channel->offset, channel->bytes());
}

const double* Access::values(std::string_view name) const {
  if (!device_) return nullptr;
  enabled();
  const auto bytes = channel_bytes(name, sizeof(double));
  return bytes.empty() ? nullptr : reinterpret_cast<const double*>(bytes.data());
}

double Access::value(std::string_view name) const {
  const double* value = values(name);
  return value ? *value : std::numeric_limits<double>::quiet_NaN();
}

double Access::fact(const char* property) const {
  return device_ ? device_->number(property, 0) : kNaN;
}

double Access::number(const char* property, double otherwise) const {
  return device_ ? device_->number(property, otherwise) : otherwise;
}

std::span<const double> Access::list(const char* property) const {
  return device_ ? device_->list(property) : std::span<const double>();
}

const char* Access::text(const char* property) const {
  const std::string* value = device_ ? device_->text(property) : nullptr;
  return value ? value->c_str() : "";
}

int Access::choice(const char* property, std::initializer_list<const char*> names) const {
  const auto named = std::find(names.begin(), names.end(), std::string_view(text(property)));
  return named != names.end() ? static_cast<int>(named - names.begin()) : 0;
}

int Access::table_size() const { return static_cast<int>(list("lookupTable").size() / 3); }

const double* Access::table() const {
  return table_size() > 0 ? list("lookupTable").data() : nullptr;
}

unsigned Access::sibling(std::string_view api) const {
  if (!device_ || device_->record.joint < 0) return 0;
  for (const Device& other : Client::get().devices()) {
    if (&other != device_ && other.record.joint == device_->record.joint && other.serves(api)) {
      return other.record.tag;
    }
  }
  return 0;
}

}  // namespace protobeam::controller
