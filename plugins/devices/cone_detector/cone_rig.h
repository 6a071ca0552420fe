// A ConeDetector outside of a world, for tests: it takes steps and keeps the messages.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/unit/support/plugin.h"

namespace protobeam {

struct ReadCone {
  float x, y, xx, xy, yy;
  std::int32_t color;
};
struct ReadHeader {
  double stamp, due, delivered;
  std::uint32_t sequence;
  std::int32_t count;
};
struct ReadMessage : ReadHeader {
  std::vector<ReadCone> cones;
};

inline std::string write_file(const std::string& name, const std::string& text) {
  // A folder of this process: tests run beside each other.
  static const struct Folder {
    std::filesystem::path path =
        std::filesystem::path(testing::TempDir()) / ("protobeam-cones-" + std::to_string(getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  } folder;
  const auto path = folder.path / name;
  std::ofstream(path) << text;
  return path.string();
}

class ConeRig {
 public:
  using FieldTexts = std::map<std::string, std::string>;

  explicit ConeRig(const std::string& track, FieldTexts fields = {}, double step = 0.01) {
    const DevicePlugin& plugin = load_sensor_plugin("ConeDetector");
    if (!track.empty()) fields["track"] = quoted(track);
    DeviceContext context;
    context.basic_time_step = step;
    device = make_device(plugin, TestFields(plugin.schema, std::move(fields)), context);
    in.step = step;
    in.noise = {7, 42, 0, 0};
    bytes.resize(device->layout().size);
    device->reset();
  }

  /// `moved` sets the poses of each step.
  void run(int steps, const std::function<void(SampleInput&)>& moved = {}) {
    for (int i = 0; i < steps; ++i) {
      in.time = ++step_ * in.step;
      in.noise.frame = in.frame++;
      if (moved) moved(in);
      take_sample(*device, in, bytes);
      collect("camera", camera, camera_seen_);
      collect("lidar", lidar, lidar_seen_);
    }
  }

  template <class T>
  std::span<const T> channel(const std::string& name) const {
    const ChannelLayout& layout = *device->layout().find(name);
    return {reinterpret_cast<const T*>(bytes.data() + layout.offset), layout.count()};
  }

  std::unique_ptr<DeviceModel> device;
  SampleInput in;
  std::vector<std::byte> bytes;
  std::vector<ReadMessage> camera, lidar;  ///< all that have come

 private:
  void collect(const std::string& name, std::vector<ReadMessage>& out, std::uint32_t& seen) {
    const auto headers = channel<ReadHeader>(name + "_headers");
    const auto cones = channel<ReadCone>(name);
    const std::size_t rows = headers.size(), columns = cones.size() / rows;
    for (; seen < channel<std::uint32_t>(name + "_messages")[0]; ++seen) {
      const std::size_t row = seen % rows;
      ReadMessage message{headers[row], {}};
      const auto first = cones.begin() + static_cast<std::ptrdiff_t>(row * columns);
      message.cones.assign(first, first + message.count);
      out.push_back(std::move(message));
    }
  }

  int step_ = 0;
  std::uint32_t camera_seen_ = 0, lidar_seen_ = 0;
};

struct Moments {
  double mean = 0, deviation = 0;
};
inline Moments moments_of(const std::vector<double>& values) {
  Moments out;
  for (double v : values) out.mean += v / static_cast<double>(values.size());
  for (double v : values) {
    out.deviation += (v - out.mean) * (v - out.mean) / static_cast<double>(values.size() - 1);
  }
  out.deviation = std::sqrt(out.deviation);
  return out;
}

}  // namespace protobeam
