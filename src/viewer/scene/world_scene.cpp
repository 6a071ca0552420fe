#include "viewer/scene/world_scene.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <osg/MatrixTransform>
#include <osg/Uniform>
#include <osgUtil/RenderBin>

#include "viewer/offscreen/osg_util.h"
#include "viewer/scene/drawables.h"
#include "viewer/scene/scene_root.h"
#include "viewer/scene/sky_and_ground.h"

namespace protobeam::viewer {
namespace {

/// What is hidden by nearer things costs little when those are drawn before.
const char* const kFrontToBack = "ProtobeamFrontToBack";

void register_bin() {
  static std::once_flag once;
  std::call_once(once, [] {
    osgUtil::RenderBin::addRenderBinPrototype(
        kFrontToBack, new osgUtil::RenderBin(osgUtil::RenderBin::SORT_FRONT_TO_BACK));
  });
}

const osg::Vec4f kHighlight(1.5f, 0.55f, 0.04f, 1);

Bounds placed(const Geometry& geometry, const Pose& X_WS) {
  const Bounds box = bounds(geometry);
  if (box.empty()) return box;
  const Vec3 middle = X_WS * ((box.min + box.max) / 2).eval();
  const Vec3 reach = X_WS.R.toRotationMatrix().cwiseAbs() * ((box.max - box.min) / 2);
  return {middle - reach, middle + reach};
}

void join(Bounds& all, const Bounds& more) {
  if (more.empty()) return;
  all.min = all.min.cwiseMin(more.min);
  all.max = all.max.cwiseMax(more.max);
}

bool is_visible(const SceneDescription::Shape& shape) {
  return shape.geometry && shape.material && shape.material->transparency < 1;
}

}  // namespace

class WorldScene::Impl {
 public:
  Impl(std::shared_ptr<const SceneDescription> description, Quality quality)
      : description_(std::move(description)),
        quality_(quality),
        lights_(std::make_shared<LightSet>(*description_)),
        highlighted_(new osg::StateSet) {
    register_bin();
    highlighted_->addUniform(new osg::Uniform("tint", kHighlight));
  }

  osg::Group* root() { return top_; }

  void update(const SceneState& state) {
    if (state.load != description_->load || state.groups.size() != description_->groups.size())
      return;
    lights_->update(state);
    if (!root_) {
      build(state);
    } else if (!move(state)) {
      return;
    }
    root_->moved(casters(state));
  }

  void highlight(int solid) {
    lit_solid_ = solid;
    for (const osg::ref_ptr<SolidNode>& node : solids_) {
      node->setStateSet(solid >= 0 && is_inside(node->solid(), solid) ? highlighted_.get()
                                                                      : nullptr);
    }
  }

 private:
  bool is_inside(int solid, int outer) const {
    while (solid >= 0 && solid != outer) {
      solid = description_->solids[static_cast<std::size_t>(solid)].parent;
    }
    return solid == outer;
  }

  /// Poses come with the first state; only then it is known what lies on the ground.
  void build(const SceneState& state) {
    ShaderOptions options;
    options.soft_shadows = quality_ == Quality::kPicture;
    options.sky_taps = quality_ == Quality::kPicture ? 12 : 0;
    options.has_sun = lights_->has_sun();
    options.lights = lights_->count();
    options.sky_cube = has_sky_cube(description_->background);
    options.fog = description_->fog;
    textured_ = surface_program(options, true);

    SceneRoot::Content content;
    content.objects = new osg::Group;
    const bool has_floor = add_groups(state, *content.objects);
    if (!has_floor) content.ground = make_ground(options);
    content.sky = make_sky(options);
    content.lights = lights_;
    const auto depth = depth_program();
    const bool fine = quality_ == Quality::kPicture;
    if (options.has_sun) {
      content.sun_map =
          std::make_unique<DepthMap>(fine ? 4096 : 2048, lights_->to_sun(), content.objects, depth);
    }
    if (options.sky_taps > 0) {
      content.sky_map = std::make_unique<DepthMap>(2048, Vec3::UnitZ(), content.objects, depth);
    }
    osg::ref_ptr<osg::StateSet> state_set = constant_state(options, content);
    root_ = new SceneRoot(std::move(content));
    root_->setStateSet(state_set);
    top_->addChild(root_);
    highlight(lit_solid_);
  }

