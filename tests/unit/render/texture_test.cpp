// Against bilinear interpolation in double precision, between the texels that the definition names.
#include "render/texture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace protobeam::render {
namespace {

Image noise_picture(int width, int height) {
  std::mt19937 random(5);
  Image image{width, height, 3, {}};
  image.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
  for (auto& byte : image.pixels) byte = static_cast<std::uint8_t>(random());
  return image;
}

struct PictureLevel {
  int width, height;
  std::vector<std::array<double, 3>> texels;
  const std::array<double, 3>& at(int column, int row) const {
    return texels[static_cast<std::size_t>(row * width + column)];
  }
};

std::vector<PictureLevel> levels_of(const Image& image) {
  std::vector<PictureLevel> levels{{image.width, image.height, {}}};
  for (std::size_t i = 0; i < image.pixels.size(); i += 3) {
    levels[0].texels.push_back(
        {image.pixels[i] / 255.0, image.pixels[i + 1] / 255.0, image.pixels[i + 2] / 255.0});
  }
  while (levels.back().width > 1 || levels.back().height > 1) {
    const PictureLevel fine = levels.back();
    PictureLevel coarse{std::max(1, fine.width / 2), std::max(1, fine.height / 2), {}};
    for (int row = 0; row < coarse.height; ++row) {
      for (int column = 0; column < coarse.width; ++column) {
        std::array<double, 3> mean{};
        for (int i = 0; i < 4; ++i) {
          const auto& of = fine.at(std::min(2 * column + i % 2, fine.width - 1),
                                   std::min(2 * row + i / 2, fine.height - 1));
          for (std::size_t c = 0; c < 3; ++c) mean[c] += of[c] / 4;
        }
        coarse.texels.push_back(mean);
      }
    }
    levels.push_back(coarse);
  }
  return levels;
}

double inside(double at, bool repeat) {
  return std::clamp(repeat ? at - std::floor(at) : at, 0.0, 1.0);
}

int wrapped(int i, int size, bool repeat) {
  return repeat ? (i + size) % size : std::clamp(i, 0, size - 1);
}

std::array<double, 3> expected(const std::vector<PictureLevel>& levels, double u, double v,
                               double footprint, bool repeat_s, bool repeat_t) {
  const double texels = footprint * std::max(levels[0].width, levels[0].height);
  const auto number =
      static_cast<std::size_t>(std::max(0.0, std::floor(std::log2(std::max(texels, 1.0)))));
  const PictureLevel& level = levels[std::min(number, levels.size() - 1)];
  const double x = inside(u, repeat_s) * level.width - 0.5,
               y = (1 - inside(v, repeat_t)) * level.height - 0.5;
  const int column = static_cast<int>(std::floor(x)), row = static_cast<int>(std::floor(y));
  std::array<double, 3> color{};
  for (int i = 0; i < 4; ++i) {
    const double share = (i % 2 ? x - column : 1 - x + column) * (i / 2 ? y - row : 1 - y + row);
    const auto& of = level.at(wrapped(column + i % 2, level.width, repeat_s),
                              wrapped(row + i / 2, level.height, repeat_t));
    for (std::size_t c = 0; c < 3; ++c) color[c] += share * of[c];
  }
  return color;
}

TEST(Texture, ShowsWhatLiesBetweenItsTexels) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> place(-2, 3), exponent(-9, 1);
  for (const auto& [width, height] : {std::pair{24, 17}, {64, 64}, {1, 5}}) {
    const Image image = noise_picture(width, height);
    const Texture texture(image, Encoding::kLinear);
    const auto levels = levels_of(image);
    for (const bool repeat_s : {false, true}) {
      for (const bool repeat_t : {false, true}) {
        // Not whole vectors of the processor, either.
        for (const int count : {LitPoints::kSize, 1, 21}) {
          TextureLooks looks;
          looks.repeat_s = repeat_s, looks.repeat_t = repeat_t;
          for (int i = 0; i < count; ++i) {
            looks.u[i] = place(random), looks.v[i] = place(random);
            looks.footprint[i] = std::exp2(exponent(random));
          }
          LitPoints::Floats color[3];
          texture.sample(looks, count, color);
          for (int i = 0; i < count; ++i) {
            const auto right = expected(levels, double{looks.u[i]}, double{looks.v[i]},
                                        double{looks.footprint[i]}, repeat_s, repeat_t);
            for (std::size_t c = 0; c < 3; ++c) {
              ASSERT_NEAR(double{color[c][i]}, right[c], 2e-5)
                  << width << " x " << height << " at " << looks.u[i] << ' ' << looks.v[i];
            }
          }
        }
      }
    }
  }
}

