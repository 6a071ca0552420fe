#include "urdf/sensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "urdf/drives.h"
#include "urdf/gazebo_looks.h"
#include "urdf/sensor_topics.h"
#include "urdf/shapes.h"
#include "urdf/values.h"

namespace protobeam::urdf {
namespace {

constexpr int kMostPixels = 16384;
// What no sensor has; beyond, what is computed from them is no longer finite.
constexpr double kSlowest = 1e-6, kFastest = 1e6;  // Hz
constexpr double kFarthestAngle = 1000;            // rad
constexpr double kRounding = 1e-3;  // of a full turn that is written as 6.2832 or 6.284
constexpr double kMostNoise = 1e6;
constexpr double kNearest = 1e-3;  // m

/// Makes the devices of one <sensor>.
class Maker {
 public:
  Maker(Import& import, const Link& link, const Element& sensor)
      : import_(import),
        diagnostics_(import.diagnostics),
        link_(link),
        sensor_(sensor),
        topic_(topic_of(sensor)),
        X_LS_(child_pose(sensor, import.diagnostics)) {
    const Text* name = sensor.attribute("name");
    name_ = name && !name->value.empty() ? name->value : link.name + "_sensor";
    const auto rate = child_number(sensor, "update_rate", diagnostics_);
    if (!rate || *rate <= 0) return;
    if (*rate >= kSlowest && *rate <= kFastest) {
      rate_ = *rate;
    } else {
      diagnostics_.error(sensor.child("update_rate")->place,
                         fmt::format("<update_rate> must be 0 or from {} to {} Hz, got {}",
                                     kSlowest, kFastest, *rate));
    }
  }

  std::vector<wbt::NodePtr> run() {
    const Text* type = sensor_.attribute("type");
    if (!type) {
      diagnostics_.error(sensor_.place, "a <sensor> needs a type");
      return {};
    }
    for (const Element& child : sensor_.children) {
      if (child.tag == "plugin" && &child != topic_.plugin)
        import_.ignored.add("a <plugin> of a <sensor>", child.place);
    }
    const std::string& t = type->value;
    if (t == "ray" || t == "gpu_ray" || t == "lidar" || t == "gpu_lidar") return lidar();
    if (t == "imu") return imu();
    if (t == "camera" || t == "wideanglecamera") return camera(true, false);
    if (t == "depth" || t == "depth_camera") return camera(false, true);
    if (t == "rgbd" || t == "rgbd_camera") return camera(true, true);
    if (t == "gps" || t == "navsat") return gps();
    if (t == "contact") return contact();
    if (t == "magnetometer") return {device("Compass", name_).take()};
    import_.ignored.add(fmt::format("a <sensor> of type '{}'", t), type->place);
    return {};
  }

 private:
  NodeMaker device(const char* type, const std::string& name, const Pose& turned = {}) {
    NodeMaker made(type, at(sensor_));
    made.pose(X_LS_ * turned).text("name", name);
    if (import_.sampled && rate_ > 0) made.number("samplingPeriod", 1000 / rate_);
    return made;
  }

  /// Standard deviation of a <noise>, 0 without one. `biased`: its <bias_stddev> counts.
  double noise(const Element* element, bool biased = false) {
    if (!element) return 0;
    const Element* type = element->child("type");
    const Text* kind = type ? &type->text : element->attribute("type");
    if (kind && kind->value == "none") return 0;
    for (const std::string_view part : {"bias_mean", "bias_stddev", "mean"}) {
      if (biased && part == "bias_stddev") continue;
      if (child_number(*element, part, diagnostics_).value_or(0) != 0) {
        import_.ignored.add(fmt::format("<{}> of a <noise>", part), element->child(part)->place);
      }
    }
    const double deviation = child_number(*element, "stddev", diagnostics_).value_or(0);
    if (deviation < 0)
      diagnostics_.error(element->child("stddev")->place,
                         fmt::format("<stddev> must be at least 0, got {}", deviation));
    if (deviation > kMostNoise)
      diagnostics_.error(element->child("stddev")->place,
                         fmt::format("<stddev> must be at most {}, got {}", kMostNoise, deviation));
    return std::clamp(deviation, 0.0, kMostNoise);
  }

