#include "link/extern_server.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <list>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "link/attach_messages.h"
#include "link/meeting_place.h"
#include "link/messages.h"
#include "link/tcp.h"

namespace protobeam::link {
namespace {

using Clock = std::chrono::steady_clock;

/// A program says at once whom it wants; who does not is sent away.
constexpr std::chrono::seconds kPatience{5};
/// Connections that have not said yet what they want; the oldest goes for a new one.
constexpr std::size_t kMostStrangers = 32;
constexpr std::uint32_t kLargestRequest = 4096;
constexpr int kPortsTried = 200;
/// --port 0: the range that is nobody's (RFC 6335).
constexpr int kFirstDynamicPort = 49152, kDynamicPorts = 16000;

/// The other side has closed.
bool gone(int socket) {
  pollfd end{socket, POLLRDHUP, 0};
  return poll(&end, 1, 0) > 0;
}

struct Robot {
  std::string name;
  Descriptor event{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  std::optional<Connection> waiting;
  Descriptor driver;  ///< of the program's socket, to see whether it is still there
  bool driven = false;

  bool has_driver() const { return driven && !gone(driver.get()); }
};

struct Stranger {
  std::unique_ptr<Channel> channel;
  bool remote;
  Clock::time_point deadline;
  bool leaving = false;  ///< was refused, and should read why
};

}  // namespace

class ExternServer::Impl : public std::enable_shared_from_this<Impl> {
 public:
  explicit Impl(const ExternOptions& options) { take_port(options); }
  ~Impl() { stop(); }

  void start() {
    // Signals are the first thread's.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { serve(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  void stop() {
    ended_ = true;
    eventfd_write(wake_.get(), 1);
    if (thread_.joinable()) thread_.join();
    place_.reset();
    tcp_.close();
  }
  int port() const { return place_->port(); }
  std::unique_ptr<ExternRobot> add(const std::string& name);

 private:
  class Handle;

  void take_port(const ExternOptions& options);
  void serve();
  void accept_from(int listener, bool remote);
  /// False when the stranger is to go.
  bool handle_request(Stranger& stranger);
  /// Null when it may drive, and `robot` is whom; else why not.
  std::string refuse(const std::string& wanted, Robot*& robot);
  std::string robots_text() const;

  std::optional<MeetingPlace> place_;
  Descriptor tcp_, wake_{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  std::atomic<bool> ended_{false};
  std::list<std::unique_ptr<Stranger>> strangers_;
  std::mutex mutex_;  ///< of the robots
  std::list<Robot> robots_;
  std::thread thread_;
};

class ExternServer::Impl::Handle : public ExternRobot {
 public:
  Handle(std::shared_ptr<Impl> server, std::list<Robot>::iterator robot)
      : server_(std::move(server)), robot_(robot) {}
  ~Handle() override {
    const std::lock_guard lock(server_->mutex_);
    server_->robots_.erase(robot_);
  }
  std::optional<Connection> take() override {
    const std::lock_guard lock(server_->mutex_);
    eventfd_t ignored;
    eventfd_read(robot_->event.get(), &ignored);
    if (!robot_->waiting) return std::nullopt;
    std::optional<Connection> taken = std::exchange(robot_->waiting, std::nullopt);
    if (gone(taken->channel->fd())) return std::nullopt;
    robot_->driver = Descriptor(fcntl(taken->channel->fd(), F_DUPFD_CLOEXEC, 3));
    robot_->driven = true;
    return taken;
  }
  int descriptor() const override { return robot_->event.get(); }
  void release() override {
    const std::lock_guard lock(server_->mutex_);
    robot_->driver.close();
    robot_->driven = false;
  }

