// Webots' functions of RangeFinder.
#include <webots/range_finder.h>

#include <string>

#include "controller/device_access.h"
#include "controller/image_file.h"

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
  return RangeFinderAccess(__func__, tag).last_image<float>("range").data();
}
int wb_range_finder_get_width(WbDeviceTag tag) { return RangeFinderAccess(__func__, tag).width(); }
int wb_range_finder_get_height(WbDeviceTag tag) {
  return RangeFinderAccess(__func__, tag).height();
}
double wb_range_finder_get_fov(WbDeviceTag tag) {
  return RangeFinderAccess(__func__, tag).fact("fov");
}
double wb_range_finder_get_min_range(WbDeviceTag tag) {
  return RangeFinderAccess(__func__, tag).fact("minRange");
}
double wb_range_finder_get_max_range(WbDeviceTag tag) {
  return RangeFinderAccess(__func__, tag).fact("maxRange");
}

int wb_range_finder_save_image(WbDeviceTag tag, const char* filename, int quality) {
  const RangeFinderAccess sensor(__func__, tag);
  const auto image = sensor.image<float>("range");
  if (image.empty()) return -1;
  const std::string problem = protobeam::controller::write_values(
      filename, image, sensor.width(), sensor.height(), sensor.number("minRange"),
      sensor.number("maxRange"), quality);
  if (!problem.empty()) sensor.complain(problem);
  return problem.empty() ? 0 : -1;
}

}  // extern "C"
