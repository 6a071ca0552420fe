#include "viewer/scene/world_scene.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <osg/ColorMask>
#include <osg/Depth>
#include <osg/Geometry>
#include <osg/Group>
#include <osg/MatrixTransform>
#include <osg/Program>
#include <osg/Uniform>
#include <osgUtil/CullVisitor>
#include <osgUtil/RenderBin>

#include "sim/light_emitters.h"
#include "viewer/offscreen/osg_util.h"
#include "viewer/scene/depth_map.h"
#include "viewer/scene/drawables.h"
#include "viewer/scene/light_set.h"
#include "viewer/scene/paint_sheet.h"
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

Vec3 eigen_vector(const osg::Vec3d& v) { return {v.x(), v.y(), v.z()}; }

/// GLSL multiplies from the other side than OSG, and stores them transposed: the same numbers.
osg::Matrix3 rotation(const osg::Matrixd& m) {
  osg::Matrix3 result;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      result(row, column) = static_cast<float>(m(row, column));
    }
  }
  return result;
}

osg::Vec3f in_eye_space(const Vec3& direction_W, const osg::Matrixd& eye_from_world) {
  osg::Vec3d v = osg::Matrixd::transform3x3(osg_vector(direction_W), eye_from_world);
  v.normalize();
  return v;
}

/// A box of the world around `box`, in the frame U that has the axes of the world, but z up.
Bounds upright(const Mat3& R_UW, const Bounds& box) {
  if (box.empty()) return box;
  const Vec3 a = R_UW * box.min, b = R_UW * box.max;
  return {a.cwiseMin(b), a.cwiseMax(b)};
}

/// Where the middle of the view meets the height of the casters' feet, for the shadows' sharpness;
/// in the frame U.
struct Focus {
  Vec3 p;
  double distance;
};
Focus focus(const Vec3& camera, const Vec3& forward, const Bounds& casters) {
  const double ground = casters.empty() ? 0 : casters.min.z();
  double distance = 40;  // m
  if (forward.z() < -0.01 && camera.z() > ground) {
    distance = (camera.z() - ground) / -forward.z();
  }
  distance = std::clamp(distance, 5.0, std::max(40.0, 3 * std::abs(camera.z() - ground)));
  return {camera + distance * forward, distance};
}

/// Draws nothing but depths, before all else: the light of surfaces that are hidden, a third of those in
/// view of a town, need not be computed then. What lets light through writes no depth here, either.
osg::ref_ptr<osg::StateSet> depths_only() {
  constexpr auto kForced = osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE;
  osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
  state->setAttributeAndModes(depth_program(), kForced);
  state->setAttributeAndModes(new osg::ColorMask(false, false, false, false), kForced);
  state->setRenderBinDetails(-1, kFrontToBack, osg::StateSet::OVERRIDE_RENDERBIN_DETAILS);
  return state;
}

/// The root node of a scene: before its children are drawn, it takes the camera of the view,
/// updates the depth maps that are not up to date, and sets the uniforms of the shaders.
class SceneRoot : public osg::Group {
 public:
  /// Its content. Maps, ground and sky may be null.
  struct Content {
    osg::ref_ptr<osg::Group> objects;
    osg::ref_ptr<osg::Geometry> ground, sky;
    std::shared_ptr<LightSet> lights;
    std::unique_ptr<DepthMap> sun_map, sky_map;
    Mat3 R_UW = Mat3::Identity();  ///< U: z up
  };
  explicit SceneRoot(Content content);

  /// Objects have moved; `casters` bounds those that cast shadows.
  void moved(const Bounds& casters);

  void traverse(osg::NodeVisitor& visitor) override;
  void releaseGLObjects(osg::State* state) const override;
  /// Of the objects; ground and sky have no end.
  osg::BoundingSphere computeBound() const override;

 private:
  void cull(osgUtil::CullVisitor& visitor);
  osg::ref_ptr<osg::StateSet> view_state(const osg::Matrixd& eye_from_world,
                                         const osg::Matrixd& world_from_eye,
                                         const osg::Matrixd& projection) const;

  mutable Content content_;
  osg::ref_ptr<osg::StateSet> depths_ = depths_only();
  Bounds casters_;
};

SceneRoot::SceneRoot(Content content) : content_(std::move(content)) {
  addChild(content_.objects);
  if (content_.ground) addChild(content_.ground);
  if (content_.sky) addChild(content_.sky);
}

void SceneRoot::moved(const Bounds& casters) {
  casters_ = casters;
  for (DepthMap* map : {content_.sun_map.get(), content_.sky_map.get()}) {
    if (map) map->invalidate();
  }
}

void SceneRoot::traverse(osg::NodeVisitor& visitor) {
  if (auto* culling = visitor.asCullVisitor()) {
    cull(*culling);
  } else {
    content_.objects->accept(visitor);  // the sky cannot be picked
  }
}

