#include "app/calibration_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/text.h"
#include "base/whole_file.h"

namespace protobeam {
namespace {

constexpr std::size_t kLargestFile = 1u << 20;
constexpr double kRigid = 1e-3;  // files are rounded
constexpr int kMostPixels = 1 << 20;  // of a side

using Rows = std::array<std::array<double, 4>, 4>;

Rows rows_of(const Pose& X) {
  const Mat3 R = X.R.toRotationMatrix();
  Rows out{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      out[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = R(i, j);
    out[static_cast<std::size_t>(i)][3] = X.p[i];
  }
  out[3] = {0, 0, 0, 1};
  return out;
}

std::string number(double value) {
  // What is left of zeros by rounding would be a long number.
  return fmt::format("{:.10g}", std::abs(value) < 1e-15 ? 0.0 : value);
}

template <class List>
std::string numbers(const List& list, const char* between) {
  std::vector<std::string> words;
  for (const double value : list) words.push_back(number(value));
  return fmt::format("{}", fmt::join(words, between));
}

class Reader {
 public:
  Reader(const std::filesystem::path& file, const KnownSensors& known, Diagnostics& diagnostics)
      : known_(known), diagnostics_(diagnostics) {
    source_ = std::make_shared<SourceText>(file.string(), read_whole_file(file, kLargestFile));
  }

  std::vector<CalibratedSensor> read(bool partial) {
    YAML::Node root;
    try {
      root = YAML::Load(std::string(source_->text()));
    } catch (const YAML::Exception& problem) {
      error(problem.mark, problem.msg);
      return {};
    }
    const YAML::Node body = root.IsMap() ? root["body"] : YAML::Node();
    if (!body.IsDefined() || !body.IsMap()) {
      error(root.Mark(), "no sensors", "a calibration is body: and below it a name and T: of each");
      return {};
    }
    std::vector<CalibratedSensor> out;
    for (const auto& item : body) {
      const std::string name = item.first.IsScalar() ? item.first.Scalar() : "";
      for (const CalibratedSensor& other : out) {
        if (other.name == name)
          error(item.first.Mark(), fmt::format("'{}' is there twice", printable(name)));
      }
      if (!known_.contains(name)) {
        error(item.first.Mark(), fmt::format("unknown sensor '{}'", printable(name)), hint(name));
      }
      out.push_back({name, pose(name, item.first, item.second), imager(name, item.second)});
    }
    for (const auto& [name, size] : known_) {
      bool found = false;
      for (const CalibratedSensor& sensor : out) found |= sensor.name == name;
      if (!found && !partial) {
        error(body.Mark(), fmt::format("no sensor '{}'", name),
              "write --partial to leave it as it is");
      }
    }
    return out;
  }

 private:
  void error(const YAML::Mark& mark, const std::string& message, const std::string& cure = "") {
    Place place;
    if (!mark.is_null()) place = {source_, static_cast<std::uint32_t>(mark.pos)};
    diagnostics_.error(place, place.valid() ? message : source_->path() + ": " + message, cure);
  }

  std::string hint(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& [known, size] : known_) names.push_back(known);
    const std::string near = did_you_mean(name, names);
    return near.empty() ? fmt::format("there are {}", fmt::join(names, ", ")) : near;
  }

  /// So many finite numbers; empty after a message.
  std::vector<double> list(const YAML::Node& node, const std::string& what, std::size_t count) {
    if (!node.IsSequence() || node.size() != count) {
      const std::size_t size = node.IsSequence() ? node.size() : 1;
      error(node.Mark(), fmt::format("{} needs {} numbers, got {}", what, count, size));
      return {};
    }
    std::vector<double> out;
    for (const YAML::Node& item : node) {
      double value = std::numeric_limits<double>::quiet_NaN();
      if (!item.IsScalar() || !YAML::convert<double>::decode(item, value) ||
          !std::isfinite(value)) {
        error(item.Mark(), what + " must have finite numbers, got '" +
                               printable(item.IsScalar() ? item.Scalar() : "a list") + "'");
        return {};
      }
      out.push_back(value);
    }
    return out;
  }

  Pose pose(const std::string& name, const YAML::Node& key, const YAML::Node& sensor) {
    const YAML::Node T = sensor.IsMap() ? sensor["T"] : YAML::Node(YAML::NodeType::Undefined);
    if (!T.IsDefined()) {
      error(key.Mark(), fmt::format("'{}' has no T", printable(name)),
            "write T: and four rows of four numbers");
      return {};
    }
    if (!T.IsSequence() || T.size() != 4) {
      error(T.Mark(), fmt::format("T of '{}' needs 4 rows, got {}", printable(name),
                                  T.IsSequence() ? T.size() : 1));
      return {};
    }
    Mat3 R;
    Vec3 p;
    for (int i = 0; i < 4; ++i) {
      const YAML::Node line = T[i];
      const auto row = list(line, fmt::format("row {} of T of '{}'", i + 1, printable(name)), 4);
      if (row.empty()) return {};
      if (i == 3) {
        if (row == std::vector<double>{0, 0, 0, 1}) break;
        error(line.Mark(),
              fmt::format("the last row of T of '{}' must be 0, 0, 0, 1", printable(name)),
              "T is 4 x 4, row by row; some programs keep flags in its corner");
        return {};
      }
      R.row(i) << row[0], row[1], row[2];
      p[i] = row[3];
    }
    const double off = (R.transpose() * R - Mat3::Identity()).cwiseAbs().maxCoeff();
    if (!(off <= kRigid)) {
      error(T.Mark(),
            fmt::format("T of '{}' is no rotation: its transpose times itself is off by {:.2g}",
                        printable(name), off),
            "columns have length 1 and stand at right angles");
      return {};
    }
    if (R.determinant() < 0) {
      error(T.Mark(), fmt::format("T of '{}' mirrors: its determinant is -1", printable(name)),
            "one axis has the wrong sign, or two rows are exchanged");
      return {};
    }
    return {Quat(R).normalized(), p};
  }

  std::optional<CalibratedImager> imager(const std::string& name, const YAML::Node& sensor) {
    if (!sensor.IsMap() || !sensor["intrinsics"].IsDefined()) return {};
    CalibratedImager out;
    const std::string of = fmt::format(" of '{}'", printable(name));
    const YAML::Node intrinsics = sensor["intrinsics"];
    const auto K = list(intrinsics, "intrinsics" + of, 4);
    if (K.empty()) return {};
    if (!(K[0] > 0 && K[1] > 0)) {
      error(intrinsics.Mark(), "fx and fy" + of + " must be > 0", "the order is fx, fy, cx, cy");
    }
    std::copy(K.begin(), K.end(), out.intrinsics.begin());
    if (const YAML::Node node = sensor["distortion_coeffs"]) {
      const auto D = list(node, "distortion_coeffs" + of, 4);
      if (!D.empty()) std::copy(D.begin(), D.end(), out.distortion.begin());
    }
    if (const YAML::Node node = sensor["distortion_model"]) {
      const std::string model = node.IsScalar() ? node.Scalar() : "";
      if (model != "radtan" && model != "none") {
        error(node.Mark(), "distortion_model" + of + " is '" + printable(model) + "'",
              "only radtan, k1 k2 p1 p2, can be used");
      }
    }
    if (const YAML::Node node = sensor["resolution"]) {
      const auto size = list(node, "resolution" + of, 2);
      const auto device = known_.find(name);
      if (!size.empty() && device != known_.end() && device->second[0] > 0 &&
          (size[0] != device->second[0] || size[1] != device->second[1])) {
        error(node.Mark(),
              fmt::format("resolution{} is {:g} x {:g}, the device has {} x {}", of, size[0],
                          size[1], device->second[0], device->second[1]),
              "intrinsics belong to a size of the image");
      }
      const auto is_size = [](double value) {
        return value >= 1 && value <= kMostPixels && value == std::floor(value);
      };
      if (!size.empty() && is_size(size[0]) && is_size(size[1])) {
        out.width = static_cast<int>(size[0]), out.height = static_cast<int>(size[1]);
      } else if (!size.empty()) {
        error(node.Mark(), fmt::format("resolution{} must be two whole numbers from 1 to {}, got "
                                       "{:g} x {:g}",
                                       of, kMostPixels, size[0], size[1]));
      }
    }
    return out;
  }

  const KnownSensors& known_;
  Diagnostics& diagnostics_;
  std::shared_ptr<const SourceText> source_;
};

}  // namespace

std::string calibration_text(const std::vector<CalibratedSensor>& sensors,
                             const std::vector<std::string>& remarks) {
  std::string out;
  for (const std::string& remark : remarks) out += "# " + remark + "\n";
  out += "body:\n";
  for (const CalibratedSensor& sensor : sensors) {
    out += "  " + YAML::Dump(YAML::Node(sensor.name)) + ":\n    T:\n";
    for (const auto& row : rows_of(sensor.X_BS)) out += "    - [" + numbers(row, ", ") + "]\n";
    out += "    rostopic: " + YAML::Dump(YAML::Node("/" + sensor.name)) + "\n";
    if (!sensor.imager) continue;
    const CalibratedImager& imager = *sensor.imager;
    std::vector<double> intrinsics = imager.shape;
    intrinsics.insert(intrinsics.end(), imager.intrinsics.begin(), imager.intrinsics.end());
    out += "    camera_model: " + imager.camera_model + "\n";
    out += "    intrinsics: [" + numbers(intrinsics, ", ") + "]\n";
    out += "    distortion_model: " + imager.distortion_model + "\n";
    const bool distorts = imager.distortion_model != "none";
    out += "    distortion_coeffs: [" + (distorts ? numbers(imager.distortion, ", ") : "") + "]\n";
    out += fmt::format("    resolution: [{}, {}]\n", sensor.imager->width, sensor.imager->height);
  }
  return out;
}

std::vector<CalibratedSensor> read_calibration(const std::filesystem::path& file,
                                               const KnownSensors& known, bool partial,
                                               Diagnostics& diagnostics) {
  return Reader(file, known, diagnostics).read(partial);
}

std::string suite_fields(const std::vector<CalibratedSensor>& sensors) {
  std::string poses, lenses;
  for (const CalibratedSensor& sensor : sensors) {
    const Rows rows = rows_of(sensor.X_BS);
    poses += "  \"" + sensor.name;
    for (std::size_t i = 0; i < 3; ++i) poses += (i ? "  " : " ") + numbers(rows[i], " ");
    poses += "\"\n";
    if (!sensor.imager) continue;
    lenses += "  \"" + sensor.name + " " + numbers(sensor.imager->intrinsics, " ") + " " +
              numbers(sensor.imager->distortion, " ") + "\"\n";
  }
  std::string out = "calibration [\n" + poses + "]\n";
  if (!lenses.empty()) out += "intrinsics [\n" + lenses + "]\n";
  return out;
}

}  // namespace protobeam
