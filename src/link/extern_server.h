// Where programs that their users have started come to drive a robot. A thread of its own hears
// them, so that a stranger who sends rubbish or nothing disturbs nobody.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "link/channel.h"
#include "link/controller_url.h"

namespace protobeam::link {

struct ExternOptions {
  int port = kDefaultPort;            ///< the next free one when it is taken; 0: any
  bool remote = false;                ///< TCP as well
  std::string address = "127.0.0.1";  ///< of this machine, for TCP
};

/// A program that wants to drive a robot; its Hello is next.
struct Connection {
  std::unique_ptr<Channel> channel;
  bool remote = false;  ///< TCP: there is no shared memory
};

/// A robot that programs may drive, one after another. Until it is destroyed.
class ExternRobot {
 public:
  virtual ~ExternRobot() = default;
  /// The program that has come, if one has.
  virtual std::optional<Connection> take() = 0;
  /// Readable (poll) while a program waits to be taken.
  virtual int descriptor() const = 0;
  /// The program that was taken has gone: another one may come.
  virtual void release() = 0;
};

class ExternServer {
 public:
  using Note = std::function<void(const std::string&)>;
  /// `note` tells the user one line, on the thread that calls announce() or tell(). Nobody is
  /// waited for once `interrupted` is true. Nothing is opened yet.
  ExternServer(ExternOptions options, Note note, std::function<bool()> interrupted);
  /// Removes the socket. The robots may outlive it.
  ~ExternServer();

  /// Opens the sockets for the first one. Throws std::runtime_error when they cannot be.
  std::unique_ptr<ExternRobot> announce(const std::string& name);
  /// All robots of the start are announced: programs are answered from now on. Those that have come
  /// before wait until then, or they would hear that their robot is not there.
  void hear();
  /// What WEBOTS_CONTROLLER_URL is of a program for that robot, on this machine; with the port that
  /// was free once a robot is announced.
  std::string url_for(const std::string& robot) const;
  /// The command that starts a program for that robot.
  std::string command_for(const std::string& robot) const;
  void tell(const std::string& line) const { note_(line); }
  bool interrupted() const { return interrupted_(); }
  /// Wall time in which the simulation waited for users to start programs, since the last call.
  std::chrono::steady_clock::duration take_waited() { return std::exchange(waited_, {}); }
  void add_waited(std::chrono::steady_clock::duration time) { waited_ += time; }

 private:
  class Impl;
  void open();
  ExternOptions options_;
  Note note_;
  std::function<bool()> interrupted_;
  std::chrono::steady_clock::duration waited_{};
  bool hears_ = false;
  std::shared_ptr<Impl> impl_;
};

}  // namespace protobeam::link
