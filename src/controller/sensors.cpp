// Sensors whose sample is a few numbers.
#include <protobeam/sensor.h>
#include <webots/accelerometer.h>
#include <webots/distance_sensor.h>
#include <webots/gps.h>
#include <webots/gyro.h>
#include <webots/inertial_unit.h>
#include <webots/touch_sensor.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include "client.h"

using namespace protobeam;
using controller::Access;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <DeviceKind kind>
struct SensorAccess : Access {
  SensorAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {kind}) {}

  double fact(const char* name) const { return *this ? (*this)->number(name, 0) : 0; }
  int choice(std::initializer_list<const char*> names) const {
    return *this ? (*this)->choice("type", names) : 0;
  }
};

using AccelerometerAccess = SensorAccess<DeviceKind::kAccelerometer>;
using DistanceSensorAccess = SensorAccess<DeviceKind::kDistanceSensor>;
using GpsAccess = SensorAccess<DeviceKind::kGps>;
using GyroAccess = SensorAccess<DeviceKind::kGyro>;
using InertialUnitAccess = SensorAccess<DeviceKind::kInertialUnit>;
using TouchSensorAccess = SensorAccess<DeviceKind::kTouchSensor>;

/// Least and greatest value (the second number) of a lookup table.
std::pair<double, double> extent(const Access& sensor) {
  std::pair<double, double> range{kInfinity, -kInfinity};
  for (int i = 0; i < sensor.table_size(); ++i) {
    const double value = sensor.table()[3 * i + 1];
    range = {std::min(range.first, value), std::max(range.second, value)};
  }
  // Without a table the value is the distance itself.
  return sensor.table_size() > 0 ? range : std::pair{0.0, kInfinity};
}

/// Any sensor with numbers: not a lidar, not a receiver.
struct AnySensor : Access {
  AnySensor(const char* function, WbDeviceTag tag)
      : Access(function, tag,
               {DeviceKind::kCustom, DeviceKind::kAccelerometer, DeviceKind::kDistanceSensor,
                DeviceKind::kGps, DeviceKind::kGyro, DeviceKind::kInertialUnit,
                DeviceKind::kPositionSensor, DeviceKind::kTouchSensor}) {}
};

}  // namespace

