// Webots' functions of Camera.
#include <webots/camera.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "camera_records.h"
#include "controller/device_access.h"
#include "controller/image_file.h"

namespace {

using protobeam::kLongestModel;
using protobeam::kMostObjectColors;
using protobeam::ObjectRecord;

/// What the program has set last, or a supervisor has set since.
struct CameraSettings {
  double fov = 0, exposure = 1, focal_distance = 0;
  int told = -1;               ///< Device::told when these were read
  int recognition_period = 0;  ///< ms
  bool apart = false;          ///< images and objects come with periods of their own
  bool segmentation = false;
  // What wb_camera_recognition_get_objects() returned.
  std::vector<WbCameraRecognitionObject> objects;
  std::vector<double> colors;
  std::vector<char> models;
};

struct CameraAccess : protobeam::controller::Access {
  CameraAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {"Camera"}) {}

  int width() const { return static_cast<int>(number("width")); }
  int height() const { return static_cast<int>(number("height")); }
  double get(double CameraSettings::*setting) const {
    return *this ? settings().*setting : protobeam::controller::kNaN;
  }
  void set(double CameraSettings::*setting, const char* name, double value) const {
    if (*this && command(name, {value})) settings().*setting = value;
  }
  bool recognizes() const { return number("recognition") != 0; }
  bool segments() const { return number("segmentationWidth") != 0; }
  /// Tells who asks for what the camera has not.
  bool needs(bool there, const char* what) const {
    if (*this && !there)
      complain("called for '" + (*this)->record.name + "', which has no " + what);
    return *this && there;
  }

  /// Says it when recognition is off.
  bool recognizing() const {
    if (!needs(recognizes(), "Recognition")) return false;
    if (settings().recognition_period > 0) return true;
    complain("called for '" + (*this)->record.name +
             "', whose recognition is disabled; call wb_camera_recognition_enable() first");
    return false;
  }
  /// Recognition is a sensor of its own, as in Webots: while the camera is disabled for the
  /// program, it is sampled for recognition alone.
  void set_recognition(int sampling_period) const {
    if (!command("recognition", {sampling_period / 1000.0})) return;
    settings().recognition_period = sampling_period;
    if (period() == 0) sample_every(sampling_period);
    share_samples();
  }
  void set_camera(int sampling_period) const {
    if (!*this) return;
    enable(sampling_period);
    if (period() == 0 && settings().recognition_period > 0) {
      sample_every(settings().recognition_period);
    }
    share_samples();
  }
  /// Where objects are not wanted with some of the images only, the camera is sampled as often as
  /// either of them needs.
  void share_samples() const {
    const double step = protobeam::controller::Client::get().robot().basic_time_step_ms;
    const auto steps = [step](int ms) { return std::max(1L, std::lround(ms / step)); };
    const long images = steps(period()), objects = steps(settings().recognition_period);
    const bool apart = period() > 0 && settings().recognition_period > 0 && objects % images != 0;
    if (!apart && !settings().apart) return;
    settings().apart = apart;
    command("image period", {apart ? static_cast<double>(images) * step / 1000 : 0});
    if (period() == 0) return;
    sample_every(apart ? static_cast<double>(std::gcd(images, objects)) * step : period());
  }
  /// What the camera has seen of the segments; empty before the first step.
  std::span<const unsigned char> segments_image() const {
    return (*this)->has_place ? kept<unsigned char>("segmentation")
                              : std::span<const unsigned char>();
  }

  /// Blue, green, red, alpha or grey a pixel; alpha is left out. 0, or -1 after a message.
  int save(std::span<const unsigned char> image, std::size_t channels, const char* filename,
           int quality) const {
    std::vector<unsigned char> pixels;
    if (channels == 4) {
      for (std::size_t i = 0; i + 3 < image.size(); i += 4) {
        pixels.insert(pixels.end(), {image[i + 2], image[i + 1], image[i]});
      }
    } else {
      pixels.assign(image.begin(), image.end());
    }
    const auto order = channels == 4 ? protobeam::PixelOrder::kRgb : protobeam::PixelOrder::kGrey;
    const std::string problem = protobeam::controller::write_image(filename, pixels, width(),
                                                                   height(), order, quality);
    if (!problem.empty()) complain(problem);
    return problem.empty() ? 0 : -1;
  }

