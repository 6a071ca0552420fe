// What a live page is told, as bytes: little endian, in the frame of the page's file.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "web/world_file.h"

namespace protobeam::web {

/// The first word of a message.
enum class Kind : std::uint32_t {
  /// uint32 load, float64 time (s), uint32 count, uint32 0; then for each item that has moved:
  /// uint32 item, with the highest bit set when it is not seen, float32 x y z (m), float32 qx qy qz
  /// qw.
  kMoment = 1,
  /// uint32 load, uint32 device (of SceneDescription::devices), uint32 count, float32 x y z and qx
  /// qy qz qw of the sensor, uint32 0; then count x float32 x y z in its frame (m), and count x
  /// uint8 ring (modulo 256), intensity (255: 1), number of the return, 0.
  kSweep = 2,
  /// uint32 load, uint32 count, uint32 0; then for each lamp that has changed: uint32 lamp, float32
  /// red green blue of its light, linear.
  kLamps = 3,
  /// uint32 load, uint32 device, uint32 number; then the bytes of a JPEG.
  kPicture = 4,
  /// uint32 load, uint32 layer (Overlays::Layer), uint32 ends, uint32 dots; then for the ends of
  /// lines, two each, and the dots: float32 x y z (m), and for all of them uint8 red green blue
  /// alpha.
  kLines = 5,
  /// uint32 load, uint32 count, uint32 0; then the place of each robot: float32 x y z (m), NaN:
  /// unknown.
  kRobots = 6,
  /// uint32 load, uint32 shape (the node "s<its index>"), uint32 side (of PaintLayer), uint32
  /// count:
  /// of corners of triangles, three each, to show pictures of that side on; float32 x y z of each
  /// in
  /// the node's frame (m), then float32 x y z of their normals.
  kSheet = 7,
  /// uint32 load, uint32 shape, uint32 side, and, where there is ink, float32 scale and offset of
  /// u,
  /// and of v: u = scale * y + offset, v = scale * z + offset on sides towards +-x, of z and x on
  /// +-y, of x and y on +-z; then the bytes of a PNG, whose lower left corner is at 0, 0, and upper
  /// right one at 1, 1.
  kInk = 8,
};

/// What a page has of a world, so that it is told only of what is another now.
class Known {
 public:
  explicit Known(const WorldFile& world);

  /// Always, also when nothing has moved: its time.
  std::string moment(const WorldFile& world, const SceneState& state);
  std::optional<std::string> lamps(const WorldFile& world, const SceneState& state);
  /// The next sweep that it does not have.
  std::optional<std::string> sweep(const WorldFile& world, const SceneState& state);
  /// The next picture that it does not have.
  std::optional<std::string> picture(const WorldFile& world, const SceneState& state);

 private:
  struct Place {
    std::array<float, 7> pose{};
    bool seen = true;
    bool operator==(const Place&) const = default;
  };
  std::vector<std::optional<Place>> places_;                ///< by item
  std::vector<std::optional<std::array<float, 3>>> lamps_;  ///< by lamp
  std::vector<std::uint64_t> sweeps_, pictures_;            ///< their numbers, by device
};

}  // namespace protobeam::web
