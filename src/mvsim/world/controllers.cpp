// <controller> as one of the node types that extend DriveController. Raw torques change their sign:
// in MVSim a negative one drives forward.
#include <algorithm>
#include <array>

#include "mvsim/world/vehicles.h"

namespace protobeam::mvsim {
namespace {

void angles(const Reader& reader, std::initializer_list<Setting> settings, NodeMaker& made) {
  for (const Setting& one : settings) {
    const auto value = reader.degrees(one.tag, 0);
    if (value.written) made.number(one.field, value, value.place);
  }
}

void add_pid(const Reader& reader, double default_max_torque, NodeMaker& made) {
  numbers(reader, {{"KP", "kp"}, {"KI", "ki"}, {"KD", "kd"}}, made);
  const auto filter = reader.at_least("N", 0, 0);
  if (filter.written) made.number("derivativeFilter", filter, filter.place);
  if (filter > 0) made.text("derivativeOf", "error", filter.place);
  // 0 and less: no limit.
  const auto max = reader.number("max_torque", default_max_torque);
  made.number("maxTorque", max > 0 ? max.value : -1, max.place);
  constexpr std::array<Setting, 3> kFlags{{{"enable_antiwindup", "antiWindup"},
                                           {"enable_feedforward", "feedForward"},
                                           {"enable_reference_filter", "referenceFilter"}}};
  for (const Setting& one : kFlags) {
    const auto value = reader.boolean(one.tag, false);
    if (value.written) made.flag(one.field, value, value.place);
  }
  numbers(reader, {{"feedforward_gain", "feedForwardGain"}}, made);
  // 0: none; as PID_Controller.cpp, filterReference, has it.
  const auto tau = reader.at_least("reference_filter_tau", 0, 0.1);
  if (tau.written) made.number("referenceFilterTau", std::max(1e-6, tau.value), tau.place);
  const auto order = reader.between("reference_filter_order", 1, 2, 1);
  if (order.written) made.number("referenceFilterOrder", order, order.place);
  for (const Setting& one :
       std::array<Setting, 2>{{{"zero_threshold", "zeroSpeed"}, {"stop_threshold", "stopSpeed"}}}) {
    const auto value = reader.at_least(one.tag, 0, 0);
    if (value.written) made.number(one.field, value, value.place);
  }
}

wbt::NodePtr raw(const Reader& reader, DriveKind kind, const Element& controller) {
  NodeMaker made("RawControl", controller);
  const auto torques = [&](std::initializer_list<const char*> tags) {
    std::vector<double> values;
    Place place;
    bool written = false;
    for (const char* tag : tags) {
      const auto torque = reader.number(tag, 0);
      values.push_back(torque == 0 ? 0 : -torque);
      if (torque.written && !written) place = torque.place;
      written = written || torque.written;
    }
    if (written) made.numbers("torque", std::move(values), place);
  };
  if (kind == DriveKind::kAckermann) torques({"fl_torque", "fr_torque"});
  if (kind == DriveKind::kDrivetrain) torques({"torque"});
  if (kind != DriveKind::kDifferential) angles(reader, {{"steer_ang_deg", "steering"}}, made);
  const auto warn_unused = [&](std::initializer_list<const char*> tags, const char* why) {
    for (const char* tag : tags) {
      if (const Text* text = reader.find(tag)) {
        reader.warning(text->place, reader.subject(tag) + " has no effect", why);
      }
    }
  };
  if (kind == DriveKind::kDifferential) {
    warn_unused({"torque", "fl_torque", "fr_torque", "steer_ang_deg"},
                "a raw controller of a differential drive gets its torques as set-points only");
  } else if (kind == DriveKind::kAckermann) {
    warn_unused({"torque"}, "write <fl_torque> and <fr_torque>");
  } else {
    warn_unused({"fl_torque", "fr_torque"}, "a drivetrain has one motor: write <torque>");
  }
  return made.take();
}

}  // namespace

wbt::NodePtr controller_node(Import& import, const Element& dynamics) {
  const DriveKind kind = drive_kind(dynamics);
  const Element* controller = dynamics.child("controller");
  if (!controller) return NodeMaker("RawControl", dynamics).take();
  const Reader reader = import.children(*controller);
  const auto name = import.attributes(*controller).text("class");
  const bool car = kind != DriveKind::kDifferential;
  const bool front = name.value == "front_steer_pid" || name.value == "front_steer";
  if ((car && name.value == "twist_pid") ||
      (!car && (front || name.value == "twist_front_steer_pid"))) {
    reader.error(name.place,
                 "a controller of class '" + name.value + "' cannot drive a <dynamics> of class '" +
                     import.attributes(dynamics).text("class").value + "'",
                 car ? "it wants twist_front_steer_pid" : "it wants twist_pid");
    return nullptr;
  }
  const double max_torque = kind == DriveKind::kDrivetrain && !front ? 400 : 100;
  if (name.value == "twist_ideal") {
    NodeMaker made("TwistIdeal", *controller);
    numbers(reader, {{"V", "speed"}}, made);
    angles(reader, {{"W", "yawRate"}}, made);
    return made.take();
  }
  if (front) {
    NodeMaker made("FrontSteer", *controller);
    add_pid(reader, max_torque, made);
    numbers(reader, {{"V", "speed"}}, made);
    angles(reader, {{"STEER_ANG", "steering"}}, made);
    return made.take();
  }
  if (name.value == "twist_pid" || name.value == "twist_front_steer_pid") {
    NodeMaker made(car ? "FrontSteerPid" : "TwistPid", *controller);
    add_pid(reader, max_torque, made);
    numbers(reader, {{"V", "speed"}}, made);
    angles(reader, {{"W", "yawRate"}}, made);
    return made.take();
  }
  return raw(reader, kind, *controller);
}

}  // namespace protobeam::mvsim
