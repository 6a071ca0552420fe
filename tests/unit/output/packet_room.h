// Lidars with the makers' beam tables in a room of flat walls: sweeps with closed-form ranges.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/math.h"
#include "output/sweep.h"

namespace protobeam {

struct RoomLidar {
  std::string product;
  std::vector<double> elevations, azimuths;  ///< deg; azimuths counter-clockwise
  std::vector<double> times;                 ///< s
  std::vector<Vec3> origins;                 ///< m
  double firing_period = 0, frequency = 10;
  int columns = 0;  ///< of a sweep
  double max_range = 200;
  std::string return_mode = "strongest";

  int lasers() const { return static_cast<int>(elevations.size()); }
  SweepSource source() const;
};

inline SweepSource RoomLidar::source() const {
  SweepSource s{"car", "top", product, lasers(), columns, 0.1, max_range};
  s.properties["beamElevations_deg"] = elevations;
  s.properties["beamAzimuths_deg"] = azimuths;
  s.properties["beamTimes"] = times;
  std::vector<double> flat;
  for (const Vec3& o : origins) flat.insert(flat.end(), {o.x(), o.y(), o.z()});
  s.properties["beamOrigins"] = flat;
  s.properties["firingPeriod"] = firing_period;
  s.properties["defaultFrequency"] = frequency;
  s.properties["returnMode"] = return_mode;
  return s;
}

inline RoomLidar room_lidar(std::string product, std::vector<double> elevations, double step,
                            int at_once, double period, int columns) {
  RoomLidar lidar{std::move(product), std::move(elevations)};
  const auto lasers = static_cast<std::size_t>(lidar.lasers());
  lidar.azimuths.assign(lasers, 0);
  lidar.origins.assign(lasers, Vec3::Zero());
  for (int i = 0; i < lidar.lasers(); ++i) lidar.times.push_back(i / at_once * step);
  lidar.firing_period = period;
  lidar.columns = columns;
  return lidar;
}

/// "VLP-16 User Manual", section 9.3: 16 lasers one after another, then a pause.
inline RoomLidar vlp16() {
  return room_lidar("VelodyneVLP-16",
                    {-15, 1, -13, 3, -11, 5, -9, 7, -7, 9, -5, 11, -3, 13, -1, 15}, 2.304e-6, 1,
                    55.296e-6, 1808);
}

/// "HDL-32E User's Manual", appendix A and B.
inline RoomLidar hdl32e() {
  std::vector<double> e;
  for (int i = 0; i < 16; ++i) {
    e.push_back(std::round(100 * (-92.0 + 4 * i) / 3) / 100);
    e.push_back(std::round(100 * (-28.0 + 4 * i) / 3) / 100);
  }
  return room_lidar("VelodyneHDL-32E", e, 1.152e-6, 1, 46.08e-6, 2170);
}

/// "VLP-32C User Manual", section 9.3; azimuths as in VeloView's VLP-32C calibration.
inline RoomLidar vlp32c() {
  RoomLidar lidar = room_lidar(
      "VelodyneVLP-32C",
      {-25,    -1,     -1.667, -15.639, -11.31, 0,      -0.667, -8.843, -7.254, 0.333,  -0.333,
       -6.148, -5.333, 1.333,  0.667,   -4,     -4.667, 1.667,  1,      -3.667, -3.333, 3.333,
       2.333,  -2.667, -3,     7,       4.667,  -2.333, -2,     15,     10.333, -1.333},
      2.304e-6, 2, 55.296e-6, 1808);
  lidar.azimuths = {-1.4, 4.2,  -1.4, 1.4,  -1.4, 1.4,  -4.2, 1.4,  -1.4, 4.2,  -1.4,
                    1.4,  -4.2, 1.4,  -4.2, 1.4,  -1.4, 4.2,  -1.4, 4.2,  -4.2, 1.4,
                    -1.4, 1.4,  -1.4, 1.4,  -1.4, 4.2,  -4.2, 1.4,  -1.4, 1.4};
  return lidar;
}

/// Two banks of 32 lasers, 1/3 deg and 1/2 deg apart, in an order of its own as in the device.
inline RoomLidar hdl64e() {
  std::vector<double> e;
  for (int i = 0; i < 32; ++i) e.push_back(2 - (i * 7 % 32) / 3.0);
  for (int i = 0; i < 32; ++i) e.push_back(-8.87 - (i * 11 % 32) / 2.0);
  RoomLidar lidar = room_lidar("VelodyneHDL-64E", e, 0.72e-6, 1, 46.4e-6, 2155);
  for (std::size_t i = 0; i < 64; ++i) {
    lidar.times[i] = static_cast<double>(i % 32) * 0.72e-6;  // both banks at once
    lidar.azimuths[i] = -8.5 + 2.25 * static_cast<double>(i % 8);
  }
  return lidar;
}

/// RS-Helios-5515; times and lens of rs_driver's decoder_RSHELIOS.hpp.
inline RoomLidar helios() {
  RoomLidar lidar = room_lidar(
      "RobosenseHelios5515",
      {-55.02, -52.08, -49.14, -46.2,  -43.26, -40.33, -37.39, -34.45, -31.51, -28.57, -25.63,
       -22.69, -19.75, -16.82, -13.88, -10.94, -8,     -6.67,  -5.33,  -4,     -2.67,  -1.33,
       0,      1.33,   2.67,   4,      5.33,   6.67,   8.75,   10.84,  12.93,  15},
      1.73e-6, 1, 55.56e-6, 1800);
  for (std::size_t i = 0; i < 32; ++i) {
    lidar.azimuths[i] = i % 4 < 2 ? -2.31 : 2.54;
    lidar.origins[i] = {0.03498, 0, 0};
  }
  return lidar;
}

/// `form` 0: 90 deg, 27.67 mm; 1: 42.4 deg, 15.806 mm (ouster-sdk, sensor_info.cpp).
inline RoomLidar ouster(int form, int lasers, int columns) {
  RoomLidar lidar;
  lidar.product = "OusterOS" + std::to_string(form) + "-" + std::to_string(lasers);
  const double top = form == 0 ? 45.2 : 21.2;
  for (int i = 0; i < lasers; ++i) {
    lidar.elevations.push_back(std::round(100 * (top - 2 * top * i / (lasers - 1))) / 100);
    lidar.azimuths.push_back(std::array{-4.23, -1.41, 1.4, 4.22}[static_cast<std::size_t>(i % 4)]);
  }
  lidar.times.assign(lidar.elevations.size(), 0);
  lidar.origins.assign(lidar.elevations.size(), {form == 0 ? 0.02767 : 0.015806, 0, 0.03618});
  lidar.columns = columns;
  lidar.firing_period = 0.1 / columns;
  return lidar;
}

/// From `p` inside of the room to the wall in direction `d`.
inline double wall_distance(const Vec3& p, const Vec3& d) {
  const Vec3 low(-7.3, -4.1, -1.9), high(11.2, 6.4, 3.1);
  double distance = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    if (d[i] > 1e-12) distance = std::min(distance, (high[i] - p[i]) / d[i]);
    if (d[i] < -1e-12) distance = std::min(distance, (low[i] - p[i]) / d[i]);
  }
  return distance;
}

