// Webots' functions of Lidar.
#include <webots/lidar.h>

#include "base/device_data.h"
#include "controller/device_access.h"

static_assert(sizeof(WbLidarPoint) == sizeof(protobeam::LidarPoint));

namespace {

/// What the program has asked for last.
struct LidarCommands {
  bool point_cloud = false;
  double frequency = 0;
};

struct LidarAccess : protobeam::controller::Access {
  LidarAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {"Lidar"}) {}

  int columns() const { return static_cast<int>(number("horizontalResolution")); }
  int layers() const { return static_cast<int>(number("numberOfLayers")); }
  LidarCommands& last() const {
    return state<LidarCommands>([this] {
      return LidarCommands{false, number("defaultFrequency", 10)};
    });
  }

  /// The start of a layer of ranges; null, after a complaint, when there is none.
  const float* ranges(int layer) const { return layer_of<float>("range", layer); }
  const WbLidarPoint* points(int layer) const {
    return gives_points() ? layer_of<WbLidarPoint>("points", layer) : nullptr;
  }
  /// False, after a complaint, while the lidar or its point cloud is disabled.
  bool gives_points() const {
    if (!enabled()) return false;
    if (last().point_cloud) return true;
    complain("called for '" + (*this)->record.name + "' without wb_lidar_enable_point_cloud()");
    return false;
  }
  void set_point_cloud(bool on) const {
    if (!*this || last().point_cloud == on) return;
    if (command("point cloud", {on ? 1.0 : 0.0})) last().point_cloud = on;
  }

 private:
  template <class T>
  const T* layer_of(const char* name, int layer) const {
    if (!enabled()) return nullptr;
    if (layer < 0 || layer >= layers()) {
      complain("called with layer " + std::to_string(layer) + ", '" + (*this)->record.name +
               "' has " + std::to_string(layers()));
      return nullptr;
    }
    const auto all = image<T>(name);
    return all.empty() ? nullptr : all.data() + std::ptrdiff_t{layer} * columns();
  }
};

}  // namespace

extern "C" {

void wb_lidar_enable(WbDeviceTag tag, int sampling_period) {
  LidarAccess(__func__, tag).enable(sampling_period);
}
void wb_lidar_disable(WbDeviceTag tag) { LidarAccess(__func__, tag).disable(); }
int wb_lidar_get_sampling_period(WbDeviceTag tag) { return LidarAccess(__func__, tag).period(); }

void wb_lidar_enable_point_cloud(WbDeviceTag tag) {
  LidarAccess(__func__, tag).set_point_cloud(true);
}
void wb_lidar_disable_point_cloud(WbDeviceTag tag) {
  LidarAccess(__func__, tag).set_point_cloud(false);
}
bool wb_lidar_is_point_cloud_enabled(WbDeviceTag tag) {
  const LidarAccess lidar(__func__, tag);
  return lidar && lidar.last().point_cloud;
}

const float* wb_lidar_get_range_image(WbDeviceTag tag) {
  return LidarAccess(__func__, tag).last_image<float>("range").data();
}
const float* wb_lidar_get_layer_range_image(WbDeviceTag tag, int layer) {
  return LidarAccess(__func__, tag).ranges(layer);
}
const WbLidarPoint* wb_lidar_get_point_cloud(WbDeviceTag tag) {
  return LidarAccess(__func__, tag).points(0);
}
const WbLidarPoint* wb_lidar_get_layer_point_cloud(WbDeviceTag tag, int layer) {
  return LidarAccess(__func__, tag).points(layer);
}
const WbLidarPoint* wb_lidar_get_point(WbDeviceTag tag, int index) {
  const LidarAccess lidar(__func__, tag);
  if (!lidar) return nullptr;
  if (index < 0 || index >= lidar.layers() * lidar.columns()) {
    lidar.complain("called with index " + std::to_string(index) + " out of range");
    return nullptr;
  }
  const WbLidarPoint* first = lidar.points(0);
  return first ? first + index : nullptr;
}
int wb_lidar_get_number_of_points(WbDeviceTag tag) {
  const LidarAccess lidar(__func__, tag);
  return lidar.gives_points() ? lidar.layers() * lidar.columns() : 0;
}
int wb_lidar_get_horizontal_resolution(WbDeviceTag tag) {
  return LidarAccess(__func__, tag).columns();
}
int wb_lidar_get_number_of_layers(WbDeviceTag tag) { return LidarAccess(__func__, tag).layers(); }

double wb_lidar_get_frequency(WbDeviceTag tag) {
  const LidarAccess lidar(__func__, tag);
  return lidar ? lidar.last().frequency : protobeam::controller::kNaN;
}
void wb_lidar_set_frequency(WbDeviceTag tag, double frequency) {
  const LidarAccess lidar(__func__, tag);
  if (!lidar) return;
  const double least = lidar.number("minFrequency"), most = lidar.number("maxFrequency");
  if (!(frequency >= least && frequency <= most)) {
    return lidar.complain("called with " + std::to_string(frequency) + " Hz, '" +
                          lidar->record.name + "' turns with " + std::to_string(least) + " to " +
                          std::to_string(most) + " Hz");
  }
  if (lidar.command("frequency", {frequency})) lidar.last().frequency = frequency;
}
double wb_lidar_get_min_frequency(WbDeviceTag tag) {
  return LidarAccess(__func__, tag).fact("minFrequency");
}
double wb_lidar_get_max_frequency(WbDeviceTag tag) {
  return LidarAccess(__func__, tag).fact("maxFrequency");
}

double wb_lidar_get_fov(WbDeviceTag tag) { return LidarAccess(__func__, tag).fact("fieldOfView"); }
double wb_lidar_get_vertical_fov(WbDeviceTag tag) {
  return LidarAccess(__func__, tag).fact("verticalFieldOfView");
}
double wb_lidar_get_min_range(WbDeviceTag tag) {
  return LidarAccess(__func__, tag).fact("minRange");
}
double wb_lidar_get_max_range(WbDeviceTag tag) {
  return LidarAccess(__func__, tag).fact("maxRange");
}

}  // extern "C"
