#ifndef WEBOTS_SKIN_HPP
#define WEBOTS_SKIN_HPP

#include <webots/skin.h>

#include <string>
#include <webots/Device.hpp>

namespace webots {

class Skin : public Device {
 public:
  using Device::Device;

  int getBoneCount() const { return wb_skin_get_bone_count(tag()); }
  std::string getBoneName(int index) const { return wb_skin_get_bone_name(tag(), index); }
  const double* getBoneOrientation(int index, bool absolute) const {
    return wb_skin_get_bone_orientation(tag(), index, absolute);
  }
  const double* getBonePosition(int index, bool absolute) const {
    return wb_skin_get_bone_position(tag(), index, absolute);
  }
  void setBoneOrientation(int index, const double orientation[4], bool absolute) {
    wb_skin_set_bone_orientation(tag(), index, orientation, absolute);
  }
  void setBonePosition(int index, const double position[3], bool absolute) {
    wb_skin_set_bone_position(tag(), index, position, absolute);
  }
};

}  // namespace webots

#endif  // WEBOTS_SKIN_HPP
