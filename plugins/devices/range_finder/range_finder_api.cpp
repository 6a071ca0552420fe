// Webots' functions of RangeFinder.
#include <webots/range_finder.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "controller/device_access.h"
#include "controller/png_file.h"

namespace {

struct RangeFinderAccess : protobeam::controller::Access {
  RangeFinderAccess(const char* function, WbDeviceTag tag)
      : Access(function, tag, {"RangeFinder"}) {}
  int width() const { return static_cast<int>(number("width")); }
  int height() const { return static_cast<int>(number("height")); }
};

}  // namespace

extern "C" {

void wb_range_finder_enable(WbDeviceTag tag, int sampling_period) {
  RangeFinderAccess(__func__, tag).enable(sampling_period);
}
void wb_range_finder_disable(WbDeviceTag tag) { RangeFinderAccess(__func__, tag).disable(); }
int wb_range_finder_get_sampling_period(WbDeviceTag tag) {
  return RangeFinderAccess(__func__, tag).period();
}

const float* wb_range_finder_get_range_image(WbDeviceTag tag) {
  const RangeFinderAccess sensor(__func__, tag);
  if (!sensor.enabled()) return nullptr;
  const auto image = sensor.channel<float>("range");
  return image.empty() ? nullptr : image.data();
}
int wb_range_finder_get_width(WbDeviceTag tag) { return RangeFinderAccess(__func__, tag).width(); }
int wb_range_finder_get_height(WbDeviceTag tag) {
  return RangeFinderAccess(__func__, tag).height();
}
double wb_range_finder_get_fov(WbDeviceTag tag) {
  return RangeFinderAccess(__func__, tag).number("fov");
}
double wb_range_finder_get_min_range(WbDeviceTag tag) {
  return RangeFinderAccess(__func__, tag).number("minRange");
}
double wb_range_finder_get_max_range(WbDeviceTag tag) {
  return RangeFinderAccess(__func__, tag).number("maxRange");
}

int wb_range_finder_save_image(WbDeviceTag tag, const char* filename, int) {
  const RangeFinderAccess sensor(__func__, tag);
  if (!sensor.enabled()) return -1;
  const auto image = sensor.channel<float>("range");
  const double low = sensor.number("minRange"), high = sensor.number("maxRange");
  std::vector<unsigned char> grey;
  grey.reserve(image.size());
  for (const float depth : image) {
    const double share = (std::min(double{depth}, high) - low) / (high - low);
    grey.push_back(static_cast<unsigned char>(std::lround(255 * std::clamp(share, 0.0, 1.0))));
  }
  const std::string problem =
      protobeam::controller::write_png(filename, grey, sensor.width(), sensor.height(), 1);
  if (!problem.empty()) sensor.complain(problem);
  return problem.empty() ? 0 : -1;
}

}  // extern "C"
