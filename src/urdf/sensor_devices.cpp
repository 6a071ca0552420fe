#include "urdf/sensor_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "urdf/camera_lens.h"
#include "urdf/camera_view.h"
#include "urdf/imu_orientation.h"
#include "urdf/joints.h"
#include "urdf/multicamera.h"
#include "urdf/recognition_sensors.h"
#include "urdf/ros_names.h"
#include "urdf/sensor_frames.h"
#include "urdf/sensor_noise.h"
#include "urdf/sensor_topics.h"
#include "urdf/sensors.h"
#include "urdf/shapes.h"
#include "urdf/thermal.h"
#include "urdf/values.h"

namespace protobeam::urdf {
namespace {

// What no sensor has; beyond, what is computed from them is no longer finite.
constexpr double kSlowest = 1e-6, kFastest = 1e6;  // Hz
constexpr double kFarthestAngle = 1000;            // rad
constexpr double kRounding = 2e-3;   // of a full turn that is written as 6.2832 or 6.2918
constexpr double kNearest = 1e-3;    // m

/// Of a picture's axes in the camera's, as ROS has them (REP-103): x right, y down, z ahead.
const Pose kOptical = Pose::rotation(Quat(0.5, -0.5, 0.5, -0.5));

/// Makes the devices of one <sensor>.
class Maker {
 public:
  /// X_LO: in the link, of what the sensor stands in.
  Maker(Import& import, const Link& link, const Element& sensor, const Pose& X_LO)
      : import_(import),
        diagnostics_(import.diagnostics),
        link_(link),
        sensor_(sensor),
        topic_(topic_of(sensor)),
        X_LO_(X_LO),
        X_LS_(X_LO * child_pose(sensor, import.diagnostics)) {
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
    const std::string& t = type->value;
    if (t == "multicamera") return cameras();
    for (const Element& child : sensor_.children) {
      const bool known = &child == topic_.plugin || only_runs(child) ||
                         (is_thermal_camera(t) && is_thermal_sensor(child));
      if (child.tag == "plugin" && !known) note_plugin(import_.ignored, child, " of a <sensor>");
    }
    if (t == "ray" || t == "gpu_ray" || t == "lidar" || t == "gpu_lidar") return lidar();
    if (t == "imu") return imu();
    if (t == "camera" || is_wide_angle(t) || recognizes() || is_thermal_camera(t))
      return camera(true, false);
    if (t == "logical_camera") return logical_camera();
    if (t == "depth" || t == "depth_camera") return camera(false, true);
    if (t == "rgbd" || t == "rgbd_camera") return camera(true, true);
    if (t == "gps" || t == "navsat") return gps();
    if (t == "contact") return contact();
    if (t == "magnetometer") return magnetometer();
    if (t == "altimeter") return altimeter();
    if (t == "air_pressure") return barometer();
    if (t == "air_speed") return pitot_tube();
    if (t == "force_torque") {
      diagnostics_.warning(sensor_.place, fmt::format("force_torque sensor '{}' is left out: it "
                                                      "belongs into a joint",
                                                      name_));
      return {};
    }
    import_.ignored.add(fmt::format("a <sensor> of type '{}'", t), type->place);
    return {};
  }

  /// The link is the child of the joint.
  std::vector<wbt::NodePtr> force_torque(const JointSensor& of) {
    const Element* wanted = sensor_.child("force_torque");
    const std::string direction = wanted ? child_text(*wanted, "measure_direction") : "";
    // Gazebo's default. The link here may be the parent of the text.
    const bool on_parent = (direction != "parent_to_child") != of.inverted;
    std::string frame = wanted ? child_text(*wanted, "frame") : "";
    if (of.inverted && frame != "sensor") frame = frame == "parent" ? "child" : "parent";
    const Joint& joint = import_.joint(link_.parent_joint);
    if (frame == "parent") {
      X_LS_.R = joint.X_PJ.R.conjugate();
      if (joint.moves())
        import_.ignored.add("the motion of a joint to the axes of its parent", sensor_.place,
                            "forces are in those that it has at the joint's position 0");
    } else if (frame != "sensor") {
      X_LS_.R = Quat::Identity();
    }
    NodeMaker made = device("ForceTorqueSensor", name_);
    if (!on_parent) made.text("acting", "toChild");
    if (wanted) {
      add_reading_errors(import_, wanted->find({"force", "x", "noise"}), made, "force");
      add_reading_errors(import_, wanted->find({"torque", "x", "noise"}), made, "torque");
    }
    return named(std::move(made));
  }

