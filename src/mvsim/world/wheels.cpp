// Wheels by the names of their tags, in the order that the drives ask for.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "mvsim/expression.h"
#include "mvsim/world/vehicles.h"
#include "mvsim/world/visuals.h"

namespace protobeam::mvsim {
namespace {

/// A wheel as MVSim has it when its tag or its position is missing.
struct Slot {
  const char* tag;
  Vec2 position;
  bool fixed = false;  ///< `pos` has no effect
};

struct PlacedWheel {
  const char* tag = nullptr;
  Vec2 position = Vec2::Zero();
  Place position_place;
  wbt::NodePtr node;
};

std::vector<Slot> slots_of(Import& import, const Element& dynamics) {
  if (drive_kind(dynamics) != DriveKind::kDifferential) {
    const Reader reader = import.children(dynamics);
    const double x = reader.number("f_wheels_x", 1.3), d = reader.positive("f_wheels_d", 2.0);
    return {{"rl_wheel", {0, 0.9}},
            {"rr_wheel", {0, -0.9}},
            {"fl_wheel", {x, d / 2}, true},
            {"fr_wheel", {x, -d / 2}, true}};
  }
  const std::string kind = import.attributes(dynamics).text("class");
  if (kind == "differential_4_wheels") {
    return {{"lr_wheel", {0, 0.5}},
            {"rr_wheel", {0, -0.5}},
            {"lf_wheel", {0.5, 0.5}},
            {"rf_wheel", {0.5, -0.5}}};
  }
  std::vector<Slot> slots{{"l_wheel", {0, 0.5}}, {"r_wheel", {0, -0.5}}};
  if (kind == "differential_3_wheels") slots.push_back({"caster_wheel", {0.5, 0}});
  return slots;
}

/// The wheel as a plain cylinder or as its model, which rotates about y.
std::vector<wbt::NodePtr> looks(Import& import, const Element* element, double width,
                                double diameter, const Origin& origin) {
  const Color grey{0x32, 0x32, 0x32, 0xff};
  const Color color = element ? import.attributes(*element).color("color", grey).value : grey;
  wbt::NodePtr cylinder =
      NodeMaker("Cylinder", origin).number("height", width).number("radius", diameter / 2).take();
  wbt::NodePtr plain = posed(shape(std::move(cylinder), color, origin),
                             Pose::rotation(axis_angle(Vec3::UnitX(), kPi / 2)), origin);
  if (!element) return {std::move(plain)};
  return seen(visuals_of(import, *element), std::move(plain));
}

/// What is steered with the wheel at that place: its yaw is that of the wheel, and an offset
/// (VehicleBase.cpp, internalGuiUpdate).
wbt::NodePtr steered_part(Import& import, const Element& vehicle, const Element& wheel,
                          const Pose& X_VH, std::vector<Visual>* visuals) {
  const Reader reader = import.attributes(wheel);
  const auto name = reader.text("linked_yaw");
  if (!name.written || name.value.empty()) return nullptr;
  std::vector<std::string> names;
  for (const Element* visual : vehicle.all("visual")) {
    names.push_back(import.children(*visual).text("name", kVisualName));
  }
  if (std::find(names.begin(), names.end(), name.value) == names.end()) {
    const std::string nearest = did_you_mean(name.value, names);
    reader.warning(name.place, "no <visual> of the vehicle has the <name> '" + name.value + "'",
                   nearest.empty() ? "nothing is steered with the wheel" : nearest);
    return nullptr;
  }
  if (!visuals) return nullptr;
  const auto visual = std::find_if(visuals->begin(), visuals->end(), [&](const Visual& one) {
    return one.node && one.name == name.value;
  });
  if (visual == visuals->end()) return nullptr;  // its model is not there, which was said
  const double offset = reader.degrees("linked_yaw_offset_deg", 0);
  const Vec3 away = X_VH.R.conjugate() * (visual->X.p - X_VH.p);
  constexpr double kBesideAxis = 1e-3;  // m
  if (away.head<2>().norm() > kBesideAxis) {
    reader.warning(name.place,
                   "<visual> '" + name.value + "' turns about the middle of <" + wheel.tag +
                       ">, which is " + to_text(std::round(away.head<2>().norm() * 1000) / 1000) +
                       " m from it",
                   "MVSim turns it about its own origin");
  }
  visual->node = nullptr;
  return placed(*visual, {axis_angle(Vec3::UnitZ(), offset) * visual->R_level, away});
}

Given<double> required(const Reader& reader, const Element& element, const char* name,
                       double fallback) {
  const auto value = reader.positive(name, fallback);
  if (!reader.find(name)) {
    reader.error(element.place, "<" + element.tag + "> has no '" + name + "'",
                 std::string("write ") + name + "=\"" + to_text(fallback) + "\" or another value");
  }
  return value;
}

PlacedWheel wheel(Import& import, const Element& vehicle, const Element& dynamics, const Slot& slot,
                  std::vector<Visual>* visuals) {
  const Element* element = dynamics.child(slot.tag);
  const Origin origin(element ? *element : dynamics);
  PlacedWheel out{slot.tag, slot.position, origin.place, nullptr};
  NodeMaker made("VehicleWheel", origin);
  double mass = 2, width = 0.2, diameter = 0.4, yaw = 0;
  if (!element) {
    import.diagnostics.warning(dynamics.place,
                               std::string("<dynamics> has no <").append(slot.tag) + ">",
                               "MVSim's default is taken: 2 kg, 0.4 m across, at " +
                                   to_text(slot.position.x()) + " " + to_text(slot.position.y()),
                               dynamics.chain);
  } else {
    const Reader reader = import.attributes(*element);
    mass = required(reader, *element, "mass", mass);
    diameter = required(reader, *element, "diameter", diameter);
    width = reader.positive("width", width);
    if (const auto pos = reader.numbers("pos")) {
      const auto& p = pos->value;
      out.position_place = pos->place;
      if (p.size() < 2) {
        reader.error(pos->place, "'pos' of <" + element->tag + "> wants X Y or X Y YAW_DEGREES");
      } else if (!slot.fixed) {
        out.position = {p[0], p[1]};
      }
      if (p.size() > 2) yaw = p[2] * kPi / 180;
      if (slot.fixed) {
        reader.warning(pos->place, "'pos' of <" + element->tag + "> has no effect",
                       "its place is that of <f_wheels_x> and <f_wheels_d>");
      }
    }
    const auto inertia = reader.positive("inertia", 1);
    if (inertia.written) made.number("inertia", inertia, inertia.place);
  }
  const Vec3 middle(out.position.x(), out.position.y(), diameter / 2);
  made.vec3("position", middle, out.position_place);
  if (yaw != 0) made.number("yaw", yaw, out.position_place);
  made.number("mass", mass)
      .number("width", width)
      .number("diameter", diameter)
      .nodes("children", looks(import, element, width, diameter, origin));
  if (element) {
    const Pose X_VH{axis_angle(Vec3::UnitZ(), yaw), middle};
    if (auto part = steered_part(import, vehicle, *element, X_VH, visuals)) {
      made.nodes("steeredChildren", {std::move(part)});
    }
  }
  out.node = made.take();
  return out;
}

/// Left ones must lie to the left.
void order_pair(Import& import, const Element& dynamics, PlacedWheel& left, PlacedWheel& right) {
  if (left.position.y() > right.position.y()) return;
  const std::string message = std::string("<").append(left.tag) +
                              "> does not lie to the left of <" + right.tag + ">: its y " +
                              to_text(left.position.y()) + " is not greater than " +
                              to_text(right.position.y());
  if (left.position.y() == right.position.y()) {
    import.diagnostics.error(left.position_place, message, {}, dynamics.chain);
    return;
  }
  import.diagnostics.warning(left.position_place, message, "each is taken for the other one",
                             dynamics.chain);
  std::swap(left, right);
}

}  // namespace

std::vector<wbt::NodePtr> wheel_nodes(Import& import, const Element& vehicle,
                                      const Element& dynamics, std::vector<Visual>* visuals) {
  std::vector<PlacedWheel> wheels;
  for (const Slot& slot : slots_of(import, dynamics)) {
    wheels.push_back(wheel(import, vehicle, dynamics, slot, visuals));
  }
  order_pair(import, dynamics, wheels[0], wheels[1]);
  if (wheels.size() == 4) order_pair(import, dynamics, wheels[2], wheels[3]);
  std::vector<wbt::NodePtr> out;
  for (PlacedWheel& one : wheels) out.push_back(std::move(one.node));
  return out;
}

}  // namespace protobeam::mvsim
