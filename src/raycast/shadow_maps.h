// The shadow maps of a scene: when they are made, and what they do not know any longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "raycast/shadow_map.h"

namespace protobeam {

/// One for each of the lights that were asked for last. Which lines they call free depends on what
/// was asked before and on threads; that nothing lies on such a line does not.
class ShadowMaps {
 public:
  /// The first map is made when so many lines have been traced.
  explicit ShadowMaps(std::size_t lines) : enough_(lines) {}

  /// The instance is new, moved or moves, was shown or hidden, or is no more: maps do not know it
  /// any longer.
  void touch(std::uint32_t instance);
  /// As ShadowMap::find_free(), of lines that all have one direction; of others, nothing. Several
  /// threads may ask. How many are free.
  std::size_t find_free(const std::vector<InstanceRecord>& records, const SightLines& lines,
                        std::uint8_t* blocked);

 private:
  struct Light {
    Vec3 to_light;
    std::shared_ptr<const ShadowMap> map;                  ///< null: none yet
    std::shared_ptr<const std::vector<LightBall>> movers;  ///< null: to be found again
    std::vector<bool> known;    ///< by instance: it is in the map, and where it was
    std::vector<bool> touched;  ///< since the map was made
    std::size_t beside = 0;     ///< lines that began beside the map
  };

  Light& light_of(const Vec3& to_light);
  bool is_stale(const Light& light, const std::vector<InstanceRecord>& records) const;
  std::shared_ptr<const ShadowMap> make(Light& light, const std::vector<InstanceRecord>& records,
                                        const Vec3& around_W) const;

  std::mutex mutex_;
  std::vector<Light> lights_;  ///< the one that was asked for last is the last
  std::size_t traced_ = 0;     ///< lines since a map was made of which nothing was known
  std::size_t enough_;         ///< of those until another map pays
};

}  // namespace protobeam
