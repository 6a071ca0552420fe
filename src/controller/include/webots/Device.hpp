#ifndef WEBOTS_DEVICE_HPP
#define WEBOTS_DEVICE_HPP

#include <webots/device.h>

#include <string>

namespace webots {

/// A device of the robot. Robot::getDevice() makes them and keeps them.
class Device {
 public:
  explicit Device(WbDeviceTag tag);
  explicit Device(const std::string& name);
  virtual ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::string& getName() const { return name_; }
  std::string getModel() const { return wb_device_get_model(tag_); }
  int getNodeType() const { return wb_device_get_node_type(tag_); }
  int getTag() const { return tag_; }

  static bool hasType(int tag, int type);

 protected:
  WbDeviceTag tag() const { return tag_; }

 private:
  WbDeviceTag tag_;
  std::string name_;
};

}  // namespace webots

#endif  // WEBOTS_DEVICE_HPP
