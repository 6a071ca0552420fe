#include "raycast/shadow_maps.h"

#include <algorithm>
#include <utility>

namespace protobeam {
namespace {

constexpr std::size_t kMostLights = 4;
/// Of all casters; more of them would take seconds.
constexpr std::size_t kMostShown = 4'000'000;
constexpr double kLargest = 1e5, kFarthest = 1e8;  // m

bool is_seen(const InstanceRecord& record) {
  return record.group && record.visible && record.R_WB.allFinite() && record.p_WG.allFinite();
}

/// Not where double has too few digits for what a map wants to know.
bool is_fit(const InstanceRecord& record) {
  return record.group->radius() < kLargest && record.p_WG.cwiseAbs().maxCoeff() < kFarthest;
}

/// No point of the instance is farther within the step from where it is at its end.
double travel(const InstanceRecord& record) {
  if (!record.moves) return 0;
  return record.motion.translation_B.norm() + record.motion.rotation.angle * record.group->reach();
}

bool are_parallel(const SightLines& lines) {
  for (const float* d : {lines.dx, lines.dy, lines.dz}) {
    if (std::any_of(d, d + lines.count, [d](float of) { return of != d[0]; })) return false;
  }
  return lines.count > 0;
}

void mark(std::vector<bool>& flags, std::size_t instance, bool value) {
  if (instance >= flags.size()) flags.resize(instance + 1);
  flags[instance] = value;
}

bool has(const std::vector<bool>& flags, std::size_t instance) {
  return instance < flags.size() && flags[instance];
}

}  // namespace

void ShadowMaps::touch(std::uint32_t instance) {
  for (Light& light : lights_) {
    mark(light.known, instance, false);
    mark(light.touched, instance, true);
    light.movers = nullptr;
  }
}

ShadowMaps::Light& ShadowMaps::light_of(const Vec3& to_light) {
  auto light = std::find_if(lights_.begin(), lights_.end(),
                            [&](const Light& l) { return l.to_light == to_light; });
  if (light == lights_.end()) {
    if (lights_.size() == kMostLights) lights_.erase(lights_.begin());
    lights_.push_back({to_light, nullptr, nullptr, {}, {}});
  } else {
    std::rotate(light, light + 1, lights_.end());
  }
  return lights_.back();
}

/// Whether another map would know more.
bool ShadowMaps::is_stale(const Light& light, const std::vector<InstanceRecord>& records) const {
  if (!light.map || light.beside > enough_ / 8) return true;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (has(light.known, i) || has(light.touched, i)) continue;
    if (is_seen(records[i]) && is_fit(records[i])) return true;
  }
  return false;
}

/// Of what has not moved since the last one.
std::shared_ptr<const ShadowMap> ShadowMaps::make(Light& light,
                                                  const std::vector<InstanceRecord>& records,
                                                  const Vec3& around_W) const {
  std::vector<const InstanceRecord*> casters;
  std::vector<bool> known(records.size());
  std::size_t triangles = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!is_seen(records[i]) || records[i].moves || has(light.touched, i)) continue;
    if (!is_fit(records[i])) continue;
    triangles += records[i].group->mesh_triangles();
    casters.push_back(&records[i]);
    known[i] = true;
  }
  if (triangles > kMostShown) return nullptr;
  light.known = std::move(known);
  light.touched.clear();
  light.beside = 0;
  light.movers = nullptr;
  return std::make_shared<ShadowMap>(light.to_light, around_W, casters);
}

std::size_t ShadowMaps::find_free(const std::vector<InstanceRecord>& records,
                                  const SightLines& lines, std::uint8_t* blocked) {
  if (!are_parallel(lines)) return 0;
  const Vec3 to_light = Vec3(lines.dx[0], lines.dy[0], lines.dz[0]).normalized();
  if (!lines.origin_W.allFinite() || !to_light.allFinite()) return 0;
  std::shared_ptr<const ShadowMap> map;
  std::shared_ptr<const std::vector<LightBall>> movers;
  {
    const std::scoped_lock lock(mutex_);
    Light& light = light_of(to_light);
    if (traced_ >= enough_) {
      traced_ = 0;
      enough_ *= 2;
      if (is_stale(light, records)) light.map = make(light, records, lines.origin_W);
    }
    if (light.map && !light.movers) {
      auto found = std::make_shared<std::vector<LightBall>>();
      for (std::size_t i = 0; i < records.size(); ++i) {
        if (!is_seen(records[i]) || has(light.known, i)) continue;
        const double radius = double{records[i].group->radius()} + travel(records[i]);
        found->push_back(light.map->ball_around(records[i].p_WG, radius));
      }
      light.movers = std::move(found);
    }
    map = light.map, movers = light.movers;
  }
  const std::size_t beside = map ? map->find_free(lines, *movers, blocked) : 0;
  const auto count = static_cast<std::size_t>(std::count(blocked, blocked + lines.count, 0));
  const std::scoped_lock lock(mutex_);
  traced_ += lines.count - count;
  light_of(to_light).beside += beside;
  return count;
}

}  // namespace protobeam
