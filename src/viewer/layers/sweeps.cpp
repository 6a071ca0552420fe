#include "viewer/layers/sweeps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "viewer/offscreen/osg_util.h"

namespace protobeam::viewer {
namespace {

/// A sweep of a device that the world has.
bool is_of(const std::shared_ptr<const Sweep>& sweep, const SceneDescription& description) {
  return sweep && find(description.devices, sweep->device);
}

constexpr double kPastOpacity = 0.6;  // of the sweep before the newest one; older ones fade
constexpr double kLeastPointSize = 1, kLargestPointSize = 64;

}  // namespace

class Clouds::Cloud {
 public:
  Cloud() {
    geometry_->setVertexArray(positions_);
    marks_->setNormalize(false);
    geometry_->setVertexAttribArray(kMarksAttribute, marks_, osg::Array::BIND_PER_VERTEX);
    geometry_->addPrimitiveSet(draw_);
    prepare_for_change(*geometry_);
    node_->setDataVariance(osg::Object::DYNAMIC);
    node_->addChild(geometry_);
    osg::StateSet* state = node_->getOrCreateStateSet();
    state->setDataVariance(osg::Object::DYNAMIC);
    for (osg::Uniform* uniform :
         {position_weights_.get(), mark_weights_.get(), offset_.get(), opacity_.get()}) {
      uniform->setDataVariance(osg::Object::DYNAMIC);
      state->addUniform(uniform);
    }
  }

  osg::Node* node() { return node_; }
  const Sweep& sweep() const { return *sweep_; }
  std::size_t points() const { return static_cast<std::size_t>(draw_->getCount()); }

  void show(std::shared_ptr<const Sweep> sweep) {
    sweep_ = std::move(sweep);
    node_->setMatrix(osg_matrix(sweep_->X_WS));
    grow(*positions_, sweep_->returns.size());
    grow(*marks_, sweep_->returns.size());
    osg::BoundingBox box;
    std::size_t count = 0;
    for (const BeamReturn& beam : sweep_->returns) {
      const osg::Vec3 p(beam.x, beam.y, beam.z);
      if (!std::isfinite(beam.x) || !std::isfinite(beam.y) || !std::isfinite(beam.z)) continue;
      (*positions_)[count] = p;
      (*marks_)[count++].set(beam.range, static_cast<float>(beam.layer), beam.intensity,
                             static_cast<float>(beam.return_number));
      box.expandBy(p);
    }
    positions_->dirty();
    marks_->dirty();
    set_count(*draw_, 0, count);
    set_bounds(*geometry_, box);
  }

  void color(const ColorScale& scale) {
    const ColorWeights weights = color_weights(scale, sweep_->X_WS);
    const Eigen::Vector3f position = weights.position.cast<float>();
    const Eigen::Vector4f marks = weights.marks.cast<float>();
    position_weights_->set(osg::Vec3(position.x(), position.y(), position.z()));
    mark_weights_->set(osg::Vec4(marks.x(), marks.y(), marks.z(), marks.w()));
    offset_->set(static_cast<float>(weights.offset));
  }

  void fade(double opacity) { opacity_->set(static_cast<float>(opacity)); }

