// The C++ classes are inline over the C functions; here is what they have in common.
#include <cstdio>
#include <cstdlib>
#include <protobeam/Sensor.hpp>
#include <protobeam/Vehicle.hpp>
#include <webots/Accelerometer.hpp>
#include <webots/Brake.hpp>
#include <webots/Device.hpp>
#include <webots/DistanceSensor.hpp>
#include <webots/Emitter.hpp>
#include <webots/GPS.hpp>
#include <webots/Gyro.hpp>
#include <webots/InertialUnit.hpp>
#include <webots/Keyboard.hpp>
#include <webots/Lidar.hpp>
#include <webots/Motor.hpp>
#include <webots/PositionSensor.hpp>
#include <webots/Receiver.hpp>
#include <webots/Robot.hpp>
#include <webots/TouchSensor.hpp>

namespace webots {
namespace {

Robot* instance = nullptr;

template <class T>
T* device_of(WbDeviceTag tag) {
  return instance ? dynamic_cast<T*>(instance->getDeviceFromTag(tag)) : nullptr;
}

}  // namespace

Device::Device(WbDeviceTag tag) : tag_(tag), name_(wb_device_get_name(tag)) {}
Device::Device(const std::string& name) : tag_(wb_robot_get_device(name.c_str())), name_(name) {}
Device::~Device() = default;

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
  if (tag <= 0 || static_cast<std::size_t>(tag) >= devices_.size()) return nullptr;
  auto& device = devices_[static_cast<std::size_t>(tag)];
  if (!device) device.reset(create(static_cast<WbDeviceTag>(tag)));
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

Accelerometer* Robot::getAccelerometer(const std::string& name) { return get<Accelerometer>(name); }
Brake* Robot::getBrake(const std::string& name) { return get<Brake>(name); }
DistanceSensor* Robot::getDistanceSensor(const std::string& name) {
  return get<DistanceSensor>(name);
}
Emitter* Robot::getEmitter(const std::string& name) { return get<Emitter>(name); }
GPS* Robot::getGPS(const std::string& name) { return get<GPS>(name); }
Gyro* Robot::getGyro(const std::string& name) { return get<Gyro>(name); }
InertialUnit* Robot::getInertialUnit(const std::string& name) { return get<InertialUnit>(name); }
Lidar* Robot::getLidar(const std::string& name) { return get<Lidar>(name); }
Motor* Robot::getMotor(const std::string& name) { return get<Motor>(name); }
PositionSensor* Robot::getPositionSensor(const std::string& name) {
  return get<PositionSensor>(name);
}
Receiver* Robot::getReceiver(const std::string& name) { return get<Receiver>(name); }
TouchSensor* Robot::getTouchSensor(const std::string& name) { return get<TouchSensor>(name); }

Accelerometer* Robot::createAccelerometer(const std::string& name) const {
  return new Accelerometer(name);
}
Brake* Robot::createBrake(const std::string& name) const { return new Brake(name); }
DistanceSensor* Robot::createDistanceSensor(const std::string& name) const {
  return new DistanceSensor(name);
}
Emitter* Robot::createEmitter(const std::string& name) const { return new Emitter(name); }
GPS* Robot::createGPS(const std::string& name) const { return new GPS(name); }
Gyro* Robot::createGyro(const std::string& name) const { return new Gyro(name); }
InertialUnit* Robot::createInertialUnit(const std::string& name) const {
  return new InertialUnit(name);
}
Lidar* Robot::createLidar(const std::string& name) const { return new Lidar(name); }
Motor* Robot::createMotor(const std::string& name) const { return new Motor(name); }
PositionSensor* Robot::createPositionSensor(const std::string& name) const {
  return new PositionSensor(name);
}
Receiver* Robot::createReceiver(const std::string& name) const { return new Receiver(name); }
TouchSensor* Robot::createTouchSensor(const std::string& name) const {
  return new TouchSensor(name);
}

Device* Robot::create(WbDeviceTag tag) const {
  const std::string name = wb_device_get_name(tag);
  switch (wb_device_get_node_type(tag)) {
    case WB_NODE_ACCELEROMETER:
      return createAccelerometer(name);
    case WB_NODE_BRAKE:
      return createBrake(name);
    case WB_NODE_DISTANCE_SENSOR:
      return createDistanceSensor(name);
    case WB_NODE_EMITTER:
      return createEmitter(name);
    case WB_NODE_GPS:
      return createGPS(name);
    case WB_NODE_GYRO:
      return createGyro(name);
    case WB_NODE_INERTIAL_UNIT:
      return createInertialUnit(name);
    case WB_NODE_LIDAR:
      return createLidar(name);
    case WB_NODE_LINEAR_MOTOR:
    case WB_NODE_ROTATIONAL_MOTOR:
      return createMotor(name);
    case WB_NODE_POSITION_SENSOR:
      return createPositionSensor(name);
    case WB_NODE_RECEIVER:
      return createReceiver(name);
    case WB_NODE_TOUCH_SENSOR:
      return createTouchSensor(name);
    case WB_NODE_PROTOBEAM_SENSOR:
      return new protobeam::Sensor(tag);
    case WB_NODE_PROTOBEAM_VEHICLE:
      return new protobeam::Vehicle(tag);
    default:
      return new Device(tag);
  }
}

Brake* Motor::getBrake() const { return device_of<Brake>(wb_motor_get_brake(tag())); }
PositionSensor* Motor::getPositionSensor() const {
  return device_of<PositionSensor>(wb_motor_get_position_sensor(tag()));
}
Motor* Brake::getMotor() const { return device_of<Motor>(wb_brake_get_motor(tag())); }
PositionSensor* Brake::getPositionSensor() const {
  return device_of<PositionSensor>(wb_brake_get_position_sensor(tag()));
}
Motor* PositionSensor::getMotor() const {
  return device_of<Motor>(wb_position_sensor_get_motor(tag()));
}
Brake* PositionSensor::getBrake() const {
  return device_of<Brake>(wb_position_sensor_get_brake(tag()));
}

}  // namespace webots
