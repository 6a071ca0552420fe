#include "wbt/node_maker.h"

#include <cmath>

#include "base/turn.h"

namespace protobeam::wbt {
NodeMaker::NodeMaker(std::string type, const Origin& origin)
    : node_(std::make_shared<wbt::Node>()) {
  node_->type = std::move(type);
  node_->place = origin.place;
  node_->expanded_from = origin.chain;
}

Field& NodeMaker::add(const char* field, Value::Kind kind, bool list, const Place& place) {
  Field made;
  made.name = field;
  made.place = place.valid() ? place : node_->place;
  made.value.kind = kind;
  made.value.bracketed = list;
  made.value.place = made.place;
  node_->fields.push_back(std::move(made));
  return node_->fields.back();
}

NodeMaker& NodeMaker::number(const char* field, double value, const Place& place) {
  add(field, Value::Kind::kNumbers, false, place).value.numbers = {value};
  return *this;
}

NodeMaker& NodeMaker::flag(const char* field, bool value, const Place& place) {
  add(field, Value::Kind::kBools, false, place).value.numbers = {value ? 1.0 : 0.0};
  return *this;
}

NodeMaker& NodeMaker::text(const char* field, std::string value, const Place& place) {
  add(field, Value::Kind::kStrings, false, place).value.strings = {std::move(value)};
  return *this;
}

NodeMaker& NodeMaker::vec2(const char* field, const Vec2& value, const Place& place) {
  add(field, Value::Kind::kNumbers, false, place).value.numbers = {value.x(), value.y()};
  return *this;
}

NodeMaker& NodeMaker::vec3(const char* field, const Vec3& value, const Place& place) {
  add(field, Value::Kind::kNumbers, false, place).value.numbers = {value.x(), value.y(), value.z()};
  return *this;
}

NodeMaker& NodeMaker::rotation(const char* field, const Quat& value, const Place& place) {
  Eigen::AngleAxisd turn = axis_and_angle(value);
  if (turn.angle() == 0) return *this;
  // Angles are often meant in degrees: what differs from a round number of them in the last places
  // only is that number.
  const double round = std::round(turn.angle() * (180 / kPi) * 1e9) / 1e9 * (kPi / 180);
  if (std::abs(round - turn.angle()) < 4e-16 * turn.angle()) turn.angle() = round;
  add(field, Value::Kind::kNumbers, false, place).value.numbers = {turn.axis().x(), turn.axis().y(),
                                                                   turn.axis().z(), turn.angle()};
  return *this;
}

NodeMaker& NodeMaker::pose(const Pose& X, const Place& place) {
  if (X.p != Vec3::Zero()) vec3("translation", X.p, place);
  return rotation("rotation", X.R, place);
}

NodeMaker& NodeMaker::numbers(const char* field, std::vector<double> values, const Place& place) {
  const auto kind = values.empty() ? Value::Kind::kEmpty : Value::Kind::kNumbers;
  add(field, kind, true, place).value.numbers = std::move(values);
  return *this;
}

NodeMaker& NodeMaker::points(const char* field, std::span<const Vec3> values, const Place& place) {
  std::vector<double> flat;
  flat.reserve(3 * values.size());
  for (const Vec3& p : values) flat.insert(flat.end(), {p.x(), p.y(), p.z()});
  return numbers(field, std::move(flat), place);
}

NodeMaker& NodeMaker::texts(const char* field, std::vector<std::string> values,
                            const Place& place) {
  add(field, Value::Kind::kStrings, true, place).value.strings = std::move(values);
  return *this;
}

NodeMaker& NodeMaker::node(const char* field, NodePtr value) {
  if (!value) return *this;
  Value& made = add(field, Value::Kind::kNodes, false, value->place).value;
  made.offsets = {value->place.offset};
  made.nodes = {std::move(value)};
  return *this;
}

NodeMaker& NodeMaker::nodes(const char* field, std::vector<NodePtr> values) {
  std::erase(values, nullptr);
  if (values.empty()) return *this;
  Value& made = add(field, Value::Kind::kNodes, true, {}).value;
  for (const NodePtr& one : values) made.offsets.push_back(one->place.offset);
  made.nodes = std::move(values);
  return *this;
}

Quat rotation_of(double yaw, double pitch, double roll) {
  return axis_angle(Vec3::UnitZ(), yaw) * axis_angle(Vec3::UnitY(), pitch) *
         axis_angle(Vec3::UnitX(), roll);
}

}  // namespace protobeam::wbt