  CameraSettings& settings() const {
    auto& settings = state<CameraSettings>(
        [this] { return CameraSettings{.focal_distance = number("focalDistance")}; });
    if (std::exchange(settings.told, (*this)->told) != (*this)->told) {
      settings.fov = number("fov");
      settings.exposure = number("exposure", 1);
    }
    return settings;
  }
};

}  // namespace

extern "C" {

void wb_camera_enable(WbDeviceTag tag, int sampling_period) {
  CameraAccess(__func__, tag).set_camera(sampling_period);
}
void wb_camera_disable(WbDeviceTag tag) { CameraAccess(__func__, tag).set_camera(0); }
int wb_camera_get_sampling_period(WbDeviceTag tag) { return CameraAccess(__func__, tag).period(); }

const unsigned char* wb_camera_get_image(WbDeviceTag tag) {
  return CameraAccess(__func__, tag).image<unsigned char>("image").data();
}
int wb_camera_get_width(WbDeviceTag tag) { return CameraAccess(__func__, tag).width(); }
int wb_camera_get_height(WbDeviceTag tag) { return CameraAccess(__func__, tag).height(); }

double wb_camera_get_fov(WbDeviceTag tag) {
  return CameraAccess(__func__, tag).get(&CameraSettings::fov);
}
double wb_camera_get_max_fov(WbDeviceTag tag) { return CameraAccess(__func__, tag).fact("maxFov"); }
double wb_camera_get_min_fov(WbDeviceTag tag) { return CameraAccess(__func__, tag).fact("minFov"); }
void wb_camera_set_fov(WbDeviceTag tag, double fov) {
  const CameraAccess sensor(__func__, tag);
  if (!sensor) return;
  if (!(fov >= sensor.number("minFov") && fov <= sensor.number("maxFov"))) {
    sensor.complain("called with a field of view of " + std::to_string(fov) +
                    " rad, which its Zoom does not allow");
    return;
  }
  sensor.set(&CameraSettings::fov, "fov", fov);
}
double wb_camera_get_exposure(WbDeviceTag tag) {
  return CameraAccess(__func__, tag).get(&CameraSettings::exposure);
}
void wb_camera_set_exposure(WbDeviceTag tag, double exposure) {
  CameraAccess(__func__, tag).set(&CameraSettings::exposure, "exposure", exposure);
}
double wb_camera_get_focal_length(WbDeviceTag tag) {
  return CameraAccess(__func__, tag).fact("focalLength");
}
double wb_camera_get_focal_distance(WbDeviceTag tag) {
  return CameraAccess(__func__, tag).get(&CameraSettings::focal_distance);
}
double wb_camera_get_max_focal_distance(WbDeviceTag tag) {
  return CameraAccess(__func__, tag).fact("maxFocalDistance");
}
double wb_camera_get_min_focal_distance(WbDeviceTag tag) {
  return CameraAccess(__func__, tag).fact("minFocalDistance");
}
void wb_camera_set_focal_distance(WbDeviceTag tag, double distance) {
  const CameraAccess sensor(__func__, tag);
  if (!sensor) return;
  if (!(distance >= sensor.number("minFocalDistance") &&
        distance <= sensor.number("maxFocalDistance"))) {
    sensor.complain("called with a focal distance of " + std::to_string(distance) +
                    " m, which its Focus does not allow");
    return;
  }
  sensor.set(&CameraSettings::focal_distance, "focal distance", distance);
}
double wb_camera_get_near(WbDeviceTag tag) { return CameraAccess(__func__, tag).fact("near"); }

int wb_camera_save_image(WbDeviceTag tag, const char* filename, int quality) {
  const CameraAccess sensor(__func__, tag);
  const auto image = sensor.image<unsigned char>("image");
  if (image.empty()) return -1;
  return sensor.save(image, static_cast<std::size_t>(sensor.number("channels", 4)), filename,
                     quality);
}

bool wb_camera_has_recognition(WbDeviceTag tag) { return CameraAccess(__func__, tag).recognizes(); }
void wb_camera_recognition_enable(WbDeviceTag tag, int sampling_period) {
  const CameraAccess sensor(__func__, tag);
  if (!sensor.needs(sensor.recognizes(), "Recognition")) return;
  if (sampling_period < 0) return sensor.complain("called with a negative period");
  sensor.set_recognition(sampling_period);
}
void wb_camera_recognition_disable(WbDeviceTag tag) {
  const CameraAccess sensor(__func__, tag);
  if (!sensor.needs(sensor.recognizes(), "Recognition")) return;
  sensor.set_recognition(0);
}
int wb_camera_recognition_get_sampling_period(WbDeviceTag tag) {
  const CameraAccess sensor(__func__, tag);
  return sensor.needs(sensor.recognizes(), "Recognition") ? sensor.settings().recognition_period
                                                          : 0;
}
int wb_camera_recognition_get_number_of_objects(WbDeviceTag tag) {
  const CameraAccess sensor(__func__, tag);
  if (!sensor.recognizing()) return 0;
  const auto count = sensor.kept<std::int32_t>("objectCount");
  return count.empty() ? 0 : count[0];
}
const WbCameraRecognitionObject* wb_camera_recognition_get_objects(WbDeviceTag tag) {
  const int count = wb_camera_recognition_get_number_of_objects(tag);
  const CameraAccess sensor(__func__, tag);
  if (count == 0) return nullptr;
  const auto records = sensor.kept<ObjectRecord>("objects");
  const auto colors = sensor.kept<double>("objectColors");
  const auto models = sensor.kept<unsigned char>("objectModels");
  CameraSettings& kept = sensor.settings();
  kept.colors.assign(colors.begin(), colors.end());
  kept.models.assign(models.begin(), models.end());
  kept.objects.clear();
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const ObjectRecord& r = records[i];
    WbCameraRecognitionObject object{};
    object.id = r.id;
    std::ranges::copy(r.position, object.position);
    std::ranges::copy(r.orientation, object.orientation);
    std::ranges::copy(r.size, object.size);
    std::ranges::copy(r.position_on_image, object.position_on_image);
    std::ranges::copy(r.size_on_image, object.size_on_image);
    object.number_of_colors = r.number_of_colors;
    object.colors = kept.colors.data() + i * kMostObjectColors * 3;
    object.model = kept.models.data() + i * kLongestModel;
    kept.objects.push_back(object);
  }
  return kept.objects.data();
}
const WbCameraRecognitionObject* wb_camera_recognition_get_object(WbDeviceTag tag, int index) {
  const int count = wb_camera_recognition_get_number_of_objects(tag);
  if (index >= 0 && index < count) return wb_camera_recognition_get_objects(tag) + index;
  protobeam::controller::complain(__func__, "called with object " + std::to_string(index) + " of " +
                                                std::to_string(count) + ", counted from 0");
  return nullptr;
}
bool wb_camera_recognition_has_segmentation(WbDeviceTag tag) {
  return CameraAccess(__func__, tag).segments();
}
void wb_camera_recognition_enable_segmentation(WbDeviceTag tag) {
  const CameraAccess sensor(__func__, tag);
  if (!sensor.recognizing() || !sensor.needs(sensor.segments(), "segmentation")) return;
  if (sensor.command("segmentation", {1})) sensor.settings().segmentation = true;
}
void wb_camera_recognition_disable_segmentation(WbDeviceTag tag) {
  const CameraAccess sensor(__func__, tag);
  if (!sensor.needs(sensor.segments(), "segmentation")) return;
  if (sensor.command("segmentation", {0})) sensor.settings().segmentation = false;
}
bool wb_camera_recognition_is_segmentation_enabled(WbDeviceTag tag) {
  const CameraAccess sensor(__func__, tag);
  return sensor.segments() && sensor.settings().segmentation;
}
const unsigned char* wb_camera_recognition_get_segmentation_image(WbDeviceTag tag) {
  const CameraAccess sensor(__func__, tag);
  if (!sensor.needs(sensor.segments(), "segmentation")) return nullptr;
  if (sensor.settings().segmentation) return sensor.segments_image().data();
  sensor.complain("called for '" + sensor->record.name +
                  "', whose segmentation is disabled; call "
                  "wb_camera_recognition_enable_segmentation() first");
  return nullptr;
}
int wb_camera_recognition_save_segmentation_image(WbDeviceTag tag, const char* filename, int quality) {
  const CameraAccess sensor(__func__, tag);
  if (!sensor.needs(sensor.segments(), "segmentation")) return -1;
  const auto image = sensor.segments_image();
  return image.empty() ? -1 : sensor.save(image, 4, filename, quality);
}

}  // extern "C"
