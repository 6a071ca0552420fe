#include "response.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "base/clones.h"
#include "render/camera_levels.h"

namespace protobeam {
namespace {

using render::Color;
using render::LitPoints;

constexpr std::size_t kSteps = render::CameraLevels::kSteps;
constexpr float kMost = render::CameraLevels::kMostRoot;

/// Where in that table each light is.
PROTOBEAM_CLONES void find_steps(const float* light, float exposure, std::size_t n,
                                 std::int32_t* steps) {
  for (std::size_t i = 0; i < n; ++i) {
    const float value = light[i] * exposure;
    const float root = value > 0 ? std::sqrt(value) : 0.0f;
    const float above = (root < kMost ? root : kMost) * (kSteps / kMost) + 0.5f;
    steps[i] = static_cast<std::int32_t>(above);
  }
}

/// Luminance, ITU-R BT.709.
PROTOBEAM_INLINE float luminance(float red, float green, float blue) {
  return 0.2126f * red + 0.7152f * green + 0.0722f * blue;
}

PROTOBEAM_CLONES void find_luminance(const float* red, const float* green, const float* blue, int n,
                                     float* out) {
  for (int i = 0; i < n; ++i) out[i] = luminance(red[i], green[i], blue[i]);
}

/// Colour channel of a pixel under the filter: red first, then green in the same row.
int bayer_channel(std::size_t x, std::size_t y) { return static_cast<int>(x % 2 + y % 2); }

PROTOBEAM_CLONES void add_to_levels(const float* noise, float strength, std::size_t n,
                                std::uint8_t* bytes) {
  for (std::size_t i = 0; i < n; ++i) {
    const float value = static_cast<float>(bytes[i]) + strength * noise[i] + 0.5f;
    const float limited = value > 0 ? (value < 255 ? value : 255.0f) : 0.0f;
    bytes[i] = static_cast<std::uint8_t>(static_cast<std::int32_t>(limited));
  }
}

struct Linear {
  float responsivity, dark, full_well, dark_noise, gain, black_level, most, to_byte;
};

/// `shot`, `read`: normal values of the image; `offset`, `slope`: of the pixel.
PROTOBEAM_CLONES void count_electrons(const float* light, const float* shot, const float* read,
                                      const float* offset, const float* slope, const Linear& s,
                                      std::size_t n, std::uint8_t* out) {
  for (std::size_t i = 0; i < n; ++i) {
    const float mean = (light[i] > 0 ? light[i] : 0.0f) * s.responsivity * slope[i] + s.dark;
    // Of so many electrons a Poisson distribution is a normal one.
    float electrons = mean + std::sqrt(mean) * shot[i];
    electrons = electrons < s.full_well ? electrons : s.full_well;
    electrons += offset[i] + s.dark_noise * read[i];
    const float number = s.gain * electrons + s.black_level + 0.5f;
    const float limited = number > 0 ? (number < s.most ? number : s.most) : 0.0f;
    const auto whole = static_cast<float>(static_cast<std::int32_t>(limited));
    out[i] = static_cast<std::uint8_t>(static_cast<std::int32_t>(whole * s.to_byte));
  }
}

/// Number of so many bits.
double greatest(int bits) { return (1 << bits) - 1; }

PixelFormat format_of(const std::string& name) {
  if (name == "mono8") return PixelFormat::kMono8;
  if (name == "bayer_rggb8") return PixelFormat::kBayerRggb8;
  return PixelFormat::kBgra8;
}

}  // namespace

int channels(PixelFormat format) { return format == PixelFormat::kBgra8 ? 4 : 1; }

Response::Response(const Fields& fields)
    : format_(format_of(fields.string("pixelFormat"))),
      emva_(fields.string("sensorModel") == "emva1288"),
      noise_(fields.number("noise")) {
  sensor_ = {fields.number("responsivity"), fields.number("saturationCapacity"),
             fields.number("darkNoise"),    fields.number("darkCurrent"),
             fields.number("exposureTime"), fields.number("dsnu"),
             fields.number("prnu"),         fields.number("systemGain"),
             fields.number("blackLevel"),   fields.integer("bitDepth")};
  if (emva_ && noise_ > 0) {
    throw std::invalid_argument(
        "field 'noise' is Webots' own; with sensorModel \"emva1288\" write darkNoise, prnu, ...");
  }
  const double most = greatest(sensor_.bits);
  if (emva_ && sensor_.black_level >= most) {
    throw std::invalid_argument("field 'blackLevel' must be less than the greatest number of " +
                                std::to_string(sensor_.bits) + " bits");
  }
}

void Response::develop_webots(std::size_t first, double exposure, const NoiseKey& key,
                              Row& row) const {
  const std::vector<float>& light = row.light;
  constexpr std::size_t kPart = 1024;
  const render::CameraLevels& table = render::camera_levels();
  std::int32_t steps[kPart];
  for (std::size_t i = 0; i < light.size(); i += kPart) {
    const std::size_t n = std::min(kPart, light.size() - i);
    find_steps(light.data() + i, static_cast<float>(exposure), n, steps);
    for (std::size_t k = 0; k < n; ++k) row.levels[i + k] = table.at_step(static_cast<std::size_t>(steps[k]));
  }
  if (noise_ > 0) add_noise(first, key, row);
}

void Response::add_noise(std::size_t first, const NoiseKey& key, Row& row) const {
  row.noise.resize(row.levels.size());
  fill_gaussian(key, first, row.noise);
  add_to_levels(row.noise.data(), static_cast<float>(noise_ * 255), row.levels.size(), row.levels.data());
}

void Response::add_noise(std::span<std::uint8_t> image, std::size_t width, std::size_t first,
                         const NoiseKey& key) const {
  if (!(noise_ > 0)) return;
  const auto bytes = static_cast<std::size_t>(channels(format_)), levels = std::min<std::size_t>(bytes, 3);
  Row row;
  row.levels.resize(width * levels);
  for (std::size_t begin = 0; begin < image.size(); begin += width * bytes) {
    std::uint8_t* at = image.data() + begin;
    // Four bytes a pixel have three levels.
    for (std::size_t x = 0; x < width; ++x) std::copy_n(at + x * bytes, levels, &row.levels[x * levels]);
    add_noise((first + begin / bytes) * levels, key, row);
    for (std::size_t x = 0; x < width; ++x) std::copy_n(&row.levels[x * levels], levels, at + x * bytes);
  }
}

void Response::develop_emva(std::size_t first, double exposure, const NoiseKey& key,
                            Row& row) const {
  const std::size_t n = row.light.size();
  row.noise.resize(n);
  row.read.assign(n, 0);
  row.offset.assign(n, 0);
  row.gain.assign(n, 1);
  const auto draw = [&](Stream stream, bool of_image, std::vector<float>& out) {
    NoiseKey of_stream = key;
    of_stream.stream = stream;
    if (!of_image) of_stream.frame = 0;
    fill_gaussian(of_stream, first, out);
  };
  draw(kTemporal, true, row.noise);
  if (sensor_.dark_noise > 0) draw(kDark, true, row.read);
  if (sensor_.dsnu > 0) {
    draw(kDsnu, false, row.offset);
    for (float& offset : row.offset) offset *= static_cast<float>(sensor_.dsnu);
  }
  if (sensor_.prnu > 0) {
    draw(kPrnu, false, row.gain);
    for (float& slope : row.gain) {
      slope = std::max(0.0f, 1 + static_cast<float>(sensor_.prnu) * slope);
    }
  }
  const double most = greatest(sensor_.bits);
  const Linear linear{static_cast<float>(sensor_.responsivity * exposure),
                      static_cast<float>(sensor_.dark_current * sensor_.exposure_time),
                      static_cast<float>(sensor_.full_well),
                      static_cast<float>(sensor_.dark_noise),
                      static_cast<float>(sensor_.gain),
                      static_cast<float>(sensor_.black_level),
                      static_cast<float>(most),
                      static_cast<float>(256 / (most + 1))};
  count_electrons(row.light.data(), row.noise.data(), row.read.data(), row.offset.data(),
                  row.gain.data(), linear, n, row.levels.data());
}

void Response::develop(std::span<const Color> light, std::size_t width, std::size_t first,
                       double exposure, const NoiseKey& key, std::span<std::uint8_t> out) const {
  const std::size_t per_pixel = format_ == PixelFormat::kBgra8 ? 3 : 1;
  Row row;
  row.light.resize(width * per_pixel);
  row.levels.resize(width * per_pixel);
  for (std::size_t begin = 0; begin < light.size(); begin += width) {
    const Color* in = light.data() + begin;
    const std::size_t y = (first + begin) / width;
    switch (format_) {
      case PixelFormat::kBgra8:
        for (std::size_t x = 0; x < width; ++x) {
          row.light[3 * x] = in[x].z(), row.light[3 * x + 1] = in[x].y(), row.light[3 * x + 2] = in[x].x();
        }
        break;
      case PixelFormat::kMono8:
        for (std::size_t x = 0; x < width; ++x) {
          row.light[x] = luminance(in[x].x(), in[x].y(), in[x].z());
        }
        break;
      case PixelFormat::kBayerRggb8:
        for (std::size_t x = 0; x < width; ++x) row.light[x] = in[x][bayer_channel(x, y)];
        break;
    }
    const std::size_t number = (first + begin) * per_pixel;
    if (emva_) {
      develop_emva(number, exposure, key, row);
    } else {
      develop_webots(number, exposure, key, row);
    }
    if (format_ != PixelFormat::kBgra8) {
      std::copy(row.levels.begin(), row.levels.end(), out.begin() + static_cast<std::ptrdiff_t>(begin));
      continue;
    }
    std::uint8_t* to = out.data() + 4 * begin;
    for (std::size_t x = 0; x < width; ++x) {
      to[4 * x] = row.levels[3 * x], to[4 * x + 1] = row.levels[3 * x + 1];
      to[4 * x + 2] = row.levels[3 * x + 2], to[4 * x + 3] = 255;
    }
  }
}

void Response::develop_pixels(const std::uint32_t* pixels, int count, const LitPoints::Floats light[3],
                              std::uint32_t width, double exposure,
                              std::span<std::uint8_t> image) const {
  const render::CameraLevels& table = render::camera_levels();
  const auto n = static_cast<std::size_t>(count);
  const auto level = [&table](std::int32_t step) { return table.at_step(static_cast<std::size_t>(step)); };
  const auto strength = static_cast<float>(exposure);
  std::int32_t steps[3][LitPoints::kSize];
  if (format_ == PixelFormat::kBgra8) {
    for (int c = 0; c < 3; ++c) find_steps(light[c], strength, n, steps[c]);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint8_t bgra[4] = {level(steps[2][i]), level(steps[1][i]), level(steps[0][i]), 255};
      std::memcpy(&image[4 * std::size_t{pixels[i]}], bgra, sizeof bgra);
    }
    return;
  }
  LitPoints::Floats one;
  if (format_ == PixelFormat::kMono8) {
    find_luminance(light[0], light[1], light[2], count, one);
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      one[i] = light[bayer_channel(pixels[i] % width, pixels[i] / width)][i];
    }
  }
  find_steps(one, strength, n, steps[0]);
  for (std::size_t i = 0; i < n; ++i) image[pixels[i]] = level(steps[0][i]);
}

}  // namespace protobeam
