#include "viewer/layers/layers.h"

#include <utility>

#include "sim/scene/glyphs.h"
#include "viewer/layers/bounding_objects.h"
#include "viewer/layers/shaders.h"
#include "viewer/layers/strokes.h"
#include "viewer/layers/sweeps.h"
#include "viewer/layers/trails.h"

namespace protobeam::viewer {
namespace {

/// Glyphs that are drawn again for each state.
class Glyphs {
 public:
  Glyphs(const Shaders& shaders, float width) : root_(shaders.seen_through(node_.root(), width)) {}
  osg::Node* root() { return root_; }
  scene::Strokes& fresh() {
    strokes_.clear();
    return strokes_;
  }
  void show() { node_.show(strokes_); }

 private:
  scene::Strokes strokes_;
  StrokesNode node_;
  osg::ref_ptr<osg::Group> root_;
};

/// The world's own lines: there whatever is switched on, and not seen through things.
class Lines {
 public:
  Lines(std::shared_ptr<const SceneDescription> description, const Shaders& shaders)
      : description_(std::move(description)) {
    root_->setStateSet(shaders.beams());
    root_->addChild(node_.root());
    for (const LineSet& set : description_->lines) moves_ |= set.body != physics::kWorldBody;
  }
  osg::Node* root() { return root_; }
  void update(const SceneState& state) {
    if (description_->lines.empty() || (shown_ && !moves_)) return;
    shown_ = true;
    strokes_.clear();
    scene::add_lines(*description_, state, strokes_);
    node_.show(strokes_);
  }

 private:
  std::shared_ptr<const SceneDescription> description_;
  bool moves_ = false, shown_ = false;
  scene::Strokes strokes_;
  StrokesNode node_;
  osg::ref_ptr<osg::Group> root_ = new osg::Group;
};

}  // namespace

class Layers::Impl {
 public:
  Impl(std::shared_ptr<const SceneDescription> description, const DrawSettings& settings)
      : description_(std::move(description)), glyph_sizes_(scene::glyph_sizes(*description_)) {
    root_->setNodeMask(~kPickMask);
    root_->addChild(lines_.root());
    for (osg::Node* layer : {clouds_.root(), beams_.root(), frusta_.root(), frames_.root(),
                             wireframe_.root(), joints_.root(), contacts_.root(), trails_.root()}) {
      root_->addChild(layer);
    }
    set(settings);
  }

  osg::Group* root() { return root_; }

  void set(const DrawSettings& settings) {
    settings_ = settings;
    if (!settings.clouds) clouds_.clear();
    clouds_.set(settings.color, settings.point_size, settings.past_sweeps);
    show(clouds_.root(), settings.clouds);
    show(beams_.root(), settings.beams);
    show(frusta_.root(), settings.frusta);
    show(frames_.root(), settings.frames);
    show(wireframe_.root(), settings.wireframe);
    show(joints_.root(), settings.joints);
    show(contacts_.root(), settings.contacts);
    show(trails_.root(), settings.trails);
    refresh();
  }

  void update(const SceneState& state) {
    if (state.load != description_->load) return;
    lines_.update(state);
    trails_.record(state);
    // Kept for set(): a layer that is switched on while the world stands still shows at once.
    newest_.bodies = state.bodies;
    newest_.solids = state.solids;
    newest_.contacts = state.contacts;
    newest_.sweeps = state.sweeps;
    refresh();
  }

  Legend legend() const { return clouds_.legend(); }
  std::size_t points() const { return clouds_.points(); }

 private:
  static void show(osg::Node* layer, bool shown) { layer->setNodeMask(shown ? ~0u : 0u); }

  void refresh() {
    if (settings_.clouds) clouds_.update(newest_.sweeps);
    if (settings_.beams) beams_.update(newest_.sweeps);
    if (settings_.wireframe) wireframe_.update(newest_);
    if (settings_.trails) trails_.update();
    if (settings_.frusta) {
      scene::add_frusta(*description_, newest_, frusta_.fresh());
      frusta_.show();
    }
    if (settings_.frames) {
      scene::add_frames(*description_, glyph_sizes_, newest_, frames_.fresh());
      frames_.show();
    }
    if (settings_.joints) {
      scene::add_joints(*description_, glyph_sizes_, newest_, joints_.fresh());
      joints_.show();
    }
    if (settings_.contacts) {
      scene::add_contacts(*description_, newest_, contacts_.fresh());
      contacts_.show();
    }
  }

  std::shared_ptr<const SceneDescription> description_;
  std::vector<double> glyph_sizes_;
  DrawSettings settings_;
  SceneState newest_;
  Shaders shaders_;
  osg::ref_ptr<osg::Group> root_ = new osg::Group;
  Lines lines_{description_, shaders_};
  Clouds clouds_{description_, shaders_};
  Beams beams_{description_, shaders_};
  Wireframe wireframe_{description_, shaders_};
  Trails trails_{description_, shaders_};
  Glyphs frusta_{shaders_, 1}, frames_{shaders_, 3}, joints_{shaders_, 2}, contacts_{shaders_, 2};
};

Layers::Layers(std::shared_ptr<const SceneDescription> description, const DrawSettings& settings)
    : impl_(std::make_unique<Impl>(std::move(description), settings)) {}
Layers::~Layers() = default;

osg::Group* Layers::root() { return impl_->root(); }
void Layers::set(const DrawSettings& settings) { impl_->set(settings); }
void Layers::update(const SceneState& state) { impl_->update(state); }
Legend Layers::legend() const { return impl_->legend(); }
std::size_t Layers::points() const { return impl_->points(); }

}  // namespace protobeam::viewer
