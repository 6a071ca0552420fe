#ifndef WEBOTS_ROBOT_HPP
#define WEBOTS_ROBOT_HPP

#include <webots/robot.h>

#include <memory>
#include <string>
#include <vector>
#include <webots/Keyboard.hpp>

namespace webots {

class Accelerometer;
class Brake;
class Device;
class DistanceSensor;
class Emitter;
class GPS;
class Gyro;
class InertialUnit;
class Lidar;
class Motor;
class PositionSensor;
class Receiver;
class TouchSensor;

/// The robot of this program: make one, and only one, before anything else.
class Robot {
 public:
  enum Mode { SIMULATION = 0, CROSS_COMPILATION, REMOTE_CONTROL };
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
  void setMode(Mode mode, const std::string& argument) {
    wb_robot_set_mode(static_cast<WbRobotMode>(mode), argument.c_str());
  }

  /// Null when there is no such device.
  Device* getDevice(const std::string& name);
  int getNumberOfDevices() const { return wb_robot_get_number_of_devices(); }
  Device* getDeviceByIndex(int index);

  /// The device of that name and type; null when there is none.
  Accelerometer* getAccelerometer(const std::string& name);
  Brake* getBrake(const std::string& name);
  DistanceSensor* getDistanceSensor(const std::string& name);
  Emitter* getEmitter(const std::string& name);
  GPS* getGPS(const std::string& name);
  Gyro* getGyro(const std::string& name);
  InertialUnit* getInertialUnit(const std::string& name);
  Lidar* getLidar(const std::string& name);
  Motor* getMotor(const std::string& name);
  PositionSensor* getPositionSensor(const std::string& name);
  Receiver* getReceiver(const std::string& name);
  TouchSensor* getTouchSensor(const std::string& name);
  Keyboard* getKeyboard() { return &keyboard_; }

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
  void wwiSendText(const std::string& text) { wb_robot_wwi_send_text(text.c_str()); }
  std::string wwiReceiveText() {
    const char* text = wb_robot_wwi_receive_text();
    return text ? text : "";
  }

  static Robot* internalGetInstance();
  Device* getDeviceFromTag(int tag);

 protected:
  // Override these to have getDevice() return your own classes.
  virtual Accelerometer* createAccelerometer(const std::string& name) const;
  virtual Brake* createBrake(const std::string& name) const;
  virtual DistanceSensor* createDistanceSensor(const std::string& name) const;
  virtual Emitter* createEmitter(const std::string& name) const;
  virtual GPS* createGPS(const std::string& name) const;
  virtual Gyro* createGyro(const std::string& name) const;
  virtual InertialUnit* createInertialUnit(const std::string& name) const;
  virtual Lidar* createLidar(const std::string& name) const;
  virtual Motor* createMotor(const std::string& name) const;
  virtual PositionSensor* createPositionSensor(const std::string& name) const;
  virtual Receiver* createReceiver(const std::string& name) const;
  virtual TouchSensor* createTouchSensor(const std::string& name) const;

 private:
  template <class T>
  T* get(const std::string& name);
  Device* create(WbDeviceTag tag) const;

  std::vector<std::unique_ptr<Device>> devices_;  // by tag
  Keyboard keyboard_;
};

}  // namespace webots

#endif  // WEBOTS_ROBOT_HPP