 private:
  NodeMaker device(const char* type, const std::string& name, const Pose& turned = {}) {
    NodeMaker made(type, at(sensor_));
    made.pose(X_LS_ * turned).text("name", name);
    if (import_.sampled && rate_ > 0) made.number("samplingPeriod", 1000 / rate_);
    return made;
  }

  /// The directions of beams: `count` of them from `low` to `high`, both included.
  struct Scan {
    int count = 1;
    double low = 0, high = 0;
  };
  Scan scan(const Element* element, int otherwise, int most) {
    Scan out{otherwise, 0, 0};
    if (!element) return out;
    out.count = whole_count(*element, "samples", otherwise, most, diagnostics_);
    // Gazebo's points, which it interpolates between samples; here each is a beam.
    const double resolution = child_number(*element, "resolution", diagnostics_).value_or(1);
    const double points = std::floor(out.count * resolution + 1e-6);
    if (resolution > 0 && points > most) {
      diagnostics_.error(
          element->child("resolution")->place,
          fmt::format("<samples> times <resolution> must be at most {}, got {}", most, points));
    } else if (resolution > 0) {
      out.count = std::max(1, static_cast<int>(points));
    }
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
    return out;
  }

  /// Adds that `message` of a device, or its first one, has the name that the text says, with
  /// `gazebos` behind it where Gazebo appends that, or none with `unnamed`; and that data whose
  /// frame is X_SD in the sensor's are in the frame that the text says.
  void name_topic(std::vector<wbt::NodePtr>& nodes, const std::string& device,
                  const std::string& gazebos = {}, const Pose& X_SD = {}, bool unnamed = false,
                  const char* message = "") {
    const std::string frame = frame_of_data(import_, link_, sensor_, name_, X_LS_ * X_SD, nodes);
    const std::string name = unnamed               ? ""
                             : topic_.plugin       ? topic_.name
                             : topic_.name.empty() ? ""
                                                   : topic_.name + gazebos;
    if (name.empty() && frame.empty()) return;
    NodeMaker made("Topic", at(sensor_));
    made.text("device", device);
    if (*message) made.text("message", message);
    if (!name.empty()) made.text("name", name);
    if (!frame.empty()) made.text("frame", frame);
    nodes.push_back(made.take());
    if (name.empty() || topic_.camera_info.empty()) return;
    nodes.push_back(NodeMaker("Topic", at(sensor_))
                        .text("device", device)
                        .text("message", "camera_info")
                        .text("name", topic_.camera_info)
                        .take());
  }

  bool recognizes() const {
    const std::string& type = sensor_.attribute("type")->value;
    return is_boundingbox_camera(type) || is_segmentation_camera(type);
  }

  void name_recognition_topics(std::vector<wbt::NodePtr>& nodes) {
    const std::string frame =
        frame_of_data(import_, link_, sensor_, name_, X_LS_ * kOptical, nodes);
    if (topic_.name.empty() && frame.empty()) return;
    for (const auto& [message, name] :
         recognition_topics(sensor_.attribute("type")->value, topic_.name)) {
      NodeMaker made("Topic", at(sensor_));
      made.text("device", name_).text("message", message);
      if (!topic_.name.empty()) made.text("name", name);
      if (!frame.empty()) made.text("frame", frame);
      nodes.push_back(made.take());
    }
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
    const Pose X_SD = Pose::rotation(axis_angle(Vec3::UnitZ(), middle));
    NodeMaker made = device("Lidar", name_, X_SD);
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
    if (const double deviation = noise_of(import_, ray->child("noise")); deviation > 0)
      made.number("noise", deviation / far);
    if (rate_ > 0) {
      made.number("defaultFrequency", rate_)
          .number("minFrequency", std::min(1.0, rate_))
          .number("maxFrequency", std::max(25.0, rate_));
    }
    std::vector<wbt::NodePtr> out;
    out.push_back(made.take());
    const bool tells_range =
        topic_.plugin && child_text(*topic_.plugin, "output_type") == "sensor_msgs/Range";
    name_topic(out, name_, up.count > 1 ? "/points" : "", X_SD, false, tells_range ? "range" : "");
    if (tells_range)
      out.push_back(
          NodeMaker("Topic", at(sensor_)).text("device", name_).flag("enabled", false).take());
    return out;
  }

