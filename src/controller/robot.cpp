#include <pthread.h>
#include <webots/console.h>
#include <webots/joystick.h>
#include <webots/keyboard.h>
#include <webots/mouse.h>
#include <webots/robot.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/diagnostics.h"
#include "controller/device_access.h"
#include "controller/motion.h"
#include "controller/supervisor_access.h"

using namespace protobeam;
using controller::Access;
using controller::Client;
using controller::complain;
using controller::started;

namespace {

/// Said once by each function that the simulator has nothing behind.
void say_once(bool& said, const char* function, const char* what) {
  if (!said) complain(function, what);
  said = true;
}

/// Once for each name: programs look for devices in each step, too.
void say_not_found(const std::string& name, const std::vector<std::string>& names) {
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard lock(mutex);
  if (!said.insert(name).second) return;
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) {
    for (const std::string& one : names) hint += (hint.empty() ? "" : ", ") + ("'" + one + "'");
    hint = hint.empty() ? "the robot has no devices" : "the robot has " + hint;
  }
  std::fprintf(stderr, "Warning: \"%s\" device not found on robot \"%s\"; %s\n", name.c_str(),
               Client::get().robot().name.c_str(), hint.c_str());
}

}  // namespace

extern "C" {

int wb_robot_init() {
  auto& client = Client::get();
  const std::lock_guard lock(client.mutex);
  if (!client.started()) client.start();
  return 1;
}

int wb_robot_init_msvc() { return wb_robot_init(); }

void wb_robot_cleanup() {
  const std::lock_guard lock(Client::get().mutex);
  Client::get().stop();
}

int wb_robot_step_begin(int duration) {
  if (!started(__func__)) return -1;
  auto& client = Client::get();
  std::unique_lock lock(client.mutex);
  if (client.over()) {
    // The step before has returned -1, yet the loop was not left. Unlocked, for what runs at exit.
    lock.unlock();
    std::exit(EXIT_SUCCESS);
  }
  if (client.stepping()) {
    complain(__func__, "called before the step that is under way has ended");
    return 0;
  }
  if (duration < 0) {
    complain(__func__, "called with a negative duration (" + std::to_string(duration) + " ms)");
    return 0;
  }
  lock.unlock();  // for the functions of motors
  if (duration > 0) controller::play_motions(duration);
  lock.lock();
  client.let_others_ask(lock);
  client.step_begin(duration);
  return 0;
}

int wb_robot_step_end() {
  if (!started(__func__)) return -1;
  if (!Client::get().stepping()) {
    complain(__func__, "called without wb_robot_step_begin()");
    return 0;
  }
  return Client::get().step_end();
}

int wb_robot_step(int duration) {
  // Threads step one after another, as in Webots: each waits for the answer to its own step.
  static std::mutex one_thread;
  const std::lock_guard lock(one_thread);
  const int begun = wb_robot_step_begin(duration);
  return Client::get().stepping() ? wb_robot_step_end() : begun;
}

double wb_robot_get_time() {
  const std::lock_guard lock(Client::get().mutex);
  return Client::get().time();
}
double wb_robot_get_basic_time_step() { return Client::get().robot().basic_time_step_ms; }
bool wb_robot_get_synchronization() { return Client::get().robot().synchronization; }
bool wb_robot_get_supervisor() { return Client::get().robot().supervisor; }
const char* wb_robot_get_name() { return Client::get().robot().name.c_str(); }
const char* wb_robot_get_model() { return Client::get().robot().model.c_str(); }
const char* wb_robot_get_project_path() { return Client::get().robot().project_path.c_str(); }
const char* wb_robot_get_world_path() { return Client::get().robot().world_path.c_str(); }
const char* wb_robot_get_controller_name() { return Client::get().robot().controller.c_str(); }
const char* wb_robot_get_custom_data() { return Client::get().robot().custom_data.c_str(); }
const char* wb_robot_get_data() { return wb_robot_get_custom_data(); }

void wb_robot_set_custom_data(const char* data) {
  if (!started(__func__)) return;
  if (!data) return complain(__func__, "called with NULL");
  auto& client = Client::get();
  if (client.robot().supervisor && !client.stepping()) {
    return controller::tell_custom_data(__func__, data);
  }
  const std::lock_guard lock(client.mutex);
  client.set_custom_data(data);
}
void wb_robot_set_data(const char* data) { wb_robot_set_custom_data(data); }

const char* wb_robot_get_urdf(const char* prefix) {
  static std::string& text = *new std::string;
  if (!started(__func__)) return "";
  if (!prefix) {
    complain(__func__, "called with a NULL 'prefix' argument");
    return "";
  }
  text = controller::ask_urdf(__func__, prefix);
  return text.c_str();
}

WbDeviceTag wb_robot_get_device(const char* name) {
  if (!started(__func__)) return 0;
  if (!name) {
    complain(__func__, "called with NULL");
    return 0;
  }
  std::vector<std::string> names;
  for (const auto& device : Client::get().devices()) {
    if (device.record.name == name) return device.record.tag;
    names.push_back(device.record.name);
  }
  say_not_found(name, names);
  return 0;
}

int wb_robot_get_number_of_devices() { return static_cast<int>(Client::get().devices().size()); }

WbDeviceTag wb_robot_get_device_by_index(int index) {
  if (index >= 0 && index < wb_robot_get_number_of_devices()) {
    return static_cast<WbDeviceTag>(index + 1);
  }
  complain(__func__, "called with an index out of range (" + std::to_string(index) + ")");
  return 0;
}

WbRobotMode wb_robot_get_mode() { return WB_MODE_SIMULATION; }
void wb_robot_set_mode(WbRobotMode mode, const char*) {
  if (mode != WB_MODE_SIMULATION) complain(__func__, "knows only the mode of simulation");
}

void wb_robot_battery_sensor_enable(int sampling_period) {
  if (!started(__func__)) return;
  if (sampling_period < 0) {
    return complain(__func__, "called with an invalid 'sampling_period' (" +
                                  std::to_string(sampling_period) + ")");
  }
  const std::lock_guard lock(Client::get().mutex);
  Client::get().enable_battery_sensor(sampling_period);
}
void wb_robot_battery_sensor_disable() {
  if (!started(__func__)) return;
  const std::lock_guard lock(Client::get().mutex);
  if (Client::get().battery_period() > 0) Client::get().enable_battery_sensor(0);
}
int wb_robot_battery_sensor_get_sampling_period() {
  const std::lock_guard lock(Client::get().mutex);
  return Client::get().battery_period();
}
double wb_robot_battery_sensor_get_value() {
  const std::lock_guard lock(Client::get().mutex);
  if (Client::get().battery_period() == 0) {
    complain(__func__, "called for the disabled battery sensor; enable it first");
  }
  return Client::get().battery_value();
}

void wb_robot_task_new(void (*task)(void*), void* parameter) {
  if (!task) return complain(__func__, "called with NULL");
  std::thread(task, parameter).detach();
}

WbMutexRef wb_robot_mutex_new() {
  auto* mutex = new pthread_mutex_t;
  pthread_mutex_init(mutex, nullptr);
  return mutex;
}
void wb_robot_mutex_lock(WbMutexRef mutex) {
  if (mutex) pthread_mutex_lock(static_cast<pthread_mutex_t*>(mutex));
}
void wb_robot_mutex_unlock(WbMutexRef mutex) {
  if (mutex) pthread_mutex_unlock(static_cast<pthread_mutex_t*>(mutex));
}
void wb_robot_mutex_delete(WbMutexRef mutex) {
  if (!mutex) return;
  pthread_mutex_destroy(static_cast<pthread_mutex_t*>(mutex));
  delete static_cast<pthread_mutex_t*>(mutex);
}

WbUserInputEvent wb_robot_wait_for_user_input_event(WbUserInputEvent event_type, int timeout) {
  if (Client::get().over()) return WB_EVENT_QUIT;
  // As Webots: who waits for devices that are all disabled is told, and does not wait.
  bool comes = event_type == WB_EVENT_NO_EVENT;
  const auto from = [&](int events, int period, const char* device) {
    if (!(static_cast<int>(event_type) & events)) return;
    if (period > 0) {
      comes = true;
    } else {
      complain("wb_robot_wait_for_user_input_event",
               "called for events of the " + std::string(device) + ", which is disabled");
    }
  };
  from(WB_EVENT_MOUSE_CLICK | WB_EVENT_MOUSE_MOVE, wb_mouse_get_sampling_period(), "mouse");
  from(WB_EVENT_KEYBOARD, wb_keyboard_get_sampling_period(), "keyboard");
  from(WB_EVENT_JOYSTICK_BUTTON | WB_EVENT_JOYSTICK_AXIS | WB_EVENT_JOYSTICK_POV,
       wb_joystick_get_sampling_period(), "joystick");
  if (!comes) return WB_EVENT_NO_EVENT;
  if (timeout > 0) std::this_thread::sleep_for(std::chrono::milliseconds(timeout));
  return WB_EVENT_NO_EVENT;
}

void wb_robot_pin_to_static_environment(bool) {
  static bool said = false;
  say_once(said, __func__, "does nothing: robots cannot be pinned");
}

const char* wb_device_get_name(WbDeviceTag tag) {
  const Access device(__func__, tag, {});
  return device ? device->record.name.c_str() : "";
}
const char* wb_device_get_model(WbDeviceTag tag) {
  const Access device(__func__, tag, {});
  return device ? device->record.model.c_str() : "";
}
WbNodeType wb_device_get_node_type(WbDeviceTag tag) {
  const Access device(__func__, tag, {});
  return device ? static_cast<WbNodeType>(device->record.webots_node) : WB_NODE_NO_NODE;
}
WbNodeType wb_device_get_type(WbDeviceTag tag) { return wb_device_get_node_type(tag); }

void wb_console_print(const char* text, int stream) {
  if (!text) return complain(__func__, "called with NULL");
  if (stream != WB_STDOUT && stream != WB_STDERR) {
    return complain(__func__, "called with stream " + std::to_string(stream) +
                                  "; it is WB_STDOUT or WB_STDERR");
  }
  std::FILE* file = stream == WB_STDOUT ? stdout : stderr;
  std::fputs(text, file);
  std::fflush(file);
}

}  // extern "C"
