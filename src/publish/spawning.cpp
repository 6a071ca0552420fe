#include "publish/spawning.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "base/memory_budget.h"
#include "wbt/values.h"

namespace protobeam {
namespace {

namespace sim = message::simulation;
using Code = sim::Result::Code;

Spawning::Response refuse(std::uint8_t code, std::string why) {
  return {{code, std::move(why)}, ""};
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "r1", "/fleet/r1": as "/fleet/r1"; nothing for what is no namespace of ROS 2.
std::optional<std::string> namespace_of(const std::string& text) {
  const std::string whole = text.starts_with('/') ? text : "/" + text;
  if (whole == "/") return "";
  bool begins = false;
  for (const char c : whole) {
    if (begins ? !is_letter(c) : !(is_letter(c) || is_digit(c) || c == '/')) return std::nullopt;
    begins = c == '/';
  }
  return begins ? std::nullopt : std::optional(whole);
}

bool is_xml(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string::npos && text[first] == '<';
}

/// "Crate", which PROTOs are found by.
bool is_plain_name(const std::string& uri) {
  return is_letter(uri.front()) &&
         std::ranges::all_of(uri, [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

/// It stands in this Solid, or is it.
bool is_of(const RobotInfo& robot, const wbt::Node* solid) {
  return !robot.removed && (robot.unit == solid || robot.node == solid);
}

/// The name that the text gives it; "" without one.
std::string written_name(const wbt::Node& solid) {
  const wbt::Field* name = solid.find("name");
  return name && !name->value.strings.empty() ? name->value.strings.front() : "";
}

}  // namespace

bool only_missing(const Diagnostics& diagnostics) {
  const auto is_missing = [](const Diagnostic& one) {
    return one.severity != Severity::kError || !one.missing.empty();
  };
  return std::ranges::all_of(diagnostics.all(), is_missing);
}

SpawnModel Spawning::read(const sim::Resource& resource) {
  const auto of_world = [this](const std::string& text) {
    SpawnModel out;
    Diagnostics diagnostics;
    out.document = simulation_.document_of(text, diagnostics);
    out.document.has_header = false;  // names of PROTOs are enough, without EXTERNPROTO
    out.warnings = diagnostics.to_string();
    if (diagnostics.has_errors()) out = {kResourceParseError, diagnostics.to_string(), {}, {}};
    return out;
  };
  const std::string& uri = resource.uri;
  if (!uri.empty() && is_plain_name(uri)) return of_world(uri + " { }");
  if (uri.empty() && !is_xml(resource.resource_string)) return of_world(resource.resource_string);
  if (host_.read) return host_.read(resource, simulation_);
  return {kUnsupportedFormat, "files of models and XML are not read here", {}, {}};
}

/// One whose text was read, and that is nothing for the world nevertheless.
Spawning::Response Spawning::refuse_model(const sim::Resource& resource,
                                          const Diagnostics& diagnostics) const {
  const std::string proto = std::filesystem::path(resource.uri).stem().string() + ".proto";
  const auto is_resource = [&](const Diagnostic& one) { return one.missing == proto; };
  // Of a type, not of a file with a path.
  const auto is_type = [](const Diagnostic& one) {
    return one.missing.ends_with(".proto") && one.missing.find('/') == std::string::npos;
  };
  std::uint8_t code = only_missing(diagnostics) ? kMissingAssets : kResourceParseError;
  // A type that nobody knows is no file of a model, but a word that cannot be read.
  if (std::ranges::any_of(diagnostics.all(), is_type)) code = kResourceParseError;
  if (!resource.uri.empty() && std::ranges::any_of(diagnostics.all(), is_resource))
    code = Code::kNotFound;
  return refuse(code, diagnostics.to_string());
}

/// Those of its robots that are not there or could not be started, a line each.
std::string Spawning::failed_controllers(int solid) const {
  const wbt::Node* node = simulation_.model().solids[static_cast<std::size_t>(solid)].node;
  const std::vector<ControllerReport> reports = simulation_.controllers();
  std::string out;
  for (const RobotInfo& robot : simulation_.model().robots) {
    if (!is_of(robot, node)) continue;
    // Robots of the same name that have left come before.
    const auto report = std::find_if(reports.rbegin(), reports.rend(), [&](const auto& one) {
      return one.robot == robot.name && one.name == robot.controller;
    });
    if (report != reports.rend() && report->failed)
      out += fmt::format("warning: robot '{}': {}\n", robot.name, report->what_happened);
  }
  return out;
}

bool Spawning::taken(const std::string& name) const {
  return entities_.has(name) ||
         std::ranges::any_of(simulation_.model().robots, [&](const RobotInfo& robot) {
           return !robot.removed && robot.name == name;
         });
}

/// "", or why its robots cannot be published: then it is out of the world again.
std::string Spawning::introduce(int solid, const std::string& space) {
  if (!host_.publisher) return "";
  const wbt::Node* node = simulation_.model().solids[static_cast<std::size_t>(solid)].node;
  for (const RobotInfo& robot : simulation_.model().robots) {
    if (!is_of(robot, node)) continue;
    if (robot.node == node) host_.publisher->introduce(robot.name, space);
    const std::string why = host_.publisher->problem_with(simulation_, robot);
    if (why.empty()) continue;
    host_.publisher->forget(simulation_, robot);
    simulation_.remove_solid(solid);
    return why;
  }
  return "";
}

Spawning::Response Spawning::spawn(const Request& asked) {
  if (asked.entity_resource.uri.empty() && asked.entity_resource.resource_string.empty())
    return refuse(kNoResource, "a uri or a resource_string is needed");
  const auto space = namespace_of(asked.entity_namespace);
  if (!space)
    return refuse(
        kNamespaceInvalid,
        fmt::format("'{}' is no namespace of ROS 2: words of letters, digits and _ with / "
                    "between them, none beginning with a digit",
                    asked.entity_namespace));
  const auto X = pose_in_world(asked.initial_pose.pose);
  if (!X) return refuse(kInvalidPose, kNoPose);
  const std::string& frame_id = asked.initial_pose.header.frame_id;
  const auto frame = entities_.frame(frame_id);
  if (!frame) return refuse(kInvalidPose, entities_.no_frame(frame_id));
  const Pose X_WS = frame->X_WF * *X;
  if (!is_in_world(X_WS.p)) return refuse(kInvalidPose, kNoPose);
  // Before the text is read, which may take a while.
  if (!asked.name.empty() && !asked.allow_renaming && taken(asked.name))
    return refuse(kNameNotUnique, fmt::format("there is an entity '{}'", asked.name));
  const SpawnModel model = read(asked.entity_resource);
  if (model.result != Code::kOk) return refuse(model.result, model.why);
  Diagnostics diagnostics;
  const wbt::NodePtr solid = simulation_.read_solid(model.document, diagnostics);
  if (!solid) return refuse_model(asked.entity_resource, diagnostics);
  std::string name = asked.name.empty() ? written_name(*solid) : asked.name;
  if (name.empty() && asked.allow_renaming) name = "entity";
  if (name.empty())
    return refuse(kNameInvalid,
                  "a name is needed, of the request or in the resource, or "
                  "allow_renaming");
  if (std::ranges::any_of(name, is_control))
    return refuse(kNameInvalid, "the name has characters that are not printed");
  if (taken(name) && !asked.allow_renaming)
    return refuse(kNameNotUnique, fmt::format("there is an entity '{}'", name));
  const std::string wish = name;
  for (int number = 2; taken(name); ++number) name = fmt::format("{}_{}", wish, number);
  const bool is_robot = simulation_.schemas().is_a(solid->type, "Robot");
  if (is_robot && !space->empty() && host_.publisher &&
      host_.publisher->has_space(simulation_, *space))
    return refuse(kNamespaceInvalid, fmt::format("another robot has the namespace '{}'", *space));
  const int added = simulation_.add_solid(solid, name, X_WS, diagnostics);
  if (added < 0) return refuse_model(asked.entity_resource, diagnostics);
  if (const std::string why = introduce(added, *space); !why.empty())
    return refuse(kResourceParseError, why);
  if (!model.contact_properties.nodes.empty())
    simulation_.add_contact_properties(model.contact_properties, diagnostics);
  entities_.add(name, added);
  std::string warnings = model.warnings + diagnostics.to_string() + failed_controllers(added);
  while (warnings.ends_with('\n')) warnings.pop_back();
  if (host_.changed) host_.changed();
  return {{Code::kOk, std::move(warnings)}, name};
}

sim::SpawnEntities::Response Spawning::spawn_all(const sim::SpawnEntities::Request& asked) {
  sim::SpawnEntities::Response out;
  std::vector<std::string> failed;
  for (std::size_t i = 0; i < asked.spawn_requests.size(); ++i) {
    const sim::SpawnEntity& one = asked.spawn_requests[i];
    const Response made = spawn({one.name, one.allow_renaming, one.entity_resource,
                                 one.entity_namespace, one.initial_pose});
    if (made.result.result != Code::kOk)
      failed.push_back(
          fmt::format("request {} ('{}'): {}", i, one.name, made.result.error_message));
    out.results.push_back({made.result, made.entity_name});
  }
  out.result = {Code::kOk, ""};
  if (!failed.empty())
    out.result = {kSpawnFailed, fmt::format("{} of {} were not spawned: {}", failed.size(),
                                            asked.spawn_requests.size(), fmt::join(failed, "; "))};
  return out;
}

std::string Spawning::remove(int solid) {
  if (host_.publisher) {
    const wbt::Node* node = simulation_.model().solids[static_cast<std::size_t>(solid)].node;
    for (const RobotInfo& robot : simulation_.model().robots) {
      if (is_of(robot, node)) host_.publisher->forget(simulation_, robot);
    }
  }
  std::string why = simulation_.remove_solid(solid);
  if (!why.empty()) return why;
  entities_.remove(solid);
  if (host_.changed) host_.changed();
  return_free_memory();
  return "";
}

}  // namespace protobeam
