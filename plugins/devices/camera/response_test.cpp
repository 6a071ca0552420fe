// The sensor behind the lens: EMVA 1288's photon transfer, its patterns, and the formats.
#include "response.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using render::Color;
using Values = std::map<std::string, std::string>;

Response make(Values fields) {
  return Response(TestFields(load_sensor_plugin("Camera").schema, std::move(fields)));
}

constexpr std::size_t kWidth = 200, kHeight = 100, kPixels = kWidth * kHeight;

/// An image of even light.
std::vector<double> develop(Response& response, double light, std::uint64_t frame) {
  const std::vector<Color> in(kPixels, Color::Constant(static_cast<float>(light)));
  std::vector<std::uint8_t> out(kPixels * static_cast<std::size_t>(channels(response.format())));
  response.develop(in, kWidth, 0, 1, {5, 6, 0, frame}, out);
  return {out.begin(), out.end()};
}

double mean(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}

/// Temporal variance of two images of the same scene (EMVA 1288, release 4.0, section 6.6).
double temporal_variance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  const double off = mean(a) - mean(b);
  return sum / 2 / static_cast<double>(a.size()) - off * off / 2;
}

// variance = K^2 sigma_d^2 + 1 / 12 + K (mean - dark mean): the slope is the system gain, the
// offset the dark noise (EMVA 1288, equation 16).
TEST(Response, HasThePhotonTransferCurveOfItsFigures) {
  const double gain = 0.2, dark_noise = 12, responsivity = 1000;
  Response response = make({{"sensorModel", "\"emva1288\""}, {"pixelFormat", "\"mono8\""},
                            {"systemGain", "0.2"}, {"darkNoise", "12"}, {"blackLevel", "20"},
                            {"responsivity", "1000"}, {"saturationCapacity", "2000"}});
  const auto transfer = [&](double light) {
    std::vector<double> means, variances;
    for (std::uint64_t pair = 0; pair < 20; ++pair) {
      const auto a = develop(response, light, 2 * pair), b = develop(response, light, 2 * pair + 1);
      means.push_back((mean(a) + mean(b)) / 2);
      variances.push_back(temporal_variance(a, b));
    }
    return std::array<double, 2>{mean(means), mean(variances)};
  };
  const auto dark = transfer(0);
  EXPECT_NEAR(dark[0], 20, 0.05);
  EXPECT_NEAR(dark[1], gain * gain * dark_noise * dark_noise + 1 / 12.0, 0.02 * dark[1]);
  // The slope of the line through the points below 70 % of saturation, as the standard has it.
  double xx = 0, xy = 0;
  for (const double light : {0.2, 0.4, 0.6, 0.8}) {
    const auto lit = transfer(light);
    EXPECT_NEAR(lit[0] - dark[0], gain * responsivity * light, 0.02 * gain * responsivity * light);
    xx += (lit[0] - dark[0]) * (lit[0] - dark[0]);
    xy += (lit[0] - dark[0]) * (lit[1] - dark[1]);
  }
  EXPECT_NEAR(xy / xx, gain, 0.02 * gain);
  // All wells are full, and then only the dark noise varies.
  const auto full = transfer(5);
  EXPECT_NEAR(full[0], 255, 1);
}

TEST(Response, PatternsStayFromImageToImage) {
  Response response = make({{"sensorModel", "\"emva1288\""}, {"pixelFormat", "\"mono8\""},
                            {"systemGain", "0.05"}, {"responsivity", "3000"}, {"prnu", "0.02"},
                            {"dsnu", "60"}, {"blackLevel", "30"}});
  const auto average = [&](double light) {
    std::vector<double> sum(kPixels, 0);
    constexpr int kImages = 60;
    for (std::uint64_t frame = 0; frame < kImages; ++frame) {
      const auto image = develop(response, light, frame);
      for (std::size_t i = 0; i < kPixels; ++i) sum[i] += image[i] / kImages;
    }
    return sum;
  };
  const auto deviation = [](const std::vector<double>& x) {
    double squares = 0;
    for (const double v : x) squares += v * v;
    return std::sqrt(squares / static_cast<double>(x.size()) - mean(x) * mean(x));
  };
  const auto dark = average(0), lit = average(1);
  EXPECT_NEAR(deviation(dark), 0.05 * 60, 0.06);
  std::vector<double> slope(kPixels);
  for (std::size_t i = 0; i < kPixels; ++i) slope[i] = lit[i] - dark[i];
  // What of the shot noise is left in the mean of 60 images: 0.05 sqrt(3000 / 60).
  const double shot = 0.05 * std::sqrt(3000 / 60.0), pattern = 0.02 * 150;
  EXPECT_NEAR(deviation(slope), std::hypot(shot, pattern), 0.05 * pattern);
}

