// Motions from files (webots/utils/motion.h). What is played moves with the program's steps, before
// each of them; see Webots reference, Motion.
#include "controller/motion.h"

#include <webots/device.h>
#include <webots/motor.h>
#include <webots/nodes.h>
#include <webots/robot.h>
#include <webots/utils/motion.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "controller/client.h"

using protobeam::controller::complain;

struct WbMotionStructPrivate {
  struct Pose {
    int time = 0;                   // ms
    std::vector<double> positions;  // by motor; NaN: left alone
  };

  std::vector<WbDeviceTag> motors;  // 0 for one that the robot does not have
  std::vector<Pose> poses;          // at least one, in the order of time
  int time = 0;                     // ms
  bool playing = false, loop = false, reverse = false;

  int duration() const { return poses.back().time; }
  /// At `time`; NaN: the motor is left alone.
  double position(std::size_t motor) const;
  bool at_end() const { return reverse ? time <= 0 : time >= duration(); }
  void advance(int ms);
};

namespace {

using Motion = WbMotionStructPrivate;

constexpr double kLeftAlone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kLargestFile = std::size_t{64} << 20;  // bytes

// Held while the list or a motion is looked at; the mutex of the client would be locked twice.
std::mutex mutex;
std::vector<Motion*> motions;  // in the order in which they were made

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = line.find(',');
    std::string_view cell = line.substr(0, comma);
    const std::size_t first = cell.find_first_not_of(" \t");
    cell = first == cell.npos ? std::string_view() : cell.substr(first);
    cell = cell.substr(0, cell.find_last_not_of(" \t") + 1);
    if (!cell.empty()) cells.push_back(cell);
    if (comma == line.npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

template <class T>
std::optional<T> number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  T value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// ms of "minutes:seconds:milliseconds", "seconds:milliseconds" or "milliseconds".
std::optional<int> time_of(std::string_view text) {
  constexpr double kUnits[] = {60000, 1000, 1};
  const auto colons = static_cast<std::size_t>(std::count(text.begin(), text.end(), ':'));
  if (colons > 2) return std::nullopt;
  double ms = 0;
  for (std::size_t unit = 2 - colons; unit < 3; ++unit) {
    const std::size_t end = std::min(text.find(':'), text.size());
    const std::string_view part = text.substr(0, end);
    const bool digits = !part.empty() && part.find_first_not_of("0123456789") == part.npos;
    const auto value = digits ? number<int>(part) : std::nullopt;
    if (!value) return std::nullopt;
    ms += kUnits[unit] * *value;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return ms <= std::numeric_limits<int>::max() ? std::optional(static_cast<int>(ms)) : std::nullopt;
}

[[noreturn]] void throw_invalid(int line, const std::string& what) {
  throw std::invalid_argument("line " + std::to_string(line) + ": " + what);
}

struct MotionText {
  std::vector<std::string> motors;
  std::vector<Motion::Pose> poses;
};

Motion::Pose pose_of(const std::vector<std::string_view>& cells, std::size_t motors, int line) {
  Motion::Pose pose;
  const auto time = time_of(cells[0]);
  if (!time) {
    throw_invalid(line,
                  "'" + std::string(cells[0]) + "' is no time; write minutes:seconds:milliseconds");
  }
  pose.time = *time;
  if (cells.size() != motors + 2) {
    std::string what = std::to_string(cells.size());
    what += " columns; a time, a name and the positions of " + std::to_string(motors);
    what += " motors are " + std::to_string(motors + 2);
    throw_invalid(line, what);
  }
  for (std::size_t i = 2; i < cells.size(); ++i) {
    const auto position = cells[i] == "*" ? std::optional(kLeftAlone) : number<double>(cells[i]);
    if (!position || (cells[i] != "*" && !std::isfinite(*position))) {
      throw_invalid(line, "'" + std::string(cells[i]) + "' is no position; write a number or *");
    }
    pose.positions.push_back(*position);
  }
  return pose;
}

/// Throws std::invalid_argument.
MotionText read_motion(std::istream& file) {
  MotionText out;
  std::string line;
  std::size_t size = 0;
  for (int number = 1; std::getline(file, line); ++number) {
    size += line.size();
    if (size > kLargestFile) throw_invalid(number, "a motion has at most 64 MiB");
    if (line.ends_with('\r')) line.pop_back();
    const auto cells = cells_of(line);
    if (number == 1) {
      if (cells.size() < 2 || cells[0] != "#WEBOTS_MOTION" || cells[1] != "V1.0") {
        throw_invalid(1, "a motion begins with #WEBOTS_MOTION,V1.0 and the names of motors");
      }
      out.motors.assign(cells.begin() + 2, cells.end());
      if (out.motors.empty()) throw_invalid(1, "there is no motor");
      continue;
    }
    if (cells.empty()) break;
    out.poses.push_back(pose_of(cells, out.motors.size(), number));
    if (out.poses.size() < 2 || out.poses.back().time > out.poses[out.poses.size() - 2].time) {
      continue;
    }
    throw_invalid(number, "its time is not after that of the line before");
  }
  if (out.motors.empty()) throw_invalid(1, "the file is empty or cannot be read");
  if (out.poses.empty()) throw_invalid(2, "there is no line with positions");
  return out;
}

/// 0 when the robot has no motor of that name; not an error, and so no wb_robot_get_device().
WbDeviceTag find_motor(const std::string& name) {
  for (int i = 0; i < wb_robot_get_number_of_devices(); ++i) {
    const WbDeviceTag tag = wb_robot_get_device_by_index(i);
    const WbNodeType type = wb_device_get_node_type(tag);
    const bool motor = type == WB_NODE_ROTATIONAL_MOTOR || type == WB_NODE_LINEAR_MOTOR;
    if (motor && name == wb_device_get_name(tag)) return tag;
  }
  return 0;
}

bool there(const char* function, const Motion* motion) {
  if (motion) return true;
  complain(function, "called with NULL: the motion could not be read");
  return false;
}

}  // namespace

double WbMotionStructPrivate::position(std::size_t motor) const {
  const auto next =
      std::find_if(poses.begin(), poses.end(), [&](const Pose& pose) { return pose.time >= time; });
  if (next == poses.end()) return poses.back().positions[motor];
  if (next == poses.begin() || next->time == time) return next->positions[motor];
  const Pose& before = *(next - 1);
  const double share = static_cast<double>(time - before.time) / (next->time - before.time);
  return before.positions[motor] + share * (next->positions[motor] - before.positions[motor]);
}

void WbMotionStructPrivate::advance(int ms) {
  for (std::size_t i = 0; i < motors.size(); ++i) {
    if (motors[i] == 0) continue;
    const double target = position(i);
    if (!std::isnan(target)) wb_motor_set_position(motors[i], target);
  }
  if (at_end()) {
    if (loop) {
      time = reverse ? duration() : 0;
    } else {
      playing = false;
    }
    return;
  }
  const double next = reverse ? static_cast<double>(time) - ms : static_cast<double>(time) + ms;
  time = static_cast<int>(std::clamp<double>(next, 0, duration()));
}

namespace protobeam::controller {

void play_motions(int ms) {
  const std::lock_guard lock(mutex);
  for (Motion* motion : motions) {
    if (motion->playing) motion->advance(ms);
  }
}

}  // namespace protobeam::controller

extern "C" {

WbMotionRef wbu_motion_new(const char* filename) {
  if (!filename || !*filename) {
    complain(__func__, "called without a file");
    return nullptr;
  }
  MotionText text;
  try {
    std::ifstream file(filename);
    if (!file) throw std::invalid_argument("the file cannot be opened");
    text = read_motion(file);
  } catch (const std::invalid_argument& problem) {
    complain(__func__, "cannot read '" + std::string(filename) + "': " + problem.what());
    return nullptr;
  }
  auto* motion = new Motion;
  motion->poses = std::move(text.poses);
  for (const std::string& name : text.motors) {
    motion->motors.push_back(find_motor(name));
    if (motion->motors.back() == 0) {
      std::fprintf(stderr, "Warning: the robot has no motor '%s' of the motion '%s'\n",
                   name.c_str(), filename);
    }
  }
  const std::lock_guard lock(mutex);
  motions.push_back(motion);
  return motion;
}

void wbu_motion_delete(WbMotionRef motion) {
  if (!motion) return;
  {
    const std::lock_guard lock(mutex);
    const auto found = std::find(motions.begin(), motions.end(), motion);
    if (found == motions.end()) {
      return complain(__func__, "called with what is no motion, or is deleted already");
    }
    motions.erase(found);
  }
  delete motion;
}

void wbu_motion_play(WbMotionRef motion) {
  if (!there(__func__, motion)) return;
  const std::lock_guard lock(mutex);
  if (motion->at_end()) motion->time = motion->reverse ? motion->duration() : 0;
  motion->playing = true;
}
void wbu_motion_stop(WbMotionRef motion) {
  if (!there(__func__, motion)) return;
  const std::lock_guard lock(mutex);
  motion->playing = false;
}
void wbu_motion_set_loop(WbMotionRef motion, bool loop) {
  if (!there(__func__, motion)) return;
  const std::lock_guard lock(mutex);
  motion->loop = loop;
}
void wbu_motion_set_reverse(WbMotionRef motion, bool reverse) {
  if (!there(__func__, motion)) return;
  const std::lock_guard lock(mutex);
  motion->reverse = reverse;
}
bool wbu_motion_is_over(WbMotionRef motion) {
  if (!there(__func__, motion)) return false;
  const std::lock_guard lock(mutex);
  return !motion->loop && motion->at_end();
}
int wbu_motion_get_duration(WbMotionRef motion) {
  return there(__func__, motion) ? motion->duration() : -1;
}
int wbu_motion_get_time(WbMotionRef motion) {
  if (!there(__func__, motion)) return -1;
  const std::lock_guard lock(mutex);
  return motion->time;
}
void wbu_motion_set_time(WbMotionRef motion, int time) {
  if (!there(__func__, motion)) return;
  const std::lock_guard lock(mutex);
  motion->time = std::clamp(time, 0, motion->duration());
}

}  // extern "C"
