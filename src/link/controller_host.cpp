#include "link/controller_host.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "base/child_process.h"
#include "base/stop.h"
#include "base/strays.h"
#include "link/attach_messages.h"
#include "link/channel.h"
#include "link/extern_server.h"
#include "link/line_reader.h"
#include "link/messages.h"
#include "link/remote_memory.h"
#include "link/shared_memory.h"

namespace protobeam::link {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// What a controller gets to end in by itself, and again after SIGTERM.
constexpr milliseconds kGrace{1000};
/// A program that has found its robot greets at once.
constexpr std::chrono::seconds kGreeting{5};
/// A longer limit of wait() counts as this, which poll() and the clock can still hold.
constexpr milliseconds kLongestWait = std::chrono::hours(24 * 7);

/// In the environment of a controller and of all that it starts.
constexpr const char* kFamilyVariable = "PROTOBEAM_CONTROLLER";

/// Both ends until the child has its own.
class Sockets {
 public:
  Sockets() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
      throw std::system_error(errno, std::generic_category(), "cannot open a socket");
    }
    ours_ = ends[0];
    // The child's above the standard streams, which it replaces.
    theirs_ = fcntl(ends[1], F_DUPFD_CLOEXEC, 3);
    close(ends[1]);
    if (theirs_ < 0) {
      close(ours_);
      throw std::system_error(errno, std::generic_category(), "cannot open a socket");
    }
  }
  ~Sockets() {
    if (ours_ >= 0) close(ours_);
    close(theirs_);
  }
  Sockets(const Sockets&) = delete;
  int theirs() const { return theirs_; }
  int take_ours() { return std::exchange(ours_, -1); }

 private:
  int ours_, theirs_;
};

std::map<std::string, std::string> link_environment(const RobotRecord& robot,
                                                    const LaunchSpec& launch,
                                                    const std::string& family, int socket,
                                                    int memory) {
  auto environment = launch.environment;
  environment[kSocketVariable] = std::to_string(socket);
  environment[kMemoryVariable] = std::to_string(memory);
  environment["WEBOTS_ROBOT_NAME"] = robot.name;
  environment[kFamilyVariable] = family;
  add_library_environment(environment);
  return environment;
}

/// By which the processes of one controller are known; no other has it.
std::string family_name() {
  static std::atomic<unsigned> counter{0};
  return std::to_string(getpid()) + "-" + std::to_string(++counter);
}

std::string seconds(milliseconds time) {
  std::string text = std::to_string(time.count() / 1000);
  if (const auto rest = time.count() % 1000; rest != 0) {
    std::string digits = std::to_string(1000 + rest).substr(1);
    digits.erase(digits.find_last_not_of('0') + 1);
    text += "." + digits;
  }
  return text + " s";
}

}  // namespace

class ControllerHost::Impl {
 public:
  Impl(RobotRecord robot, const LaunchSpec& launch, LineSink lines)
      : Impl(std::move(robot), launch, std::move(lines), Sockets()) {}
  Impl(RobotRecord robot, Connection connection)
      : configuration(lay_out(std::move(robot))),
        memory(SharedMemory::create(configuration.memory_size)),
        channel_(std::move(connection.channel)) {
    mark_unmeasured(configuration, memory.bytes());
    greet_by_ = Clock::now() + kGreeting;
    if (connection.remote) remote_memory_.emplace(memory.bytes().size());
  }

  ~Impl() { end(Clock::now() + kGrace, Clock::now() + 2 * kGrace); }

  ControllerState wait(milliseconds limit);
  void reply(const StepReply& reply);
  void answer(std::span<const SupervisorAnswer> answers);
  void stop();
  void end(Clock::time_point soft, Clock::time_point hard);
  int exit_status() const;
  std::string how_it_ended() const;

  Configuration configuration;
  ControllerState state = ControllerState::kComputing;
  StepRequest request;
  std::vector<SupervisorRequest> questions;
  SharedMemory memory;
  std::string fault;  // why we killed it
  std::map<std::string, double> metrics;

