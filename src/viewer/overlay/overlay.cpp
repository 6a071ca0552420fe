#include "viewer/overlay/overlay.h"

#include <osg/BlendFunc>
#include <osg/NodeVisitor>

#include "viewer/overlay/canvas.h"
#include "viewer/overlay/panels.h"

namespace protobeam::viewer {
namespace {

class TextReader : public osg::NodeVisitor {
 public:
  TextReader() : osg::NodeVisitor(TRAVERSE_ACTIVE_CHILDREN) {}
  void apply(osg::Drawable& drawable) override {
    if (const auto* text = dynamic_cast<const osgText::Text*>(&drawable)) {
      found.push_back(text->getText().createUTF8EncodedString());
    }
  }
  std::vector<std::string> found;
};

/// In pixels, after everything else, in the order of the panels.
osg::ref_ptr<osg::Camera> pixel_camera() {
  osg::ref_ptr<osg::Camera> camera = new osg::Camera;
  camera->setReferenceFrame(osg::Transform::ABSOLUTE_RF);
  camera->setRenderOrder(osg::Camera::POST_RENDER, 100);
  camera->setClearMask(0);
  camera->setAllowEventFocus(false);
  camera->setViewMatrix(osg::Matrix::identity());
  camera->setComputeNearFarMode(osg::Camera::DO_NOT_COMPUTE_NEAR_FAR);
  camera->setCullingMode(osg::CullSettings::NO_CULLING);
  osg::StateSet* state = camera->getOrCreateStateSet();
  const auto off = osg::StateAttribute::OFF | osg::StateAttribute::OVERRIDE;
  for (const GLenum mode : {GL_LIGHTING, GL_DEPTH_TEST, GL_CULL_FACE, GL_FOG}) {
    state->setMode(mode, off);
  }
  state->setAttributeAndModes(new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA));
  return camera;
}

/// Drawn in the order of its children, texts too, which OSG would otherwise draw last. A camera's
/// own render bin is for the camera as a whole, hence a group.
osg::ref_ptr<osg::Group> drawn_in_order() {
  osg::ref_ptr<osg::Group> group = new osg::Group;
  group->getOrCreateStateSet()->setRenderBinDetails(1, "TraversalOrderBin",
                                                    osg::StateSet::OVERRIDE_RENDERBIN_DETAILS);
  return group;
}

}  // namespace

class Overlay::Impl {
 public:
  Impl(int width, int height) : root(pixel_camera()) {
    const osg::ref_ptr<osg::Group> parts = drawn_in_order();
    for (Canvas* part : {&labels, &legend, &status, &panel, &problem, &help, &note}) {
      parts->addChild(part->node());
    }
    root->addChild(parts);
    resize(width, height);
  }

  void resize(int width, int height) {
    screen = {std::max(0, width), std::max(0, height)};
    root->setProjectionMatrixAsOrtho2D(0, std::max(1, width), 0, std::max(1, height));
    draw_all();
  }

  template <class Draw>
  void redraw(Canvas& part, Draw draw) {
    part.clear();
    draw();
    part.done();
  }
  void redraw_status() {
    redraw(status, [&] { draw_status(status, fonts, screen, status_line); });
  }
  void redraw_panel() {
    redraw(panel, [&] { draw_panel(panel, fonts, screen, panel_title, panel_rows); });
  }
  void redraw_legend() {
    redraw(legend, [&] { draw_legend(legend, fonts, screen, legend_shown); });
  }
  void redraw_help() {
    redraw(help, [&] {
      if (help_shown) draw_help(help, fonts, screen);
    });
  }
  void redraw_problem() {
    redraw(problem, [&] { draw_problem(problem, fonts, screen, problem_text); });
  }
  void redraw_labels() {
    redraw(labels, [&] { draw_labels(labels, fonts, screen, labels_shown); });
  }
  void redraw_note() {
    redraw(note, [&] { draw_note(note, fonts, screen, note_line); });
  }
  void draw_all() {
    redraw_status();
    redraw_panel();
    redraw_legend();
    redraw_help();
    redraw_problem();
    redraw_note();
    redraw_labels();
  }

  Fonts fonts;
  osg::ref_ptr<osg::Camera> root;
  Screen screen;
  Canvas labels, status, panel, legend, help, problem, note;

  std::string status_line, panel_title, problem_text, note_line;
  std::vector<std::pair<std::string, std::string>> panel_rows;
  Legend legend_shown;
  std::vector<render::PictureLabel> labels_shown;
  bool help_shown = false;
};

Overlay::Overlay(int width, int height) : impl_(std::make_unique<Impl>(width, height)) {}
Overlay::~Overlay() = default;

osg::Camera* Overlay::root() { return impl_->root.get(); }
void Overlay::resize(int width, int height) { impl_->resize(width, height); }

void Overlay::set_status(const std::string& line) {
  if (line == impl_->status_line) return;
  impl_->status_line = line;
  impl_->redraw_status();
}

void Overlay::set_panel(const std::string& title,
                        const std::vector<std::pair<std::string, std::string>>& rows) {
  if (title == impl_->panel_title && rows == impl_->panel_rows) return;
  impl_->panel_title = title;
  impl_->panel_rows = rows;
  impl_->redraw_panel();
}

void Overlay::set_legend(const Legend& legend) {
  const Legend& old = impl_->legend_shown;
  if (legend.title == old.title && legend.unit == old.unit && legend.low == old.low &&
      legend.high == old.high && legend.steps == old.steps) {
    return;
  }
  impl_->legend_shown = legend;
  impl_->redraw_legend();
}

void Overlay::set_help(bool shown) {
  if (shown == impl_->help_shown) return;
  impl_->help_shown = shown;
  impl_->redraw_help();
}

void Overlay::set_problem(const std::string& text) {
  if (text == impl_->problem_text) return;
  impl_->problem_text = text;
  impl_->redraw_problem();
}

void Overlay::set_labels(const std::vector<render::PictureLabel>& labels) {
  if (labels == impl_->labels_shown) return;
  impl_->labels_shown = labels;
  impl_->redraw_labels();
}

void Overlay::set_note(const std::string& line) {
  if (line == impl_->note_line) return;
  impl_->note_line = line;
  impl_->redraw_note();
}

std::vector<std::string> Overlay::texts() const {
  TextReader reader;
  impl_->root->accept(reader);
  return std::move(reader.found);
}

}  // namespace protobeam::viewer
