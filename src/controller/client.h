// The one robot of this program: its devices, what they have been told, and the way to the
// simulator. The C functions in this folder are thin layers over it.
#pragma once

#include <deque>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "link/channel.h"
#include "link/messages.h"
#include "link/shared_memory.h"

namespace protobeam::controller {

struct Device {
  link::DeviceRecord record;
  std::span<const std::byte> data;  // in shared memory
  std::vector<double> values;       // a copy of it, made in each step; not for lidars
  int period = 0;                   // ms, 0: disabled

  // What the program has asked for last; the getters give it back.
  struct {
    bool point_cloud = false;
    double frequency = 0;
  } lidar;
  struct {
    double target = 0, velocity = 0, acceleration = 0, available_effort = 0;
  } motor;
  struct {
    int channel = 0;
    double range = -1;
    std::size_t queued = 0;  // bytes
    std::deque<RadioPacket> packets;
  } radio;

  double number(const char* property, double otherwise) const;
  std::string text(const char* property) const;
  std::span<const double> list(const char* property) const;
  /// Position in `names` of a property that is text, or that is the number itself; 0 otherwise.
  int choice(const char* property, std::initializer_list<const char*> names) const;
};

class Client {
 public:
  static Client& get();

  bool started() const { return channel_ != nullptr; }
  /// Connects. Ends the program when nobody is there to connect to.
  void start();
  void stop();

  void step_begin(int period_ms);
  int step_end();
  /// The simulator has said -1, or the program has said goodbye.
  bool over() const { return over_; }
  bool stepping() const { return stepping_; }

  const link::RobotRecord& robot() const { return robot_; }
  double time() const { return time_; }
  std::vector<Device>& devices() { return devices_; }
  void set_custom_data(std::string data);
  /// Every so many ms, from one period on; 0: off.
  void enable_keyboard(int period_ms);
  int keyboard_period() const { return keyboard_.period; }
  /// The keys of the last step one after another, then -1.
  int next_key();

  void push(DeviceCommand command) { request_.commands.push_back(std::move(command)); }

  /// Held by every C function but not while a step waits, so other threads can read meanwhile.
  std::mutex mutex;

 private:
  void configure(link::Configuration configuration, int memory_fd);
  void apply(link::StepReply reply);
  link::Message await(link::MessageType type);
  int round_period(int period_ms);

  std::unique_ptr<link::Channel> channel_;
  link::SharedMemory memory_;
  link::RobotRecord robot_;
  std::vector<Device> devices_;
  link::StepRequest request_;
  struct {
    int period = 0;
    std::vector<int> keys;
    std::size_t next = 0;
  } keyboard_;
  double time_ = 0;
  bool stepping_ = false, over_ = false, warned_period_ = false;
};

/// "Error: FUNCTION() ..." on stderr.
void complain(const char* function, const std::string& what);

/// A device for the time of one C function: locked, of the right kind, or false after a complaint.
class Access {
 public:
  Access(const char* function, unsigned tag, std::initializer_list<DeviceKind> kinds);

  explicit operator bool() const { return device_ != nullptr; }
  Device* operator->() const { return device_; }

  void complain(const std::string& what) const { controller::complain(function_, what); }
  void command(DeviceOp op, std::vector<double> numbers = {}, std::string bytes = {}) const;
  /// False, after a complaint, for NaN and for what is below `least`.
  bool valid(const char* name, double value, double least) const;

  void enable(int period_ms) const;
  void disable() const;
  int period() const { return device_ ? device_->period : 0; }
  /// False, after a complaint, while disabled.
  bool enabled() const;
  /// The values from `first` on; null when not enabled().
  const double* values(std::size_t first = 0) const;
  double value(std::size_t at = 0) const;  // or NaN

  int table_size() const;  // triples
  const double* table() const;

 private:
  const char* function_;
  unsigned tag_;
  std::unique_lock<std::mutex> lock_;
  Device* device_ = nullptr;
};

}  // namespace protobeam::controller
