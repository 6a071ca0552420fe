#include "sim/belt_path.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "base/turn.h"

namespace protobeam {
namespace {

Vec2 direction_at(double angle) { return {libm::cos(angle), libm::sin(angle)}; }
Vec2 left_of(const Vec2& direction) { return {-direction.y(), direction.x()}; }
/// Positive where the wheel is to the right of the belt.
double signed_radius(const BeltWheel& wheel) { return wheel.inner ? wheel.radius : -wheel.radius; }

}  // namespace

BeltPath::BeltPath(const std::vector<BeltWheel>& wheels) {
  const std::size_t count = wheels.size();
  if (count == 0) throw std::invalid_argument("a belt needs TrackWheels");
  if (count == 1) {
    around(wheels[0]);
    return;
  }
  // The common tangent of each two neighbours, by the angle of its direction.
  std::vector<double> angles;
  for (std::size_t i = 0; i < count; ++i) {
    const BeltWheel& a = wheels[i];
    const BeltWheel& b = wheels[(i + 1) % count];
    const Vec2 way = b.centre - a.centre;
    const double distance = way.norm(), change = signed_radius(b) - signed_radius(a);
    if (!(distance > std::abs(change))) {
      throw std::invalid_argument("TrackWheels " + std::to_string(i + 1) + " and " +
                                  std::to_string((i + 1) % count + 1) +
                                  " are too near to each other for a belt between them");
    }
    angles.push_back(libm::atan2(way.y(), way.x()) + libm::asin(change / distance));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const BeltWheel& a = wheels[i];
    const BeltWheel& b = wheels[(i + 1) % count];
    Part part;
    part.direction = direction_at(angles[i]);
    part.from = a.centre + signed_radius(a) * left_of(part.direction);
    part.straight = (b.centre + signed_radius(b) * left_of(part.direction) - part.from).norm();
    part.wheel = b;
    // Between nothing and a whole turn, around an inner wheel clockwise.
    double turn = angles[(i + 1) % count] - angles[i];
    turn -= 2 * kPi * std::floor(turn / (2 * kPi));
    if (turn > 2 * kPi - 1e-9) turn = 0;
    part.turn = b.inner && turn > 0 ? turn - 2 * kPi : turn;
    part.begin = length_;
    length_ += part.straight + std::abs(part.turn) * b.radius;
    parts_.push_back(part);
  }
}

/// From its top on, as in Webots (src/webots/nodes/WbTrack.cpp).
void BeltPath::around(const BeltWheel& wheel) {
  if (!(wheel.radius > 0)) {
    throw std::invalid_argument("a belt around one TrackWheel needs its radius");
  }
  Part part{};
  part.direction = Vec2::UnitX();
  part.from = wheel.centre + wheel.radius * Vec2::UnitY();
  part.wheel = {wheel.centre, wheel.radius, true};
  part.turn = -2 * kPi;
  length_ = 2 * kPi * wheel.radius;
  parts_.push_back(part);
}

Pose BeltPath::pose_T(double s) const {
  s -= length_ * std::floor(s / length_);
  const Part* part = &parts_.front();
  for (const Part& next : parts_) {
    if (next.begin <= s) part = &next;
  }
  const double along = s - part->begin;
  Vec2 p = part->from + std::min(along, part->straight) * part->direction;
  Vec2 direction = part->direction;
  if (along > part->straight && part->wheel.radius > 0) {
    const double turned = std::copysign((along - part->straight) / part->wheel.radius, part->turn);
    const Vec2 c = direction_at(turned);
    direction = {c.x() * part->direction.x() - c.y() * part->direction.y(),
                 c.y() * part->direction.x() + c.x() * part->direction.y()};
    p = part->wheel.centre + signed_radius(part->wheel) * left_of(direction);
  }
  const double pitch = -libm::atan2(direction.y(), direction.x());  // about y, which takes z to x
  return {turn_about(Vec3::UnitY(), pitch), {p.x(), 0, p.y()}};
}

}  // namespace protobeam
