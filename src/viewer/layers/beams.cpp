#include "viewer/layers/beams.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "viewer/layers/buffers.h"
#include "viewer/layers/lookup.h"
#include "viewer/offscreen/osg_math.h"

namespace protobeam::viewer {
namespace {

constexpr unsigned char kRed = 255, kGreen = 70, kBlue = 50;

/// The more beams there are, the more of them lie over each other.
unsigned char opacity(std::size_t beams) {
  const double share = 5 / std::sqrt(static_cast<double>(std::max<std::size_t>(beams, 1)));
  return static_cast<unsigned char>(255 * std::min(share, 0.6));
}

}  // namespace

class Beams::Fan {
 public:
  Fan() {
    colour_->setNormalize(true);
    geometry_->setVertexArray(ends_);
    geometry_->setColorArray(colour_);
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
    make_room(*ends_, 2 * std::min(sweep->returns.size(), kMostBeams));
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
    (*colour_)[0].set(kRed, kGreen, kBlue, opacity(count / 2));
    ends_->dirty();
    colour_->dirty();
    set_count(*lines_, 0, count);
    set_bounds(*geometry_, box);
  }

 private:
  std::shared_ptr<const Sweep> sweep_;
  osg::ref_ptr<osg::MatrixTransform> node_ = new osg::MatrixTransform;
  osg::ref_ptr<osg::Geometry> geometry_ = new osg::Geometry;
  osg::ref_ptr<osg::Vec3Array> ends_ = new osg::Vec3Array;
  osg::ref_ptr<osg::Vec4ubArray> colour_ = new osg::Vec4ubArray(osg::Array::BIND_OVERALL, 1);
  osg::ref_ptr<osg::DrawArrays> lines_ = new osg::DrawArrays(GL_LINES);
};

Beams::Beams(std::shared_ptr<const WorldLook> look, const Shaders& shaders)
    : look_(std::move(look)) {
  root_->setStateSet(shaders.beams());
}

Beams::~Beams() = default;

void Beams::update(const std::vector<std::shared_ptr<const Sweep>>& sweeps) {
  for (const auto& sweep : sweeps) {
    if (!is_of(sweep, *look_)) continue;
    std::unique_ptr<Fan>& fan = fans_[sweep->device];
    if (!fan) {
      fan = std::make_unique<Fan>();
      root_->addChild(fan->node());
    }
    fan->show(sweep);
  }
}

}  // namespace protobeam::viewer