  /// A number of pixels or beams, 1 with an error. A fraction, which Xacro may have reckoned, is
  /// cut off, as SDFormat and urdf2webots do.
  int count(const Element& owner, const char* tag, int otherwise, int most = kMostPixels) {
    const double number = child_number(owner, tag, diagnostics_).value_or(otherwise);
    if (number >= 1 && number <= most) return static_cast<int>(number);
    diagnostics_.error(
        owner.child(tag)->place,
        fmt::format("<{}> must be a whole number from 1 to {}, got {}", tag, most, number));
    return 1;
  }

  /// The directions of beams: `count` of them from `low` to `high`, both included.
  struct Scan {
    int count = 1;
    double low = 0, high = 0;
  };
  Scan scan(const Element* element, int otherwise, int most) {
    Scan out{otherwise, 0, 0};
    if (!element) return out;
    out.count = count(*element, "samples", otherwise, most);
    out.low = child_number(*element, "min_angle", diagnostics_).value_or(0);
    out.high = child_number(*element, "max_angle", diagnostics_).value_or(0);
    if (out.low > out.high) {
      diagnostics_.error(
          element->place,
          fmt::format("<min_angle> must be at most <max_angle> ({}), got {}", out.high, out.low));
      out.high = out.low;
    }
    if (!(std::abs(out.low) <= kFarthestAngle && std::abs(out.high) <= kFarthestAngle)) {
      diagnostics_.error(
          element->place,
          fmt::format("<min_angle> and <max_angle> must be within {} rad of 0, got {} and {}",
                      kFarthestAngle, out.low, out.high));
      out.low = out.high = 0;
    }
    const double resolution = child_number(*element, "resolution", diagnostics_).value_or(1);
    if (resolution != 1)
      import_.ignored.add("a <resolution> of a <scan>", element->child("resolution")->place,
                          "each sample is a beam");
    return out;
  }

  /// Adds that the first message of a device has the name that the text says, with `gazebos` behind
  /// it where Gazebo appends that.
  void name_topic(std::vector<wbt::NodePtr>& nodes, const std::string& device,
                  const std::string& gazebos = {}) {
    if (topic_.name.empty()) return;
    nodes.push_back(NodeMaker("Topic", at(sensor_))
                        .text("device", device)
                        .text("name", topic_.plugin ? topic_.name : topic_.name + gazebos)
                        .take());
  }

