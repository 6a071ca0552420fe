#include "app/schedule.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <stdexcept>

#include "base/math.h"

namespace protobeam {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Schedule schedule() {
    Schedule out;
    out.text = text_;
    if (const auto equals = text_.find('='); equals != text_.npos) {
      out.robot = text_.substr(0, equals);
      if (out.robot.empty()) wrong("a robot's name before '='");
      at_ = equals + 1;
    }
    skip_blanks();
    if (text_.substr(at_).starts_with("raw:")) {
      out.raw = true;
      at_ += 4;
    }
    while (true) {
      out.points.push_back(set_point(out));
      if (!take(';')) break;
      skip_blanks();
      if (at_ == text_.size()) break;  // a ';' at the end
    }
    if (at_ != text_.size()) wrong("';' or the end");
    return out;
  }

 private:
  SetPoint set_point(const Schedule& so_far) {
    SetPoint out;
    skip_blanks();
    const std::size_t begin = at_;
    out.time = number("a time in seconds");
    if (out.time < 0) wrong_at(begin, "a time must not be negative");
    if (!so_far.points.empty() && out.time <= so_far.points.back().time) {
      wrong_at(begin, fmt::format("the time {} must be later than the one before, {}", out.time,
                                  so_far.points.back().time));
    }
    if (!take(':')) wrong("':' behind the time");
    skip_blanks();
    out.at = at_;
    do {
      out.values.push_back(number(so_far.raw ? "a number" : "a speed"));
    } while (take(','));
    if (!so_far.raw && out.values.size() != 2) {
      wrong_at(out.at, fmt::format("a set-point has a speed and a yaw rate (vx,w), got {} number{}",
                                   out.values.size(), out.values.size() == 1 ? "" : "s"));
    }
    return out;
  }

  double number(std::string_view what) {
    skip_blanks();
    double value = 0;
    const char* begin = text_.data() + at_;
    const char* end = text_.data() + text_.size();
    if (begin != end && *begin == '+') ++begin;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc{} || !std::isfinite(value)) wrong(what);
    at_ = static_cast<std::size_t>(stop - text_.data());
    return value;
  }

  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  [[noreturn]] void wrong(std::string_view expected) {
    skip_blanks();
    wrong_at(at_, fmt::format("expected {}, got {}", expected,
                              at_ < text_.size() ? fmt::format("'{}'", text_.substr(at_, 12))
                                                 : std::string("the end")));
  }

  [[noreturn]] void wrong_at(std::size_t at, const std::string& what) {
    refuse_schedule(text_, at, what);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

const char* plural(std::size_t n) { return n == 1 ? "" : "s"; }

}  // namespace

Schedule parse_schedule(std::string_view text) { return Parser(text).schedule(); }

void refuse_schedule(std::string_view text, std::size_t at, const std::string& why) {
  throw std::invalid_argument(
      fmt::format("--schedule, character {}: {}\n  {}\n  {:>{}}", at + 1, why, text, '^', at + 1));
}

std::string form_of(const ScheduledVehicle& vehicle) {
  if (vehicle.takes == "twist") return "t:vx,w";
  if (vehicle.takes == "speed") return "raw:t:speed,steering";
  return fmt::format("raw:t:{}{}", vehicle.inputs == 1 ? "torque" : "left,right",
                     vehicle.steers ? ",steering" : "");
}

DriveCommand command_of(const Schedule& schedule, const SetPoint& point,
                        const ScheduledVehicle& vehicle) {
  if (!schedule.raw) return Twist{point.values[0], 0, point.values[1]};
  const bool speeds = vehicle.takes == "speed";
  const std::size_t own = speeds ? 1 : vehicle.inputs, n = point.values.size();
  const bool steered = vehicle.steers && n == own + 1;
  if (n != own && !steered) {
    const std::string wanted =
        speeds ? fmt::format("a speed set-point for {} has 1 number", vehicle.controller)
               : fmt::format("a torque set-point for {} has {} number{}", vehicle.drive, own,
                             plural(own));
    refuse_schedule(
        schedule.text, point.at,
        fmt::format("{}{}, got {}", wanted,
                    vehicle.steers ? " and, if wanted, the steering angle in degrees" : "", n));
  }
  const double steering = steered ? point.values[own] * kPi / 180 : 0;
  if (speeds) return SpeedCommand{point.values[0], steering};
  TorqueCommand out;
  for (std::size_t i = 0; i < own; ++i) {
    out.torque.push_back(point.values[i] == 0 ? 0 : -point.values[i]);
  }
  out.steering = steering;
  return out;
}

}  // namespace protobeam