extern "C" {

void wb_gps_enable(WbDeviceTag tag, int sampling_period) {
  GpsAccess(__func__, tag).enable(sampling_period);
}
void wb_gps_disable(WbDeviceTag tag) { GpsAccess(__func__, tag).disable(); }
int wb_gps_get_sampling_period(WbDeviceTag tag) { return GpsAccess(__func__, tag).period(); }
const double* wb_gps_get_values(WbDeviceTag tag) { return GpsAccess(__func__, tag).values(); }
double wb_gps_get_speed(WbDeviceTag tag) { return GpsAccess(__func__, tag).value(3); }
const double* wb_gps_get_speed_vector(WbDeviceTag tag) {
  return GpsAccess(__func__, tag).values(4);
}
WbGpsCoordinateSystem wb_gps_get_coordinate_system(WbDeviceTag tag) {
  const GpsAccess gps(__func__, tag);
  return gps && gps->choice("coordinateSystem", {"local", "WGS84"}) == 1 ? WB_GPS_WGS84_COORDINATE
                                                                         : WB_GPS_LOCAL_COORDINATE;
}
const char* wb_gps_convert_to_degrees_minutes_seconds(double decimal_degrees) {
  thread_local char text[64];
  // To hundredths of a second first, so that no 60 appears.
  const double hundredths = std::round(std::abs(decimal_degrees) * 360000);
  if (!(hundredths < 1e15)) return "";
  const auto total = static_cast<long long>(hundredths);
  std::snprintf(text, sizeof text, "%s%lld° %02lld′ %05.2f″",
                decimal_degrees < 0 && total > 0 ? "-" : "", total / 360000, total / 6000 % 60,
                static_cast<double>(total % 6000) / 100);
  return text;
}

void wb_inertial_unit_enable(WbDeviceTag tag, int sampling_period) {
  InertialUnitAccess(__func__, tag).enable(sampling_period);
}
void wb_inertial_unit_disable(WbDeviceTag tag) { InertialUnitAccess(__func__, tag).disable(); }
int wb_inertial_unit_get_sampling_period(WbDeviceTag tag) {
  return InertialUnitAccess(__func__, tag).period();
}
const double* wb_inertial_unit_get_roll_pitch_yaw(WbDeviceTag tag) {
  return InertialUnitAccess(__func__, tag).values();
}
const double* wb_inertial_unit_get_quaternion(WbDeviceTag tag) {
  return InertialUnitAccess(__func__, tag).values(3);
}
double wb_inertial_unit_get_noise(WbDeviceTag tag) {
  return InertialUnitAccess(__func__, tag).fact("noise");
}

void wb_gyro_enable(WbDeviceTag tag, int sampling_period) {
  GyroAccess(__func__, tag).enable(sampling_period);
}
void wb_gyro_disable(WbDeviceTag tag) { GyroAccess(__func__, tag).disable(); }
int wb_gyro_get_sampling_period(WbDeviceTag tag) { return GyroAccess(__func__, tag).period(); }
const double* wb_gyro_get_values(WbDeviceTag tag) { return GyroAccess(__func__, tag).values(); }
int wb_gyro_get_lookup_table_size(WbDeviceTag tag) {
  return GyroAccess(__func__, tag).table_size();
}
const double* wb_gyro_get_lookup_table(WbDeviceTag tag) {
  return GyroAccess(__func__, tag).table();
}

void wb_accelerometer_enable(WbDeviceTag tag, int sampling_period) {
  AccelerometerAccess(__func__, tag).enable(sampling_period);
}
void wb_accelerometer_disable(WbDeviceTag tag) { AccelerometerAccess(__func__, tag).disable(); }
int wb_accelerometer_get_sampling_period(WbDeviceTag tag) {
  return AccelerometerAccess(__func__, tag).period();
}
const double* wb_accelerometer_get_values(WbDeviceTag tag) {
  return AccelerometerAccess(__func__, tag).values();
}
int wb_accelerometer_get_lookup_table_size(WbDeviceTag tag) {
  return AccelerometerAccess(__func__, tag).table_size();
}
const double* wb_accelerometer_get_lookup_table(WbDeviceTag tag) {
  return AccelerometerAccess(__func__, tag).table();
}

void wb_distance_sensor_enable(WbDeviceTag tag, int sampling_period) {
  DistanceSensorAccess(__func__, tag).enable(sampling_period);
}
void wb_distance_sensor_disable(WbDeviceTag tag) { DistanceSensorAccess(__func__, tag).disable(); }
int wb_distance_sensor_get_sampling_period(WbDeviceTag tag) {
  return DistanceSensorAccess(__func__, tag).period();
}
double wb_distance_sensor_get_value(WbDeviceTag tag) {
  return DistanceSensorAccess(__func__, tag).value();
}
double wb_distance_sensor_get_min_value(WbDeviceTag tag) {
  const DistanceSensorAccess sensor(__func__, tag);
  return sensor ? extent(sensor).first : 0;
}
double wb_distance_sensor_get_max_value(WbDeviceTag tag) {
  const DistanceSensorAccess sensor(__func__, tag);
  return sensor ? extent(sensor).second : 0;
}
double wb_distance_sensor_get_aperture(WbDeviceTag tag) {
  return DistanceSensorAccess(__func__, tag).fact("aperture");
}
WbDistanceSensorType wb_distance_sensor_get_type(WbDeviceTag tag) {
  return static_cast<WbDistanceSensorType>(
      DistanceSensorAccess(__func__, tag).choice({"generic", "infra-red", "sonar", "laser"}));
}
int wb_distance_sensor_get_lookup_table_size(WbDeviceTag tag) {
  return DistanceSensorAccess(__func__, tag).table_size();
}
const double* wb_distance_sensor_get_lookup_table(WbDeviceTag tag) {
  return DistanceSensorAccess(__func__, tag).table();
}

void wb_touch_sensor_enable(WbDeviceTag tag, int sampling_period) {
  TouchSensorAccess(__func__, tag).enable(sampling_period);
}
void wb_touch_sensor_disable(WbDeviceTag tag) { TouchSensorAccess(__func__, tag).disable(); }
int wb_touch_sensor_get_sampling_period(WbDeviceTag tag) {
  return TouchSensorAccess(__func__, tag).period();
}
double wb_touch_sensor_get_value(WbDeviceTag tag) {
  return TouchSensorAccess(__func__, tag).value();
}
const double* wb_touch_sensor_get_values(WbDeviceTag tag) {
  return TouchSensorAccess(__func__, tag).values();
}
WbTouchSensorType wb_touch_sensor_get_type(WbDeviceTag tag) {
  return static_cast<WbTouchSensorType>(
      TouchSensorAccess(__func__, tag).choice({"bumper", "force", "force-3d"}));
}
int wb_touch_sensor_get_lookup_table_size(WbDeviceTag tag) {
  return TouchSensorAccess(__func__, tag).table_size();
}
const double* wb_touch_sensor_get_lookup_table(WbDeviceTag tag) {
  return TouchSensorAccess(__func__, tag).table();
}

void pb_sensor_enable(WbDeviceTag tag, int sampling_period) {
  AnySensor(__func__, tag).enable(sampling_period);
}
void pb_sensor_disable(WbDeviceTag tag) { AnySensor(__func__, tag).disable(); }
int pb_sensor_get_sampling_period(WbDeviceTag tag) { return AnySensor(__func__, tag).period(); }
const double* pb_sensor_get_values(WbDeviceTag tag, int* count) {
  const AnySensor sensor(__func__, tag);
  const double* values = sensor.values();
  if (count) *count = values ? static_cast<int>(sensor->data.size() / sizeof(double)) : 0;
  return values;
}

}  // extern "C"
