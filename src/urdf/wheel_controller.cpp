#include "urdf/wheel_controller.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "wbt/document.h"

namespace protobeam::urdf {
namespace {

class ParameterReader {
 public:
  ParameterReader(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics)
      : source_(std::move(source)), diagnostics_(diagnostics) {}

  std::optional<WheelController> run() {
    try {
      const YAML::Node all = YAML::Load(std::string(source_->text()));
      const std::string name = controller_name(all);
      if (name.empty()) return std::nullopt;
      return read(name, parameters(all, name));
    } catch (const YAML::Exception& problem) {
      error(problem.mark, problem.msg);
      return std::nullopt;
    }
  }

 private:
  void error(const YAML::Mark& mark, const std::string& message) {
    Place place{source_, 0, 1};
    if (!mark.is_null()) place.offset = static_cast<std::uint32_t>(mark.pos);
    diagnostics_.error(place, message);
  }

  /// `NODE: {ros__parameters: {...}}`; below another key, or with a slash, for nodes in a
  /// namespace.
  static YAML::Node parameters(const YAML::Node& all, const std::string& node) {
    if (!all.IsMap()) return YAML::Node(YAML::NodeType::Undefined);
    for (const auto& entry : all) {
      const YAML::Node &key = entry.first, &value = entry.second;
      if (!key.IsScalar() || !value.IsMap()) continue;
      const bool named = key.Scalar() == node || key.Scalar().ends_with("/" + node);
      if (named && value["ros__parameters"]) return value["ros__parameters"];
    }
    return YAML::Node(YAML::NodeType::Undefined);
  }

  static std::string controller_name(const YAML::Node& all) {
    const YAML::Node manager = parameters(all, "controller_manager");
    if (!manager.IsDefined() || !manager.IsMap()) return {};
    for (const auto& entry : manager) {
      const YAML::Node &key = entry.first, &value = entry.second;
      const YAML::Node type = value.IsMap() ? value["type"] : YAML::Node();
      if (key.IsScalar() && type.IsDefined() && type.IsScalar() &&
          type.Scalar() == "diff_drive_controller/DiffDriveController")
        return key.Scalar();
    }
    return {};
  }

  std::optional<WheelController> read(const std::string& name, const YAML::Node& from) {
    if (!from.IsDefined() || !from.IsMap()) return std::nullopt;
    const int before = diagnostics_.error_count();
    WheelController out;
    out.name = name;
    out.left = names(from, "left_wheel_names");
    out.right = names(from, "right_wheel_names");
    out.separation =
        number(from, "wheel_separation", 0) * number(from, "wheel_separation_multiplier", 1);
    out.radius = number(from, "wheel_radius", 0) * number(from, "left_wheel_radius_multiplier", 1);
    out.timeout = number(from, "cmd_vel_timeout", out.timeout);
    out.acceleration = std::max(0.0, number(from, "linear.x.max_acceleration", 0));
    if (diagnostics_.error_count() > before) return std::nullopt;
    return out;
  }

  /// Dots stand for maps in each other, or for themselves.
  static YAML::Node find(const YAML::Node& from, const std::string& path) {
    if (const YAML::Node whole = from[path]; whole.IsDefined()) return whole;
    const auto dot = path.find('.');
    if (dot == std::string::npos) return YAML::Node(YAML::NodeType::Undefined);
    const YAML::Node inner = from[path.substr(0, dot)];
    return inner.IsDefined() && inner.IsMap() ? find(inner, path.substr(dot + 1))
                                              : YAML::Node(YAML::NodeType::Undefined);
  }

  double number(const YAML::Node& from, const std::string& path, double otherwise) {
    const YAML::Node node = find(from, path);
    if (!node.IsDefined()) return otherwise;
    double value = 0;
    if (!node.IsScalar() || !YAML::convert<double>::decode(node, value)) {
      error(node.Mark(), fmt::format("'{}' must be a number", path));
      return otherwise;
    }
    return std::isfinite(value) ? value : otherwise;  // NaN: as if it were not written
  }

  std::vector<std::string> names(const YAML::Node& from, const char* key) {
    std::vector<std::string> out;
    const YAML::Node node = from[key];
    if (!node.IsDefined()) return out;
    if (!node.IsSequence()) {
      error(node.Mark(), fmt::format("'{}' must be a list of joints", key));
      return out;
    }
    for (const YAML::Node& one : node) {
      if (one.IsScalar()) out.push_back(one.Scalar());
    }
    return out;
  }

  std::shared_ptr<const SourceText> source_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<WheelController> wheel_controller_of(const std::filesystem::path& file,
                                                   std::size_t most_bytes,
                                                   Diagnostics& diagnostics) {
  const auto source = wbt::read_source(file, most_bytes, {}, diagnostics);
  return source ? ParameterReader(source, diagnostics).run() : std::nullopt;
}

}  // namespace protobeam::urdf
