// A vehicle's drive.
#include <protobeam/vehicle.h>

#include <cmath>
#include <limits>
#include <string>

#include "base/vehicle_data.h"
#include "controller/device_access.h"

using namespace protobeam;
using controller::Access;
using controller::kNaN;

namespace {

namespace data = vehicle_data;

constexpr const char* kSetPoints[] = {"twist", "speed", "torques"};  // by PbSetPoint

struct VehicleAccess : Access {
  VehicleAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {"VehicleDrive"}) {}

  bool has(int wheel) const {
    if (!*this) return false;
    const auto wheels = list("wheelRadii").size();
    if (wheel >= 0 && static_cast<std::size_t>(wheel) < wheels) return true;
    complain("called with wheel " + std::to_string(wheel) + "; '" + (*this)->record.name +
             "' has " + std::to_string(wheels) + ", counted from 0");
    return false;
  }
  bool finite(std::initializer_list<double> values) const {
    for (double value : values) {
      if (std::isfinite(value)) continue;
      complain("called with " + std::to_string(value) + " for '" + (*this)->record.name + "'");
      return false;
    }
    return true;
  }

  PbTwist twist(const char* channel) const {
    const double* v = values(channel);
    return v ? PbTwist{v[0], v[1], v[2]} : PbTwist{kNaN, kNaN, kNaN};
  }
};

}  // namespace

extern "C" {

void pb_vehicle_set_twist(WbDeviceTag tag, double vx, double vy, double omega) {
  const VehicleAccess vehicle(__func__, tag);
  if (!vehicle || !vehicle.finite({vx, vy, omega})) return;
  vehicle.command("twist", {vx, vy, omega});
}

void pb_vehicle_set_speed(WbDeviceTag tag, double speed, double steering) {
  const VehicleAccess vehicle(__func__, tag);
  if (!vehicle || !vehicle.finite({speed, steering})) return;
  vehicle.command("speed", {speed, steering});
}

void pb_vehicle_set_torques(WbDeviceTag tag, const double* torques, int count, double steering) {
  const VehicleAccess vehicle(__func__, tag);
  if (!vehicle || !vehicle.finite({steering})) return;
  const int wanted = static_cast<int>(vehicle.number("inputs"));
  if (count != wanted || !torques) {
    vehicle.complain("called with " + std::to_string(torques ? count : 0) + " torques; '" +
                     vehicle->record.name + "' takes " + std::to_string(wanted));
    return;
  }
  std::vector<double> numbers = {steering};
  for (int i = 0; i < count; ++i) {
    if (!vehicle.finite({torques[i]})) return;
    numbers.push_back(torques[i]);
  }
  vehicle.command("torques", std::move(numbers));
}

void pb_vehicle_enable(WbDeviceTag tag, int sampling_period) {
  VehicleAccess(__func__, tag).enable(sampling_period);
}
void pb_vehicle_disable(WbDeviceTag tag) { VehicleAccess(__func__, tag).disable(); }
int pb_vehicle_get_sampling_period(WbDeviceTag tag) {
  return VehicleAccess(__func__, tag).period();
}

PbTwist pb_vehicle_get_odometry_twist(WbDeviceTag tag) {
  return VehicleAccess(__func__, tag).twist("odometry_twist");
}
PbPose pb_vehicle_get_odometry_pose(WbDeviceTag tag) {
  const double* v = VehicleAccess(__func__, tag).values("odometry_pose");
  return v ? PbPose{v[0], v[1], 0, 0, 0, v[2]} : PbPose{kNaN, kNaN, kNaN, kNaN, kNaN, kNaN};
}
PbTwist pb_vehicle_get_true_twist(WbDeviceTag tag) {
  return VehicleAccess(__func__, tag).twist("true_twist");
}
PbPose pb_vehicle_get_true_pose(WbDeviceTag tag) {
  const double* v = VehicleAccess(__func__, tag).values("true_pose");
  return v ? PbPose{v[0], v[1], v[2], v[3], v[4], v[5]}
           : PbPose{kNaN, kNaN, kNaN, kNaN, kNaN, kNaN};
}
bool pb_vehicle_has_collided(WbDeviceTag tag) {
  const double* v = VehicleAccess(__func__, tag).values("collision");
  return v && *v > 0;  // NaN before the first sample
}
PbWheel pb_vehicle_get_wheel(WbDeviceTag tag, int wheel) {
  const VehicleAccess vehicle(__func__, tag);
  const double* v = vehicle.has(wheel) ? vehicle.values("wheels") : nullptr;
  if (!v) return {kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, false};
  v += static_cast<std::size_t>(wheel) * data::kWheelSize;
  return {v[data::kSteering], v[data::kAngle],     v[data::kSpin],      v[data::kTorque],
          v[data::kLoad],     v[data::kSlipRatio], v[data::kSlipAngle], v[data::kContact] > 0};
}

const char* pb_vehicle_get_drive(WbDeviceTag tag) {
  return VehicleAccess(__func__, tag).text("drive");
}
const char* pb_vehicle_get_controller(WbDeviceTag tag) {
  return VehicleAccess(__func__, tag).text("controller");
}
bool pb_vehicle_takes(WbDeviceTag tag, PbSetPoint kind) {
  const VehicleAccess vehicle(__func__, tag);
  return kind >= PB_VEHICLE_TWIST && kind <= PB_VEHICLE_TORQUES &&
         vehicle.text("takes") == std::string_view(kSetPoints[kind]);
}
int pb_vehicle_get_number_of_torques(WbDeviceTag tag) {
  return static_cast<int>(VehicleAccess(__func__, tag).number("inputs"));
}
double pb_vehicle_get_max_torque(WbDeviceTag tag) {
  return VehicleAccess(__func__, tag).number("maxTorque");
}
double pb_vehicle_get_max_steering(WbDeviceTag tag) {
  return VehicleAccess(__func__, tag).number("maxSteering");
}
double pb_vehicle_get_wheelbase(WbDeviceTag tag) {
  return VehicleAccess(__func__, tag).number("wheelbase");
}
int pb_vehicle_get_number_of_wheels(WbDeviceTag tag) {
  return static_cast<int>(VehicleAccess(__func__, tag).list("wheelRadii").size());
}
double pb_vehicle_get_wheel_radius(WbDeviceTag tag, int wheel) {
  const VehicleAccess vehicle(__func__, tag);
  return vehicle.has(wheel) ? vehicle.list("wheelRadii")[static_cast<std::size_t>(wheel)] : kNaN;
}
bool pb_vehicle_is_wheel_driven(WbDeviceTag tag, int wheel) {
  const VehicleAccess vehicle(__func__, tag);
  return vehicle.has(wheel) && vehicle.list("drivenWheels")[static_cast<std::size_t>(wheel)] != 0;
}
const double* pb_vehicle_get_wheel_position(WbDeviceTag tag, int wheel) {
  const VehicleAccess vehicle(__func__, tag);
  return vehicle.has(wheel)
             ? vehicle.list("wheelPositions").subspan(3 * static_cast<std::size_t>(wheel)).data()
             : nullptr;
}

}  // extern "C"
