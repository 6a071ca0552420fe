#include "urdf/plain_text.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "urdf/values.h"

namespace protobeam::urdf {
namespace {

/// Of any length, mass or angle. What is larger is a mistake, and its square no number any more.
constexpr double kGreatest = 1e9;

class Writer {
 public:
  Writer(Robot& robot, Diagnostics& diagnostics) : robot_(robot), diagnostics_(diagnostics) {}

  std::string run() {
    out_ = "<robot name=\"r\">\n";
    for (std::size_t i = 0; i < robot_.links.size(); ++i) link(robot_.links[i], i);
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) joint(robot_.joints[i], i);
    return out_ + "</robot>\n";
  }

 private:
  void error(const Place& place, std::string message, std::string hint = {}) {
    diagnostics_.error(place, std::move(message), std::move(hint));
  }
  void warning(const Place& place, std::string message, std::string hint = {}) {
    diagnostics_.warning(place, std::move(message), std::move(hint));
  }
  static const Place& place_of(const Element& element, const char* attribute) {
    const Text* text = element.attribute(attribute);
    return text ? text->place : element.place;
  }
  bool in_range(const Element& element, const char* attribute, double value) {
    if (std::abs(value) <= kGreatest) return true;
    error(place_of(element, attribute),
          fmt::format("'{}' of <{}> must be within 1e9 of zero, got {}", attribute, element.tag,
                      value));
    return false;
  }
  double number(const Element& element, const char* attribute, double otherwise) {
    const double value = number_of(element, attribute, otherwise, diagnostics_);
    return in_range(element, attribute, value) ? value : otherwise;
  }
  Vec3 vec3(const Element& element, const char* attribute, const Vec3& otherwise) {
    const Vec3 value = vec3_of(element, attribute, otherwise, diagnostics_);
    return in_range(element, attribute, value.cwiseAbs().maxCoeff()) ? value : otherwise;
  }
  void write(const char* attribute, double value) {
    out_ += fmt::format(" {}=\"{}\"", attribute, value);
  }
  void write(const char* attribute, const Vec3& v) {
    out_ += fmt::format(" {}=\"{} {} {}\"", attribute, v.x(), v.y(), v.z());
  }

  void origin(const Element& owner) {
    const Element* element = owner.child("origin");
    if (!element) return;
    out_ += "<origin";
    write("xyz", vec3(*element, "xyz", Vec3::Zero()));
    write("rpy", vec3(*element, "rpy", Vec3::Zero()));
    out_ += "/>";
  }

  void link(Link& link, std::size_t index) {
    out_ += fmt::format("<link name=\"l{}\">", index);
    if (const Element* inertial = link.element->child("inertial")) mass(link, *inertial);
    for (const char* tag : {"visual", "collision"}) {
      for (const Element* element : link.element->all(tag)) shape(link, *element);
    }
    out_ += "</link>\n";
  }

  void mass(Link& link, const Element& element) {
    const Element* mass = element.child("mass");
    const Text* value = mass ? mass->attribute("value") : nullptr;
    if (!value) {
      error(mass ? mass->place : element.place, "an <inertial> needs <mass value=\"...\"/>");
      return;
    }
    const double kilograms = number(*mass, "value", 0);
    if (kilograms < 0) {
      error(value->place,
            fmt::format("'value' of <mass> must be at least 0 kg, got {}", kilograms));
      return;
    }
    // Nothing but a frame.
    if (kilograms == 0) return;
    out_ += "<inertial>";
    origin(element);
    out_ += "<mass";
    write("value", kilograms);
    out_ += "/>";
    inertia(link, element);
    out_ += "</inertial>";
    link.inertial = Inertial{};
  }

