#include "viewer/settings.h"

namespace protobeam::viewer {

const char* name_of(CloudColour colour) {
  switch (colour) {
    case CloudColour::kRange: return "range";
    case CloudColour::kHeight: return "height";
    case CloudColour::kRing: return "ring";
    case CloudColour::kIntensity: return "intensity";
    case CloudColour::kReturn: return "return";
  }
  return "";
}

std::optional<CloudColour> cloud_colour(const std::string& name) {
  for (const CloudColour colour : kCloudColours) {
    if (name == name_of(colour)) return colour;
  }
  return std::nullopt;
}

}  // namespace protobeam::viewer
