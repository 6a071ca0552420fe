#include "app/animation_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "app/log.h"
#include "sim/build_config.h"
#include "sim/light_emitters.h"
#include "sim/scene/camera_choice.h"
#include "sim/scene/scene_observer.h"
#include "web/sky_pictures.h"

namespace protobeam {
namespace {

constexpr double kWidth = 16, kHeight = 9;
bool same_shape(const SceneDescription::Shape& a, const SceneDescription::Shape& b) {
  return a.geometry == b.geometry && a.X_GS.p == b.X_GS.p &&
         a.X_GS.R.coeffs() == b.X_GS.R.coeffs() &&
         (a.material == b.material || a.emits || *a.material == *b.material);
}

}  // namespace

/// A shape that a device colours: a node for each of its colours, of which one is there.
struct AnimationFile::Lamp {
  static constexpr int kShades = 31;  ///< of a colour, beside black: a lamp may be dimmed
  using Color = std::array<int, 3>;
  struct Look {
    int node;
    gltf::Track track;
  };
  int emitter = -1;  ///< of WorldModel::emitters; -1: none any more
  std::map<Color, Look> looks;
  Look* lit = nullptr;
};

/// What moves as one, and looks the same all the time but for its lamps.
struct AnimationFile::Object {
  int node;
  std::string name;
  std::map<std::size_t, Lamp> lamps;  ///< by shape
  std::vector<SceneDescription::Shape> shapes;
  gltf::Track track;
  bool there = true;
  Pose X_WG;           ///< when it was seen last
  bool taken = false;  ///< by a group of the world that is being described

