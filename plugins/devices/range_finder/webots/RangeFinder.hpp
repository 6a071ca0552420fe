#ifndef WEBOTS_RANGE_FINDER_HPP
#define WEBOTS_RANGE_FINDER_HPP

#include <webots/range_finder.h>

#include <string>
#include <webots/Device.hpp>

namespace webots {

class RangeFinder : public Device {
 public:
  using Device::Device;

  virtual void enable(int samplingPeriod) { wb_range_finder_enable(tag(), samplingPeriod); }
  virtual void disable() { wb_range_finder_disable(tag()); }
  int getSamplingPeriod() const { return wb_range_finder_get_sampling_period(tag()); }

  const float* getRangeImage() const { return wb_range_finder_get_range_image(tag()); }
  static float rangeImageGetDepth(const float* image, int width, int x, int y) {
    return wb_range_finder_image_get_depth(image, width, x, y);
  }
  int getWidth() const { return wb_range_finder_get_width(tag()); }
  int getHeight() const { return wb_range_finder_get_height(tag()); }
  double getFov() const { return wb_range_finder_get_fov(tag()); }
  double getMinRange() const { return wb_range_finder_get_min_range(tag()); }
  double getMaxRange() const { return wb_range_finder_get_max_range(tag()); }
  int saveImage(const std::string& filename, int quality) const {
    return wb_range_finder_save_image(tag(), filename.c_str(), quality);
  }
};

}  // namespace webots

#endif  // WEBOTS_RANGE_FINDER_HPP