  std::vector<wbt::NodePtr> lidar() {
    const Element* ray = sensor_.child("lidar");
    if (!ray) ray = sensor_.child("ray");
    if (!ray) {
      diagnostics_.error(sensor_.place, "a <sensor> of this type needs a <ray> or <lidar>");
      return {};
    }
    const Scan across = scan(ray->find({"scan", "horizontal"}), 640, 1 << 20);
    const Scan up = scan(ray->find({"scan", "vertical"}), 1, 16384);
    if (up.low < -kPi / 2 || up.high > kPi / 2) {
      diagnostics_.error(ray->find({"scan", "vertical"})->place,
                         "angles of <vertical> must be within a right angle of 0");
      return {};
    }
    // Gazebo's beams stand at both ends of the angle, ours in the middle of equal parts of it.
    const double angle = across.high - across.low;
    double view =
        across.count > 1 ? angle * across.count / (across.count - 1) : std::max(angle, 1e-3);
    if (angle > 2 * kPi * (1 + kRounding)) {
      diagnostics_.error(ray->find({"scan", "horizontal"})->place,
                         fmt::format("beams over {:.6g} rad are more than a full turn", angle));
    }
    view = std::clamp(view, 1e-6, 2 * kPi);
    const double middle = (across.low + across.high) / 2;
    std::vector<double> elevations;
    for (int i = 0; i < up.count; ++i) {
      const double share = up.count > 1 ? static_cast<double>(i) / (up.count - 1) : 0.5;
      elevations.push_back(up.high - share * (up.high - up.low));
    }
    double near = 0.08, far = 10;
    NodeMaker made = device("Lidar", name_, Pose::rotation(axis_angle(Vec3::UnitZ(), middle)));
    if (const Element* range = ray->child("range")) {
      near = child_number(*range, "min", diagnostics_).value_or(near);
      far = child_number(*range, "max", diagnostics_).value_or(far);
      if (!(near >= 0 && far > near)) {
        diagnostics_.error(
            range->place,
            fmt::format("<min> and <max> of <range> must be ascending, got {} and {}", near, far));
        return {};
      }
      if (!(far > kNearest)) {
        diagnostics_.error(
            range->place,
            fmt::format("<max> of <range> must be greater than {} m, got {}", kNearest, far));
        return {};
      }
      near = std::max(near, kNearest);
      const double step = child_number(*range, "resolution", diagnostics_).value_or(0);
      if (step > 0) made.number("resolution", step);
    }
    made.number("horizontalResolution", across.count)
        .number("fieldOfView", view)
        .number("numberOfLayers", up.count)
        .number("near", near)  // Gazebo's beams begin there, beyond the housing
        .number("minRange", near)
        .number("maxRange", far);
    if (up.low == -up.high) {
      if (up.count > 1) made.number("verticalFieldOfView", up.high - up.low);
    } else {
      made.numbers("layerAngles", elevations);
    }
    if (const double deviation = noise(ray->child("noise")); deviation > 0)
      made.number("noise", deviation / far);
    if (rate_ > 0) {
      made.number("defaultFrequency", rate_)
          .number("minFrequency", std::min(1.0, rate_))
          .number("maxFrequency", std::max(25.0, rate_));
    }
    std::vector<wbt::NodePtr> out;
    out.push_back(made.take());
    name_topic(out, name_, up.count > 1 ? "/points" : "");
    return out;
  }

  std::vector<wbt::NodePtr> imu() {
    const Element* imu = sensor_.child("imu");
    const auto axis = [&](const char* what) {
      return imu ? noise(imu->find({what, "x", "noise"})) : 0.0;
    };
    if (import_.sampled) {
      std::vector<wbt::NodePtr> out;
      out.push_back(whole_imu(imu));
      name_topic(out, name_);
      return out;
    }
    const double turning = axis("angular_velocity"), pushing = axis("linear_acceleration");
    NodeMaker accelerometer = device("Accelerometer", name_ + "_accelerometer");
    NodeMaker gyro = device("Gyro", name_ + "_gyro");
    if (pushing > 0) accelerometer.number("noise", pushing);
    if (turning > 0) gyro.number("noise", turning);
    return {accelerometer.take(), gyro.take(), device("InertialUnit", name_).take()};
  }

  /// As programs of ROS want it, in one message; those written against Webots' API know its three
  /// devices.
  wbt::NodePtr whole_imu(const Element* imu) {
    NodeMaker made = device("Imu", name_);
    const auto part = [&](const char* what, const char* noise_field, const char* bias_field) {
      const Element* element = imu ? imu->find({what, "x", "noise"}) : nullptr;
      if (!element) return;
      const double bias = child_number(*element, "bias_stddev", diagnostics_).value_or(0);
      if (bias > 0 && bias <= kMostNoise) made.number(bias_field, bias);
      if (const double deviation = noise(element, true); deviation > 0)
        made.number(noise_field, deviation);
    };
    part("angular_velocity", "gyroNoise", "gyroTurnOnBias");
    part("linear_acceleration", "accelerometerNoise", "accelerometerTurnOnBias");
    return made.take();
  }