 private:
  /// A process of ours. A program that its user has started has none: its connection is all.
  struct Started {
    Started(const Configuration& configuration, const LaunchSpec& launch, LineSink lines,
            const Sockets& sockets, int memory)
        : family(family_name()),
          process({.argv = launch.argv,
                   .working_directory = launch.working_directory,
                   .environment = link_environment(configuration.robot, launch, family,
                                                   sockets.theirs(), memory),
                   .descriptors = {{sockets.theirs(), sockets.theirs()}, {memory, memory}}}),
          reader(process.out().release(), process.err().release(), std::move(lines)) {}

    std::string family;  ///< what kFamilyVariable says: this process and all that it starts
    ChildProcess process;
    LineReader reader;
  };

  Impl(RobotRecord robot, const LaunchSpec& launch, LineSink lines, Sockets&& sockets)
      : configuration(lay_out(std::move(robot))),
        memory(SharedMemory::create(configuration.memory_size)),
        channel_(std::make_unique<Channel>(sockets.take_ours())) {
    mark_unmeasured(configuration, memory.bytes());
    started_ = std::make_unique<Started>(configuration, launch, std::move(lines), sockets, memory.fd());
  }

  bool running() const {
    return state == ControllerState::kComputing || state == ControllerState::kStepping ||
           state == ControllerState::kAsking;
  }
  /// Takes what has arrived. Ends at a step, at the end of the socket or when there is no more.
  void take_messages();
  /// Waits until the controller says something or ends, or `interruption` is readable, once, and
  /// takes in what the controller said.
  void wait_for_events(Clock::time_point deadline, int interruption = -1);
  void handle(const Message& message);
  void configure();
  void fail(std::string why);
  void settle();   // after the end of the process
  void leave();    // after the end of a connection to a program that is not ours

  std::unique_ptr<Channel> channel_;
  bool greeted_ = false, said_goodbye_ = false, told_to_end_ = false;
  std::optional<Clock::time_point> waiting_since_;  ///< for a request that lets time pass
  std::optional<Clock::time_point> closed_since_;   ///< the connection without a goodbye, or the goodbye
  std::optional<Clock::time_point> greet_by_;       ///< of a program that is not ours
  std::optional<int> exit_code_;                    ///< what a program that is not ours says
  std::optional<RemoteMemory> remote_memory_;
  std::unique_ptr<Started> started_;
};

void ControllerHost::Impl::take_messages() {
  try {
    while (state == ControllerState::kComputing && !channel_->closed()) {
      const auto message = channel_->receive(false);
      if (!message) return;
      handle(*message);
    }
  } catch (const BrokenMessage& broken) {
    fail(std::string("sent a broken message: ") + broken.what());
  }
}

void ControllerHost::Impl::handle(const Message& message) {
  if (!greeted_ && message.type != MessageType::kHello) {
    throw BrokenMessage("it does not begin with a greeting");
  }
  if (said_goodbye_ && message.type != MessageType::kEnd) {
    throw BrokenMessage("it goes on after its goodbye");
  }
  // A program reads each answer before it asks again; else answers would pile up here.
  if (channel_->pending()) throw BrokenMessage("it does not read the answers to what it asks");
  switch (message.type) {
    case MessageType::kHello:
      if (greeted_) throw BrokenMessage("it greets twice");
      decode_hello(message.bytes);
      greeted_ = true;
      greet_by_.reset();
      configure();
      return;
    case MessageType::kStep:
      request = decode_request(message.bytes);
      for (const auto& command : request.commands) check(command, configuration.robot);
      state = ControllerState::kStepping;
      return;
    case MessageType::kAsk:
      questions = decode_supervisor_requests(message.bytes);
      if (!configuration.robot.supervisor &&
          !std::ranges::all_of(questions, [](const auto& question) {
            return question.op == SupervisorOp::kRobotUrdf;
          })) {
        throw BrokenMessage("it asks as a supervisor, and its robot is none");
      }
      state = ControllerState::kAsking;
      return;
    case MessageType::kMetric: {
      const Metric metric = decode_metric(message.bytes);
      metrics[metric.name] = metric.value;
      if (metrics.size() > Metric::kMost) throw BrokenMessage("it has too many metrics");
      return;
    }
    case MessageType::kBye:
      said_goodbye_ = true;  // its end follows
      if (!started_) closed_since_ = Clock::now();
      return;
    case MessageType::kEnd:
      if (started_) throw BrokenMessage("it says what its end will say");
      exit_code_ = decode_end(message.bytes);
      leave();
      return;
    default:
      throw BrokenMessage("message type " +
                          std::to_string(static_cast<std::uint32_t>(message.type)) + " is unknown");
  }
}

