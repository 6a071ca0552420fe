#include "client.h"

#include <fcntl.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace protobeam::controller {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
// More than any of our own sensors has, so that a getter may index without asking.
constexpr std::size_t kFewestValues = 8;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "Error: %s\n", why.c_str());
  std::exit(EXIT_FAILURE);
}

std::optional<int> descriptor(const char* variable) {
  const char* text = std::getenv(variable);
  if (!text || !*text) return std::nullopt;
  char* end = nullptr;
  const long fd = std::strtol(text, &end, 10);
  if (*end || fd < 0 || fd > std::numeric_limits<int>::max()) return std::nullopt;
  // Programs that this one starts are not the controller.
  if (fcntl(static_cast<int>(fd), F_SETFD, FD_CLOEXEC) != 0) return std::nullopt;
  unsetenv(variable);
  return static_cast<int>(fd);
}

}  // namespace

void complain(const char* function, const std::string& what) {
  std::fprintf(stderr, "Error: %s() %s\n", function, what.c_str());
}

double Device::number(const char* property, double otherwise) const {
  const auto found = record.properties.find(property);
  if (found == record.properties.end()) return otherwise;
  const double* value = std::get_if<double>(&found->second);
  return value ? *value : otherwise;
}

std::string Device::text(const char* property) const {
  const auto found = record.properties.find(property);
  if (found == record.properties.end()) return {};
  const auto* value = std::get_if<std::string>(&found->second);
  return value ? *value : std::string();
}

std::span<const double> Device::list(const char* property) const {
  const auto found = record.properties.find(property);
  if (found == record.properties.end()) return {};
  const auto* value = std::get_if<std::vector<double>>(&found->second);
  return value ? std::span<const double>(*value) : std::span<const double>();
}

int Device::choice(const char* property, std::initializer_list<const char*> names) const {
  const auto named = std::find(names.begin(), names.end(), text(property));
  if (named != names.end()) return static_cast<int>(named - names.begin());
  const double value = number(property, 0);
  return value >= 0 && value < static_cast<double>(names.size()) ? static_cast<int>(value) : 0;
}

Client& Client::get() {
  // Never destroyed: functions may be called while the program ends.
  static Client& client = *new Client;
  return client;
}

void Client::start() {
  // Lines reach the simulator when they are written, numbers have a point.
  std::setvbuf(stdout, nullptr, _IOLBF, 4096);
  std::setvbuf(stderr, nullptr, _IOLBF, 4096);
  std::setlocale(LC_NUMERIC, "C");
  const auto socket = descriptor(link::kSocketVariable), memory = descriptor(link::kMemoryVariable);
  if (!socket || !memory) {
    give_up(
        "this program is a robot's controller and is started by the simulator: put it into "
        "controllers/NAME/NAME beside the folder of the world, write 'controller \"NAME\"' into "
        "its Robot and run 'protobeam run WORLD'");
  }
  try {
    channel_ = std::make_unique<link::Channel>(*socket);
    channel_->post(link::MessageType::kHello, link::encode_hello());
    const auto answer = await(link::MessageType::kConfigure);
    configure(link::decode_configuration(answer.bytes), *memory);
  } catch (const std::exception& error) {
    give_up(std::string("no connection to the simulator: ") + error.what());
  }
}

void Client::stop() {
  if (!started() || over_) return;
  channel_->post(link::MessageType::kBye, {});
  over_ = true;
}

link::Message Client::await(link::MessageType type) {
  const auto message = channel_->receive(true);
  if (!message) throw link::BrokenMessage("it has closed");
  if (message->type != type) throw link::BrokenMessage("it sent another message than expected");
  return *message;
}

void Client::configure(link::Configuration configuration, int memory_fd) {
  memory_ = link::SharedMemory::open(memory_fd, configuration.memory_size);
  robot_ = std::move(configuration.robot);
  devices_.resize(robot_.devices.size());
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    Device& device = devices_[i];
    device.record = std::move(robot_.devices[i]);
    device.data = memory_.bytes().subspan(configuration.offsets[i], device.record.data_size);
    if (device.record.kind != DeviceKind::kLidar) {
      device.values.resize(std::max(kFewestValues, device.data.size() / sizeof(double)));
    }
    device.lidar.frequency = device.number("defaultFrequency", 10);
    device.motor = {device.number("targetPosition", 0), device.number("maxVelocity", 10),
                    device.number("acceleration", -1), device.number("maxEffort", 10)};
    device.radio.channel = static_cast<int>(device.number("channel", 0));
    device.radio.range = device.number("range", -1);
  }
  robot_.devices.clear();
}

void Client::set_custom_data(std::string data) {
  robot_.custom_data = data;
  push({0, DeviceOp::kCustomData, {}, std::move(data)});
}

