#include "sim/ink_marks.h"

#include <algorithm>

#include "base/libm.h"
#include "base/state_archive.h"

namespace protobeam {

namespace {

/// The box around a shape that can be drawn on; else an empty one.
Bounds paintable(const Geometry& geometry) {
  const Bounds box = bounds(geometry);
  if (box.empty() || !(box.max - box.min).allFinite() || !((box.max - box.min).maxCoeff() > 0))
    return {};
  return box;
}

}  // namespace

void add_mark(WorldModel& model, const InkMark& mark) {
  const auto group = std::ranges::find(model.visuals, mark.instance, &VisualGroup::instance);
  if (group == model.visuals.end() || mark.shape >= group->geometries.size()) return;
  const Bounds box = paintable(*group->geometries[mark.shape]);
  if (box.empty()) return;
  group->paints.resize(group->geometries.size());
  auto& paint = group->paints[mark.shape];
  if (!paint) {
    paint = std::make_shared<PaintLayer>(box, PaintLayer::pixel_for(box, mark.width));
    ++model.painted;
  }
  const Pose X_SW = (group->X_WG * group->shape_poses[mark.shape]).inverse();
  paint->add({X_SW * mark.p_W, X_SW.R * mark.normal_W, mark.width / 2, mark.ink});
}

void evaporate_ink(WorldModel& model) {
  if (model.painted == 0 || !(model.ink_evaporation > 0)) return;
  const double factor = libm::exp(-model.ink_evaporation * model.basic_time_step);
  for (VisualGroup& group : model.visuals) {
    for (const auto& paint : group.paints) {
      if (paint) paint->fade(factor);
    }
  }
}

void visit_paint(StateArchive& archive, WorldModel& model) {
  archive(model.painted);
  std::uint64_t layers = 0;
  for (VisualGroup& group : model.visuals) {
    std::vector<double> pixels;  // of each shape; 0: nothing is drawn on it
    for (const auto& paint : group.paints) pixels.push_back(paint ? paint->pixel_size() : 0);
    archive(pixels);
    archive.expect(pixels.empty() || pixels.size() == group.geometries.size(),
                   "paint on shapes that are not there");
    group.paints.resize(pixels.size());
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      if (pixels[i] == 0) continue;
      if (archive.restores()) {
        const Bounds box = paintable(*group.geometries[i]);
        archive.expect(!box.empty() && PaintLayer::pixel_for(box, 8 * pixels[i]) == pixels[i],
                       "paint with pixels of a wrong size");
        group.paints[i] = std::make_shared<PaintLayer>(box, pixels[i]);
      }
      group.paints[i]->visit_state(archive);
      ++layers;
    }
  }
  archive.expect(layers <= model.painted, "paint that nobody has drawn");
}

}  // namespace protobeam