  std::vector<wbt::NodePtr> camera(bool colour, bool depth) {
    const Element* camera = sensor_.child("camera");
    if (!camera) {
      diagnostics_.error(sensor_.place, "a <sensor> of this type needs a <camera>");
      return {};
    }
    if (camera->child("pose")) X_LS_ = X_LS_ * child_pose(*camera, diagnostics_);
    const double view = child_number(*camera, "horizontal_fov", diagnostics_).value_or(1.047);
    if (!(view >= 0.001 && view < kPi)) {
      diagnostics_.error(
          camera->child("horizontal_fov")->place,
          fmt::format("<horizontal_fov> must be at least 0.001 and less than pi rad, got {}",
                      view));
      return {};
    }
    const Element* image = camera->child("image");
    const int width = image ? count(*image, "width", 320) : 320;
    const int height = image ? count(*image, "height", 240) : 240;
    const Element* clip = camera->child("clip");
    const double near = clip ? child_number(*clip, "near", diagnostics_).value_or(0.1) : 0.1;
    const double far = clip ? child_number(*clip, "far", diagnostics_).value_or(100) : 100;
    if (!(near >= 0 && far > near)) {
      diagnostics_.error(
          clip->place,
          fmt::format("<near> and <far> of <clip> must be ascending, got {} and {}", near, far));
      return {};
    }
    if (camera->child("distortion"))
      import_.ignored.add("<distortion> of a <camera>", camera->child("distortion")->place);
    const double deviation = noise(camera->child("noise"));
    const auto common = [&](NodeMaker& made) {
      made.number("fieldOfView", view).number("width", width).number("height", height);
    };
    std::vector<wbt::NodePtr> out;
    if (colour) {
      NodeMaker made = device("Camera", name_);
      common(made);
      made.number("near", near).number("far", far);
      if (deviation > 0) made.number("noise", deviation);
      const Element* format = image ? image->child("format") : nullptr;
      if (format && (format->text.value == "L8" || format->text.value == "L_INT8")) {
        made.text("pixelFormat", "mono8", format->place);
      }
      out.push_back(made.take());
      name_topic(out, name_, depth ? "/image" : "");
    }
    if (depth) {
      NodeMaker made = device("RangeFinder", colour ? name_ + "_depth" : name_);
      common(made);
      const double nearest = std::max(near, 1e-3);
      made.number("near", nearest).number("minRange", nearest).number("maxRange", far);
      if (deviation > 0) made.number("noise", deviation / far);
      out.push_back(made.take());
      if (!colour) name_topic(out, name_);
      if (colour && !topic_.plugin) name_topic(out, name_ + "_depth", "/depth_image");
    }
    return out;
  }

  std::vector<wbt::NodePtr> gps() {
    NodeMaker made = device("GPS", name_);
    const Element* gps = sensor_.child("navsat");
    if (!gps) gps = sensor_.child("gps");
    const auto deviation = [&](const char* direction) {
      return gps ? noise(gps->find({"position_sensing", direction, "noise"})) : 0.0;
    };
    const double across = deviation("horizontal"), up = deviation("vertical");
    if (across > 0 || up > 0) made.number("accuracy", across).number("verticalAccuracy", up);
    return {made.take()};
  }

  std::vector<wbt::NodePtr> contact() {
    const Element* collision = sensor_.find({"contact", "collision"});
    wbt::NodePtr shape;
    if (collision) shape = bounding_object(import_, link_, collision->text.value);
    // Others rename collisions when they join links: the name need not be one of the text.
    if (!shape) shape = bounding_object(import_, link_);
    if (!shape) {
      diagnostics_.warning(
          sensor_.place,
          fmt::format("contact sensor '{}' is left out: link '{}' has no collision shape", name_,
                      link_.name));
      return {};
    }
    return {NodeMaker("TouchSensor", at(sensor_))
                .text("name", name_)
                .node("boundingObject", std::move(shape))
                .take()};
  }