  bool looks_like(const SceneDescription::Group& group) const {
    return !taken && std::equal(group.shapes.begin(), group.shapes.end(), shapes.begin(),
                                shapes.end(), same_shape);
  }
  bool is(const SceneDescription::Group& group, const Pose& X) const {
    return there && X.p == X_WG.p && looks_like(group);
  }
};

AnimationFile::AnimationFile(const Simulation& simulation, std::filesystem::path file, double rate)
    : simulation_(simulation),
      file_(std::move(file)),
      rate_(rate),
      begin_(simulation.time()),
      document_(std::string("protobeam ") + kVersion, simulation.model().up) {
  if (file_.extension() != ".glb" && file_.extension() != ".html")
    throw std::invalid_argument(
        fmt::format("'{}': an animation's file ends with .glb or .html", file_.string()));
  if (file_.extension() == ".html") page_maker_.emplace();
  out_.emplace(file_);
  record();
}

AnimationFile::~AnimationFile() = default;

void AnimationFile::describe() {
  known_ = WorldGenerations::of(simulation_);
  const bool first = !description_;
  description_ = describe_scene(simulation_);
  const auto state = SceneObserver(simulation_, *description_).state(simulation_);
  if (first) {
    origin_ = web::file_origin(*description_);
    const render::Camera camera =
        choose_camera("viewpoint", *description_, *state, kWidth / kHeight);
    document_.add_camera(seen(camera.X_WC), camera.vertical_fov, camera.near);
    add_still_lights();
  }
  for (const auto& object : objects_) object->taken = false;
  const std::vector<Object*> before = std::exchange(of_group_, {});
  known_objects_.clear();
  for (const auto& object : objects_) known_objects_.emplace(form_of(object->shapes), object.get());
  for (std::size_t i = 0; i < description_->groups.size(); ++i) {
    const SceneDescription::Group& group = description_->groups[i];
    // Most groups keep their places in the list.
    Object* object = i < before.size() && before[i] && before[i]->is(group, state->groups[i])
                         ? before[i]
                         : same_object(group, state->groups[i]);
    if (!object && !group.shapes.empty()) {
      objects_.push_back(std::make_unique<Object>());
      object = objects_.back().get();
      object->name = names_.unique(web::group_name(*description_, group));
      object->node = document_.add_node(object->name, seen(state->groups[i]));
      object->shapes = group.shapes;
      add_shapes(*object);
      if (first) add_lights_on(i, object->node);
      if (!first) object->track.show(0, object->there = false);
    }
    if (object) object->taken = true;
    of_group_.push_back(object);
  }
  // What no group is any more has gone.
  for (const auto& object : objects_) {
    if (!object->taken && object->there) object->track.show(time(), object->there = false);
  }
  find_lamps();
}

void AnimationFile::add_shapes(Object& object) {
  for (std::size_t i = 0; i < object.shapes.size(); ++i) {
    const SceneDescription::Shape& shape = object.shapes[i];
    if (shape.emits) {
      object.lamps[i];
    } else {
      document_.add_shape(object.node, object.name, shape.geometry, shape.material, shape.X_GS);
    }
  }
}

void AnimationFile::find_lamps() {
  for (const auto& object : objects_) {
    for (auto& [shape, lamp] : object->lamps) lamp.emitter = -1;
  }
  for (std::size_t i = 0; i < description_->emitters.size(); ++i) {
    for (const SceneDescription::Emitter::Shape& shape : description_->emitters[i].shapes) {
      if (Object* object = of_group_[shape.group])
        object->lamps[shape.index].emitter = static_cast<int>(i);
    }
  }
}

void AnimationFile::light(Object& object, std::size_t shape, Lamp& lamp) {
  Eigen::Vector3f now(0, 0, 0);
  if (lamp.emitter >= 0)
    now = simulation_.model().emitters[static_cast<std::size_t>(lamp.emitter)].color;
  const auto shade = [](float c) {
    return static_cast<int>(std::lround(Lamp::kShades * std::clamp(c, 0.0F, 1.0F)));
  };
  const Lamp::Color color = {shade(now.x()), shade(now.y()), shade(now.z())};
  const auto [place, is_new] = lamp.looks.try_emplace(color);
  Lamp::Look& look = place->second;
  if (lamp.lit == &look) return;
  if (is_new) {
    const SceneDescription::Shape& of = object.shapes[shape];
    auto material = std::make_shared<Material>(*of.material);
    const Eigen::Vector3f shades(static_cast<float>(color[0]), static_cast<float>(color[1]),
                                 static_cast<float>(color[2]));
    material->emissive = emitted_light(*material, shades / Lamp::kShades);
    look.node = document_.add_shape(object.node, names_.unique(object.name + " lamp"), of.geometry,
                                    material, of.X_GS);
    if (lamp.lit) look.track.show(0, false);
  }
  if (lamp.lit) {
    lamp.lit->track.show(time(), false);
    look.track.show(time(), true);
  }
  lamp.lit = &look;
}

void AnimationFile::add_still_lights() {
  for (const Light& light : description_->lights) {
    if (!web::is_still(light) || light.body != physics::kWorldBody) continue;
    const int node =
        document_.add_node(names_.unique("lamp"), seen(Pose::translation(light.location_B)));
    document_.add_light(node, web::file_light(light));
  }
}

/// Those that move go with the first thing that moves with them.
void AnimationFile::add_lights_on(std::size_t group, int node) {
  const VisualGroup& visual = simulation_.model().visuals[group];
  if (visual.body == physics::kWorldBody || visual.head || visual.vehicle >= 0) return;
  if (!lit_bodies_.insert(visual.body).second) return;
  const Pose X_GB = visual.X_BG.inverse();
  for (const Light& light : description_->lights) {
    if (!web::is_still(light) || light.body != visual.body) continue;
    document_.add_light(node, web::file_light(light, X_GB.R), X_GB * light.location_B);
  }
}

/// Of what is there, the nearest of equal ones, which may have changed places in the list; else
/// something that was there before, as a lamp that is red again.
AnimationFile::Object* AnimationFile::same_object(const SceneDescription::Group& group,
                                                  const Pose& X_WG) {
  if (group.shapes.empty()) return nullptr;
  Object* best = nullptr;
  const auto distance = [&](const Object& object) { return (object.X_WG.p - X_WG.p).norm(); };
  const auto [begin, end] = known_objects_.equal_range(form_of(group.shapes));
  for (auto it = begin; it != end; ++it) {
    Object* object = it->second;
    if (!object->looks_like(group) || (best && best->there && !object->there)) continue;
    if (!best || object->there != best->there || distance(*object) < distance(*best)) best = object;
  }
  return best;
}

void AnimationFile::record() {
  if (known_ != WorldGenerations::of(simulation_)) describe();
  const auto& visuals = simulation_.model().visuals;
  for (std::size_t i = 0; i < of_group_.size(); ++i) {
    Object* object = of_group_[i];
    if (!object) continue;
    const bool there = simulation_.is_seen(visuals[i]);
    if (there != object->there) object->track.show(time(), object->there = there);
    object->X_WG = simulation_.pose_of(visuals[i]);
    object->track.add(time(), seen(object->X_WG));
    for (auto& [shape, lamp] : object->lamps) light(*object, shape, lamp);
  }
}

/// A supervisor's reset takes the world back to time 0; what was seen goes on.
void AnimationFile::go_on_after_reset() {
  if (time() < last_) begin_ = simulation_.time() - last_ - simulation_.model().basic_time_step;
  last_ = time();
}

void AnimationFile::after_step() {
  go_on_after_reset();
  const auto slot = static_cast<std::int64_t>(std::floor(time() * rate_ + 1e-6));
  if (slot <= taken_) return;
  taken_ = slot;
  record();
}

void AnimationFile::finish() {
  go_on_after_reset();
  record();
  std::size_t moving = 0;
  for (const auto& object : objects_) {
    moving += object->track.moves() ? 1 : 0;
    document_.animate(object->node, object->track);
    for (const auto& [shape, lamp] : object->lamps) {
      for (const auto& [color, look] : lamp.looks) {
        if (look.node >= 0) document_.animate(look.node, look.track);
      }
    }
  }
  std::string bytes = document_.glb();
  if (page_maker_) {
    gltf::PageSettings page;
    page.title = web::page_title(*description_);
    const auto sky = web::sky_pictures(*description_);
    page.sky = web::sky_color(*description_, sky.get());
    if (sky) page.sides.assign(sky->sides.begin(), sky->sides.end());
    page.seconds = time();
    if (description_->viewpoint) page.follow = description_->viewpoint->follow;
    bytes = page_maker_->page(bytes, page);
  }
  out_->add(bytes);
  out_->finish();
  text_ = fmt::format("animation {}: {:.3f} s, {} of {} objects move, {:.1f} MB", file_.string(),
                      time(), moving, objects_.size(), 1e-6 * static_cast<double>(bytes.size()));
}

std::string SupervisedAnimation::start(const std::filesystem::path& file) {
  if (file_) return "an animation is being recorded already";
  try {
    file_.emplace(simulation_, file);
  } catch (const std::exception& problem) {
    return problem.what();
  }
  return "";
}

std::string SupervisedAnimation::stop() {
  if (!file_) return "no animation is being recorded";
  std::string why;
  try {
    file_->finish();
    log_note(file_->text());
  } catch (const std::exception& problem) {
    why = problem.what();
  }
  file_.reset();
  return why;
}

void SupervisedAnimation::after_step() {
  if (file_) file_->after_step();
}

void SupervisedAnimation::finish() {
  if (!file_) return;
  if (const std::string why = stop(); !why.empty()) log_error(why);
}

}  // namespace protobeam