void SceneRoot::cull(osgUtil::CullVisitor& visitor) {
  const osg::Matrixd eye_from_world = *visitor.getModelViewMatrix();
  const osg::Matrixd world_from_eye = osg::Matrixd::inverse(eye_from_world);
  const Mat3& R_UW = content_.R_UW;
  const Vec3 camera_U = R_UW * eigen_vector(world_from_eye.getTrans());
  const Vec3 forward_U =
      R_UW *
      eigen_vector(osg::Matrixd::transform3x3(osg::Vec3d(0, 0, -1), world_from_eye)).normalized();

  const Focus near = focus(camera_U, forward_U, upright(R_UW, casters_));
  for (DepthMap* map : {content_.sun_map.get(), content_.sky_map.get()}) {
    if (!map) continue;
    map->aim(casters_, R_UW.transpose() * near.p, std::clamp(near.distance, 15.0, 250.0));
    map->draw_if_stale(visitor);
  }

  // A state of its own for each view and frame: nothing that is still being drawn changes.
  const auto state = view_state(eye_from_world, world_from_eye, *visitor.getProjectionMatrix());
  visitor.pushStateSet(depths_);
  content_.objects->accept(visitor);
  visitor.popStateSet();
  visitor.pushStateSet(state);
  content_.objects->accept(visitor);
  if (content_.sky) content_.sky->accept(visitor);
  if (content_.ground && camera_U.z() > 0) {
    state->addUniform(new osg::Uniform(
        "grid_origin", osg::Vec2f(static_cast<float>(std::remainder(camera_U.x(), 10.0)),
                                  static_cast<float>(std::remainder(camera_U.y(), 10.0)))));
    const Vec3 below_U(camera_U.x(), camera_U.y(), 0);
    const Pose X_WG{Quat(Mat3(R_UW.transpose())), R_UW.transpose() * below_U};
    osg::ref_ptr<osg::RefMatrix> below_eye = new osg::RefMatrix(osg_matrix(X_WG) * eye_from_world);
    visitor.pushModelViewMatrix(below_eye, osg::Transform::RELATIVE_RF);
    content_.ground->accept(visitor);
    visitor.popModelViewMatrix();
  }
  visitor.popStateSet();
}

osg::ref_ptr<osg::StateSet> SceneRoot::view_state(const osg::Matrixd& eye_from_world,
                                                  const osg::Matrixd& world_from_eye,
                                                  const osg::Matrixd& projection) const {
  osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
  const auto add = [&state](const char* name, const auto& value) {
    state->addUniform(new osg::Uniform(name, value));
  };
  const Mat3& R_UW = content_.R_UW;
  add("upright_from_eye", rotation(world_from_eye * osg_matrix(Pose{Quat(R_UW), Vec3::Zero()})));
  add("up", in_eye_space(R_UW.row(2), eye_from_world));
  add("to_sun", in_eye_space(content_.lights->to_sun(), eye_from_world));
  content_.lights->set_uniforms(*state, eye_from_world, eigen_vector(world_from_eye.getTrans()));
  // Pictures that are the mean of several have another offset within the pixel each time.
  const double seed = std::abs(projection(2, 0) * 7919 + projection(2, 1) * 104729);
  add("pass_seed", static_cast<float>(seed - std::floor(seed)));
  if (const DepthMap* map = content_.sun_map.get()) {
    add("sun_map_from_eye", osg::Matrixf(world_from_eye * map->map_from_world()));
    add("sun_map_scale",
        osg::Vec3f(static_cast<float>(map->texel()), 1 / map->width().x(), 1 / map->width().y()));
  }
  if (const DepthMap* map = content_.sky_map.get()) {
    add("sky_map_from_eye", osg::Matrixf(world_from_eye * map->map_from_world()));
    add("sky_map_scale", osg::Vec4f(static_cast<float>(map->texel()), 1 / map->width().x(),
                                    1 / map->width().y(), static_cast<float>(1 / map->depth())));
  }
  return state;
}

void SceneRoot::releaseGLObjects(osg::State* state) const {
  osg::Group::releaseGLObjects(state);
  for (DepthMap* map : {content_.sun_map.get(), content_.sky_map.get()}) {
    if (map) map->release(state);
  }
}

osg::BoundingSphere SceneRoot::computeBound() const { return content_.objects->getBound(); }

}  // namespace

