#include "urdf/labels.h"

#include <fmt/format.h>

#include <cmath>

#include "urdf/values.h"
#include "urdf/wheels.h"

namespace protobeam::urdf {
namespace {

constexpr int kMostLabel = 255;

}  // namespace

bool is_label(const xml::Element& plugin) { return file_has(plugin, "label_system"); }

std::optional<int> label_of(const xml::Element& owner, Diagnostics& diagnostics) {
  for (const xml::Element* plugin : owner.all("plugin")) {
    if (!is_label(*plugin)) continue;
    const xml::Element* text = plugin->child("label");
    if (!text) {
      diagnostics.warning(plugin->place, "a label plugin has no effect: it has no <label>");
      continue;
    }
    const auto label = child_number(*plugin, "label", diagnostics);
    if (!label) return std::nullopt;
    if (*label >= 0 && *label <= kMostLabel && *label == std::floor(*label))
      return static_cast<int>(*label);
    diagnostics.error(
        text->text.place,
        fmt::format("<label> must be a whole number from 0 to {}, got {}", kMostLabel, *label));
    return std::nullopt;
  }
  return std::nullopt;
}

void add_label(wbt::NodeMaker& solid, int label) {
  solid.text("model", std::to_string(label))
      .points("recognitionColors",
              std::vector{Vec3(Vec3::Constant(static_cast<double>(label) / kMostLabel))});
}

}  // namespace protobeam::urdf
