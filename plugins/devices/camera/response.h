// From light to the bytes of an image: the response of the sensor behind the lens, and its noise.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/fields.h"
#include "base/rng.h"
#include "render/color.h"
#include "render/lit_points.h"

namespace protobeam {

/// What an image is made of.
enum class PixelFormat { kBgra8, kMono8, kBayerRggb8 };
int channels(PixelFormat format);  ///< bytes a pixel

/// The linear sensor of the EMVA standard 1288 (release 4.0, section 2), in electrons:
///   mean      light exposure * responsivity, and dark current * exposure time
///   noise     the square root of that (photons and electrons come one by one), and the dark noise
///   pattern   DSNU and PRNU: each pixel has an offset and a gain of its own, in all images
///   output    system gain * electrons + black level, rounded, up to the greatest number of its bits
struct EmvaSensor {
  double responsivity = 10000;    ///< electrons in light of 1 with an exposure of 1
  double full_well = 10000;       ///< electrons that a pixel holds (saturation capacity)
  double dark_noise = 0;          ///< electrons, standard deviation
  double dark_current = 0;        ///< electrons/s
  double exposure_time = 0;       ///< s, for the dark current
  double dsnu = 0;                ///< electrons, standard deviation
  double prnu = 0;                ///< standard deviation of the gain, 1 is the mean
  double gain = 0.025;            ///< numbers an electron
  double black_level = 0;         ///< numbers
  int bits = 8;
};

class Response {
 public:
  /// Of Camera's fields. Throws std::invalid_argument that begins with the field.
  explicit Response(const Fields& fields);

  PixelFormat format() const { return format_; }
  /// `light` [height][width]; `first` is the number of its first pixel in the whole image, which
  /// begins a row. `key.frame` differs from image to image; `out` is as long as `light` needs.
  void develop(std::span<const render::Color> light, std::size_t width, std::size_t first,
               double exposure, const NoiseKey& key, std::span<std::uint8_t> out) const;

  /// What light makes of a pixel before noise does not depend on its place: for develop_pixels().
  bool is_everywhere_the_same() const { return !emva_; }
  /// The same as develop() before noise, for pixels (row * width + column) in any order; `image` is the
  /// whole one.
  void develop_pixels(const std::uint32_t* pixels, int count, const render::LitPoints::Floats light[3],
                      std::uint32_t width, double exposure, std::span<std::uint8_t> image) const;
  /// What makes develop() of it: noise on `image`, of which the first pixel, the one of that number,
  /// begins a row.
  void add_noise(std::span<std::uint8_t> image, std::size_t width, std::size_t first,
                 const NoiseKey& key) const;

 private:
  /// Streams of random numbers: NoiseKey::stream.
  enum Stream : std::uint32_t { kTemporal, kDark, kDsnu, kPrnu };

  /// A row of values, of one channel or of several in turn, and what becomes of it.
  struct Row {
    std::vector<float> light, noise, read, offset, gain;
    std::vector<std::uint8_t> levels;
  };
  void develop_webots(std::size_t first, double exposure, const NoiseKey& key, Row& row) const;
  void add_noise(std::size_t first, const NoiseKey& key, Row& row) const;
  void develop_emva(std::size_t first, double exposure, const NoiseKey& key, Row& row) const;

  PixelFormat format_;
  bool emva_;
  EmvaSensor sensor_;
  double noise_;  ///< Webots': in parts of the brightest
};

}  // namespace protobeam
