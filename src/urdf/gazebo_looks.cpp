#include "urdf/gazebo_looks.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/diagnostics.h"

namespace protobeam::urdf {
namespace {

struct NamedLook {
  std::string_view name;
  std::array<double, 3> colour;
  double transparency = 0;
};

// Diffuse colours and alphas of Gazebo's scripts (gz-sim,
// src/rendering/MaterialParser/gazebo.material); of those with a picture, about its mean.
constexpr std::array kNamedLooks{NamedLook{"Grey", {0.7, 0.7, 0.7}},
                                 NamedLook{"Gray", {0.7, 0.7, 0.7}},
                                 NamedLook{"DarkGrey", {0.175, 0.175, 0.175}},
                                 NamedLook{"DarkGray", {0.175, 0.175, 0.175}},
                                 NamedLook{"White", {1, 1, 1}},
                                 NamedLook{"Black", {0, 0, 0}},
                                 NamedLook{"FlatBlack", {0.1, 0.1, 0.1}},
                                 NamedLook{"Red", {1, 0, 0}},
                                 NamedLook{"RedBright", {0.87, 0.26, 0.07}},
                                 NamedLook{"Green", {0, 1, 0}},
                                 NamedLook{"Blue", {0, 0, 1}},
                                 NamedLook{"SkyBlue", {0.13, 0.44, 0.7}},
                                 NamedLook{"Yellow", {1, 1, 0}},
                                 NamedLook{"ZincYellow", {0.9725, 0.9529, 0.2078}},
                                 NamedLook{"DarkYellow", {0.7, 0.7, 0}},
                                 NamedLook{"Gold", {0.8, 0.64869, 0.120759}},
                                 NamedLook{"Orange", {1, 0.5088, 0.0468}},
                                 NamedLook{"Purple", {1, 0, 1}},
                                 NamedLook{"Turquoise", {0, 1, 1}},
                                 NamedLook{"Indigo", {0.33, 0, 0.5}},
                                 NamedLook{"LightOn", {0, 1, 0}},
                                 NamedLook{"LightOff", {1, 0, 0}},
                                 NamedLook{"PioneerBody", {1, 0, 0}},
                                 NamedLook{"Pioneer2Body", {0.681193, 0.000923, 0.000923}},
                                 NamedLook{"RedTransparent", {1, 0, 0}, 0.5},
                                 NamedLook{"GreenTransparent", {0, 1, 0}, 0.5},
                                 NamedLook{"BlueTransparent", {0, 0, 1}, 0.5},
                                 NamedLook{"YellowTransparent", {1, 1, 0}, 0.5},
                                 NamedLook{"OrangeTransparent", {1, 0.44, 0}, 0.6},
                                 NamedLook{"DarkMagentaTransparent", {0.6, 0, 0.6}, 0.5},
                                 NamedLook{"GreyTransparent", {0.5, 0.5, 0.5}, 0.5},
                                 NamedLook{"BlackTransparent", {0, 0, 0}, 0.5},
                                 NamedLook{"BlueLaser", {0, 0, 1}, 0.6},
                                 NamedLook{"LightBlueLaser", {0.5, 0.5, 1}, 0.6},
                                 NamedLook{"Wood", {0.6, 0.45, 0.3}},
                                 NamedLook{"WoodPallet", {0.6, 0.45, 0.3}},
                                 NamedLook{"Bricks", {0.6, 0.35, 0.28}},
                                 NamedLook{"Road", {0.25, 0.25, 0.25}},
                                 NamedLook{"Motorway", {0.25, 0.25, 0.25}},
                                 NamedLook{"Grass", {0.25, 0.4, 0.15}},
                                 NamedLook{"CeilingTiled", {0.8, 0.8, 0.8}},
                                 NamedLook{"PaintedWall", {0.85, 0.85, 0.8}},
                                 NamedLook{"WoodFloor", {0.6, 0.45, 0.3}},
                                 NamedLook{"Pedestrian", {0.7, 0.6, 0.5}},
                                 NamedLook{"Residential", {0.6, 0.55, 0.5}}};

constexpr std::string_view kGazebo = "Gazebo/", kGlow = "Glow";

bool emits(std::string_view name) { return name == "LightOn" || name == "LightOff"; }

}  // namespace

std::optional<GazeboLook> gazebo_look(std::string_view script) {
  if (!script.starts_with(kGazebo)) return std::nullopt;
  std::string_view name = script.substr(kGazebo.size());
  const bool glows = name.ends_with(kGlow);
  if (glows) name.remove_suffix(kGlow.size());
  const auto found =
      std::ranges::find_if(kNamedLooks, [&](const NamedLook& one) { return one.name == name; });
  if (found == kNamedLooks.end()) return std::nullopt;
  const auto& [red, green, blue] = found->colour;
  return GazeboLook{{red, green, blue}, found->transparency, glows || emits(name)};
}

std::string gazebo_script(const xml::Element& material) {
  const xml::Element* name = material.find({"script", "name"});
  return name ? name->text.value : material.text.value;
}

std::string near_gazebo_look(const std::string& script) {
  std::vector<std::string> known;
  for (const NamedLook& one : kNamedLooks)
    known.push_back(std::string(kGazebo) + std::string(one.name));
  return did_you_mean(script, known);
}

}  // namespace protobeam::urdf
