#include "geometry/shared_geometry.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

namespace protobeam {
namespace {

/// The stretches of memory that make up the shape, in an order; none has padding.
using Stretch = std::pair<const void*, std::size_t>;
std::vector<Stretch> contents(const Geometry& geometry) {
  std::vector<Stretch> parts;
  const auto one = [&](const auto& value) { parts.push_back({&value, sizeof value}); };
  const auto all = [&](const auto& values) {
    parts.push_back({values.data(), values.size() * sizeof values[0]});
  };
  std::visit(
      [&](const auto& g) {
        using Shape = std::decay_t<decltype(g)>;
        if constexpr (std::is_same_v<Shape, Box> || std::is_same_v<Shape, Plane>) {
          one(g.size);
        } else if constexpr (std::is_same_v<Shape, Sphere>) {
          one(g.radius);
        } else if constexpr (std::is_same_v<Shape, Mesh>) {
          all(g.vertices);
          all(g.triangles);
          all(g.uvs);
          all(g.normals);
          one(g.convex);
        } else if constexpr (std::is_same_v<Shape, HeightField>) {
          one(g.columns);
          one(g.rows);
          one(g.origin);
          one(g.spacing);
          all(g.heights);
          one(g.uv);
        } else {
          one(g.radius);
          one(g.height);
          one(g.bottom);
          one(g.side);
          if constexpr (!std::is_same_v<Shape, Cone>) one(g.top);
        }
      },
      geometry);
  return parts;
}

std::uint64_t hash(const Geometry& geometry) {
  std::uint64_t sum = geometry.index();
  const auto mix = [&](std::uint64_t word) {
    sum = (sum ^ word) * 0xff51afd7ed558ccdu;
    sum ^= sum >> 32;
  };
  for (const auto& [from, size] : contents(geometry)) {
    mix(size);
    std::size_t done = 0;
    for (std::uint64_t word = 0; done + sizeof word <= size; done += sizeof word) {
      std::memcpy(&word, static_cast<const char*>(from) + done, sizeof word);
      mix(word);
    }
    std::uint64_t rest = 0;
    if (done < size) std::memcpy(&rest, static_cast<const char*>(from) + done, size - done);
    mix(rest);
  }
  return sum;
}

/// Bit by bit: -0 is not 0, and a NaN is one like it.
bool same(const Geometry& a, const Geometry& b) {
  return a.index() == b.index() &&
         std::ranges::equal(contents(a), contents(b), [](const Stretch& x, const Stretch& y) {
           return x.second == y.second &&
                  (x.second == 0 || std::memcmp(x.first, y.first, x.second) == 0);
         });
}

/// By hash.
struct Known {
  std::mutex mutex;
  std::multimap<std::uint64_t, std::weak_ptr<const Geometry>> shapes;
  std::size_t clean_at = 256;  ///< so that those that nobody uses do not pile up
};

Known& known() {
  static Known* const all = new Known;  // shapes may outlive what is destroyed at exit
  return *all;
}

}  // namespace

std::shared_ptr<const Geometry> shared_geometry(Geometry geometry) {
  const std::uint64_t key = hash(geometry);
  Known& all = known();
  // Shapes that turn out to be others have to be freed after the lock: they may be the last ones.
  std::vector<std::shared_ptr<const Geometry>> others;
  const std::lock_guard lock(all.mutex);
  const auto [first, last] = all.shapes.equal_range(key);
  for (auto at = first; at != last; ++at) {
    auto shape = at->second.lock();
    if (!shape) continue;
    if (same(*shape, geometry)) return shape;
    others.push_back(std::move(shape));
  }
  if (all.shapes.size() >= all.clean_at) {
    std::erase_if(all.shapes, [](const auto& one) { return one.second.expired(); });
    all.clean_at = 2 * all.shapes.size() + 256;
  }
  // Not make_shared: what remembers a shape would keep its memory.
  std::shared_ptr<const Geometry> made(new Geometry(std::move(geometry)));
  all.shapes.emplace(key, made);
  return made;
}

}  // namespace protobeam
