// For the tests of Ros2Publisher: a ROS domain of their own, the programs that they talk to, and the
// plugin as the simulator uses it.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/child_process.h"
#include "base/descriptor.h"
#include "output/message_sink.h"
#include "tests/unit/support/plugin.h"

namespace protobeam::ros2_test {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// The number of a domain that no other test on this machine has meanwhile. From 101 on its ports
/// would lie among those that the system gives away.
class OwnDomain {
 public:
  OwnDomain() {
    for (number_ = 1; number_ <= 100; ++number_) {
      const auto file = std::filesystem::temp_directory_path() /
                        ("protobeam-test-ros-domain-" + std::to_string(number_));
      lock_ = Descriptor(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
      if (lock_.open() && flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) return;
    }
    throw std::runtime_error("all ROS domains for tests are in use");
  }
  std::string text() const { return std::to_string(number_); }

 private:
  int number_;
  Descriptor lock_;
};

/// A program of the tests that says what happens in lines.
class Program {
 public:
  Program(const std::string& name, const std::vector<std::string>& arguments) : name_(name) {
    ChildProcess::Start start;
    start.argv = {build_dir() + "/tests/" + name};
    start.argv.insert(start.argv.end(), arguments.begin(), arguments.end());
    start.in = ChildProcess::Stream::kPipe;
    start.err = ChildProcess::Stream::kOurs;
    process_ = std::make_unique<ChildProcess>(start);
    reader_ = std::thread([this] { read_lines(); });
  }
  ~Program() {
    process_->kill();
    reader_.join();
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Of any thread; a program that has ended is a failure of the test.
  void tell(const std::string& line) {
    const std::string text = line + "\n";
    for (std::size_t done = 0; done < text.size();) {
      const auto count = write_some(text.data() + done, text.size() - done);
      if (count <= 0) {
        ADD_FAILURE() << name_ << " takes no more commands, as: " << line.substr(0, 120);
        return;
      }
      done += static_cast<std::size_t>(count);
    }
  }

  /// What follows `start` in each line that begins with it.
  std::vector<std::string> all(const std::string& start) {
    const std::lock_guard lock(mutex_);
    return all_locked(start);
  }
  std::size_t count(const std::string& start) { return all(start).size(); }

  /// False when there are still fewer such lines after `time`.
  bool wait_for(const std::string& start, std::size_t count = 1, milliseconds time = seconds(20)) {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, time, [&] { return all_locked(start).size() >= count; })) return true;
    std::cerr << "no " << count << " lines \"" << start << "...\" in:\n";
    for (const std::string& line : lines_) std::cerr << "  " << line.substr(0, 120) << '\n';
    return false;
  }

  bool ended_within(milliseconds time) { return process_->ended_within(time); }
  void signal(int number) { process_->signal(number); }

 private:
  /// Without the signal that ends who writes to a program that has ended.
  ssize_t write_some(const char* bytes, std::size_t count) {
    sigset_t broken, before;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    const ssize_t written = ::write(process_->in().get(), bytes, count);
    const timespec at_once{};
    if (written < 0 && errno == EPIPE) sigtimedwait(&broken, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return written;
  }
  void read_lines() {
    std::string rest;
    std::array<char, 4096> buffer;
    ssize_t count = 0;
    while ((count = ::read(process_->out().get(), buffer.data(), buffer.size())) > 0) {
      rest.append(buffer.data(), static_cast<std::size_t>(count));
      for (std::size_t end; (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1)) {
        const std::lock_guard lock(mutex_);
        lines_.push_back(rest.substr(0, end));
      }
      changed_.notify_all();
    }
  }
  std::vector<std::string> all_locked(const std::string& start) const {
    std::vector<std::string> found;
    for (const std::string& line : lines_) {
      if (line.starts_with(start)) found.push_back(line.substr(start.size()));
    }
    return found;
  }

  const std::string name_;
  std::unique_ptr<ChildProcess> process_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
  std::thread reader_;
};

inline std::unique_ptr<MessageSink> make_publisher(std::map<std::string, std::string> fields) {
  const OutputPlugin& plugin = load_plugin<OutputPlugin>("Ros2Publisher");
  return plugin.make(TestFields(plugin.schema, std::move(fields)), {"world.wbt", "protobeam test"});
}

/// A topic with the sink that it was added to.
template <message::Message M>
class Sender {
 public:
  Sender(MessageSink& sink, const std::string& name, std::uint32_t number, bool latched = false)
      : sink_(sink),
        topic_(std::make_shared<Topic>(Topic{name, &message::type_of<M>(), latched, number})) {
    sink_.add(*topic_);
  }
  void send(M message) { sink_.write({topic_, 0, message::AnyMessage(std::move(message))}); }

 private:
  MessageSink& sink_;
  std::shared_ptr<const Topic> topic_;
};

/// As ROS 2 writes it: "rt/imu sensor_msgs::msg::dds_::Imu_".
template <message::Message M>
std::string dds_topic(const std::string& name) {
  return "rt" + name + " " + message::type_of<M>().dds_name;
}

}  // namespace protobeam::ros2_test
