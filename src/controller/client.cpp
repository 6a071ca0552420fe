#include "controller/client.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "base/robot_commands.h"
#include "base/text.h"
#include "link/attach.h"
#include "link/attach_messages.h"

namespace protobeam::controller {
namespace {

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

bool started(const char* function) {
  if (Client::get().started()) return true;
  complain(function, "called before wb_robot_init()");
  return false;
}

double Device::number(const char* property, double otherwise) const {
  const auto found = record.properties.find(property);
  if (found == record.properties.end()) return otherwise;
  const double* value = std::get_if<double>(&found->second);
  return value ? *value : otherwise;
}

const std::string* Device::text(const char* property) const {
  const auto found = record.properties.find(property);
  if (found == record.properties.end()) return nullptr;
  return std::get_if<std::string>(&found->second);
}

std::span<const double> Device::list(const char* property) const {
  const auto found = record.properties.find(property);
  if (found == record.properties.end()) return {};
  const auto* value = std::get_if<std::vector<double>>(&found->second);
  return value ? std::span<const double>(*value) : std::span<const double>();
}

const ChannelLayout* Device::channel(std::string_view name) const {
  for (const ChannelLayout& channel : record.channels) {
    if (channel.name == name) return &channel;
  }
  return nullptr;
}

bool Device::has_room_for(const DeviceMessage& message) const {
  const double most = number("bufferSize", -1);
  if (most < 0) return true;
  std::size_t bytes = message.bytes.size();
  for (const DeviceMessage& waiting : messages) bytes += waiting.bytes.size();
  return static_cast<double>(bytes) <= most;
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
  if (!socket || !memory) return attach();
  try {
    channel_ = std::make_unique<link::Channel>(*socket);
    channel_->post(link::MessageType::kHello, link::encode_hello());
    const auto answer = await(link::MessageType::kConfigure);
    configure(link::decode_configuration(answer.bytes), *memory);
  } catch (const std::exception& error) {
    give_up(std::string("no connection to the simulator: ") + error.what());
  }
}

void Client::attach() {
  try {
    channel_ = link::attach(link::url_of_environment(), link::patience_of_environment(),
                            [](const std::string& note) { std::fprintf(stderr, "%s\n", note.c_str()); });
  } catch (const std::exception& error) {
    // The names in it come from a world.
    give_up(printable(error.what(), true) +
            "\nThis program is a robot's controller. Either the simulator starts it: put it into "
            "controllers/NAME/NAME beside the folder of the world, write 'controller \"NAME\"' into "
            "its Robot and run 'protobeam run WORLD'. Or you do, while a world runs whose Robot has "
            "'controller \"<extern>\"'");
  }
  try {
    channel_->post(link::MessageType::kHello, link::encode_hello());
    Descriptor memory;
    if (channel_->kind() == link::Channel::Kind::kPackets) {
      memory = link::receive_descriptor(channel_->fd());
    }
    const auto answer = await(link::MessageType::kConfigure);
    configure(link::decode_configuration(answer.bytes), memory.release());
  } catch (const std::exception& error) {
    give_up(std::string("no connection to the simulator: ") + error.what());
  }
  // The simulator is not our parent: it learns of the exit code from us. (glibc; atexit has no code.)
  attached_by_ = getpid();
  on_exit([](int code, void* client) { static_cast<Client*>(client)->send_end(code); }, this);
}

void Client::send_end(int exit_code) {
  // Not in a process that was forked from this one, nor amid a message to the simulator.
  if (getpid() != attached_by_ || channel_->pending()) return;
  channel_->post(link::MessageType::kEnd, link::encode_end(exit_code));
}

void Client::stop() {
  if (!started() || over_) return;
  if (before_step && !stepping_) before_step();
  channel_->post(link::MessageType::kBye, {});
  over_ = said_goodbye_ = true;
}

link::Message Client::await(link::MessageType type) {
  auto message = channel_->receive(true);
  while (message && message->type == link::MessageType::kMemory && memory_.fd() >= 0) {
    link::decode_memory(message->bytes, memory_.bytes());
    message = channel_->receive(true);
  }
  if (!message) throw link::BrokenMessage("it has closed");
  if (message->type != type) throw link::BrokenMessage("it sent another message than expected");
  return *message;
}

void Client::configure(link::Configuration configuration, int memory_fd) {
  memory_ = memory_fd >= 0 ? link::SharedMemory::open(memory_fd, configuration.memory_size)
                           : link::SharedMemory::create(configuration.memory_size);
  if (memory_fd < 0) link::mark_unmeasured(configuration, memory_.bytes());
  robot_ = std::move(configuration.robot);
  devices_.resize(robot_.devices.size());
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    Device& device = devices_[i];
    device.record = std::move(robot_.devices[i]);
    device.data = memory_.bytes().subspan(configuration.offsets[i], device.record.data_size);
  }
  robot_.devices.clear();
}

void Client::set_custom_data(std::string data) {
  robot_.custom_data = data;
  push({0, robot_commands::kCustomData, {}, std::move(data)});
}

bool Client::give_metric(const link::Metric& metric) {
  if (!started() || said_goodbye_ || channel_->closed()) return false;
  channel_->post(link::MessageType::kMetric, link::encode(metric));
  return true;
}

void Client::enable_keyboard(int period_ms) {
  keyboard_ = {period_ms, {}, 0};
  push({0, robot_commands::kKeyboard, {static_cast<double>(period_ms)}, {}});
}

void Client::enable_battery_sensor(int period_ms) {
  battery_.period = period_ms;
  push({0, robot_commands::kBatterySensor, {static_cast<double>(period_ms)}, {}});
}

int Client::next_key() {
  return keyboard_.next < keyboard_.keys.size() ? keyboard_.keys[keyboard_.next++] : -1;
}

const std::string* Client::next_window_text() {
  if (window_texts_.empty()) return nullptr;
  window_text_ = std::move(window_texts_.front());
  window_texts_.pop_front();
  window_bytes_ -= window_text_.size();
  return &window_text_;
}

void Client::keep_window_text(std::string text) {
  // As many as the simulator keeps for a window.
  constexpr std::size_t kMostTexts = 10'000, kMostBytes = 64'000'000;
  window_bytes_ += text.size();
  window_texts_.push_back(std::move(text));
  while (window_texts_.size() > 1 &&
         (window_texts_.size() > kMostTexts || window_bytes_ > kMostBytes)) {
    window_bytes_ -= window_texts_.front().size();
    window_texts_.pop_front();
    if (std::exchange(warned_window_, true)) continue;
    std::fprintf(stderr,
                 "Warning: wb_robot_wwi_receive_text() takes too few of the texts that the robot's "
                 "window sends: the oldest are lost\n");
  }
}

int Client::round_period(int period_ms) {
  const double basic = robot_.basic_time_step_ms, steps = period_ms / basic;
  if (period_ms == 0 || !(basic > 0) || std::abs(steps - std::round(steps)) < 1e-6) {
    return period_ms;
  }
  const double most = std::floor(std::numeric_limits<int>::max() / basic);
  const int rounded =
      static_cast<int>(std::lround(std::clamp(std::round(steps), 1.0, most) * basic));
  if (!warned_period_) {
    std::fprintf(stderr,
                 "Warning: wb_robot_step(%d) is not a multiple of the basicTimeStep of %g ms; the "
                 "steps are rounded (here to %d ms)\n",
                 period_ms, basic, rounded);
    warned_period_ = true;
  }
  return rounded;
}

std::vector<link::SupervisorAnswer> Client::ask(std::span<const link::SupervisorRequest> requests) {
  std::vector<link::SupervisorAnswer> answers;
  try {
    if (started() && !over_) {
      channel_->post(link::MessageType::kAsk, link::encode(requests));
      answers = link::decode_supervisor_answers(await(link::MessageType::kAnswer).bytes);
    }
  } catch (const link::BrokenMessage& broken) {
    std::fprintf(stderr, "Error: the connection to the simulator is lost: %s\n", broken.what());
    over_ = true;
  }
  answers.resize(requests.size(), {false, {}, ""});
  return answers;
}

void Client::step_begin(int period_ms) {
  if (before_step) before_step();
  request_.period_ms = round_period(period_ms);
  for (auto& device : devices_) {
    if (device.before_step) device.before_step(request_.period_ms);
  }
  channel_->post(link::MessageType::kStep, link::encode(request_));
  for (const DeviceCommand& command : request_.commands) {
    if (command.tag > 0 && command.op == device_op::kEnable) {
      devices_[command.tag - 1u].place_asked = true;
    }
  }
  request_.commands.clear();
  for (auto& device : devices_) device.sent_bytes = 0;
  stepping_ = true;
  stepper_ = std::this_thread::get_id();
}

bool Client::between_steps(std::unique_lock<std::mutex>& lock) {
  if (stepping_ && stepper_ == std::this_thread::get_id()) return false;
  ++waiting_;
  step_over_.wait(lock, [this] { return !stepping_; });
  if (--waiting_ == 0) all_asked_.notify_all();
  return true;
}

void Client::let_others_ask(std::unique_lock<std::mutex>& lock) {
  all_asked_.wait(lock, [this] { return waiting_ == 0 && !flushing_; });
}

int Client::step_end() {
  link::StepReply reply;
  try {
    reply = link::decode_reply(await(link::MessageType::kReply).bytes);
  } catch (const link::BrokenMessage& broken) {
    std::fprintf(stderr, "Error: the connection to the simulator is lost: %s\n", broken.what());
    reply = {-1, time_, {}, {}, std::nullopt};
  }
  const std::lock_guard lock(mutex);
  stepping_ = false;
  step_over_.notify_all();
  const int result = reply.result;
  if (result < 0) {
    over_ = true;
  } else {
    apply(std::move(reply));
    if (after_step) after_step();
  }
  if (std::exchange(flushing_, false)) all_asked_.notify_all();
  return result;
}

void Client::flush() {
  {
    std::unique_lock lock(mutex);
    if (!started() || !between_steps(lock) || over_) return;
    flushing_ = true;
    step_begin(0);
  }
  step_end();
}

void Client::apply(link::StepReply reply) {
  time_ = reply.time;
  if (reply.custom_data) robot_.custom_data = std::move(*reply.custom_data);
  if (reply.supervisor) robot_.supervisor = *reply.supervisor;
  for (auto& [tag, properties] : reply.properties) {
    if (tag == 0 || tag > devices_.size()) continue;
    // What is as before stays where it is: programs have pointers to texts and lists.
    ++devices_[tag - 1].told;
    Properties& known = devices_[tag - 1].record.properties;
    for (auto& [name, property] : properties) {
      Property& one = known[name];
      if (one != property) one = std::move(property);
    }
  }
  for (Device& device : devices_) device.has_place = device.place_asked;
  for (auto& message : reply.messages) {
    if (message.tag == 0 && !message.numbers.empty()) {
      battery_.value = message.numbers[0];
    } else if (message.tag == 0) {
      keep_window_text(std::move(message.bytes));
    }
    if (message.tag == 0 || message.tag > devices_.size()) continue;
    Device& device = devices_[message.tag - 1];
    if (device.has_room_for(message)) device.messages.push_back(std::move(message));
  }
  if (keyboard_.period > 0 && !flushing_) {
    keyboard_.keys = std::move(reply.keys);
    keyboard_.next = 0;
  }
}

}  // namespace protobeam::controller