 private:
  std::shared_ptr<const Sweep> sweep_;
  osg::ref_ptr<osg::MatrixTransform> node_ = new osg::MatrixTransform;
  osg::ref_ptr<osg::Geometry> geometry_ = new osg::Geometry;
  osg::ref_ptr<osg::Vec3Array> positions_ = new osg::Vec3Array;
  osg::ref_ptr<osg::Vec4Array> marks_ = new osg::Vec4Array;
  osg::ref_ptr<osg::DrawArrays> draw_ = new osg::DrawArrays(GL_POINTS);
  osg::ref_ptr<osg::Uniform> position_weights_ = new osg::Uniform("position_weights", osg::Vec3());
  osg::ref_ptr<osg::Uniform> mark_weights_ = new osg::Uniform("mark_weights", osg::Vec4());
  osg::ref_ptr<osg::Uniform> offset_ = new osg::Uniform("color_offset", 0.0f);
  osg::ref_ptr<osg::Uniform> opacity_ = new osg::Uniform("opacity", 1.0f);
};

Clouds::Clouds(std::shared_ptr<const SceneDescription> description, const Shaders& shaders)
    : description_(std::move(description)), scale_(CloudColor::kHeight, description_->up) {
  for (const bool newest : {true, false}) {
    osg::Group* group = newest ? newest_ : past_;
    group->setStateSet(shaders.clouds(newest));
    // Its mode, GL_POINT_SMOOTH, stays off: with it llvmpipe takes five times as long.
    group->getStateSet()->setAttribute(point_);
    root_->addChild(group);
  }
  point_->setDataVariance(osg::Object::DYNAMIC);
}

Clouds::~Clouds() = default;

void Clouds::set(CloudColor color, double point_size, int past_sweeps) {
  // Written so that a NaN is the least size.
  const double size =
      point_size > kLeastPointSize ? std::min(point_size, kLargestPointSize) : kLeastPointSize;
  point_->setSize(static_cast<float>(size));
  past_sweeps_ = static_cast<std::size_t>(std::max(past_sweeps, 0));
  for (auto& [device, history] : histories_) drop_old(history);
  if (color == scale_.color()) return;
  scale_.reset(color);
  for (auto& [device, history] : histories_) {
    for (const auto& cloud : history) include(cloud->sweep());
  }
  recolor();
}

void Clouds::update(const Sweeps& sweeps) {
  bool changed = false;
  for (const auto& sweep : sweeps) {
    if (!is_of(sweep, *description_)) continue;
    History& history = histories_[sweep->device];
    if (!history.empty() && history.front()->sweep().number == sweep->number) continue;
    add(history, sweep);
    include(*sweep);
    changed = true;
  }
  if (changed) recolor();
}

void Clouds::include(const Sweep& sweep) {
  scale_.include(sweep, description_->devices[static_cast<std::size_t>(sweep.device)].layers);
}

void Clouds::add(History& history, const std::shared_ptr<const Sweep>& sweep) {
  std::unique_ptr<Cloud> cloud;
  if (history.size() > past_sweeps_) {  // the oldest one's buffers
    cloud = std::move(history.back());
    history.pop_back();
    (history.empty() ? newest_ : past_)->removeChild(cloud->node());
  } else {
    cloud = std::make_unique<Cloud>();
  }
  if (!history.empty()) {
    newest_->removeChild(history.front()->node());
    past_->addChild(history.front()->node());
  }
  cloud->show(sweep);
  newest_->addChild(cloud->node());
  history.push_front(std::move(cloud));
  fade(history);
}

void Clouds::drop_old(History& history) {
  while (history.size() > past_sweeps_ + 1) {
    past_->removeChild(history.back()->node());
    history.pop_back();
  }
  fade(history);
}

void Clouds::fade(History& history) {
  for (std::size_t age = 0; age < history.size(); ++age) {
    const double left = 1 - static_cast<double>(age) / static_cast<double>(past_sweeps_ + 1);
    history[age]->fade(age == 0 ? 1 : kPastOpacity * left);
  }
}

void Clouds::recolor() {
  for (auto& [device, history] : histories_) {
    for (const auto& cloud : history) cloud->color(scale_);
  }
}

void Clouds::clear() {
  newest_->removeChildren(0, newest_->getNumChildren());
  past_->removeChildren(0, past_->getNumChildren());
  histories_.clear();
}

Legend Clouds::legend() const {
  return histories_.empty() || scale_.empty() ? Legend{} : scale_.legend();
}

std::size_t Clouds::points() const {
  std::size_t sum = 0;
  for (const auto& [device, history] : histories_) {
    for (const auto& cloud : history) sum += cloud->points();
  }
  return sum;
}

namespace {

constexpr unsigned char kRed = 255, kGreen = 70, kBlue = 50;

/// More beams overlap more.
unsigned char opacity(std::size_t beams) {
  const double share = 5 / std::sqrt(static_cast<double>(std::max<std::size_t>(beams, 1)));
  return static_cast<unsigned char>(255 * std::min(share, 0.6));
}

}  // namespace

class Beams::Fan {
 public:
  Fan() {
    color_->setNormalize(true);
    geometry_->setVertexArray(ends_);
    geometry_->setColorArray(color_);
    geometry_->addPrimitiveSet(lines_);
    prepare_for_change(*geometry_);
    node_->setDataVariance(osg::Object::DYNAMIC);
    node_->addChild(geometry_);
  }

  osg::Node* node() { return node_; }

  void show(const std::shared_ptr<const Sweep>& sweep) {
    if (sweep == sweep_) return;
    sweep_ = sweep;
    node_->setMatrix(osg_matrix(sweep->X_WS));
    const std::size_t stride = (sweep->returns.size() + kMostBeams - 1) / kMostBeams;
    grow(*ends_, 2 * std::min(sweep->returns.size(), kMostBeams));
    osg::BoundingBox box;
    box.expandBy(osg::Vec3());
    std::size_t count = 0;
    for (std::size_t i = 0; i < sweep->returns.size(); i += stride) {
      const BeamReturn& beam = sweep->returns[i];
      if (!std::isfinite(beam.x) || !std::isfinite(beam.y) || !std::isfinite(beam.z)) continue;
      (*ends_)[count++] = osg::Vec3();
      (*ends_)[count] = osg::Vec3(beam.x, beam.y, beam.z);
      box.expandBy((*ends_)[count++]);
    }
    (*color_)[0].set(kRed, kGreen, kBlue, opacity(count / 2));
    ends_->dirty();
    color_->dirty();
    set_count(*lines_, 0, count);
    set_bounds(*geometry_, box);
  }

 private:
  std::shared_ptr<const Sweep> sweep_;
  osg::ref_ptr<osg::MatrixTransform> node_ = new osg::MatrixTransform;
  osg::ref_ptr<osg::Geometry> geometry_ = new osg::Geometry;
  osg::ref_ptr<osg::Vec3Array> ends_ = new osg::Vec3Array;
  osg::ref_ptr<osg::Vec4ubArray> color_ = new osg::Vec4ubArray(osg::Array::BIND_OVERALL, 1);
  osg::ref_ptr<osg::DrawArrays> lines_ = new osg::DrawArrays(GL_LINES);
};

Beams::Beams(std::shared_ptr<const SceneDescription> description, const Shaders& shaders)
    : description_(std::move(description)) {
  root_->setStateSet(shaders.beams());
}

Beams::~Beams() = default;

void Beams::update(const std::vector<std::shared_ptr<const Sweep>>& sweeps) {
  for (const auto& sweep : sweeps) {
    if (!is_of(sweep, *description_)) continue;
    std::unique_ptr<Fan>& fan = fans_[sweep->device];
    if (!fan) {
      fan = std::make_unique<Fan>();
      root_->addChild(fan->node());
    }
    fan->show(sweep);
  }
}

}  // namespace protobeam::viewer