/// Of the head, at `time`: clockwise from the rear at 0, rad.
inline double head_azimuth(const RoomLidar& lidar, double time) {
  return kPi + 2 * kPi * lidar.frequency * time;
}

/// Column by column, laser by laser; the first firing starts at `start`. Each 17th beam misses.
inline TimedSweep room_sweep(const RoomLidar& lidar, double start) {
  TimedSweep sweep;
  sweep.start_time = start;
  sweep.end_time = start + lidar.columns * lidar.firing_period;
  const auto lasers = static_cast<std::size_t>(lidar.lasers());
  for (int column = 0; column < lidar.columns; ++column) {
    for (std::size_t laser = 0; laser < lasers; ++laser) {
      const double time = start + column * lidar.firing_period + lidar.times[laser];
      const double head = -head_azimuth(lidar, time);
      const double azimuth = head + lidar.azimuths[laser] * kPi / 180;
      const double elevation = lidar.elevations[laser] * kPi / 180;
      const Vec3 from = axis_angle(Vec3::UnitZ(), head) * lidar.origins[laser];
      const Vec3 direction(std::cos(elevation) * std::cos(azimuth),
                           std::cos(elevation) * std::sin(azimuth), std::sin(elevation));
      const std::size_t number = sweep.beams.size();
      double range = wall_distance(from, direction);
      if (number % 17 == 3) range = std::numeric_limits<double>::infinity();
      const Vec3 p = from + range * direction;
      BeamReturn beam{};
      beam.layer = static_cast<int>(laser);
      beam.column = column;
      beam.azimuth = static_cast<float>(std::remainder(azimuth, 2 * kPi));
      beam.elevation = static_cast<float>(elevation);
      beam.range = static_cast<float>(range);
      beam.x = static_cast<float>(p.x());
      beam.y = static_cast<float>(p.y());
      beam.z = static_cast<float>(p.z());
      beam.time = time;
      beam.intensity = static_cast<float>(number % 256) / 255;
      beam.return_number = 1;
      beam.beam = static_cast<int>(laser);
      beam.signal = static_cast<float>(number % 1000 + 1);
      beam.ambient = static_cast<float>(number % 77);
      sweep.beams.push_back(beam);
    }
  }
  return sweep;
}

/// `count` sweeps one after another, from second `start` on.
inline std::vector<TimedSweep> room_sweeps(const RoomLidar& lidar, int count, double start = 0) {
  std::vector<TimedSweep> sweeps;
  for (int i = 0; i < count; ++i) {
    sweeps.push_back(room_sweep(lidar, start + i * lidar.columns * lidar.firing_period));
  }
  return sweeps;
}

}  // namespace protobeam
