// The one robot of this program: its devices, what they have been told, and the way to the
// simulator. The C functions in this folder are thin layers over it.
#pragma once

#include <any>
#include <condition_variable>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "link/channel.h"
#include "link/messages.h"
#include "link/shared_memory.h"

namespace protobeam::controller {

struct Device {
  link::DeviceRecord record;
  std::span<const std::byte> data;  // in shared memory; changes only while a step waits
  int period = 0;                   // ms, 0: disabled
  // Images have a place from the end of the first step after an enabling on, as in Webots.
  bool place_asked = false, has_place = false;
  std::deque<DeviceMessage> messages;  // that have arrived and were not yet taken
  std::size_t sent_bytes = 0;          // with commands, since the last step
  std::function<void(int ms)> before_step;  // with the mutex held; of so many ms
  std::any state;  // what the functions of the type remember; the getters give it back
  int told = 0;    // how often a supervisor's changes have given it other properties
  bool warned = false;  // that its type is not simulated

  double number(const char* property, double otherwise) const;
  const std::string* text(const char* property) const;
  std::span<const double> list(const char* property) const;
  const ChannelLayout* channel(std::string_view name) const;
  bool serves(std::string_view api) const { return record.api == api; }
  /// What the program has not taken counts in its bufferSize, too, as in Webots
  /// (src/controller/c/receiver.c).
  bool has_room_for(const DeviceMessage& message) const;
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
  /// Sends what waits and takes the answers, without time passing. Not in a step of this thread;
  /// the caller does not hold the mutex.
  void flush();
  /// The simulator has said -1, or the program has said goodbye.
  bool over() const { return over_; }
  bool stepping() const { return stepping_ && !flushing_; }
  /// For who needs an answer between two steps: waits while another thread is in one. `lock` holds
  /// the mutex. False: this thread itself has begun a step.
  bool between_steps(std::unique_lock<std::mutex>& lock);
  /// Lets those go first who wait so, and flush() end: a thread that steps all the time would keep
  /// them waiting.
  void let_others_ask(std::unique_lock<std::mutex>& lock);

  const link::RobotRecord& robot() const { return robot_; }
  double time() const { return time_; }
  std::vector<Device>& devices() { return devices_; }
  void set_custom_data(std::string data);
  /// What get_custom_data() gives from now on; the simulator is told by another way.
  void keep_custom_data(std::string data) { robot_.custom_data = std::move(data); }
  /// Every so many ms, from one period on; 0: off.
  void enable_keyboard(int period_ms);
  int keyboard_period() const { return keyboard_.period; }
  /// Every so many ms, from one period on; 0: off.
  void enable_battery_sensor(int period_ms);
  int battery_period() const { return battery_.period; }
  double battery_value() const { return battery_.value; }  ///< J; NaN: no sample yet, -1: none
  /// The keys of the last step one after another, then -1.
  int next_key();
  /// The next text from the page of the robot's window, valid until the next call; null: none.
  const std::string* next_window_text();

  /// Sends a supervisor's requests and waits for their answers; not while a step is under way. All
  /// refused once the connection is lost.
  std::vector<link::SupervisorAnswer> ask(std::span<const link::SupervisorRequest> requests);
  /// Called with the mutex held: before each step and before the end, and after each step.
  std::function<void()> before_step, after_step;

  /// At once, also after the last step; not after the goodbye. False: nobody takes it any more.
  bool give_metric(const link::Metric& metric);

  void push(DeviceCommand command) { request_.commands.push_back(std::move(command)); }

  /// Held by every C function but not while a step waits, so other threads can read meanwhile.
  std::mutex mutex;

 private:
  void attach();
  /// With the memory's descriptor, or without one: then samples come with the answers.
  void configure(link::Configuration configuration, int memory_fd);
  void send_end(int exit_code);
  void apply(link::StepReply reply);
  /// Who does not take them loses the oldest, and is told of it once.
  void keep_window_text(std::string text);
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
  struct {
    int period = 0;
    double value = std::numeric_limits<double>::quiet_NaN();
  } battery_;
  std::deque<std::string> window_texts_;
  std::size_t window_bytes_ = 0;  ///< of these
  std::string window_text_;  ///< that was taken last
  double time_ = 0;
  std::thread::id stepper_;  ///< who has begun the step
  std::condition_variable step_over_, all_asked_;
  int waiting_ = 0;      ///< threads in between_steps()
  int attached_by_ = 0;  ///< the process, if its user has started it
  bool stepping_ = false, flushing_ = false, over_ = false, said_goodbye_ = false,
       warned_period_ = false, warned_window_ = false;
};

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// "Error: FUNCTION() ..." on stderr.
void complain(const char* function, const std::string& what);
/// false, with a complaint, before wb_robot_init().
bool started(const char* function);

}  // namespace protobeam::controller
