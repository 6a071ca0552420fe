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
    const std::size_t values = at_;
    do {
      out.values.push_back(number(so_far.raw ? "a torque in N m" : "a speed"));
    } while (take(','));
    if (!so_far.raw && out.values.size() != 2) {
      wrong_at(values, fmt::format("a set-point has a speed and a yaw rate (vx,w), got {} number{}",
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
    throw std::invalid_argument(fmt::format("--schedule, character {}: {}\n  {}\n  {:>{}}", at + 1,
                                            what, text_, '^', at + 1));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Schedule parse_schedule(std::string_view text) { return Parser(text).schedule(); }

DriveCommand command_of(const SetPoint& point, bool raw, std::string_view drive) {
  if (!raw) return Twist{point.values[0], 0, point.values[1]};
  const std::size_t torques = drive == "AckermannDrivetrain" ? 1 : 2;
  const bool steered = drive != "DifferentialDrive";
  const std::size_t n = point.values.size();
  if (n != torques && !(steered && n == torques + 1)) {
    throw std::invalid_argument(fmt::format(
        "--schedule: a torque set-point of a {} has {} number{}{}, got {} at {} s", drive, torques,
        torques == 1 ? "" : "s", steered ? " and, if wanted, the steering angle in degrees" : "", n,
        point.time));
  }
  TorqueCommand out;
  for (std::size_t i = 0; i < torques; ++i) {
    out.torque.push_back(point.values[i] == 0 ? 0 : -point.values[i]);
  }
  if (n > torques) out.steering = point.values[torques] * kPi / 180;
  return out;
}

}  // namespace protobeam
