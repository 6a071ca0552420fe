#include "render/smooth_edges.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace protobeam::render {
namespace {

constexpr int kSlightest = 10;      // difference of brightness, of 255, that counts
constexpr int kSlightestShare = 8;  // and one of this many parts of the brightest
constexpr int kReach = 12;          // pixels to each side at which the end of an edge is looked for

/// As the picture is stored, sRGB with its curve: about as bright as people see it.
std::vector<std::uint8_t> brightness(const Image& picture) {
  std::vector<std::uint8_t> result(picture.pixels.size() / 3);
  const std::uint8_t* rgb = picture.pixels.data();
  for (std::size_t i = 0; i < result.size(); ++i, rgb += 3) {
    result[i] = static_cast<std::uint8_t>((77 * rgb[0] + 150 * rgb[1] + 29 * rgb[2]) >> 8);
  }
  return result;
}

/// How far the colour of a pixel moves to that of its neighbour in the picture.
struct Blend {
  std::ptrdiff_t neighbour = 0;  ///< pixels from here
  int share = 0;                 ///< of 256
};

class EdgeFinder {
 public:
  EdgeFinder(const std::uint8_t* light, int width, int height)
      : light_(light), width_(width), height_(height) {}

  /// Not at the border of the picture.
  Blend at(int x, int y) const {
    const std::uint8_t* p = light_ + static_cast<std::ptrdiff_t>(y) * width_ + x;
    const int m = p[0], n = p[-width_], s = p[width_], e = p[1], w = p[-1];
    const int ne = p[-width_ + 1], nw = p[-width_ - 1], se = p[width_ + 1], sw = p[width_ - 1];
    // Second derivatives tell which way the edge goes.
    const int over_rows =
        2 * std::abs(n + s - 2 * m) + std::abs(ne + se - 2 * e) + std::abs(nw + sw - 2 * w);
    const int over_columns =
        2 * std::abs(e + w - 2 * m) + std::abs(ne + nw - 2 * n) + std::abs(se + sw - 2 * s);
    const bool level = over_rows >= over_columns;
    const std::ptrdiff_t across = level ? width_ : 1, along = level ? 1 : width_;
    const bool to_plus = std::abs(p[across] - m) >= std::abs(p[-across] - m);
    const std::ptrdiff_t neighbour = to_plus ? across : -across;
    const int place = level ? x : y, size = level ? width_ : height_;
    const End before = end(p, neighbour, -along, place);
    const End after = end(p, neighbour, along, size - 1 - place);
    const End& nearest = before.distance < after.distance ? before : after;
    // The edge comes over to this pixel at its nearer end, or it is the neighbour's.
    if (nearest.change == 0 || (nearest.change < 0) == (2 * m < m + p[neighbour])) return {};
    const int length = before.distance + after.distance;
    return {neighbour, 128 - 256 * nearest.distance / length};
  }

 private:
  struct End {
    int distance;  ///< pixels
    int change;    ///< of the sum of both rows' brightness there; 0: it goes on beyond reach
  };
  /// Where the edge between a pixel and its neighbour ends, in steps of `along`, at most `room` of
  /// them.
  static End end(const std::uint8_t* p, std::ptrdiff_t neighbour, std::ptrdiff_t along, int room) {
    const int sum = p[0] + p[neighbour], limit = std::abs(p[neighbour] - p[0]);
    const int reach = std::min(kReach, room);
    for (int i = 1; i <= reach; ++i) {
      const std::uint8_t* there = p + i * along;
      const int change = there[0] + there[neighbour] - sum;
      if (2 * std::abs(change) >= limit) return {i, change};
    }
    return {reach + 1, 0};
  }

  const std::uint8_t* light_;
  int width_, height_;
};

}  // namespace

void smooth_edges(Image& picture) {
  const auto width = static_cast<std::size_t>(std::max(picture.width, 0));
  const auto height = static_cast<std::size_t>(std::max(picture.height, 0));
  if (picture.channels != 3 || picture.pixels.size() != 3 * width * height) {
    throw std::invalid_argument("edges are smoothed in whole RGB pictures only");
  }
  if (width < 3 || height < 3) return;
  const std::vector<std::uint8_t> light = brightness(picture);
  const std::vector<std::uint8_t> drawn = picture.pixels;
  const EdgeFinder edges(light.data(), picture.width, picture.height);
  std::vector<std::uint8_t> on_edge(width);
  for (std::size_t y = 1; y + 1 < height; ++y) {
    const std::uint8_t* row = light.data() + y * width;
    const std::uint8_t *above = row - width, *below = row + width;
    for (std::size_t x = 1; x + 1 < width; ++x) {
      const std::uint8_t n = above[x], s = below[x];
      const std::uint8_t most = std::max({row[x], n, s, row[x - 1], row[x + 1]});
      const std::uint8_t least = std::min({row[x], n, s, row[x - 1], row[x + 1]});
      on_edge[x] = most - least >= std::max(kSlightest, most / kSlightestShare);
    }
    for (std::size_t x = 1; x + 1 < width; ++x) {
      if (!on_edge[x]) continue;
      const Blend blend = edges.at(static_cast<int>(x), static_cast<int>(y));
      if (blend.share <= 0) continue;
      const std::size_t at = 3 * (y * width + x);
      const std::uint8_t* from = drawn.data() + at;
      const std::uint8_t* to = from + 3 * blend.neighbour;
      for (std::size_t c = 0; c < 3; ++c) {
        picture.pixels[at + c] =
            static_cast<std::uint8_t>(from[c] + (to[c] - from[c]) * blend.share / 256);
      }
    }
  }
}

}  // namespace protobeam::render