  osg::ref_ptr<osg::StateSet> constant_state(const ShaderOptions& options,
                                             const SceneRoot::Content& content) const {
    osg::ref_ptr<osg::StateSet> state_set = new osg::StateSet;
    state_set->setAttribute(surface_program(options, false));
    state_set->setRenderBinDetails(0, kFrontToBack);
    set_sky_uniforms(*state_set, description_->background, *lights_);
    const auto add = [&state_set](const char* name, const auto& value) {
      state_set->addUniform(new osg::Uniform(name, value));
    };
    const Vec3& to_sun = lights_->to_sun();
    add("to_sun_W", osg::Vec3f(osg_vector(to_sun)));
    add("sun", osg::Vec3f(lights_->sun().x(), lights_->sun().y(), lights_->sun().z()));
    const Fog& fog = description_->fog;
    add("fog", osg::Vec4f(fog.color.x(), fog.color.y(), fog.color.z(),
                          static_cast<float>(fog.visibility_range)));
    const Bounds& box = description_->bounds;
    const double size = box.empty() ? 0 : (box.max - box.min).head<2>().norm();
    add("haze_distance", static_cast<float>(std::max(1000.0, 8 * size)));
    add("tint", osg::Vec4f(0, 0, 0, 0));
    add("base_color", static_cast<int>(kBaseColorUnit));
    if (content.sun_map) {
      state_set->setTextureAttribute(kSunMapUnit, content.sun_map->texture());
      add("sun_map", static_cast<int>(kSunMapUnit));
    }
    if (content.sky_map) {
      state_set->setTextureAttribute(kSkyMapUnit, content.sky_map->texture());
      add("sky_map", static_cast<int>(kSkyMapUnit));
    }
    return state_set;
  }

  /// Returns whether there is a floor among them.
  bool add_groups(const SceneState& state, osg::Group& objects) {
    Bounds world = description_->bounds;
    bool has_floor = false;
    SurfaceStates states(textured_);
    Drawables drawables(states);
    for (std::size_t g = 0; g < description_->groups.size(); ++g) {
      const SceneDescription::Group& group = description_->groups[g];
      std::vector<bool> casts(group.shapes.size(), true);
      Bounds box_G;
      for (std::size_t i = 0; i < group.shapes.size(); ++i) {
        const SceneDescription::Shape& shape = group.shapes[i];
        if (!is_visible(shape)) continue;
        const PlacedShape there{shape.geometry.get(),
                                placed(*shape.geometry, state.groups[g] * shape.X_GS)};
        has_floor |= !group.moves && is_floor(there, world);
        casts[i] =
            shape.material->transparency < 0.5f && (group.moves || !is_flat_floor(there, world));
        if (casts[i]) join(box_G, placed(*shape.geometry, shape.X_GS));
      }
      osg::ref_ptr<osg::MatrixTransform> node = drawables.group(group, casts);
      node->setMatrix(osg_matrix(state.groups[g]));
      for (unsigned i = 0; i < node->getNumChildren(); ++i) {
        auto* solid = static_cast<SolidNode*>(node->getChild(i));
        solids_.push_back(solid);
        if (solid->solid() >= 0) {
          solid->setName(description_->solids[static_cast<std::size_t>(solid->solid())].name);
        }
      }
      objects.addChild(node);
      groups_.push_back({node, state.groups[g], box_G});
    }
    return has_floor;
  }

  /// Returns whether anything has moved.
  bool move(const SceneState& state) {
    bool has_moved = false;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      Group& group = groups_[g];
      const Pose& now = state.groups[g];
      if (now.p == group.X_WG.p && now.R.coeffs() == group.X_WG.R.coeffs()) continue;
      group.X_WG = now;
      group.node->setMatrix(osg_matrix(now));
      has_moved = true;
    }
    return has_moved;
  }

  Bounds casters(const SceneState& state) const {
    Bounds all;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Bounds& box = groups_[g].casters_G;
      if (box.empty()) continue;
      join(all, placed(Box{box.max - box.min},
                       state.groups[g] * Pose::translation((box.min + box.max) / 2)));
    }
    return all;
  }

  struct Group {
    osg::ref_ptr<osg::MatrixTransform> node;
    Pose X_WG;
    Bounds casters_G;
  };

  std::shared_ptr<const SceneDescription> description_;
  Quality quality_;
  std::shared_ptr<LightSet> lights_;
  osg::ref_ptr<osg::Group> top_ = new osg::Group;
  osg::ref_ptr<SceneRoot> root_;
  osg::ref_ptr<osg::Program> textured_;
  osg::ref_ptr<osg::StateSet> highlighted_;
  std::vector<Group> groups_;
  std::vector<osg::ref_ptr<SolidNode>> solids_;
  int lit_solid_ = -1;
};

WorldScene::WorldScene(std::shared_ptr<const SceneDescription> description, Quality quality)
    : impl_(std::make_unique<Impl>(std::move(description), quality)) {}
WorldScene::~WorldScene() = default;

osg::Group* WorldScene::root() { return impl_->root(); }
void WorldScene::update(const SceneState& state) { impl_->update(state); }
void WorldScene::highlight(int solid) { impl_->highlight(solid); }

int WorldScene::solid_of(const std::vector<osg::Node*>& path) const {
  for (auto node = path.rbegin(); node != path.rend(); ++node) {
    if (const auto* solid = dynamic_cast<const SolidNode*>(*node)) return solid->solid();
  }
  return -1;
}

}  // namespace protobeam::viewer
