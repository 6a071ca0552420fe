// show: what the text became: bodies, joints, devices, poses, masses.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "app/commands.h"
#include "app/mesh_files.h"
#include "app/standard_streams.h"
#include "app/world_options.h"
#include "base/text.h"
#include "publish/publisher.h"
#include "publish/robot_state.h"
#include "publish/robot_topics.h"

namespace protobeam {
namespace {

struct ShowArguments : WorldArguments {
  bool text = false, topics = false;
  std::optional<std::string> urdf;  ///< of this robot; "": of the only one
};

std::string vector_text(const Vec3& v) {
  return fmt::format("{:.4g} {:.4g} {:.4g}", v.x(), v.y(), v.z());
}

nlohmann::json pose_json(const Pose& X) {
  return {{"translation", {X.p.x(), X.p.y(), X.p.z()}},
          {"quaternion_xyzw", {X.R.x(), X.R.y(), X.R.z(), X.R.w()}}};
}

Pose world_pose(const WorldModel& model, const SolidInfo& solid) {
  return solid.body == physics::kWorldBody ? solid.X_BS
                                           : model.physics->pose(solid.body) * solid.X_BS;
}

int show_topics(Simulation& simulation, bool json) {
  const Publisher publisher(simulation, simulation.model().publishing, {});
  nlohmann::json rows = nlohmann::json::array();
  if (!json) print_out("{:<40} {:<34} {}\n", "topic", "type", "of");
  for (const auto& stream : publisher.table().streams()) {
    const Topic& topic = stream->topic();
    rows.push_back({{"name", topic.name},
                    {"type", topic.type->ros2_name},
                    {"latched", topic.latched},
                    {"of", stream->origin()}});
    if (!json) print_out("{:<40} {:<34} {}\n", topic.name, topic.type->ros2_name, printable(stream->origin()));
  }
  const auto& taken = publisher.table().subscriptions();
  if (!json && !taken.empty()) print_out("\n{:<40} {:<34} {}\n", "taken", "type", "by");
  for (const auto& [topic, origin, _] : taken) {
    rows.push_back(
        {{"name", topic.name}, {"type", topic.type->ros2_name}, {"taken", true}, {"of", origin}});
    if (!json)
      print_out("{:<40} {:<34} {}\n", topic.name, topic.type->ros2_name, printable(origin));
  }
  const auto actions = publisher.table().services().actions();
  if (!json && !actions.empty()) print_out("\n{:<40} {}\n", "action", "type");
  for (const auto& [name, type] : actions) {
    rows.push_back({{"name", name}, {"type", type}, {"action", true}});
    if (!json) print_out("{:<40} {}\n", name, type);
  }
  if (json) print_out("{}\n", rows.dump());
  return kExitGood;
}

int show_urdf(const Simulation& simulation, const std::string& name) {
  std::vector<std::string> names;
  for (const RobotInfo& robot : simulation.model().robots) {
    if (robot.solid < 0) continue;
    if (robot.name == name || (name.empty() && simulation.model().robots.size() == 1)) {
      print_out("{}", robot_description(simulation, robot, mesh_files()));
      return kExitGood;
    }
    names.push_back(robot.name);
  }
  if (names.empty()) throw std::invalid_argument("--urdf: there is no robot");
  throw std::invalid_argument(
      name.empty() ? fmt::format("--urdf: of which robot? There are {}", fmt::join(names, ", "))
                   : fmt::format("--urdf: there is no robot '{}'{}", name, hint(name, names)));
}

nlohmann::json show_json(Simulation& simulation) {
  const WorldModel& model = simulation.model();
  nlohmann::json out;
  out["world"] = simulation.world().file.string();
  out["title"] = model.title;
  out["basic_time_step_s"] = model.basic_time_step;
  out["triangles"] = model.visible->triangle_count();
  out["instances"] = model.visuals.size();
  out["solids"] = nlohmann::json::array();
  for (const SolidInfo& solid : model.solids) {
    nlohmann::json row = {{"name", solid.name},     {"type", solid.type},   {"proto", solid.proto},
                          {"parent", solid.parent}, {"robot", solid.robot}, {"body", solid.body}};
    row["static"] = solid.body == physics::kWorldBody;
    row["pose"] = pose_json(world_pose(model, solid));
    out["solids"].push_back(std::move(row));
  }
  out["bodies"] = nlohmann::json::array();
  for (physics::BodyId body = 0; body < model.physics->body_count(); ++body) {
    out["bodies"].push_back({{"name", model.physics->body_name(body)},
                             {"mass_kg", model.physics->mass(body)},
                             {"pose", pose_json(model.physics->pose(body))}});
  }
  out["joints"] = nlohmann::json::array();
  for (const JointInfo& joint : model.joints) out["joints"].push_back(joint.name);
  out["robots"] = nlohmann::json::array();
  for (const RobotInfo& robot : model.robots) {
    nlohmann::json row = {{"name", robot.name}, {"controller", robot.controller}};
    row["devices"] = nlohmann::json::array();
    for (const Device& device : robot.devices) {
      row["devices"].push_back(
          {{"name", device.name}, {"type", device.type}, {"proto", device.proto}});
    }
    out["robots"].push_back(std::move(row));
  }
  return out;
}

void show_solid(const WorldModel& model, std::size_t index, int depth) {
  const SolidInfo& solid = model.solids[index];
  std::string line(static_cast<std::size_t>(depth) * 2, ' ');
  line += fmt::format("{} \"{}\"",
                      solid.proto.empty() ? solid.type : solid.proto + " (" + solid.type + ")",
                      solid.name);
  line += "  at " + vector_text(world_pose(model, solid).p);
  if (solid.body != physics::kWorldBody) {
    const double mass = model.physics->mass(solid.body);
    line += mass > 0 ? fmt::format("  body {}: {:.4g} kg", solid.body, mass)
                     : fmt::format("  body {}: kinematic", solid.body);
  }
  print_out("{}\n", line);
  for (std::size_t i = index + 1; i < model.solids.size(); ++i) {
    if (model.solids[i].parent == static_cast<int>(index)) show_solid(model, i, depth + 1);
  }
}

int show(const ShowArguments& arguments) {
  auto simulation = load_simulation(arguments);
  if (!simulation) return kExitData;
  const WorldModel& model = simulation->model();
  if (arguments.topics) return show_topics(*simulation, arguments.json);
  if (arguments.urdf) return show_urdf(*simulation, *arguments.urdf);
  if (arguments.text) {
    print_out("{}", wbt::to_text(simulation->world().nodes));
    return kExitGood;
  }
  if (arguments.json) {
    print_out("{}\n", show_json(*simulation).dump());
    return kExitGood;
  }
  print_out("{}{}{}: step {:g} ms, {} bodies, {} joints, {} visible objects, {} triangles\n",
             simulation->world().file.string(), model.title.empty() ? "" : ", ", model.title,
             model.basic_time_step * 1000, model.physics->body_count(), model.joints.size(),
             model.visuals.size(), model.visible->triangle_count());
  for (std::size_t i = 0; i < model.solids.size(); ++i) {
    if (model.solids[i].parent < 0) show_solid(model, i, 1);
  }
  for (const RobotInfo& robot : model.robots) {
    print_out("robot \"{}\", controller \"{}\"\n", robot.name, robot.controller);
    for (const Device& device : robot.devices) {
      print_out("  {:<22} {}\n", device.name,
                 device.proto.empty() ? device.type : device.proto + " (" + device.type + ")");
    }
  }
  return kExitGood;
}

}  // namespace

void add_show(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<ShowArguments>();
  CLI::App* command =
      app.add_subcommand("show", "What a world becomes: bodies, joints, devices, poses, masses");
  add_world_arguments(*command, *arguments);
  command->add_flag("--topics", arguments->topics, "What --record and --publish would have");
  command
      ->add_option("--urdf", arguments->urdf, "The robot of that name as URDF, as --publish has it")
      ->expected(0, 1)
      ->type_name("[ROBOT]");
  command->add_flag("--text", arguments->text, "The expanded tree as world text");
  command->callback([&chosen, arguments] { chosen = [arguments] { return show(*arguments); }; });
}

}  // namespace protobeam