void Client::enable_keyboard(int period_ms) {
  keyboard_ = {period_ms, {}, 0};
  push({0, DeviceOp::kKeyboard, {static_cast<double>(period_ms)}, {}});
}

int Client::next_key() {
  return keyboard_.next < keyboard_.keys.size() ? keyboard_.keys[keyboard_.next++] : -1;
}

int Client::round_period(int period_ms) {
  const double basic = robot_.basic_time_step_ms, steps = period_ms / basic;
  if (period_ms == 0 || !(basic > 0) || std::abs(steps - std::round(steps)) < 1e-6) {
    return period_ms;
  }
  const int rounded = static_cast<int>(std::lround(std::max(1.0, std::round(steps)) * basic));
  if (!warned_period_) {
    std::fprintf(stderr,
                 "Warning: wb_robot_step(%d) is not a multiple of the basicTimeStep of %g ms; the "
                 "steps are rounded (here to %d ms)\n",
                 period_ms, basic, rounded);
    warned_period_ = true;
  }
  return rounded;
}

void Client::step_begin(int period_ms) {
  request_.period_ms = round_period(period_ms);
  channel_->post(link::MessageType::kStep, link::encode(request_));
  request_.commands.clear();
  for (auto& device : devices_) device.radio.queued = 0;
  stepping_ = true;
}

int Client::step_end() {
  link::StepReply reply;
  try {
    reply = link::decode_reply(await(link::MessageType::kReply).bytes);
  } catch (const link::BrokenMessage& broken) {
    std::fprintf(stderr, "Error: the connection to the simulator is lost: %s\n", broken.what());
    reply = {-1, time_, {}, {}};
  }
  const std::lock_guard lock(mutex);
  stepping_ = false;
  const int result = reply.result;
  if (result < 0) {
    over_ = true;
  } else {
    apply(std::move(reply));
  }
  return result;
}

void Client::apply(link::StepReply reply) {
  time_ = reply.time;
  for (auto& device : devices_) {
    if (device.period > 0 && !device.values.empty() && !device.data.empty()) {
      std::memcpy(device.values.data(), device.data.data(),
                  device.data.size() / sizeof(double) * sizeof(double));
    }
  }
  for (auto& packet : reply.packets) {
    if (packet.tag == 0 || packet.tag > devices_.size()) continue;
    devices_[packet.tag - 1].radio.packets.push_back(std::move(packet));
  }
  if (keyboard_.period > 0) {
    keyboard_.keys = std::move(reply.keys);
    keyboard_.next = 0;
  }
}

Access::Access(const char* function, unsigned tag, std::initializer_list<DeviceKind> kinds)
    : function_(function), tag_(tag), lock_(Client::get().mutex) {
  auto& client = Client::get();
  if (!client.started()) {
    complain("called before wb_robot_init()");
  } else if (tag == 0 || tag > client.devices().size()) {
    complain("called with an invalid device tag (" + std::to_string(tag) + ")");
  } else {
    Device& device = client.devices()[tag - 1];
    if (kinds.size() == 0 ||
        std::find(kinds.begin(), kinds.end(), device.record.kind) != kinds.end()) {
      device_ = &device;
    } else {
      complain("called with device '" + device.record.name + "', which is of another type");
    }
  }
}

void Access::command(DeviceOp op, std::vector<double> numbers, std::string bytes) const {
  Client::get().push({static_cast<std::uint16_t>(tag_), op, std::move(numbers), std::move(bytes)});
}

bool Access::valid(const char* name, double value, double least) const {
  if (value >= least) return true;
  complain("called with an invalid '" + std::string(name) + "' (" + std::to_string(value) +
           ") for device '" + device_->record.name + "'");
  return false;
}

void Access::enable(int period_ms) const {
  if (!device_ || !valid("sampling_period", period_ms, 0)) return;
  if (period_ms == 0) return disable();
  device_->period = period_ms;
  command(DeviceOp::kEnable, {static_cast<double>(period_ms)});
}

void Access::disable() const {
  if (!device_ || device_->period == 0) return;
  device_->period = 0;
  device_->radio.packets.clear();
  command(DeviceOp::kDisable);
}

bool Access::enabled() const {
  if (!device_) return false;
  if (device_->period > 0) return true;
  complain("called for the disabled device '" + device_->record.name + "'; enable it first");
  return false;
}

const double* Access::values(std::size_t first) const {
  return enabled() ? device_->values.data() + first : nullptr;
}

double Access::value(std::size_t at) const {
  const double* value = values(at);
  return value ? *value : kNaN;
}

int Access::table_size() const {
  return device_ ? static_cast<int>(device_->list("lookupTable").size() / 3) : 0;
}

const double* Access::table() const {
  return table_size() > 0 ? device_->list("lookupTable").data() : nullptr;
}

}  // namespace protobeam::controller