TEST(Texture, ShowsItsPixelsAsSquaresWhereItIsNotSmooth) {
  std::mt19937 random(8);
  std::uniform_real_distribution<float> place(-2, 3);
  const Image image = noise_picture(24, 17);
  const Texture texture(image, Encoding::kLinear);
  for (const bool repeat : {false, true}) {
    TextureLooks looks;
    looks.repeat_s = looks.repeat_t = repeat;
    looks.smooth = false;
    for (int i = 0; i < LitPoints::kSize; ++i) {
      looks.u[i] = place(random), looks.v[i] = place(random);
      looks.footprint[i] = 0.5f;  // far away
    }
    LitPoints::Floats color[3];
    texture.sample(looks, LitPoints::kSize, color);
    for (int i = 0; i < LitPoints::kSize; ++i) {
      const Color right = nearest_pixel(image, {looks.u[i], looks.v[i]}, repeat, repeat);
      ASSERT_EQ(Color(color[0][i], color[1][i], color[2][i]), right) << looks.u[i] << ' ' << looks.v[i];
    }
  }
}

TEST(Texture, IsSharedByAllWhoShowThePicture) {
  const auto image = std::make_shared<Image>(noise_picture(8, 8));
  Textures one, other;
  const Texture* first = &one.of(image);
  EXPECT_EQ(&other.of(image), first);
  EXPECT_NE(&other.of(image, Encoding::kLinear), first);
  EXPECT_NE(&other.of(std::make_shared<Image>(*image)), first);
  // The picture changes: whoever looks again has the new one.
  image->pixels.assign(image->pixels.size(), 255);
  ++image->version;
  EXPECT_EQ(&other.of(image), first);
  one.refresh(image);
  EXPECT_NEAR(one.known(*image).sample({0.3f, 0.3f}, 0, true, true).x(), 1, 1e-6);
  other.refresh(image);
  EXPECT_EQ(&other.known(*image), &one.known(*image));
}

TEST(Texture, IsMadeOnceWhenSeveralLook) {
  const auto image = std::make_shared<Image>(noise_picture(256, 256));
  const auto kept = shared_texture(image, Encoding::kSrgb);
  std::vector<const Texture*> seen(4);
  std::vector<std::thread> threads;
  for (const Texture*& one : seen) {
    threads.emplace_back([&] {
      Textures textures;
      textures.need(image);
      one = &textures.known(*image);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Texture* one : seen) EXPECT_EQ(one, &kept->get());
  EXPECT_EQ(kept->get().sample({0.5f, 0.5f}, 0, true, true),
            Texture(*image).sample({0.5f, 0.5f}, 0, true, true));
}

TEST(Texture, HasAPlaceForAnyNumbers) {
  const Image image = noise_picture(8, 8);
  const Texture texture(image);
  const float infinite = std::numeric_limits<float>::infinity(),
              none = std::numeric_limits<float>::quiet_NaN();
  const Color corner = texture.sample({0, 0}, 0, true, true);
  for (const float beyond : {infinite, -infinite, none, 3e30f, -3e30f}) {
    for (const Eigen::Vector2f& uv : {Eigen::Vector2f(beyond, beyond), {0, beyond}, {beyond, 0}}) {
      EXPECT_EQ(texture.sample(uv, 0, true, true), corner) << uv.transpose();
      EXPECT_TRUE(texture.sample(uv, beyond, false, false).allFinite()) << uv.transpose();
    }
  }
}

}  // namespace
}  // namespace protobeam::render
