#include "viewer/settings.h"

namespace protobeam::viewer {

const char* name_of(CloudColor color) {
  switch (color) {
    case CloudColor::kRange:
      return "range";
    case CloudColor::kHeight:
      return "height";
    case CloudColor::kRing:
      return "ring";
    case CloudColor::kIntensity:
      return "intensity";
    case CloudColor::kReturn:
      return "return";
  }
  return "";
}

std::optional<CloudColor> cloud_color(const std::string& name) {
  for (const CloudColor color : kCloudColors) {
    if (name == name_of(color)) return color;
  }
  return std::nullopt;
}

}  // namespace protobeam::viewer
