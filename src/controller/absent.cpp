// What Webots has for its user interface and for real robots, and a simulation without both has
// not: programs that use it build and run. Each function says once that it does nothing.
#include <webots/plugins/robot_window/default.h>
#include <webots/plugins/robot_window/robot_window.h>
#include <webots/remote_control.h>

#include <mutex>
#include <set>
#include <string>

#include "controller/client.h"

namespace {

void say_once(const char* function, const char* what) {
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard lock(mutex);
  if (said.insert(function).second) protobeam::controller::complain(function, what);
}

void no_window(const char* function) {
  say_once(function, "does nothing: there are no robot windows that are libraries");
}
void no_real_robot(const char* function) {
  say_once(function, "does nothing: robots run in the simulation only");
}

}  // namespace

extern "C" {

void* wb_robot_window_custom_function(void*) {
  no_window(__func__);
  return nullptr;
}
void wbu_default_robot_window_configure() { no_window(__func__); }
void wbu_default_robot_window_update() { no_window(__func__); }
void wbu_default_robot_window_set_images_max_size(int, int) { no_window(__func__); }

void* wb_remote_control_custom_function(void*) {
  no_real_robot(__func__);
  return nullptr;
}
void wbr_robot_battery_sensor_set_value(double) { no_real_robot(__func__); }
void wbr_accelerometer_set_values(WbDeviceTag, const double*) { no_real_robot(__func__); }
void wbr_camera_recognition_set_object(WbDeviceTag, const WbCameraRecognitionObject*, int) {
  no_real_robot(__func__);
}
void wbr_camera_set_image(WbDeviceTag, const unsigned char*) { no_real_robot(__func__); }
unsigned char* wbr_camera_get_image_buffer(WbDeviceTag) {
  no_real_robot(__func__);
  return nullptr;
}
void wbr_compass_set_values(WbDeviceTag, const double*) { no_real_robot(__func__); }
void wbr_display_save_image(WbDeviceTag, int, int, int, unsigned char*) { no_real_robot(__func__); }
void wbr_distance_sensor_set_value(WbDeviceTag, double) { no_real_robot(__func__); }
void wbr_gps_set_values(WbDeviceTag, const double*) { no_real_robot(__func__); }
void wbr_gps_set_speed(WbDeviceTag, double) { no_real_robot(__func__); }
void wbr_gps_set_velocity_vector(WbDeviceTag, const double*) { no_real_robot(__func__); }
void wbr_gyro_set_values(WbDeviceTag, const double*) { no_real_robot(__func__); }
void wbr_inertial_unit_set_value(WbDeviceTag, double) { no_real_robot(__func__); }
void wbr_light_sensor_set_value(WbDeviceTag, double) { no_real_robot(__func__); }
void wbr_microphone_set_buffer(WbDeviceTag, const unsigned char*, int) { no_real_robot(__func__); }
void wbr_motor_set_position_feedback(WbDeviceTag, double) { no_real_robot(__func__); }
void wbr_motor_set_force_feedback(WbDeviceTag, double) { no_real_robot(__func__); }
void wbr_motor_set_torque_feedback(WbDeviceTag, double) { no_real_robot(__func__); }
void wbr_position_sensor_set_value(WbDeviceTag, double) { no_real_robot(__func__); }
void wbr_radar_set_targets(WbDeviceTag, const WbRadarTarget*, int) { no_real_robot(__func__); }
void wbr_touch_sensor_set_value(WbDeviceTag, double) { no_real_robot(__func__); }
void wbr_touch_sensor_set_values(WbDeviceTag, const double*) { no_real_robot(__func__); }

}  // extern "C"
