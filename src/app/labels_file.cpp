#include "app/labels_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace protobeam {
namespace {

using Color = std::array<int, 3>;

/// A double-quoted text of YAML, which JSON's is.
std::string yaml_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Of a number: hues a golden angle apart differ from those of their neighbours.
Color color_of_number(std::size_t number) {
  const double hue = std::fmod(static_cast<double>(number) * 0.6180339887498949, 1.0) * 6;
  Color out{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double distance = std::abs(std::fmod(hue + 6 - 2.0 * static_cast<double>(i), 6.0) - 3);
    out[i] = static_cast<int>(std::lround(55 + 200 * std::clamp(distance - 1, 0.0, 1.0)));
  }
  return out;
}

Color color_of(const SceneLabels::Instance& instance) {
  if (instance.colors.empty()) return color_of_number(instance.id);
  Color out{};
  for (std::size_t i = 0; i < 3; ++i) {
    const float part = std::clamp(instance.colors[0][static_cast<Eigen::Index>(i)], 0.0f, 1.0f);
    out[i] = static_cast<int>(std::lround(255 * part));
  }
  return out;
}

}  // namespace

std::string labels_text(const SceneLabels& labels) {
  std::string out =
      "# A label is class + 65536 * instance. Colours of classes are blue, green, red, as SemanticKITTI\n"
      "# has them; those of instances red, green, blue.\n"
      "labels:\n  0: \"unlabeled\"\n";
  const auto& classes = labels.classes();
  for (std::size_t i = 0; i < classes.size(); ++i) {
    out += fmt::format("  {}: {}\n", i + 1, yaml_text(classes[i]));
  }
  out += "color_map:\n  0: [0, 0, 0]\n";
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const Color c = color_of_number(i + 1);
    out += fmt::format("  {}: [{}, {}, {}]\n", i + 1, c[2], c[1], c[0]);
  }
  out += labels.instances().empty() ? "instances: {}\n" : "instances:\n";
  for (const SceneLabels::Instance& instance : labels.instances()) {
    const Color c = color_of(instance);
    out += fmt::format("  {}: {{name: {}, class: {}, color: [{}, {}, {}]}}\n", instance.id,
                       yaml_text(instance.name), instance.class_id, c[0], c[1], c[2]);
  }
  return out;
}

}  // namespace protobeam