  void inertia(Link& link, const Element& owner) {
    const Element* element = owner.child("inertia");
    Mat3 I = Mat3::Zero();
    const Place& place = element ? element->place : owner.place;
    if (element) {
      constexpr const char* kNames[3][3] = {
          {"ixx", "ixy", "ixz"}, {"ixy", "iyy", "iyz"}, {"ixz", "iyz", "izz"}};
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
          const char* name = kNames[row][column];
          if (row == column && !element->attribute(name)) {
            error(place, fmt::format("an <inertia> needs '{}'", name));
            return;
          }
          I(row, column) = number(*element, name, 0);
        }
      }
    }
    if (I.isZero(0)) {
      warning(
          place,
          fmt::format("link '{}' has a mass but no inertia: that of its collision shapes is taken",
                      link.name));
    } else {
      const Vec3 moments =
          Eigen::SelfAdjointEigenSolver<Mat3>(I, Eigen::EigenvaluesOnly).eigenvalues();
      if (!(moments[0] > 1e-9 * moments.cwiseAbs().maxCoeff())) {
        // Published robots have such; Gazebo and Bullet do not take them either.
        warning(place,
                fmt::format(
                    "the inertia of link '{}' is not positive definite (its principal moments are "
                    "{:.4g}, {:.4g} and {:.4g} kg m^2): that of its collision shapes is taken",
                    link.name, moments[0], moments[1], moments[2]));
        I.setZero();
      } else if (moments[2] > (moments[0] + moments[1]) * (1 + 1e-3)) {
        warning(place,
                fmt::format("no body has the inertia of link '{}': its largest principal moment, "
                            "{:.4g} kg m^2, is more than the sum of the others, {:.4g}",
                            link.name, moments[2], moments[0] + moments[1]));
      }
    }
    out_ += "<inertia";
    write("ixx", I(0, 0));
    write("ixy", I(0, 1));
    write("ixz", I(0, 2));
    write("iyy", I(1, 1));
    write("iyz", I(1, 2));
    write("izz", I(2, 2));
    out_ += "/>";
  }

  void shape(Link& link, const Element& element) {
    const Element* geometry = element.child("geometry");
    if (!geometry || geometry->children.empty()) {
      error(geometry ? geometry->place : element.place,
            fmt::format("a <{}> needs a <geometry> with a shape in it", element.tag));
      return;
    }
    const Element& what = geometry->children.front();
    if (geometry->children.size() > 1) {
      error(geometry->children[1].place, "a <geometry> holds one shape",
            fmt::format("write another <{}> for it", element.tag));
      return;
    }
    const std::size_t mark = out_.size();
    out_ += fmt::format("<{}>", element.tag);
    origin(element);
    out_ += "<geometry>";
    if (!shape_of(what)) {
      out_.resize(mark);
      return;
    }
    out_ += fmt::format("</geometry></{}>", element.tag);
    Shape made;
    made.element = &element;
    made.shape = &what;
    (element.tag == "visual" ? link.visuals : link.collisions).push_back(made);
  }

  /// A length that must be there and greater than 0. What is 0 makes a shape that is not there,
  /// which many URDFs have for frames.
  std::optional<double> length(const Element& shape, const char* attribute, bool& empty) {
    if (!shape.attribute(attribute)) {
      error(shape.place, fmt::format("a <{}> needs '{}'", shape.tag, attribute));
      return std::nullopt;
    }
    const int before = diagnostics_.error_count();
    const double value = number(shape, attribute, 1);
    if (diagnostics_.error_count() > before) return std::nullopt;
    if (value < 0) {
      error(place_of(shape, attribute), fmt::format("'{}' of <{}> must be greater than 0 m, got {}",
                                                    attribute, shape.tag, value));
      return std::nullopt;
    }
    empty = empty || value == 0;
    return value;
  }

  bool shape_of(const Element& shape) {
    bool empty = false;
    if (shape.tag == "box") {
      if (!shape.attribute("size")) {
        error(shape.place, "a <box> needs 'size'");
        return false;
      }
      const Vec3 size = vec3(shape, "size", Vec3::Ones());
      if (size.minCoeff() < 0) {
        error(place_of(shape, "size"),
              fmt::format("'size' of <box> must be greater than 0 m, got {} {} {}", size.x(),
                          size.y(), size.z()));
        return false;
      }
      empty = size.minCoeff() == 0;
      out_ += "<box";
      write("size", size);
    } else if (shape.tag == "sphere") {
      const auto radius = length(shape, "radius", empty);
      if (!radius) return false;
      out_ += "<sphere";
      write("radius", *radius);
    } else if (shape.tag == "cylinder" || shape.tag == "capsule") {
      const auto radius = length(shape, "radius", empty), along = length(shape, "length", empty);
      if (!radius || !along) return false;
      out_ += "<cylinder";  // urdfdom knows no capsules yet
      write("radius", *radius);
      write("length", *along);
    } else if (shape.tag == "mesh") {
      const Text* file = shape.attribute("filename");
      if (!file || file->value.empty()) {
        error(shape.place, "a <mesh> needs 'filename'");
        return false;
      }
      const Vec3 scale = vec3(shape, "scale", Vec3::Ones());
      empty = scale.cwiseAbs().minCoeff() == 0;
      out_ += "<mesh filename=\"m\"";
      write("scale", scale);
    } else {
      warning(shape.place, fmt::format("there is no shape <{}>: it is left out", shape.tag),
              "box, sphere, cylinder, capsule or mesh");
      return false;
    }
    out_ += "/>";
    if (empty) warning(shape.place, fmt::format("a <{}> of size 0 is left out", shape.tag));
    return !empty;
  }

  void joint(Joint& joint, std::size_t index) {
    constexpr const char* kTypes[] = {"fixed",     "revolute", "continuous",
                                      "prismatic", "floating", "planar"};
    const Element& element = *joint.element;
    out_ +=
        fmt::format("<joint name=\"j{}\" type=\"{}\"><parent link=\"l{}\"/><child link=\"l{}\"/>",
                    index, kTypes[static_cast<int>(joint.type)], joint.parent, joint.child);
    origin(element);
    if (joint.type == Joint::Type::kFixed || joint.type == Joint::Type::kFloating) {
      out_ += "</joint>\n";
      return;
    }
    axis(joint);
    limit(joint);
    if (const Element* dynamics = element.child("dynamics")) {
      out_ += "<dynamics";
      for (const char* name : {"damping", "friction"}) {
        double value = number(*dynamics, name, 0);
        if (value < 0) {
          error(place_of(*dynamics, name),
                fmt::format("'{}' of <dynamics> must be at least 0, got {}", name, value));
          value = 0;
        }
        write(name, value);
      }
      out_ += "/>";
    }
    if (joint.mimic) {
      const Element& mimic = *element.child("mimic");
      out_ += fmt::format("<mimic joint=\"j{}\"", joint.mimic->joint);
      write("multiplier", number(mimic, "multiplier", 1));
      write("offset", number(mimic, "offset", 0));
      out_ += "/>";
    }
    if (const Element* safety = element.child("safety_controller")) {
      warning(safety->place, fmt::format("the <safety_controller> of joint '{}' has no effect: the "
                                         "limits of its <limit> count",
                                         joint.name));
    }
    out_ += "</joint>\n";
  }

  void axis(const Joint& joint) {
    const Element* element = joint.element->child("axis");
    Vec3 direction = Vec3::UnitX();
    if (element) {
      if (!element->attribute("xyz")) error(element->place, "an <axis> needs 'xyz'");
      direction = vec3(*element, "xyz", direction);
      if (!(direction.norm() > 1e-9)) {
        error(place_of(*element, "xyz"),
              fmt::format("the axis of joint '{}' has no direction: it is {} {} {}", joint.name,
                          direction.x(), direction.y(), direction.z()));
        direction = Vec3::UnitX();
      }
    }
    out_ += "<axis";
    write("xyz", direction);
    out_ += "/>";
  }

  void limit(Joint& joint) {
    const Element* element = joint.element->child("limit");
    const bool wants =
        joint.type == Joint::Type::kRevolute || joint.type == Joint::Type::kPrismatic;
    if (!element) {
      if (!wants) return;
      error(joint.element->place, fmt::format("joint '{}' needs a <limit>", joint.name),
            joint.type == Joint::Type::kRevolute ? "a joint without limits is of type continuous"
                                                 : "");
      return;
    }
    double lower = number_of(*element, "lower", 0, diagnostics_);
    double upper = number_of(*element, "upper", 0, diagnostics_);
    if (wants && lower > upper) {
      error(place_of(*element, "lower"),
            fmt::format("'lower' of <limit> must be at most 'upper' ({}), got {}", upper, lower),
            "a joint without limits is of type continuous");
    }
    joint.limited = wants && (lower > -kGreatest || upper < kGreatest);
    lower = std::clamp(lower, -kGreatest, kGreatest);
    upper = std::clamp(upper, -kGreatest, kGreatest);
    out_ += "<limit";
    write("lower", lower);
    write("upper", upper);
    for (const char* name : {"effort", "velocity"}) {
      double value = number_of(*element, name, 0, diagnostics_);
      if (value < 0) {
        error(place_of(*element, name),
              fmt::format("'{}' of <limit> must be at least 0, got {}", name, value));
        value = 0;
      }
      auto& known = name[0] == 'e' ? joint.effort : joint.velocity;
      if (element->attribute(name)) known = value;
      write(name, value);
    }
    out_ += "/>";
  }

  Robot& robot_;
  Diagnostics& diagnostics_;
  std::string out_;
};

}  // namespace

std::string plain_text(Robot& robot, Diagnostics& diagnostics) {
  return Writer(robot, diagnostics).run();
}

}  // namespace protobeam::urdf
