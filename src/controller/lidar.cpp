#include <webots/lidar.h>

#include "client.h"

using namespace protobeam;
using controller::Access;

static_assert(sizeof(WbLidarPoint) == sizeof(LidarPoint));

namespace {

struct LidarAccess : Access {
  LidarAccess(const char* function, WbDeviceTag tag)
      : Access(function, tag, {DeviceKind::kLidar}) {}

  int columns() const { return integer("horizontalResolution"); }
  int layers() const { return integer("numberOfLayers"); }
  double fact(const char* name) const { return *this ? (*this)->number(name, 0) : 0; }

  /// The start of a layer of ranges; null, after a complaint, when there is none.
  const float* ranges(int layer) const {
    if (!readable(layer)) return nullptr;
    return reinterpret_cast<const float*>((*this)->data.data()) + std::ptrdiff_t{layer} * columns();
  }
  const WbLidarPoint* points(int layer) const {
    if (!readable(layer)) return nullptr;
    if (!(*this)->lidar.point_cloud) {
      complain("called for '" + (*this)->record.name + "' without wb_lidar_enable_point_cloud()");
      return nullptr;
    }
    const auto* first = reinterpret_cast<const WbLidarPoint*>(
        (*this)->data.data() + sizeof(float) * static_cast<std::size_t>(layers() * columns()));
    return first + std::ptrdiff_t{layer} * columns();
  }

 private:
  int integer(const char* name) const { return static_cast<int>(fact(name)); }

  bool readable(int layer) const {
    if (!enabled()) return false;
    if (layer < 0 || layer >= layers()) {
      complain("called with layer " + std::to_string(layer) + ", '" + (*this)->record.name +
               "' has " + std::to_string(layers()));
      return false;
    }
    const auto size =
        lidar_data_size(static_cast<std::size_t>(layers()), static_cast<std::size_t>(columns()));
    if ((*this)->data.size() >= size) return true;
    complain("finds no image of '" + (*this)->record.name + "'");
    return false;
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
  const LidarAccess lidar(__func__, tag);
  if (!lidar || lidar->lidar.point_cloud) return;
  lidar->lidar.point_cloud = true;
  lidar.command(DeviceOp::kLidarPointCloud, {1});
}
void wb_lidar_disable_point_cloud(WbDeviceTag tag) {
  const LidarAccess lidar(__func__, tag);
  if (!lidar || !lidar->lidar.point_cloud) return;
  lidar->lidar.point_cloud = false;
  lidar.command(DeviceOp::kLidarPointCloud, {0});
}
bool wb_lidar_is_point_cloud_enabled(WbDeviceTag tag) {
  const LidarAccess lidar(__func__, tag);
  return lidar && lidar->lidar.point_cloud;
}

const float* wb_lidar_get_range_image(WbDeviceTag tag) {
  return LidarAccess(__func__, tag).ranges(0);
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
  return lidar.layers() * lidar.columns();
}
int wb_lidar_get_horizontal_resolution(WbDeviceTag tag) {
  return LidarAccess(__func__, tag).columns();
}
int wb_lidar_get_number_of_layers(WbDeviceTag tag) { return LidarAccess(__func__, tag).layers(); }

double wb_lidar_get_frequency(WbDeviceTag tag) {
  const LidarAccess lidar(__func__, tag);
  return lidar ? lidar->lidar.frequency : 0;
}
void wb_lidar_set_frequency(WbDeviceTag tag, double frequency) {
  const LidarAccess lidar(__func__, tag);
  if (!lidar) return;
  const double least = lidar.fact("minFrequency"), most = lidar.fact("maxFrequency");
  if (!(frequency >= least && frequency <= most)) {
    return lidar.complain("called with " + std::to_string(frequency) + " Hz, '" +
                          lidar->record.name + "' turns with " + std::to_string(least) + " to " +
                          std::to_string(most) + " Hz");
  }
  lidar->lidar.frequency = frequency;
  lidar.command(DeviceOp::kLidarFrequency, {frequency});
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
