#include "urdf/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "wbt/node_maker.h"

namespace protobeam::urdf {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

std::string quoted(const std::string& text) {
  return text.size() <= 60 ? "'" + text + "'" : "'" + text.substr(0, 60) + "...'";
}

const char* plural(std::size_t count) { return count == 1 ? "a finite number" : "finite numbers"; }

}  // namespace

std::optional<std::vector<double>> numbers_of(const Text& text, std::size_t count,
                                              const std::string& what, Diagnostics& diagnostics) {
  std::vector<double> out;
  const char* at = text.value.data();
  const char* const end = at + text.value.size();
  bool good = true;
  while (good) {
    while (at != end && kBlanks.find(*at) != std::string_view::npos) ++at;
    if (at == end || out.size() > count) break;
    if (*at == '+' && end - at > 1 && at[1] != '-') ++at;
    double value = 0;
    const auto [after, failed] = std::from_chars(at, end, value);
    good = failed == std::errc() && std::isfinite(value) &&
           (after == end || kBlanks.find(*after) != std::string_view::npos);
    at = after;
    out.push_back(value);
  }
  if (good && out.size() == count) return out;
  const std::string wanted =
      count == 1 ? std::string(plural(1)) : fmt::format("{} {}", count, plural(count));
  const std::string counted = !good || count == 1 || out.empty() ? ""
                              : out.size() > count               ? "these are more"
                                                   : fmt::format("these are {}", out.size());
  diagnostics.error(
      text.place, fmt::format("{} must be {}, got {}", what, wanted, quoted(text.value)), counted);
  return std::nullopt;
}

double number_of(const Element& element, const char* attribute, double otherwise,
                 Diagnostics& diagnostics) {
  const Text* text = element.attribute(attribute);
  if (!text) return otherwise;
  const auto got =
      numbers_of(*text, 1, fmt::format("'{}' of <{}>", attribute, element.tag), diagnostics);
  return got ? got->front() : otherwise;
}

Vec3 vec3_of(const Element& element, const char* attribute, const Vec3& otherwise,
             Diagnostics& diagnostics) {
  const Text* text = element.attribute(attribute);
  if (!text) return otherwise;
  const auto got =
      numbers_of(*text, 3, fmt::format("'{}' of <{}>", attribute, element.tag), diagnostics);
  return got ? Vec3((*got)[0], (*got)[1], (*got)[2]) : otherwise;
}

std::optional<double> child_number(const Element& element, std::string_view tag,
                                   Diagnostics& diagnostics) {
  const Element* child = element.child(tag);
  if (!child) return std::nullopt;
  const auto got = numbers_of(child->text, 1, fmt::format("<{}>", tag), diagnostics);
  return got ? std::optional<double>(got->front()) : std::nullopt;
}

std::optional<Vec3> child_colour(const Element& element, std::string_view tag,
                                 Diagnostics& diagnostics, double* alpha) {
  const Element* child = element.child(tag);
  if (!child || child->text.value.empty()) return std::nullopt;
  // How many numbers there are is seen by the blanks between them.
  std::size_t count = 0;
  bool blank = true;
  for (const char c : child->text.value) {
    const bool now = kBlanks.find(c) != std::string_view::npos;
    if (blank && !now) ++count;
    blank = now;
  }
  const auto got =
      numbers_of(child->text, count == 3 ? 3 : 4, fmt::format("<{}>", tag), diagnostics);
  if (!got) return std::nullopt;
  const auto part = [&](std::size_t i) { return std::clamp((*got)[i], 0.0, 1.0); };
  if (alpha && got->size() == 4) *alpha = part(3);
  return Vec3(part(0), part(1), part(2));
}

Pose child_pose(const Element& element, Diagnostics& diagnostics) {
  const Element* pose = element.child("pose");
  if (!pose || pose->text.value.empty()) return {};
  const Text* format = pose->attribute("rotation_format");
  if (format && format->value == "quat_xyzw") {
    const auto quat = numbers_of(pose->text, 7, "<pose>", diagnostics);
    if (!quat) return {};
    const auto& q = *quat;
    const Quat R(q[6], q[3], q[4], q[5]);
    if (R.norm() > 1e-9) return {R.normalized(), {q[0], q[1], q[2]}};
    diagnostics.error(pose->place, "the quaternion of a <pose> must not be 0");
    return {};
  }
  const auto got = numbers_of(pose->text, 6, "<pose>", diagnostics);
  if (!got) return {};
  const auto& v = *got;
  const Text* degrees = pose->attribute("degrees");
  const double unit =
      degrees && (degrees->value == "true" || degrees->value == "1") ? kPi / 180 : 1;
  return {wbt::rotation_of(v[5] * unit, v[4] * unit, v[3] * unit), {v[0], v[1], v[2]}};
}

}  // namespace protobeam::urdf
