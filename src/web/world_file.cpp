#include "web/world_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/build_config.h"
#include "sim/scene/camera_choice.h"
#include "web/window_files.h"

namespace protobeam::web {
namespace {

constexpr double kAspect = 16.0 / 9;

class WorldFileMaker {
 public:
  WorldFileMaker(std::shared_ptr<const SceneDescription> description, const SceneState& state)
      : description_(*description),
        state_(state),
        document_(std::string("protobeam ") + kVersion, description->up) {
    world_.load = description->load;
    world_.description = std::move(description);
    world_.origin = file_origin(description_);
  }

  WorldFile make() {
    const render::Camera camera = choose_camera("viewpoint", description_, state_, kAspect);
    document_.add_camera(seen(camera.X_WC), camera.vertical_fov, camera.near);
    for (std::size_t i = 0; i < description_.groups.size(); ++i) add_group(i);
    std::map<physics::BodyId, int> nodes;  // of bodies
    for (const Light& light : description_.lights) {
      if (is_still(light)) add_light(light, nodes);
    }
    world_.glb = document_.glb();
    return std::move(world_);
  }

 private:
  Pose seen(const Pose& X_W) const { return {X_W.R, X_W.p - world_.origin}; }

  int add_item(const WorldFile::Item& item, const Pose& X_W) {
    world_.items.push_back(item);
    return document_.add_node(fmt::format("n{}", world_.items.size() - 1), seen(X_W));
  }

  void add_group(std::size_t index) {
    const SceneDescription::Group& group = description_.groups[index];
    world_.first_shapes.push_back(world_.shapes.size());
    if (group.shapes.empty()) return;
    const int node = add_item({static_cast<int>(index), physics::kWorldBody}, state_.groups[index]);
    for (std::size_t i = 0; i < group.shapes.size(); ++i) {
      const SceneDescription::Shape& shape = group.shapes[i];
      const int emitter = shape.emits ? emitter_of(index, i) : -1;
      const std::size_t number = world_.shapes.size();
      if (emitter >= 0)
        world_.lamps.push_back({static_cast<std::size_t>(emitter), number, shape.material});
      world_.shapes.push_back(shape.solid);
      document_.add_shape(node, fmt::format("s{}", number), shape.geometry, shape.material,
                          shape.X_GS);
    }
  }

  int emitter_of(std::size_t group, std::size_t shape) const {
    for (std::size_t i = 0; i < description_.emitters.size(); ++i) {
      for (const auto& one : description_.emitters[i].shapes) {
        if (one.group == group && one.index == shape) return static_cast<int>(i);
      }
    }
    return -1;
  }

  void add_light(const Light& light, std::map<physics::BodyId, int>& nodes) {
    const auto [place, is_new] = nodes.try_emplace(light.body);
    if (is_new) {
      const Pose* X_WB = find(state_.bodies, static_cast<int>(light.body));
      place->second = add_item({-1, light.body}, X_WB ? *X_WB : Pose());
    }
    document_.add_light(place->second, file_light(light), light.location_B);
  }

  const SceneDescription& description_;
  const SceneState& state_;
  gltf::Document document_;
  WorldFile world_;
};

}  // namespace

WorldFile make_world_file(std::shared_ptr<const SceneDescription> description,
                          const SceneState& state, const WorldFile* before) {
  WorldFile world = WorldFileMaker(std::move(description), state).make();
  const Background& background = world.description->background;
  const bool same = before && before->description->background.sides == background.sides &&
                    before->description->background.sky == background.sky &&
                    before->description->up == world.description->up;
  world.sky = same ? before->sky : sky_pictures(*world.description);
  return world;
}

namespace {

nlohmann::json fog_message(const Fog& fog) {
  if (!(fog.visibility_range > 0)) return nullptr;
  constexpr const char* kKinds[] = {"linear", "exponential", "exponential2"};
  return {{"kind", kKinds[static_cast<int>(fog.kind)]},
          {"color", css_color(fog.color)},
          {"range", fog.visibility_range}};
}

}  // namespace

std::string world_message(const WorldFile& world) {
  const SceneDescription& description = *world.description;
  NodeNames names;
  nlohmann::json moving = nlohmann::json::object();  // items by their names
  std::vector<std::string> order;
  for (std::size_t i = 0; i < world.items.size(); ++i) {
    if (world.items[i].group < 0) continue;
    const auto& group = description.groups[static_cast<std::size_t>(world.items[i].group)];
    if (!group.moves) continue;
    order.push_back(names.unique(group_name(description, group)));
    moving[order.back()] = i;
  }
  nlohmann::json devices = nlohmann::json::array(), rings = nlohmann::json::array();
  for (const auto& device : description.devices) {
    devices.push_back(device.robot + "/" + device.name);
    rings.push_back(device.layers);
  }
  nlohmann::json lamps = nlohmann::json::array();  // their shapes
  for (const WorldFile::Lamp& lamp : world.lamps) lamps.push_back(lamp.shape);
  nlohmann::json windows = nlohmann::json::array();
  for (const auto& window : description.windows)
    windows.push_back({{"robot", window.robot}, {"url", window_address(window)}});
  nlohmann::json sides = nlohmann::json::array();
  for (int i = 0; world.sky && i < 6; ++i)
    sides.push_back(fmt::format("/world/{}/sky{}.jpg", world.load, i));
  const nlohmann::json message{
      {"op", "world"},
      {"load", world.load},
      {"title", page_title(description)},
      {"fog", fog_message(description.fog)},
      {"sky", sky_color(description, world.sky.get())},
      {"sides", sides},
      {"follow", description.viewpoint ? description.viewpoint->follow : ""},
      {"up", {description.up.x(), description.up.y(), description.up.z()}},
      {"names", order},
      {"moving", moving},
      {"lamps", lamps},
      {"devices", devices},
      {"rings", rings},
      {"height", description.up.dot(world.origin)},
      {"imagers", std::ranges::any_of(description.devices, &SceneDescription::Device::has_picture)},
      {"windows", windows}};
  return message.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace protobeam::web