 private:
  std::shared_ptr<Impl> server_;
  std::list<Robot>::iterator robot_;
};

std::unique_ptr<ExternRobot> ExternServer::Impl::add(const std::string& name) {
  const std::lock_guard lock(mutex_);
  robots_.emplace_back().name = name;
  return std::make_unique<Handle>(shared_from_this(), std::prev(robots_.end()));
}

void ExternServer::Impl::take_port(const ExternOptions& options) {
  const bool any = options.port == 0;
  const int first = any ? kFirstDynamicPort + getpid() % kDynamicPorts : options.port;
  for (int i = 0; i < kPortsTried && first + i <= 65535; ++i) {
    auto place = MeetingPlace::take(first + i);
    if (!place) continue;
    place_.emplace(std::move(*place));
    if (!options.remote) return;
    tcp_ = listen_tcp(options.address, first + i);
    if (tcp_.open()) return;
    place_.reset();
  }
  throw std::runtime_error("no port from " + std::to_string(first) +
                           " on is free for extern controllers; name another one by --port");
}

void ExternServer::Impl::serve() {
  while (!ended_) {
    std::vector<pollfd> fds = {{wake_.get(), POLLIN, 0},
                               {place_->listener(), POLLIN, 0},
                               {tcp_.get(), POLLIN, 0}};  // -1 is passed over
    auto next = Clock::now() + std::chrono::hours(1);
    for (const auto& stranger : strangers_) {
      const short events = stranger->channel->pending() ? POLLIN | POLLOUT : POLLIN;
      fds.push_back({stranger->channel->fd(), events, 0});
      next = std::min(next, stranger->deadline);
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()).count();
    if (poll(fds.data(), fds.size(), static_cast<int>(std::max<long>(0, left))) < 0) continue;
    std::size_t i = 3;
    for (auto at = strangers_.begin(); at != strangers_.end(); ++i) {
      Stranger& stranger = **at;
      const bool stays = !fds[i].revents || handle_request(stranger);
      at = stays && Clock::now() < stranger.deadline ? std::next(at) : strangers_.erase(at);
    }
    if (fds[1].revents) accept_from(place_->listener(), false);
    if (fds[2].revents) accept_from(tcp_.get(), true);
  }
  strangers_.clear();
}

void ExternServer::Impl::accept_from(int listener, bool remote) {
  const int fd = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
  if (fd < 0) {
    // No descriptors left: those that come wait, and this thread does not spin.
    if (errno == EMFILE || errno == ENFILE)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return;
  }
  if (!remote && !is_ours(fd)) {
    close(fd);
    return;
  }
  if (remote) tune_tcp(fd);
  if (strangers_.size() >= kMostStrangers) strangers_.pop_front();
  const auto kind = remote ? Channel::Kind::kStream : Channel::Kind::kPackets;
  strangers_.emplace_back(
      new Stranger{std::make_unique<Channel>(fd, kind), remote, Clock::now() + kPatience});
  strangers_.back()->channel->limit_messages(kLargestRequest);
}

bool ExternServer::Impl::handle_request(Stranger& stranger) {
  Channel& channel = *stranger.channel;
  channel.flush();
  std::string why;
  try {
    const auto message = channel.receive(false);
    if (!message) return !channel.closed();
    if (stranger.leaving || channel.pending()) return false;  // it asks and does not read
    if (message->type == MessageType::kList) {
      decode_list(message->bytes);
      const std::lock_guard lock(mutex_);
      std::vector<WaitingRobot> all;
      for (const Robot& robot : robots_) {
        all.push_back({robot.name, robot.has_driver() || robot.waiting});
      }
      channel.post(MessageType::kRobots, encode(all));
      return true;
    }
    if (message->type != MessageType::kAttach) return false;
    const std::string wanted = decode_attach(message->bytes);
    const std::lock_guard lock(mutex_);
    Robot* robot = nullptr;
    why = refuse(wanted, robot);
    if (robot) {
      channel.limit_messages(Channel::kLargestMessage);
      channel.post(MessageType::kAttached, {});
      robot->waiting = Connection{std::move(stranger.channel), stranger.remote};
      eventfd_write(robot->event.get(), 1);
      return false;
    }
  } catch (const BrokenMessage& broken) {
    why = broken.what();
  }
  channel.post(MessageType::kRefused, encode_refused(why));
  stranger.leaving = true;
  return true;
}

std::string ExternServer::Impl::refuse(const std::string& wanted, Robot*& robot) {
  std::vector<Robot*> fitting;
  for (Robot& one : robots_) {
    if (wanted.empty() || one.name == wanted) fitting.push_back(&one);
  }
  if (fitting.empty()) {
    return (wanted.empty() ? std::string("no robot")
                           : "no robot '" + wanted + "' with controller \"<extern>\"") +
           " is in this simulation; there are: " + robots_text();
  }
  if (wanted.empty() && fitting.size() > 1) {
    return "several robots have the controller \"<extern>\": " + robots_text() +
           "; name one, as in " + kUrlVariable + "=" +
           to_string({ControllerUrl::Protocol::kIpc, "", port(), fitting[0]->name});
  }
  for (Robot* one : fitting) {
    if (one->waiting && gone(one->waiting->channel->fd())) one->waiting.reset();
    if (one->waiting || one->has_driver()) continue;
    robot = one;
    return {};
  }
  return "the robot '" + fitting[0]->name + "' is driven by another program already";
}

std::string ExternServer::Impl::robots_text() const {
  std::string text;
  for (const Robot& robot : robots_) {
    text += text.empty() ? "'" : ", '";
    text += robot.name + "'" + (robot.has_driver() || robot.waiting ? " (driven)" : " (waits)");
  }
  return text.empty() ? "none" : text;
}

ExternServer::ExternServer(ExternOptions options, Note note, std::function<bool()> interrupted)
    : options_(std::move(options)), note_(std::move(note)), interrupted_(std::move(interrupted)) {}

ExternServer::~ExternServer() {
  if (impl_) impl_->stop();
}

void ExternServer::open() {
  impl_ = std::make_shared<Impl>(options_);
  if (hears_) impl_->start();
  const std::string port = std::to_string(impl_->port());
  if (options_.port != 0 && impl_->port() != options_.port) {
    note_("port " + std::to_string(options_.port) +
          " is taken: extern controllers connect to port " + port);
  } else if (options_.port == 0) {
    note_("extern controllers connect to port " + port);
  }
  if (options_.remote) {
    note_("extern controllers connect to " +
          to_string({ControllerUrl::Protocol::kTcp, options_.address, impl_->port(), ""}));
  }
}

std::unique_ptr<ExternRobot> ExternServer::announce(const std::string& name) {
  if (!impl_) open();
  return impl_->add(name);
}

void ExternServer::hear() {
  if (std::exchange(hears_, true)) return;
  if (impl_) impl_->start();
}

std::string ExternServer::url_for(const std::string& robot) const {
  const int port = impl_ ? impl_->port() : options_.port;
  return to_string({ControllerUrl::Protocol::kIpc, "", port, robot});
}

std::string ExternServer::command_for(const std::string& robot) const {
  std::string command = "protobeam controller";
  if (impl_ && impl_->port() != kDefaultPort) command += " --port " + std::to_string(impl_->port());
  const bool plain =
      robot.find_first_not_of(
          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.") == std::string::npos;
  return command + " --robot " + (plain ? robot : "'" + robot + "'") + " PROGRAM";
}

}  // namespace protobeam::link