class WorldScene::Impl {
 public:
  Impl(std::shared_ptr<const SceneDescription> description, Quality quality)
      : description_(std::move(description)),
        quality_(quality),
        R_UW_(frame_with_z(description_->up)),
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
    const bool first = !root_;
    if (first) build(state);
    emit(state);
    show_paint(state);
    if (move(state) || first) root_->moved(casters(state));
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
    content.R_UW = R_UW_;
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
      content.sky_map = std::make_unique<DepthMap>(2048, description_->up, content.objects, depth);
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
    state_set->setAttributeAndModes(new osg::Depth(osg::Depth::LEQUAL));  // theirs are there already
    set_sky_uniforms(*state_set, description_->background, *lights_, description_->up);
    const auto add = [&state_set](const char* name, const auto& value) {
      state_set->addUniform(new osg::Uniform(name, value));
    };
    const Vec3& to_sun = lights_->to_sun();
    add("to_sun_U", osg::Vec3f(osg_vector(R_UW_ * to_sun)));
    add("sun", osg::Vec3f(lights_->sun().x(), lights_->sun().y(), lights_->sun().z()));
    const Fog& fog = description_->fog;
    add("fog", osg::Vec4f(fog.color.x(), fog.color.y(), fog.color.z(),
                          static_cast<float>(fog.visibility_range)));
    const Bounds box = upright(R_UW_, description_->bounds);
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
    const Bounds world = upright(R_UW_, description_->bounds);
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
        const Bounds box_W = placed(*shape.geometry, state.groups[g] * shape.X_GS);
        const PlacedShape there{shape.geometry.get(), upright(R_UW_, box_W)};
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
      groups_.push_back({node, state.groups[g], box_G, node->getNodeMask()});
    }
    emitted_ = drawables.emitted();
    return has_floor;
  }

  /// Gives the shapes of emitters their colours.
  void emit(const SceneState& state) {
    if (state.emissions.size() != description_->emitters.size()) return;
    for (std::size_t e = 0; e < state.emissions.size(); ++e) {
      if (e < emissions_.size() && state.emissions[e] == emissions_[e]) continue;
      for (const SceneDescription::Emitter::Shape& place : description_->emitters[e].shapes) {
        const SceneDescription::Shape& shape = description_->groups[place.group].shapes[place.index];
        const auto light = emitted_.find(&shape);
        if (light == emitted_.end()) continue;  // it is not drawn
        const Eigen::Vector3f color = emitted_light(*shape.material, state.emissions[e]);
        light->second->front().set(color.x(), color.y(), color.z());
        light->second->dirty();
      }
    }
    emissions_ = state.emissions;
  }

  /// What pens drew: sheets over shapes, those that have changed made anew.
  void show_paint(const SceneState& state) {
    std::vector<Sheet> sheets;
    for (const PaintedSide& side : state.paint) {
      if (side.group >= groups_.size()) continue;
      const auto& shapes = description_->groups[side.group].shapes;
      if (side.shape >= shapes.size() || !is_visible(shapes[side.shape])) continue;
      const auto known = std::ranges::find_if(sheets_, [&](const Sheet& sheet) {
        return sheet.group == side.group && sheet.shape == side.shape &&
               sheet.picture == side.picture;
      });
      if (known != sheets_.end()) {
        sheets.push_back(*known);
        continue;
      }
      const auto node = paint_sheet(shapes[side.shape], side, textured_);
      groups_[side.group].node->addChild(node);
      sheets.push_back({side.group, side.shape, side.picture, node});
    }
    for (const Sheet& sheet : sheets_) {
      const bool stays =
          std::ranges::any_of(sheets, [&](const Sheet& other) { return other.node == sheet.node; });
      if (!stays) groups_[sheet.group].node->removeChild(sheet.node);
    }
    sheets_ = std::move(sheets);
  }

  /// Returns whether anything has moved, appeared or gone.
  bool move(const SceneState& state) {
    bool has_moved = false;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      Group& group = groups_[g];
      const osg::Node::NodeMask mask = is_hidden(state, g) ? 0 : group.mask;
      if (group.node->getNodeMask() != mask) {
        group.node->setNodeMask(mask);
        has_moved = true;
      }
      const Pose& now = state.groups[g];
      if (now.p == group.X_WG.p && now.R.coeffs() == group.X_WG.R.coeffs()) continue;
      group.X_WG = now;
      group.node->setMatrix(osg_matrix(now));
      has_moved = true;
    }
    return has_moved;
  }

  static bool is_hidden(const SceneState& state, std::size_t group) {
    return group < state.hidden.size() && state.hidden[group];
  }

  Bounds casters(const SceneState& state) const {
    Bounds all;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Bounds& box = groups_[g].casters_G;
      if (box.empty() || is_hidden(state, g)) continue;
      join(all, placed(Box{box.max - box.min},
                       state.groups[g] * Pose::translation((box.min + box.max) / 2)));
    }
    return all;
  }

  struct Group {
    osg::ref_ptr<osg::MatrixTransform> node;
    Pose X_WG;
    Bounds casters_G;
    osg::Node::NodeMask mask;  ///< while it is seen
  };

  struct Sheet {
    std::size_t group, shape;
    std::shared_ptr<const Image> picture;  ///< by which a side is known
    osg::ref_ptr<SolidNode> node;
  };

  std::shared_ptr<const SceneDescription> description_;
  Quality quality_;
  Mat3 R_UW_;  ///< U: the axes of the world, but z up
  std::shared_ptr<LightSet> lights_;
  osg::ref_ptr<osg::Group> top_ = new osg::Group;
  osg::ref_ptr<SceneRoot> root_;
  osg::ref_ptr<osg::Program> textured_;
  osg::ref_ptr<osg::StateSet> highlighted_;
  std::vector<Group> groups_;
  std::vector<osg::ref_ptr<SolidNode>> solids_;
  Drawables::EmittedLights emitted_;
  std::vector<Eigen::Vector3f> emissions_;  ///< as they are drawn
  std::vector<Sheet> sheets_;
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