TEST(Response, FormatsPickTheirChannels) {
  std::vector<Color> light(4, Color(0.2f, 0.5f, 0.8f));
  const Values linear = {{"sensorModel", "\"emva1288\""}, {"systemGain", "0.00255"},
                         {"responsivity", "1e5"}, {"saturationCapacity", "1e6"}};
  const auto with = [&](const char* format) {
    Values fields = linear;
    fields["pixelFormat"] = "\"" + std::string(format) + "\"";
    Response response = make(fields);
    std::vector<std::uint8_t> out(4 * static_cast<std::size_t>(channels(response.format())));
    response.develop(light, 2, 0, 1, {1, 2, 0, 3}, out);
    return out;
  };
  // 255 times the light; the photons' noise is at most 0.9 here.
  const auto bgra = with("bgra8"), mono = with("mono8"), bayer = with("bayer_rggb8");
  ASSERT_EQ(bgra.size(), 16u);
  EXPECT_NEAR(bgra[0], 204, 4);
  EXPECT_NEAR(bgra[1], 127.5, 4);
  EXPECT_NEAR(bgra[2], 51, 4);
  EXPECT_EQ(bgra[3], 255);
  EXPECT_NEAR(mono[0], 255 * (0.2126 * 0.2 + 0.7152 * 0.5 + 0.0722 * 0.8), 4);
  ASSERT_EQ(bayer.size(), 4u);
  EXPECT_NEAR(bayer[0], 51, 4);
  EXPECT_NEAR(bayer[1], 127.5, 4);
  EXPECT_NEAR(bayer[2], 127.5, 4);
  EXPECT_NEAR(bayer[3], 204, 4);
}

// Threads develop some rows each.
TEST(Response, PiecesOfAnImageAreThoseOfTheWhole) {
  std::vector<Color> light;
  for (std::size_t i = 0; i < kPixels; ++i) {
    light.push_back(Color::Constant(static_cast<float>(i % 97) / 97));
  }
  for (const char* format : {"bgra8", "mono8", "bayer_rggb8"}) {
    for (const bool emva : {false, true}) {
      Values fields{{"pixelFormat", '"' + std::string(format) + '"'}};
      fields.merge(emva ? Values{{"sensorModel", "\"emva1288\""}, {"dsnu", "8"}, {"prnu", "0.01"}}
                        : Values{{"noise", "0.02"}});
      const Response response = make(fields);
      const auto bytes = static_cast<std::size_t>(channels(response.format()));
      const NoiseKey key{5, 6, 0, 3};
      std::vector<std::uint8_t> whole(kPixels * bytes), pieces(kPixels * bytes);
      response.develop(light, kWidth, 0, 1, key, whole);
      for (std::size_t first = 0; first < kPixels; first += 7 * kWidth) {
        const std::size_t count = std::min(7 * kWidth, kPixels - first);
        response.develop(std::span(light).subspan(first, count), kWidth, first, 1, key,
                         std::span(pieces).subspan(first * bytes, count * bytes));
      }
      EXPECT_EQ(pieces, whole) << format << ' ' << emva;
    }
  }
}

// Light comes in tiles, noise in rows.
TEST(Response, PixelsInAnyOrderAreThoseOfTheImage) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> strength(-0.1f, 4);
  std::vector<Color> light;
  std::vector<std::uint32_t> order(kPixels);
  for (std::size_t i = 0; i < kPixels; ++i) light.emplace_back(strength(random), strength(random), strength(random));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  for (const char* format : {"bgra8", "mono8", "bayer_rggb8"}) {
    for (const char* noise : {"0", "0.05"}) {
      const Response response = make({{"pixelFormat", '"' + std::string(format) + '"'}, {"noise", noise}});
      ASSERT_TRUE(response.is_everywhere_the_same());
      const auto bytes = static_cast<std::size_t>(channels(response.format()));
      const NoiseKey key{5, 6, 0, 3};
      std::vector<std::uint8_t> whole(kPixels * bytes), pixels(kPixels * bytes);
      response.develop(light, kWidth, 0, 0.7, key, whole);
      for (std::size_t begin = 0; begin < kPixels; begin += 250) {
        render::LitPoints::Floats some[3];
        for (int i = 0; i < 250; ++i) {
          for (int c = 0; c < 3; ++c) some[c][i] = light[order[begin + static_cast<std::size_t>(i)]][c];
        }
        response.develop_pixels(&order[begin], 250, some, kWidth, 0.7, pixels);
      }
      for (std::size_t first = 0; first < kPixels; first += 7 * kWidth) {
        const std::size_t count = std::min(7 * kWidth, kPixels - first);
        response.add_noise(std::span(pixels).subspan(first * bytes, count * bytes), kWidth, first, key);
      }
      EXPECT_EQ(pixels, whole) << format << ' ' << noise;
    }
  }
}

TEST(Response, RefusesFieldsThatContradictEachOther) {
  EXPECT_THROW(make({{"sensorModel", "\"emva1288\""}, {"noise", "0.1"}}), std::invalid_argument);
  EXPECT_THROW(make({{"sensorModel", "\"emva1288\""}, {"blackLevel", "255"}}), std::invalid_argument);
}

}  // namespace
}  // namespace protobeam
