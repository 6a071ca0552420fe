// Webots' functions of Camera.
#include <webots/camera.h>

#include <vector>

#include "controller/device_access.h"
#include "controller/png_file.h"

namespace {

/// What the program has set last.
struct Settings {
  double fov = 0, exposure = 1, focal_distance = 0;
};

struct Sensor : protobeam::controller::Access {
  Sensor(const char* function, WbDeviceTag tag) : Access(function, tag, {"Camera"}) {}

  int width() const { return static_cast<int>(number("width")); }
  int height() const { return static_cast<int>(number("height")); }
  double get(double Settings::* setting) const { return *this ? settings().*setting : 0; }
  void set(double Settings::* setting, const char* name, double value) const {
    if (*this && command(name, {value})) settings().*setting = value;
  }
  void no_recognition() const {
    if (*this) complain("called for '" + (*this)->record.name + "': recognition is not simulated");
  }

 private:
  Settings& settings() const {
    return state<Settings>([this] {
      return Settings{number("fov"), number("exposure", 1), number("focalDistance")};
    });
  }
};

}  // namespace

extern "C" {

void wb_camera_enable(WbDeviceTag tag, int sampling_period) {
  Sensor(__func__, tag).enable(sampling_period);
}
void wb_camera_disable(WbDeviceTag tag) { Sensor(__func__, tag).disable(); }
int wb_camera_get_sampling_period(WbDeviceTag tag) { return Sensor(__func__, tag).period(); }

const unsigned char* wb_camera_get_image(WbDeviceTag tag) {
  const Sensor sensor(__func__, tag);
  if (!sensor.enabled()) return nullptr;
  const auto image = sensor.channel<unsigned char>("image");
  return image.empty() ? nullptr : image.data();
}
int wb_camera_get_width(WbDeviceTag tag) { return Sensor(__func__, tag).width(); }
int wb_camera_get_height(WbDeviceTag tag) { return Sensor(__func__, tag).height(); }

double wb_camera_get_fov(WbDeviceTag tag) { return Sensor(__func__, tag).get(&Settings::fov); }
double wb_camera_get_max_fov(WbDeviceTag tag) { return Sensor(__func__, tag).number("maxFov"); }
double wb_camera_get_min_fov(WbDeviceTag tag) { return Sensor(__func__, tag).number("minFov"); }
void wb_camera_set_fov(WbDeviceTag tag, double fov) {
  const Sensor sensor(__func__, tag);
  if (!sensor) return;
  if (!(fov >= sensor.number("minFov") && fov <= sensor.number("maxFov"))) {
    sensor.complain("called with a field of view of " + std::to_string(fov) +
                    " rad, which its Zoom does not allow");
    return;
  }
  sensor.set(&Settings::fov, "fov", fov);
}
double wb_camera_get_exposure(WbDeviceTag tag) { return Sensor(__func__, tag).get(&Settings::exposure); }
void wb_camera_set_exposure(WbDeviceTag tag, double exposure) {
  Sensor(__func__, tag).set(&Settings::exposure, "exposure", exposure);
}
double wb_camera_get_focal_length(WbDeviceTag tag) { return Sensor(__func__, tag).number("focalLength"); }
double wb_camera_get_focal_distance(WbDeviceTag tag) {
  return Sensor(__func__, tag).get(&Settings::focal_distance);
}
double wb_camera_get_max_focal_distance(WbDeviceTag tag) {
  return Sensor(__func__, tag).number("maxFocalDistance");
}
double wb_camera_get_min_focal_distance(WbDeviceTag tag) {
  return Sensor(__func__, tag).number("minFocalDistance");
}
void wb_camera_set_focal_distance(WbDeviceTag tag, double distance) {
  const Sensor sensor(__func__, tag);
  if (!sensor) return;
  if (!(distance >= sensor.number("minFocalDistance") && distance <= sensor.number("maxFocalDistance"))) {
    sensor.complain("called with a focal distance of " + std::to_string(distance) +
                    " m, which its Focus does not allow");
    return;
  }
  sensor.set(&Settings::focal_distance, "focal distance", distance);
}
double wb_camera_get_near(WbDeviceTag tag) { return Sensor(__func__, tag).number("near"); }

int wb_camera_save_image(WbDeviceTag tag, const char* filename, int) {
  const Sensor sensor(__func__, tag);
  if (!sensor.enabled()) return -1;
  const auto image = sensor.channel<unsigned char>("image");
  std::vector<unsigned char> rgb;
  rgb.reserve(image.size() / 4 * 3);
  for (std::size_t i = 0; i + 3 < image.size(); i += 4) {
    rgb.insert(rgb.end(), {image[i + 2], image[i + 1], image[i]});
  }
  const std::string problem =
      protobeam::controller::write_png(filename, rgb, sensor.width(), sensor.height(), 3);
  if (!problem.empty()) sensor.complain(problem);
  return problem.empty() ? 0 : -1;
}

bool wb_camera_has_recognition(WbDeviceTag tag) {
  const Sensor sensor(__func__, tag);
  return false;
}
void wb_camera_recognition_enable(WbDeviceTag tag, int) { Sensor(__func__, tag).no_recognition(); }
void wb_camera_recognition_disable(WbDeviceTag tag) { Sensor(__func__, tag).no_recognition(); }
int wb_camera_recognition_get_sampling_period(WbDeviceTag tag) {
  Sensor(__func__, tag).no_recognition();
  return 0;
}
int wb_camera_recognition_get_number_of_objects(WbDeviceTag tag) {
  Sensor(__func__, tag).no_recognition();
  return 0;
}
const WbCameraRecognitionObject* wb_camera_recognition_get_objects(WbDeviceTag tag) {
  Sensor(__func__, tag).no_recognition();
  return nullptr;
}
bool wb_camera_recognition_has_segmentation(WbDeviceTag tag) {
  const Sensor sensor(__func__, tag);
  return false;
}
void wb_camera_recognition_enable_segmentation(WbDeviceTag tag) { Sensor(__func__, tag).no_recognition(); }
void wb_camera_recognition_disable_segmentation(WbDeviceTag tag) { Sensor(__func__, tag).no_recognition(); }
bool wb_camera_recognition_is_segmentation_enabled(WbDeviceTag tag) {
  const Sensor sensor(__func__, tag);
  return false;
}
const unsigned char* wb_camera_recognition_get_segmentation_image(WbDeviceTag tag) {
  Sensor(__func__, tag).no_recognition();
  return nullptr;
}
int wb_camera_recognition_save_segmentation_image(WbDeviceTag tag, const char*, int) {
  Sensor(__func__, tag).no_recognition();
  return -1;
}

}  // extern "C"