  std::vector<wbt::NodePtr> imu() {
    const Element* imu = sensor_.child("imu");
    const auto axis = [&](const char* what) {
      return imu ? noise_of(import_, imu->find({what, "x", "noise"})) : 0.0;
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
    const auto part = [&](const char* what, const std::string& triad) {
      const Element* element = imu ? imu->find({what, "x", "noise"}) : nullptr;
      if (!element || is_no_noise(*element)) return;
      const auto number = [&](const char* tag) {
        const double value = child_number(*element, tag, diagnostics_).value_or(0);
        return value <= kMostNoise ? value : 0;
      };
      const auto add = [&](const char* field, double value) {
        if (value > 0) made.number((triad + field).c_str(), value);
      };
      add("Noise", noise_of(import_, element, Biases::kElsewhere));
      add("TurnOnMean", std::abs(number("bias_mean")));
      add("TurnOnBias", number("bias_stddev"));
      // Gazebo says by what the process is driven, the Imu how far it goes (gz-sensors,
      // GaussianNoiseModel).
      const double driven = number("dynamic_bias_stddev"),
                   time = number("dynamic_bias_correlation_time");
      if (driven > 0 && time > 0) {
        add("Drift", driven * std::sqrt(time / 2));
        add("DriftTime", time);
      }
      add("Resolution", number("precision"));
    };
    part("angular_velocity", "gyro");
    part("linear_acceleration", "accelerometer");
    add_imu_orientation(import_, sensor_, made);
    return made.take();
  }

  std::vector<wbt::NodePtr> cameras() {
    std::vector<wbt::NodePtr> out;
    for (const Element& one : single_cameras(import_, sensor_)) {
      for (wbt::NodePtr& node : Maker(import_, link_, one, X_LO_).run())
        out.push_back(std::move(node));
    }
    if (out.empty()) diagnostics_.error(sensor_.place, "a <sensor> of this type needs a <camera>");
    return out;
  }

  std::vector<wbt::NodePtr> camera(bool colour, bool depth) {
    const Element* camera = sensor_.child("camera");
    if (!camera) {
      diagnostics_.error(sensor_.place, "a <sensor> of this type needs a <camera>");
      return {};
    }
    if (camera->child("pose")) X_LS_ = X_LS_ * child_pose(*camera, diagnostics_);
    const auto view = camera_view(*camera, diagnostics_);
    if (!view) return {};
    const auto common = [&](NodeMaker& made) {
      made.number("width", view->width).number("height", view->height);
      add_lens(
          import_, *camera,
          {view->angle, view->width, view->height, is_wide_angle(sensor_.attribute("type")->value)},
          made);
    };
    std::vector<wbt::NodePtr> out;
    if (is_thermal_camera(sensor_.attribute("type")->value)) {
      NodeMaker made = device("ThermalCamera", name_);
      common(made);
      made.number("near", view->near).number("far", view->far);
      add_temperatures(import_, sensor_, *camera, made);
      out.push_back(made.take());
      name_topic(out, name_, "", kOptical);
      return out;
    }
    const double deviation = noise_of(import_, camera->child("noise"));
    if (colour) {
      NodeMaker made = device("Camera", name_);
      common(made);
      made.number("near", view->near).number("far", view->far);
      if (deviation > 0) made.number("noise", deviation);
      const Element* format = camera->find({"image", "format"});
      if (format && (format->text.value == "L8" || format->text.value == "L_INT8")) {
        made.text("pixelFormat", "mono8", format->place);
      }
      if (recognizes() && !add_recognition(import_, sensor_, *camera, view->far, made)) return {};
      out.push_back(made.take());
      if (recognizes()) {
        name_recognition_topics(out);
      } else {
        name_topic(out, name_, depth ? "/image" : "", kOptical);
      }
    }
    if (depth) {
      NodeMaker made = device("RangeFinder", colour ? name_ + "_depth" : name_);
      common(made);
      const double nearest = std::max(view->near, 1e-3);
      made.number("near", nearest).number("minRange", nearest).number("maxRange", view->far);
      if (deviation > 0) made.number("noise", deviation / view->far);
      out.push_back(made.take());
      if (colour)
        name_topic(out, name_ + "_depth", "/depth_image", kOptical, topic_.plugin != nullptr);
      else
        name_topic(out, name_, "", kOptical);
    }
    return out;
  }

  std::vector<wbt::NodePtr> logical_camera() {
    const Element* camera = sensor_.child("logical_camera");
    if (!camera) {
      diagnostics_.error(sensor_.place, "a <sensor> of this type needs a <logical_camera>");
      return {};
    }
    NodeMaker made = device("LogicalCamera", name_);
    return add_frustum(import_, *camera, made) ? named(std::move(made))
                                               : std::vector<wbt::NodePtr>();
  }

  std::vector<wbt::NodePtr> gps() {
    NodeMaker made = device("GPS", name_);
    const Element* gps = sensor_.child("navsat");
    if (!gps) gps = sensor_.child("gps");
    const auto noise = [&](const char* direction) {
      return gps ? gps->find({"position_sensing", direction, "noise"}) : nullptr;
    };
    const Element *const level = noise("horizontal"), *const height = noise("vertical");
    const double across = noise_of(import_, level, Biases::kSteady);
    const double up = noise_of(import_, height, Biases::kSteady);
    if (across > 0 || up > 0) made.number("accuracy", across).number("verticalAccuracy", up);
    const SteadyErrors a = steady_errors(import_, level), b = steady_errors(import_, height);
    for (const auto& [field, one, other] :
         {std::tuple("offset", a.offset, b.offset), std::tuple("turnOnBias", a.turn_on, b.turn_on),
          std::tuple("turnOnMean", a.turn_on_mean, b.turn_on_mean)}) {
      if (one != 0 || other != 0) made.vec3(field, {one, one, other});
    }
    if (gps) {
      const double speed =
          noise_of(import_, gps->find({"velocity_sensing", "horizontal", "noise"}));
      if (speed > 0) made.number("speedNoise", speed);
      const Element* vertical = gps->find({"velocity_sensing", "vertical", "noise"});
      if (noise_of(import_, vertical) != speed)
        import_.ignored.add("a <vertical> of <velocity_sensing> that is not <horizontal>",
                            vertical ? vertical->place : gps->place);
    }
    return named(made);
  }

  std::vector<wbt::NodePtr> altimeter() {
    NodeMaker made = device("Altimeter", name_);
    const double deviation =
        noise_of(import_, sensor_.find({"altimeter", "vertical_position", "noise"}));
    if (deviation > 0) made.number("accuracy", deviation);
    // gz-sim, Altimeter.cc: the reference is the height at the start.
    if (import_.sampled) made.flag("fromStart", true);
    return named(made);
  }

  /// Programs of Webots know a Compass.
  std::vector<wbt::NodePtr> magnetometer() {
    if (!import_.sampled) return named(device("Compass", name_));
    NodeMaker made = device("Magnetometer", name_);
    if (import_.magnetic_field) made.vec3("field", *import_.magnetic_field);
    add_reading_errors(import_, sensor_.find({"magnetometer", "x", "noise"}), made);
    return named(made);
  }

  std::vector<wbt::NodePtr> barometer() {
    NodeMaker made = device("Barometer", name_);
    const Element* air = sensor_.child("air_pressure");
    if (air && air->child("reference_altitude")) {
      const double reference = child_number(*air, "reference_altitude", diagnostics_).value_or(0);
      made.number("altitudeOffset", reference - import_.elevation);
    }
    add_reading_errors(import_, air ? air->find({"pressure", "noise"}) : nullptr, made);
    return named(made);
  }

  std::vector<wbt::NodePtr> pitot_tube() {
    NodeMaker made = device("AirSpeed", name_);
    if (import_.elevation != 0) made.number("altitudeOffset", -import_.elevation);
    add_reading_errors(import_, sensor_.find({"air_speed", "pressure", "noise"}), made);
    return named(made);
  }

  /// A device with its topic.
  std::vector<wbt::NodePtr> named(NodeMaker made) {
    std::vector<wbt::NodePtr> out{made.take()};
    name_topic(out, name_);
    return out;
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
  Pose X_LO_, X_LS_;
  double rate_ = 0;  ///< Hz, 0: not said
};

}  // namespace

std::vector<wbt::NodePtr> sensor_devices(Import& import, const Link& link, const Element& sensor) {
  return Maker(import, link, sensor, {}).run();
}

std::vector<wbt::NodePtr> joint_sensor_devices(Import& import, const Link& child,
                                               const JointSensor& sensor) {
  return Maker(import, child, *sensor.element, sensor.X_CJ).force_torque(sensor);
}

}  // namespace protobeam::urdf
