#include "wbt/version_upgrade.h"

#include <algorithm>

#include "base/math.h"
#include "base/turn.h"

namespace protobeam::wbt {
namespace {

constexpr std::string_view kTypesWithChangedAxes[] = {
    "Cylinder",  "Capsule",     "Cone",  "Plane",       "ElevationGrid",
    "Camera",    "Lidar",       "Radar", "Emitter",     "Receiver",
    "Connector", "TouchSensor", "Pen",   "RangeFinder", "Track",
};

/// A view looked along -z with y up, and looks along x with z up today: the same picture needs
/// orientation * Q, where Q rotates by 120 degrees about -1 1 1 (Webots' change log of R2022a).
void upgrade_view(Node& view) {
  Field* field = view.find("orientation");
  if (!field) {
    view.fields.emplace_back();
    field = &view.fields.back();
    field->name = "orientation";
    field->place = field->value.place = view.place;
    field->value.kind = Value::Kind::kNumbers;
    field->value.numbers = {0, 0, 1, 0};
  }
  auto& numbers = field->value.numbers;
  if (numbers.size() != 4) return;
  const Quat old = axis_angle({numbers[0], numbers[1], numbers[2]}, numbers[3]);
  const Eigen::AngleAxisd turned = axis_and_angle(old * axis_angle({-1, 1, 1}, 2 * kPi / 3));
  numbers = {turned.axis().x(), turned.axis().y(), turned.axis().z(), turned.angle()};
}

}  // namespace

bool has_changed_axes(const std::string& type) {
  return std::find(std::begin(kTypesWithChangedAxes), std::end(kTypesWithChangedAxes), type) !=
         std::end(kTypesWithChangedAxes);
}

std::string coordinate_system(const Document& document) {
  for (const auto& node : document.nodes) {
    const Field* field = node->type == "WorldInfo" ? node->find("coordinateSystem") : nullptr;
    if (field && field->value.strings.size() == 1) return field->value.strings[0];
  }
  return document.version < kR2020b ? "NUE" : "ENU";
}

void upgrade_node(const Document& document, Node& node) {
  if (node.type == "Viewpoint") upgrade_view(node);
  if (node.type == "WorldInfo" && !node.find("coordinateSystem") && document.version < kR2020b) {
    Field axes;
    axes.name = "coordinateSystem";
    axes.place = node.place;
    axes.value.kind = Value::Kind::kStrings;
    axes.value.strings = {"NUE"};
    axes.value.place = node.place;
    node.fields.push_back(std::move(axes));
  }
}

}  // namespace protobeam::wbt
