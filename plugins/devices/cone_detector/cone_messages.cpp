#include "cone_messages.h"

namespace protobeam {

message::ConeArrayWithCovariance cone_array(const message::Header& header,
                                            std::span<const ConeRecord> cones) {
  message::ConeArrayWithCovariance out;
  out.header = header;
  const auto list = [&out](std::int32_t color) -> std::vector<message::ConeWithCovariance>& {
    switch (static_cast<ConeColor>(color)) {
      case ConeColor::kBlue: return out.blue_cones;
      case ConeColor::kYellow: return out.yellow_cones;
      case ConeColor::kOrange: return out.orange_cones;
      case ConeColor::kBigOrange: return out.big_orange_cones;
      case ConeColor::kUnknown: break;
    }
    return out.unknown_color_cones;
  };
  for (const ConeRecord& cone : cones) {
    list(cone.color).push_back({{cone.x, cone.y, 0}, {cone.xx, cone.xy, cone.xy, cone.yy}});
  }
  return out;
}

message::ConesCartesian cones_cartesian(const message::Header& header,
                                        std::span<const ConeRecord> cones) {
  message::ConesCartesian out;
  out.header = header;
  for (const ConeRecord& cone : cones) {
    out.x.push_back(cone.x);
    out.y.push_back(cone.y);
    out.color.push_back(static_cast<std::int8_t>(cone.color));
  }
  return out;
}

message::PointCloud cone_points(const message::Header& header, std::span<const ConeRecord> cones) {
  message::PointCloud out;
  out.header = header;
  for (const ConeRecord& cone : cones) out.points.push_back({cone.x, cone.y, 0});
  return out;
}

}  // namespace protobeam
