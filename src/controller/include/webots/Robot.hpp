#ifndef WEBOTS_ROBOT_HPP
#define WEBOTS_ROBOT_HPP

#include <webots/plugins/robot_window/robot_window.h>
#include <webots/robot.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>
#include <webots/Device.hpp>
#include <webots/Joystick.hpp>
#include <webots/Keyboard.hpp>
#include <webots/Mouse.hpp>

namespace webots {

// Every class of a device; the list is written by the build from the folders of the device types.
#define WEBOTS_DEVICE(Class) class Class;
#include <webots/device_classes.inc>
#undef WEBOTS_DEVICE

/// The robot of this program: make one, and only one, before anything else.
class Robot {
 public:
  enum Mode {
    MODE_SIMULATION = 0,
    MODE_CROSS_COMPILATION,
    MODE_REMOTE_CONTROL,
    // Older names.
    SIMULATION = MODE_SIMULATION,
    CROSS_COMPILATION = MODE_CROSS_COMPILATION,
    REMOTE_CONTROL = MODE_REMOTE_CONTROL
  };
  enum UserInputEvent {
    EVENT_QUIT = -1,
    EVENT_NO_EVENT = 0,
    EVENT_MOUSE_CLICK = 1,
    EVENT_MOUSE_MOVE = 2,
    EVENT_KEYBOARD = 4,
    EVENT_JOYSTICK_BUTTON = 8,
    EVENT_JOYSTICK_AXIS = 16,
    EVENT_JOYSTICK_POV = 32
  };

  Robot();
  virtual ~Robot();
  Robot(const Robot&) = delete;
  Robot& operator=(const Robot&) = delete;

  virtual int step(int duration) { return wb_robot_step(duration); }
  int stepBegin(int duration) { return wb_robot_step_begin(duration); }
  int stepEnd() { return wb_robot_step_end(); }

  double getTime() const { return wb_robot_get_time(); }
  double getBasicTimeStep() const { return wb_robot_get_basic_time_step(); }
  bool getSynchronization() const { return wb_robot_get_synchronization(); }
  bool getSupervisor() const { return wb_robot_get_supervisor(); }
  std::string getName() const { return wb_robot_get_name(); }
  std::string getModel() const { return wb_robot_get_model(); }
  std::string getCustomData() const { return wb_robot_get_custom_data(); }
  void setCustomData(const std::string& data) { wb_robot_set_custom_data(data.c_str()); }
  std::string getData() const { return getCustomData(); }
  void setData(const std::string& data) { setCustomData(data); }
  std::string getProjectPath() const { return wb_robot_get_project_path(); }
  std::string getWorldPath() const { return wb_robot_get_world_path(); }
  std::string getControllerName() const { return wb_robot_get_controller_name(); }
  std::string getUrdf(const std::string& prefix = "") const {
    return wb_robot_get_urdf(prefix.c_str());
  }
  Mode getMode() const { return static_cast<Mode>(wb_robot_get_mode()); }
  void setMode(Mode mode, const char* argument) {
    wb_robot_set_mode(static_cast<WbRobotMode>(mode), argument);
  }

  /// Null when there is no such device.
  Device* getDevice(const std::string& name);
  int getNumberOfDevices() const { return wb_robot_get_number_of_devices(); }
  Device* getDeviceByIndex(int index);

  /// get<Class>(): the device of that name and type, or null when there is none.
#define WEBOTS_DEVICE(Class) Class* get##Class(const std::string& name);
#include <webots/device_classes.inc>
#undef WEBOTS_DEVICE
  Keyboard* getKeyboard() { return &keyboard_; }
  Joystick* getJoystick() { return &joystick_; }
  Mouse* getMouse() { return &mouse_; }

  virtual void batterySensorEnable(int samplingPeriod) {
    wb_robot_battery_sensor_enable(samplingPeriod);
  }
  virtual void batterySensorDisable() { wb_robot_battery_sensor_disable(); }
  int batterySensorGetSamplingPeriod() const {
    return wb_robot_battery_sensor_get_sampling_period();
  }
  double batterySensorGetValue() const { return wb_robot_battery_sensor_get_value(); }

  UserInputEvent waitForUserInputEvent(UserInputEvent event, int timeout) {
    return static_cast<UserInputEvent>(
        wb_robot_wait_for_user_input_event(static_cast<WbUserInputEvent>(event), timeout));
  }
  void* windowCustomFunction(void* argument) { return wb_robot_window_custom_function(argument); }
  void wwiSend(const char* data, int size) { wb_robot_wwi_send(data, size); }
  const char* wwiReceive(int* size) { return wb_robot_wwi_receive(size); }
  void wwiSendText(const std::string& text) { wb_robot_wwi_send_text(text.c_str()); }
  std::string wwiReceiveText() {
    const char* text = wb_robot_wwi_receive_text();
    return text ? text : "";
  }

  static Robot* internalGetInstance();
  /// Null for 0 and before there is a robot.
  static Device* getDeviceFromTag(int tag);
  static int getDeviceTypeFromTag(int tag) {
    return wb_device_get_node_type(static_cast<WbDeviceTag>(tag));
  }
  static std::string getDeviceNameFromTag(int tag) {
    return wb_device_get_name(static_cast<WbDeviceTag>(tag));
  }
  static int getDeviceTagFromIndex(int index) { return wb_robot_get_device_by_index(index); }
  static int getDeviceTagFromName(const std::string& name) {
    return wb_robot_get_device(name.c_str());
  }

 protected:
  // Override these to have getDevice() return your own classes.
#define WEBOTS_DEVICE(Class) virtual Class* create##Class(WbDeviceTag tag) const;
#include <webots/device_classes.inc>
#undef WEBOTS_DEVICE

 private:
  template <class T>
  T* get(const std::string& name);
  Device* create(WbDeviceTag tag) const;

  std::vector<std::unique_ptr<Device>> devices_;  // by tag
  Keyboard keyboard_;
  Joystick joystick_;
  Mouse mouse_;
};

/// The device of the robot with that tag as a T; null for 0 and for devices of another type.
template <class T>
T* device_of(WbDeviceTag tag) {
  return dynamic_cast<T*>(Robot::getDeviceFromTag(tag));
}

}  // namespace webots

#endif  // WEBOTS_ROBOT_HPP