  Import& import_;
  Diagnostics& diagnostics_;
  const Link& link_;
  const Element& sensor_;
  SensorTopic topic_;
  std::string name_;
  Pose X_LS_;
  double rate_ = 0;  ///< Hz, 0: not said
};

/// It says what is done anyway: fixed joints keep their links, and a direction of friction counts
/// with two frictions only, of which Frictions tells.
bool is_needless(const Element& child) {
  const std::string& value = child.text.value;
  const bool no = value == "false" || value == "0";
  if (child.tag == "gravity") return !no;
  if (child.tag == "turnGravityOff" || child.tag == "selfCollide" || child.tag == "self_collide")
    return no || value.empty();
  return child.tag == "preserveFixedJoint" || child.tag == "disableFixedJointLumping" ||
         child.tag == "provideFeedback" || child.tag == "fdir1";
}

}  // namespace

void note_plugin(Ignored& ignored, const Element& plugin) {
  const Text* file = plugin.attribute("filename");
  ignored.add(fmt::format("Gazebo's <plugin> '{}'", file ? file->value : ""), plugin.place);
}

Sensors::Sensors(Import& import) {
  std::vector<std::string> links;
  for (const Link& link : import.robot.links) {
    links.push_back(link.name);
    if (!link.sensors.empty()) by_link_[link.name] = link.sensors;
  }
  const std::set<std::string, std::less<>> known(links.begin(), links.end());
  for (const Element* plugin : import.robot.plugins) {
    if (!is_known_plugin(*plugin)) note_plugin(import.ignored, *plugin);
  }
  std::set<std::string, std::less<>> joints;
  for (const Joint& joint : import.robot.joints) joints.insert(joint.name);
  int unknown = 0;
  for (const Element* gazebo : import.robot.element->all("gazebo")) {
    const Text* reference = gazebo->attribute("reference");
    const bool is_link = reference && known.contains(reference->value);
    if (reference && !reference->value.empty() && !is_link && !joints.contains(reference->value)) {
      import.diagnostics.warning(
          reference->place,
          fmt::format("there is no link or joint '{}' for this <gazebo>", reference->value),
          ++unknown <= 20 ? did_you_mean(reference->value, links) : "");
    }
    for (const Element& child : gazebo->children) {
      if (child.tag == "sensor" && is_link) {
        by_link_[reference->value].push_back(&child);
      } else if (child.tag == "plugin" && is_known_plugin(child)) {
        continue;  // Drives
      } else if (is_link && (child.tag == "mu1" || child.tag == "mu2")) {
        continue;  // Frictions
      } else if (is_link && child.tag == "material") {
        if (const std::string script = gazebo_script(child);
            !script.empty() && !gazebo_look(script))
          import.ignored.add(fmt::format("the <material> '{}' of <gazebo>", script), child.place,
                             near_gazebo_look(script));
      } else if (is_link && child.tag == "visual") {
        for (const Element& one : child.children) {
          if (one.tag != "material")
            import.ignored.add(fmt::format("<{}> of <visual> of <gazebo>", one.tag), one.place);
        }
      } else if (child.tag == "plugin") {
        note_plugin(import.ignored, child);
      } else if (!is_needless(child)) {
        import.ignored.add(fmt::format("<{}> of <gazebo>", child.tag), child.place);
      }
    }
  }
}

std::vector<wbt::NodePtr> Sensors::of(Import& import, const Link& link) const {
  std::vector<wbt::NodePtr> out;
  const auto mine = by_link_.find(link.name);
  if (mine == by_link_.end()) return out;
  for (const Element* sensor : mine->second) {
    for (wbt::NodePtr& node : Maker(import, link, *sensor).run()) out.push_back(std::move(node));
  }
  return out;
}

}  // namespace protobeam::urdf
