#include "web/ink.h"

#include <algorithm>
#include <array>

#include "codec/image_bytes.h"
#include "gltf/document.h"
#include "web/message_writer.h"

namespace protobeam::web {

std::optional<std::string> InkOfPage::next(const SceneState& state) {
  std::set<Side> there;
  for (const PaintedSide& painted : state.paint) {
    const Side side{world_.first_shapes[painted.group] + painted.shape, painted.side};
    there.insert(side);
    const auto known = pictures_.find(side);
    if (known != pictures_.end() && known->second == painted.picture) continue;
    const auto& shapes = world_.description->groups[painted.group].shapes;
    if (sheets_.insert(side).second) return sheet(side, *shapes[painted.shape].geometry);
    pictures_[side] = painted.picture;
    return picture(side, &painted);
  }
  const auto gone = std::ranges::find_if(
      pictures_, [&](const auto& known) { return !there.contains(known.first); });
  if (gone == pictures_.end()) return std::nullopt;
  const Side side = gone->first;
  pictures_.erase(gone);
  return picture(side, nullptr);
}

std::string InkOfPage::sheet(const Side& side, const Geometry& geometry) {
  const PaintedSheet sheet = painted_sheet(geometry, side.second);
  const Vec3 origin = gltf::Document::origin_of(geometry);
  Writer out(Kind::kSheet);
  out.add(static_cast<std::uint32_t>(world_.load));
  out.add(static_cast<std::uint32_t>(side.first));
  out.add(static_cast<std::uint32_t>(side.second));
  out.add(static_cast<std::uint32_t>(sheet.corners.size()));
  for (const Vec3& corner : sheet.corners) {
    const Eigen::Vector3f p = (corner - origin).cast<float>();
    out.add(std::array{p.x(), p.y(), p.z()});
  }
  for (const Eigen::Vector3f& n : sheet.normals) out.add(std::array{n.x(), n.y(), n.z()});
  return out.take();
}

std::string InkOfPage::picture(const Side& side, const PaintedSide* painted) {
  Writer out(Kind::kInk);
  out.add(static_cast<std::uint32_t>(world_.load));
  out.add(static_cast<std::uint32_t>(side.first));
  out.add(static_cast<std::uint32_t>(side.second));
  if (!painted) return out.take();
  const auto& shapes = world_.description->groups[painted->group].shapes;
  const Vec3 origin = gltf::Document::origin_of(*shapes[painted->shape].geometry);
  const auto add = [&](int axis, double first, double end) {
    const double per_metre = 1 / (end - first);
    out.add(std::array{static_cast<float>(per_metre),
                       static_cast<float>((origin[axis] - first) * per_metre)});
  };
  add(PaintLayer::column_axis(side.second), painted->first_column, painted->end_column);
  add(PaintLayer::row_axis(side.second), painted->first_row, painted->end_row);
  const Image& image = *painted->picture;
  return out.take() + encode_png(image.pixels, image.width, image.height, PixelOrder::kRgba, true);
}

}  // namespace protobeam::web