void ControllerHost::Impl::configure() {
  // It has said no more than its greeting: the socket takes both.
  if (!started_ && !remote_memory_ && !send_descriptor(channel_->fd(), memory.fd())) {
    throw BrokenMessage("it does not take the memory");
  }
  channel_->post(MessageType::kConfigure, encode(configuration));
}

ControllerState ControllerHost::Impl::wait(milliseconds limit) {
  limit = std::min(limit, kLongestWait);
  // A request for no time at all does not renew the limit.
  if (!waiting_since_ && limit.count() > 0) waiting_since_ = Clock::now();
  const auto deadline = waiting_since_.value_or(Clock::now()) + limit;
  const bool stoppable = !stop::requested();
  while (state == ControllerState::kComputing) {
    auto until = closed_since_ ? std::min(deadline, *closed_since_ + kGrace) : deadline;
    if (greet_by_) until = std::min(until, *greet_by_);
    wait_for_events(until, stoppable ? stop::descriptor() : -1);
    if (stoppable && stop::requested()) break;
    const auto now = Clock::now();
    if (state == ControllerState::kComputing && closed_since_ && now >= *closed_since_ + kGrace) {
      if (!started_) {
        leave();
        break;
      }
      fail("closed its connection to the simulator and went on");
    }
    if (running() && greet_by_ && now >= *greet_by_) fail("did not greet for " + seconds(kGreeting));
    // Whether something came or not: a controller that only keeps us busy is late as well.
    const bool steps = state == ControllerState::kStepping && request.period_ms > 0;
    if (!running() || steps || now < deadline) continue;
    if (limit.count() == 0) break;
    fail((channel_->closed() ? "closed its connection and did not end for " : "did not step for ") +
         seconds(limit));
  }
  return state;
}

void ControllerHost::Impl::wait_for_events(Clock::time_point deadline, int interruption) {
  // The socket before the process: what it said before it ended counts.
  const short events = channel_->pending() ? POLLIN | POLLOUT : POLLIN;
  pollfd fds[] = {{channel_->closed() ? -1 : channel_->fd(), events, 0},
                  {started_ ? started_->process.pidfd() : -1, POLLIN, 0},
                  {interruption, POLLIN, 0}};
  const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
  if (::poll(fds, 3, static_cast<int>(left > 0 ? left : 0)) <= 0) return;
  if (fds[0].revents) {
    channel_->flush();
    take_messages();
    if (!channel_->closed() || !running()) return;
    if (!started_) {
      leave();
    } else if (!said_goodbye_ && !closed_since_) {
      closed_since_ = Clock::now();
    }
  } else if (started_ && started_->process.ended()) {
    settle();
  }
}

void ControllerHost::Impl::fail(std::string why) {
  fault = std::move(why);
  if (!started_) {
    shutdown(channel_->fd(), SHUT_RDWR);
    state = ControllerState::kFailed;
    return;
  }
  started_->process.kill();
  settle();
}

void ControllerHost::Impl::settle() {
  end_strays(kFamilyVariable + ("=" + started_->family));
  started_->reader.finish();
  state = fault.empty() && started_->process.wait_status() == 0 ? ControllerState::kFinished
                                                                : ControllerState::kFailed;
}

void ControllerHost::Impl::leave() {
  // Whoever was told to end may do it in any way.
  const bool good = exit_code_ ? *exit_code_ == 0 : said_goodbye_ || told_to_end_;
  state = good ? ControllerState::kFinished : ControllerState::kFailed;
}

int ControllerHost::Impl::exit_status() const {
  if (started_) return exit_code(started_->process.wait_status());
  return exit_code_.value_or(state == ControllerState::kFailed ? 1 : 0);
}

std::string ControllerHost::Impl::how_it_ended() const {
  if (!fault.empty()) return fault;
  if (started_) {
    const std::string how = describe_wait_status(started_->process.wait_status());
    // So the loader ends a program, and so a shell one that is not there. Its own line says which.
    if (exit_status() != 127) return how;
    return how + ": something that it needs was not found; what was built with another "
                 "libController, as Webots', must be built with this one";
  }
  if (exit_code_) return "exited with status " + std::to_string(*exit_code_);
  return state == ControllerState::kFinished ? "has left"
                                             : "was killed or crashed: its connection broke";
}

