// Animations: how a world looks and moves during a run, as a scene that can be looked at from all
// sides. FILE.glb is binary glTF; FILE.html a page with it, for any browser.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/world_generations.h"
#include "base/whole_file.h"
#include "gltf/document.h"
#include "gltf/page.h"
#include "sim/scene/scene_description.h"
#include "sim/simulation.h"
#include "sim/supervisor/animation_maker.h"
#include "web/scene_parts.h"

namespace protobeam {

class AnimationFile {
 public:
  static constexpr double kRate = 25;  ///< Hz, as movies

  /// From the world as it is. `rate`: poses in a simulated second, Hz. Throws std::invalid_argument
  /// for a file that ends otherwise, std::runtime_error when it cannot be written.
  AnimationFile(const Simulation& simulation, std::filesystem::path file, double rate = kRate);
  ~AnimationFile();

  void after_step();
  /// Writes the file, with the world as it is now at the end. Throws std::runtime_error.
  void finish();
  /// "animation run.glb: 12.000 s, 14 of 230 objects move, 3.1 MB"; after finish().
  const std::string& text() const { return text_; }

 private:
  struct Object;
  struct Lamp;

  void describe();
  void record();
  void add_still_lights();
  void add_lights_on(std::size_t group, int node);
  void add_shapes(Object& object);
  void find_lamps();
  void light(Object& object, std::size_t shape, Lamp& lamp);
  Object* same_object(const SceneDescription::Group& group, const Pose& X_WG);
  double time() const { return simulation_.time() - begin_; }
  void go_on_after_reset();
  Pose seen(const Pose& X_W) const { return {X_W.R, X_W.p - origin_}; }

  const Simulation& simulation_;
  std::filesystem::path file_;
  std::optional<gltf::PageMaker> page_maker_;  ///< for a page
  std::optional<WholeFile> out_;
  double rate_;
  double begin_;     ///< s, of the simulation, when the animation is at 0
  double last_ = 0;  ///< s, of the animation, after the last step
  std::int64_t taken_ = 0;
  Vec3 origin_ = Vec3::Zero();  ///< of the file, in the world: single precision is finest there
  std::optional<WorldGenerations> known_;
  std::shared_ptr<const SceneDescription> description_;
  gltf::Document document_;
  std::vector<std::unique_ptr<Object>> objects_;
  std::vector<Object*> of_group_;  ///< by SceneDescription::groups
  /// Of the first shape; most things of one form have equal ones.
  using Form = const Geometry*;
  static Form form_of(const std::vector<SceneDescription::Shape>& shapes) {
    return shapes.front().geometry.get();
  }
  std::multimap<Form, Object*> known_objects_;
  std::set<physics::BodyId> lit_bodies_;
  web::NodeNames names_;
  std::string text_;
};

/// Those that supervisors start and stop.
class SupervisedAnimation : public AnimationMaker {
 public:
  explicit SupervisedAnimation(const Simulation& simulation) : simulation_(simulation) {}

  std::string start(const std::filesystem::path& file) override;
  std::string stop() override;

  void after_step();
  /// What nobody has stopped ends here, and is kept.
  void finish();

 private:
  const Simulation& simulation_;
  std::optional<AnimationFile> file_;
};

}  // namespace protobeam
