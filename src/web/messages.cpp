#include "web/messages.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "codec/image_bytes.h"
#include "sim/light_emitters.h"
#include "web/message_writer.h"

namespace protobeam::web {
namespace {

/// Points of one sweep that a page gets: more than a screen has room for.
constexpr std::size_t kMostPoints = 300'000;
constexpr std::uint32_t kUnseen = 0x80000000;
constexpr int kJpegQuality = 85;

std::array<float, 7> pose_in(const WorldFile& world, const Pose& X_W) {
  const Vec3 p = X_W.p - world.origin;
  const Quat& q = X_W.R;
  return {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z()),
          static_cast<float>(q.x()), static_cast<float>(q.y()), static_cast<float>(q.z()),
          static_cast<float>(q.w())};
}

bool is_finite(const BeamReturn& beam) {
  return std::isfinite(beam.x) && std::isfinite(beam.y) && std::isfinite(beam.z);
}

std::string sweep_message(const WorldFile& world, const Sweep& sweep) {
  const std::size_t stride = sweep.returns.size() / kMostPoints + 1;
  std::vector<const BeamReturn*> points;
  for (std::size_t i = 0; i < sweep.returns.size(); i += stride) {
    if (is_finite(sweep.returns[i])) points.push_back(&sweep.returns[i]);
  }
  Writer out(Kind::kSweep);
  out.add(static_cast<std::uint32_t>(world.load));
  out.add(static_cast<std::uint32_t>(sweep.device));
  out.add(static_cast<std::uint32_t>(points.size()));
  out.add(pose_in(world, sweep.X_WS));
  out.add(std::uint32_t{0});
  for (const BeamReturn* point : points) out.add(std::array{point->x, point->y, point->z});
  for (const BeamReturn* point : points) {
    const float intensity = std::clamp(point->intensity, 0.0F, 1.0F);  // no NaN: 0 without a model
    out.add(std::array{static_cast<std::uint8_t>(point->ring),
                       static_cast<std::uint8_t>(std::lround(255 * intensity)),
                       static_cast<std::uint8_t>(point->return_number), std::uint8_t{0}});
  }
  return out.take();
}

}  // namespace

Known::Known(const WorldFile& world)
    : places_(world.items.size()),
      lamps_(world.lamps.size()),
      sweeps_(world.description->devices.size(), 0),
      pictures_(world.description->devices.size(), 0) {}

std::string Known::moment(const WorldFile& world, const SceneState& state) {
  Writer out(Kind::kMoment);
  out.add(static_cast<std::uint32_t>(world.load));
  out.add(state.time);
  const std::size_t place_of_count = 16;
  out.add(std::array<std::uint32_t, 2>{});
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const WorldFile::Item& item = world.items[i];
    const Pose* X_W =
        item.group >= 0 ? find(state.groups, item.group) : find(state.bodies, item.body);
    if (!X_W) continue;  // the world itself
    const auto group = static_cast<std::size_t>(std::max(item.group, 0));
    const bool hidden = item.group >= 0 && group < state.hidden.size() && state.hidden[group];
    const Place now{pose_in(world, *X_W), !hidden};
    // A body that has flown away stays where it was seen last.
    const bool is_place = std::ranges::all_of(now.pose, [](float x) { return std::isfinite(x); });
    if (!is_place || places_[i] == now) continue;
    places_[i] = now;
    out.add(static_cast<std::uint32_t>(i) | (hidden ? kUnseen : 0U));
    out.add(now.pose);
    ++count;
  }
  out.set(place_of_count, count);
  return out.take();
}

std::optional<std::string> Known::lamps(const WorldFile& world, const SceneState& state) {
  Writer out(Kind::kLamps);
  out.add(static_cast<std::uint32_t>(world.load));
  const std::size_t place_of_count = 8;
  out.add(std::array<std::uint32_t, 2>{});
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < lamps_.size(); ++i) {
    const WorldFile::Lamp& lamp = world.lamps[i];
    if (lamp.emitter >= state.emissions.size()) continue;
    const Eigen::Vector3f light = emitted_light(*lamp.material, state.emissions[lamp.emitter]);
    const std::array now{light.x(), light.y(), light.z()};
    if (lamps_[i] == now) continue;
    lamps_[i] = now;
    out.add(static_cast<std::uint32_t>(i));
    out.add(now);
    ++count;
  }
  if (count == 0) return std::nullopt;
  out.set(place_of_count, count);
  return out.take();
}

std::optional<std::string> Known::sweep(const WorldFile& world, const SceneState& state) {
  for (const auto& sweep : state.sweeps) {
    std::uint64_t& known = sweeps_[static_cast<std::size_t>(sweep->device)];
    if (known == sweep->number) continue;
    known = sweep->number;
    return sweep_message(world, *sweep);
  }
  return std::nullopt;
}

std::optional<std::string> Known::picture(const WorldFile& world, const SceneState& state) {
  for (const auto& picture : state.pictures) {
    std::uint64_t& known = pictures_[static_cast<std::size_t>(picture->device)];
    if (known == picture->number) continue;
    known = picture->number;
    Writer out(Kind::kPicture);
    out.add(static_cast<std::uint32_t>(world.load));
    out.add(static_cast<std::uint32_t>(picture->device));
    out.add(static_cast<std::uint32_t>(picture->number));
    const PixelOrder order = picture->channels == 4 ? PixelOrder::kBgra : PixelOrder::kGrey;
    return out.take() +
           encode_jpeg(picture->pixels, picture->width, picture->height, order, kJpegQuality);
  }
  return std::nullopt;
}

}  // namespace protobeam::web