void ControllerHost::Impl::reply(const StepReply& reply) {
  if (state != ControllerState::kStepping) throw std::logic_error("no step waits for a reply");
  if (request.period_ms > 0) waiting_since_.reset();
  request.commands.clear();
  state = ControllerState::kComputing;
  if (reply.result < 0) told_to_end_ = true;
  if (remote_memory_ && reply.result >= 0) remote_memory_->send(memory.bytes(), *channel_);
  channel_->post(MessageType::kReply, encode(reply));
}

void ControllerHost::Impl::answer(std::span<const SupervisorAnswer> answers) {
  if (state != ControllerState::kAsking) throw std::logic_error("no question waits for an answer");
  questions.clear();
  state = ControllerState::kComputing;
  channel_->post(MessageType::kAnswer, encode(answers));
}

void ControllerHost::Impl::stop() {
  if (state == ControllerState::kStepping) reply({-1, 0, {}, {}, std::nullopt, std::nullopt});
  // What it wanted to know is of no use any more.
  if (state == ControllerState::kAsking) {
    answer(std::vector<SupervisorAnswer>(questions.size(), {false, {}, ""}));
  }
}

void ControllerHost::Impl::end(Clock::time_point soft, Clock::time_point hard) {
  for (const auto deadline : {soft, hard}) {
    if (deadline == hard && started_ && running()) started_->process.signal(SIGTERM);
    while (running() && Clock::now() < deadline) {
      stop();
      wait_for_events(deadline);
    }
    if (!started_) return;  // its connection ends with us
  }
  started_->process.kill();
  end_strays(kFamilyVariable + ("=" + started_->family));
  started_->reader.finish();
}

ControllerHost::ControllerHost(RobotRecord robot, const LaunchSpec& launch, LineSink lines) {
  adopt_strays();
  impl_ = std::make_unique<Impl>(std::move(robot), launch, std::move(lines));
}

ControllerHost::ControllerHost(RobotRecord robot, Connection connection)
    : impl_(std::make_unique<Impl>(std::move(robot), std::move(connection))) {}

ControllerHost::~ControllerHost() = default;

std::span<std::byte> ControllerHost::data(std::uint16_t tag) {
  const auto& devices = impl_->configuration.robot.devices;
  if (tag == 0 || tag > devices.size()) {
    throw std::out_of_range("robot '" + robot().name + "' has no device " + std::to_string(tag));
  }
  return impl_->memory.bytes().subspan(impl_->configuration.offsets[tag - 1],
                                       devices[tag - 1].data_size);
}

ControllerState ControllerHost::state() const { return impl_->state; }
ControllerState ControllerHost::wait(milliseconds limit) { return impl_->wait(limit); }
ControllerState ControllerHost::poll() { return impl_->wait(milliseconds(0)); }
void ControllerHost::stop() { impl_->stop(); }
void ControllerHost::end(Clock::time_point soft, Clock::time_point hard) { impl_->end(soft, hard); }
const StepRequest& ControllerHost::request() const { return impl_->request; }
const std::vector<SupervisorRequest>& ControllerHost::questions() const {
  return impl_->questions;
}
void ControllerHost::answer(std::span<const SupervisorAnswer> answers) { impl_->answer(answers); }
void ControllerHost::reply(const StepReply& reply) {
  if (reply.supervisor) impl_->configuration.robot.supervisor = *reply.supervisor;
  impl_->reply(reply);
}
const std::map<std::string, double>& ControllerHost::metrics() const { return impl_->metrics; }
const RobotRecord& ControllerHost::robot() const { return impl_->configuration.robot; }

int ControllerHost::exit_status() const { return impl_->exit_status(); }

std::string ControllerHost::what_happened() const {
  switch (impl_->state) {
    case ControllerState::kComputing:
      return "computes";
    case ControllerState::kStepping:
      return "waits for its step";
    case ControllerState::kAsking:
      return "waits for an answer";
    default:
      break;
  }
  return impl_->how_it_ended();
}

}  // namespace protobeam::link
