// The C++ classes are inline over the C functions; here is what they have in common.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <protobeam/Device.hpp>
#include <protobeam/Vehicle.hpp>
#include <webots/Robot.hpp>
#include <webots/device_headers.inc>

namespace webots {
namespace {

Robot* instance = nullptr;

}  // namespace

Device::Device(WbDeviceTag tag) : tag_(tag), name_(wb_device_get_name(tag)) {}
Device::Device(const std::string& name) : tag_(wb_robot_get_device(name.c_str())), name_(name) {}
Device::~Device() = default;
bool Device::hasType(int tag, int type) {
  return wb_device_get_node_type(static_cast<WbDeviceTag>(tag)) == type;
}

Robot::Robot() {
  if (instance) {
    std::fprintf(stderr, "Error: a controller can have only one Robot.\n");
    std::exit(EXIT_FAILURE);
  }
  wb_robot_init();
  instance = this;
  devices_.resize(static_cast<std::size_t>(wb_robot_get_number_of_devices()) + 1);
}

Robot::~Robot() {
  devices_.clear();
  wb_robot_cleanup();
  instance = nullptr;
}

Robot* Robot::internalGetInstance() { return instance; }

Device* Robot::getDeviceFromTag(int tag) {
  if (!instance) return nullptr;
  auto& devices = instance->devices_;
  if (tag <= 0 || static_cast<std::size_t>(tag) >= devices.size()) return nullptr;
  auto& device = devices[static_cast<std::size_t>(tag)];
  if (!device) device.reset(instance->create(static_cast<WbDeviceTag>(tag)));
  return device.get();
}

Device* Robot::getDevice(const std::string& name) {
  return getDeviceFromTag(wb_robot_get_device(name.c_str()));
}

Device* Robot::getDeviceByIndex(int index) {
  return getDeviceFromTag(wb_robot_get_device_by_index(index));
}

template <class T>
T* Robot::get(const std::string& name) {
  Device* device = getDevice(name);
  T* wanted = dynamic_cast<T*>(device);
  if (device && !wanted) {
    std::fprintf(stderr, "Warning: device \"%s\" is of another type.\n", name.c_str());
  }
  return wanted;
}

#define WEBOTS_DEVICE(Class)                                                     \
  Class* Robot::get##Class(const std::string& name) { return get<Class>(name); } \
  Class* Robot::create##Class(WbDeviceTag tag) const { return new Class(tag); }
#include <webots/device_classes.inc>
#undef WEBOTS_DEVICE

Device* Robot::create(WbDeviceTag tag) const {
  const char* api = pb_device_get_api(tag);
#define WEBOTS_DEVICE(Class) \
  if (std::strcmp(api, #Class) == 0) return create##Class(tag);
#include <webots/device_classes.inc>
#undef WEBOTS_DEVICE
  if (std::strcmp(api, "VehicleDrive") == 0) return new protobeam::Vehicle(tag);
  return new protobeam::Device(tag);
}

}  // namespace webots
