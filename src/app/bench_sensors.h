// Lidars for the benchmarks, without a world.
#pragma once

#include <memory>
#include <string>

#include "device/device_model.h"
#include "device/plugin.h"
#include "sim/plugins.h"
#include "wbt/load.h"

namespace protobeam {

class BenchSensors {
 public:
  BenchSensors();

  /// A product of the catalogue, or "Lidar", with the text of its fields. It gives points as well.
  /// With `frozen`, motionDistortion is FALSE whatever it says. Throws std::runtime_error.
  std::unique_ptr<DeviceModel> make(const std::string& proto, const std::string& fields = "",
                                    bool frozen = false);

 private:
  SchemaRegistry schemas_;
  PluginLoader plugins_;
};

inline constexpr char kDatasheet[] = "beamModel \"datasheet\"";

}  // namespace protobeam
