// The .yaml files of ROS maps.
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "base/named_files.h"
#include "geometry/files.h"
#include "geometry/occupancy_map.h"

namespace protobeam {
namespace {
namespace fs = std::filesystem;

constexpr std::size_t kMaxYamlSize = std::size_t{1} << 20;

class MapFile {
 public:
  explicit MapFile(const fs::path& path) : path_(path) {
    try {
      root_ = YAML::Load(read_named_file(path, kMaxYamlSize));
    } catch (const YAML::Exception& problem) {
      fail(problem.mark, problem.msg);
    }
    if (!root_.IsMap()) fail(root_.Mark(), "not a map file: it has no keys");
  }

  std::string text(const char* key) const {
    const YAML::Node node = wanted(key);
    if (!node.IsScalar()) fail(node.Mark(), std::string("key '") + key + "' must be a text");
    return node.Scalar();
  }
  double number(const char* key) const { return number(wanted(key), key); }
  bool has(const char* key) const { return root_[key].IsDefined(); }
  bool boolean(const char* key) const {
    const std::string word = text(key);
    if (word == "0" || word == "false" || word == "False") return false;
    if (word == "1" || word == "true" || word == "True") return true;
    fail(root_[key].Mark(), std::string("key '") + key + "' must be 0 or 1, got '" + word + "'");
  }
  std::vector<double> numbers(const char* key, std::size_t count) const {
    const YAML::Node node = wanted(key);
    if (!node.IsSequence() || node.size() != count) {
      fail(node.Mark(), std::string("key '") + key + "' must be a list of " +
                            std::to_string(count) + " numbers");
    }
    std::vector<double> out;
    for (const YAML::Node& item : node) out.push_back(number(item, key));
    return out;
  }
  [[noreturn]] void fail(const char* key, const std::string& what) const {
    fail(root_[key].Mark(), std::string("key '") + key + "' " + what);
  }

 private:
  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& what) const {
    std::string where = path_.string();
    if (!mark.is_null()) {
      const std::string line = std::to_string(mark.line + 1);
      where += ":" + line + ":" + std::to_string(mark.column + 1);
    }
    throw std::runtime_error(where + ": " + what);
  }
  YAML::Node wanted(const char* key) const {
    const YAML::Node node = root_[key];
    if (!node.IsDefined()) {
      throw std::runtime_error(path_.string() + ": the key '" + key +
                               "' is missing; a map has image, resolution and origin");
    }
    return node;
  }
  double number(const YAML::Node& node, const char* key) const {
    double value = 0;
    if (!node.IsScalar() || !YAML::convert<double>::decode(node, value) || !std::isfinite(value)) {
      fail(node.Mark(), std::string("key '") + key + "' must hold finite numbers" +
                            (node.IsScalar() ? ", got '" + node.Scalar() + "'" : ""));
    }
    return value;
  }

  fs::path path_;
  YAML::Node root_;
};

OccupancyMap load_yaml(const fs::path& path) {
  const MapFile file(path);
  MapRules rules;
  const fs::path image = file.text("image");
  rules.resolution = file.number("resolution");
  if (!(rules.resolution > 0)) file.fail("resolution", "must be > 0");
  const auto origin = file.numbers("origin", 3);
  rules.origin = {origin[0], origin[1]};
  rules.yaw = origin[2];
  if (file.has("occupied_thresh")) rules.occupied_threshold = file.number("occupied_thresh");
  if (!(rules.occupied_threshold >= 0 && rules.occupied_threshold <= 1)) {
    file.fail("occupied_thresh", "must be in [0, 1]");
  }
  if (file.has("free_thresh")) {
    const double free = file.number("free_thresh");
    if (!(free >= 0 && free <= rules.occupied_threshold)) {
      file.fail("free_thresh", "must be in [0, occupied_thresh]");
    }
  }
  if (file.has("negate")) rules.negate = file.boolean("negate");
  if (file.has("mode")) {
    const std::string mode = file.text("mode");
    if (mode != "trinary" && mode != "scale" && mode != "raw") {
      file.fail("mode", "must be trinary, scale or raw, got '" + mode + "'");
    }
    rules.mode = mode == "raw"     ? MapMode::kRaw
                 : mode == "scale" ? MapMode::kScale
                                   : MapMode::kTrinary;
  }
  try {
    return occupancy_map(*load_image(file_beside(image, path)), rules);
  } catch (const std::exception& problem) {
    file.fail("image", std::string("cannot be used: ") + problem.what());
  }
}

}  // namespace

OccupancyMap load_occupancy_map(const fs::path& path, const MapRules& rules) {
  const std::string extension = path.extension().string();
  if (extension == ".yaml" || extension == ".yml") return load_yaml(path);
  if (is_gridmap(path)) return load_gridmap(path, rules.occupied_threshold);
  return occupancy_map(*load_image(path), rules);
}

}  // namespace protobeam
