// What is drawn, and how: shared by the window and by pictures.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

namespace protobeam::viewer {

/// What colours the points of a cloud.
enum class CloudColor { kRange, kHeight, kRing, kIntensity, kReturn };
inline constexpr CloudColor kCloudColors[] = {CloudColor::kRange, CloudColor::kHeight,
                                              CloudColor::kRing, CloudColor::kIntensity,
                                              CloudColor::kReturn};
/// "range", "height", "ring", "intensity", "return".
const char* name_of(CloudColor color);
std::optional<CloudColor> cloud_color(const std::string& name);

struct DrawSettings {
  bool clouds = true;
  CloudColor color = CloudColor::kHeight;
  double point_size = 2;   ///< pixels
  int past_sweeps = 0;     ///< how many sweeps stay beside the newest one, for each lidar
  bool beams = false;      ///< a line from the sensor to each return
  bool frusta = false;     ///< what cameras see
  bool frames = false;     ///< X_WB of each body and device: x red, y green, z blue
  bool wireframe = false;  ///< boundingObjects
  bool joints = false;     ///< axes
  bool contacts = false;   ///< points and normals
  bool trails = false;     ///< where robots have been
};

/// Why nothing can be drawn: one sentence.
struct NoGraphics : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace protobeam::viewer
