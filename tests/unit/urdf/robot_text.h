// Robots from a few words of URDF.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "sim/simulation.h"
#include "tests/support/temporary_folder.h"
#include "urdf/to_webots.h"

namespace protobeam::urdf {

/// A link of a mass, with a box of 0.2 m.
inline std::string link(const std::string& name, double mass = 1, const std::string& more = {}) {
  return fmt::format(
      "<link name=\"{0}\"><inertial><mass value=\"{1}\"/><inertia ixx=\"0.01\" iyy=\"0.02\" "
      "izz=\"0.025\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial><collision><geometry><box "
      "size=\"0.2 0.2 0.2\"/></geometry></collision>{2}</link>\n",
      name, mass, more);
}
inline std::string joint(const std::string& name, const std::string& type,
                         const std::string& parent, const std::string& child,
                         const std::string& more = {}) {
  return fmt::format(
      "<joint name=\"{}\" type=\"{}\"><parent link=\"{}\"/><child link=\"{}\"/>{}</joint>\n", name,
      type, parent, child, more);
}
inline std::string robot(const std::string& text) {
  return "<robot name=\"r\">\n" + text + "</robot>\n";
}
/// One with a sensor "s" of that type.
inline std::string sensor(const std::string& type, const std::string& text) {
  return robot(link("a") + "<gazebo reference=\"a\"><sensor name=\"s\" type=\"" + type + "\">" +
               text + "</sensor></gazebo>");
}

class RobotTest : public testing::Test {
 protected:
  /// The diagnostics of a robot, and its world.
  virtual std::optional<wbt::Document> read(const std::string& text) {
    diagnostics_ = {};
    robot_ = read_robot_text(text, folder_.path() / "r.urdf", options_, diagnostics_);
    return robot_ ? to_world(*robot_, options_, {}, diagnostics_) : std::nullopt;
  }
  std::string messages(const std::string& text) {
    read(text);
    return diagnostics_.to_string();
  }
  Simulation& load(const std::string& text) {
    SimulationOptions options;
    options.read = [&](const std::filesystem::path&, const wbt::LoadOptions& load,
                       Diagnostics& diagnostics) {
      const auto document = read(text);
      if (document) return wbt::expand_world(*document, load, diagnostics);
      throw std::runtime_error(diagnostics_.to_string());
    };
    const auto file = folder_.write("r.urdf", text);
    Diagnostics diagnostics;
    simulation_ = Simulation::load(file, options, diagnostics);
    if (!simulation_) throw std::runtime_error(diagnostics.to_string());
    return *simulation_;
  }
  void run(double seconds) {
    const auto steps = std::lround(seconds / 0.005);
    for (long i = 0; i < steps; ++i) simulation_->step();
  }
  /// As a program says it, to the motor and to those that are coupled to it.
  void command(const std::string& motor, const char* name, double number) {
    auto& robot = simulation_->model().robots[0];
    for (std::size_t i = 0; i < robot.devices.size(); ++i) {
      if (robot.devices[i].name != motor) continue;
      const auto op =
          device_op::kFirstCommand + find_command(robot.devices[i].model->type().commands, name);
      RobotDriver(simulation_->model(), 0)
          .apply_command(
              {static_cast<std::uint16_t>(i + 1), static_cast<std::uint16_t>(op), {number}, {}}, 0);
      return;
    }
    FAIL() << "no motor " << motor;
  }
  const Device& device(const std::string& name) {
    for (const Device& one : simulation_->model().robots[0].devices) {
      if (one.name == name) return one;
    }
    throw std::runtime_error("no device " + name);
  }
  Pose pose(const std::string& solid) {
    const WorldModel& model = simulation_->model();
    for (const SolidInfo& one : model.solids) {
      if (one.name == solid) {
        return one.body == physics::kWorldBody ? one.X_BS
                                               : model.physics->pose(one.body) * one.X_BS;
      }
    }
    throw std::runtime_error("no solid " + solid);
  }
  double mass(const std::string& solid) {
    const WorldModel& model = simulation_->model();
    for (const SolidInfo& one : model.solids) {
      if (one.name == solid) return model.physics->mass(one.body);
    }
    throw std::runtime_error("no solid " + solid);
  }
  /// The text of the first node of that type, fields by blanks.
  const wbt::Node* find(const wbt::NodePtr& node, const std::string& type,
                        const std::string& name = {}) {
    if (!node) return nullptr;
    const wbt::Field* named = node->find("name");
    if (node->type == type && (name.empty() || (named && named->value.strings.at(0) == name))) {
      return node.get();
    }
    for (const wbt::Field& field : node->fields) {
      for (const wbt::NodePtr& child : field.value.nodes) {
        if (const wbt::Node* found = find(child, type, name)) return found;
      }
    }
    return nullptr;
  }
  const wbt::Node& node(const wbt::Document& document, const std::string& type,
                        const std::string& name = {}) {
    for (const wbt::NodePtr& one : document.nodes) {
      if (const wbt::Node* found = find(one, type, name)) return *found;
    }
    throw std::runtime_error("no " + type + " " + name);
  }
  std::vector<double> numbers(const wbt::Node& node, const char* field) {
    const wbt::Field* found = node.find(field);
    if (!found) return {};
    return found->value.numbers;
  }

  TemporaryFolder folder_;
  Options options_{{}, [](const std::string&) { return std::nullopt; }, false, {}};
  Diagnostics diagnostics_;
  std::unique_ptr<const Robot> robot_;
  std::optional<wbt::Document> world_;
  std::unique_ptr<Simulation> simulation_;
};

}  // namespace protobeam::urdf
