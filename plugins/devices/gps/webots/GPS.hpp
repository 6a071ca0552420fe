#ifndef WEBOTS_GPS_HPP
#define WEBOTS_GPS_HPP

#include <webots/gps.h>

#include <cstdlib>
#include <string>
#include <webots/Device.hpp>

namespace webots {

class GPS : public Device {
 public:
  enum CoordinateSystem { LOCAL = 0, WGS84 = 1 };

  using Device::Device;

  virtual void enable(int samplingPeriod) { wb_gps_enable(tag(), samplingPeriod); }
  virtual void disable() { wb_gps_disable(tag()); }
  int getSamplingPeriod() const { return wb_gps_get_sampling_period(tag()); }
  const double* getValues() const { return wb_gps_get_values(tag()); }
  const double* getSpeedVector() const { return wb_gps_get_speed_vector(tag()); }
  double getSpeed() const { return wb_gps_get_speed(tag()); }
  CoordinateSystem getCoordinateSystem() const {
    return static_cast<CoordinateSystem>(wb_gps_get_coordinate_system(tag()));
  }
  static std::string convertToDegreesMinutesSeconds(double decimalDegrees) {
    char* text = const_cast<char*>(wb_gps_convert_to_degrees_minutes_seconds(decimalDegrees));
    const std::string out = text;
    std::free(text);
    return out;
  }
};

}  // namespace webots

#endif  // WEBOTS_GPS_HPP
