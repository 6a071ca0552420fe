// info: node types, the catalogue of devices and vehicles, plugins.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/catalogue.h"
#include "app/commands.h"
#include "app/info_vehicles.h"
#include "app/log.h"
#include "app/node_docs.h"
#include "app/proto_page.h"
#include "app/standard_streams.h"
#include "app/world_options.h"
#include "device/plugin.h"
#include "sim/paths.h"
#include "vehicle/drive_type.h"
#include "vehicle/plugin.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

struct InfoArguments {
  std::string name, markdown;
  std::vector<std::string> proto_path;
  bool json = false;
};

constexpr double kDegrees = 180 / kPi;

nlohmann::json node_json(const SchemaRegistry& schemas, const NodeSchema& schema) {
  nlohmann::json row = {{"name", schema.name},
                        {"base", schema.base},
                        {"meaning", schema.meaning},
                        {"simulated", !schema.not_simulated}};
  row["fields"] = nlohmann::json::array();
  for (const FieldSpec* field : schemas.fields(schema)) {
    row["fields"].push_back({{"name", field->name},
                             {"type", to_string(field->type)},
                             {"default", field->default_text},
                             {"unit", field->unit},
                             {"range", field->range.to_string()},
                             {"meaning", field->meaning}});
  }
  return row;
}

void write_page(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

/// PROTOs of the catalogue that stand in for Webots' own.
std::vector<std::string> stand_ins() {
  std::vector<std::string> names;
  std::error_code error;
  fs::recursive_directory_iterator it(installed_paths().catalogue / "webots", error);
  for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    if (it->path().extension() == ".proto") names.push_back(it->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

int info_proto(const InfoArguments& arguments, std::vector<std::string> names,
               const PluginLoader& plugins) {
  for (const auto& [name, file] : known_protos()) {
    names.push_back(name);
    if (name != arguments.name) continue;
    if (!arguments.markdown.empty()) {
      log_error(fmt::format("'{}' is a PROTO: --markdown writes pages of node types", name));
      return kExitUsage;
    }
    if (arguments.json) {
      print_out("{}\n", nlohmann::json::array({proto_json(file)}).dump());
    } else {
      print_out("{}", proto_page(file));
    }
    return kExitGood;
  }
  const std::string hint = did_you_mean(arguments.name, names);
  log_error(fmt::format("there is no node type and no PROTO '{}'{}", arguments.name,
                        "; " + (hint.empty() ? plugins.where() : hint)));
  return kExitData;
}

int info_nodes(const InfoArguments& arguments) {
  Known known;
  if (!arguments.name.empty() && !known.schemas.find(arguments.name)) {
    return info_proto(arguments, known.schemas.names(), known.plugins);
  }
  nlohmann::json out = nlohmann::json::array();
  for (const auto& name : known.schemas.names()) {
    const NodeSchema* found = known.schemas.find(name);
    if (!found) continue;  // a plugin that cannot be loaded; `info plugins` says why
    const NodeSchema& schema = *found;
    if (!arguments.name.empty() && arguments.name != name) continue;
    if (!arguments.markdown.empty()) {
      if (schema.not_simulated) continue;
      write_page(fs::path(arguments.markdown) / (name + ".md"),
                 node_page(known.schemas, schema, known.device_type(name)));
    } else if (arguments.json) {
      out.push_back(node_json(known.schemas, schema));
    } else if (!arguments.name.empty()) {
      print_out("{}", node_page(known.schemas, schema, known.device_type(name)));
    } else {
      print_out("{:<24} {}{}\n", name, schema.not_simulated ? "(not simulated) " : "",
                schema.meaning);
    }
  }
  if (arguments.markdown.empty() && !arguments.json && arguments.name.empty()) {
    for (const auto& name : stand_ins())
      print_out("{:<24} (PROTO, a stand-in for Webots' own)\n", name);
  }
  if (!arguments.markdown.empty() && arguments.name.empty()) {
    write_page(fs::path(arguments.markdown) / "README.md", node_index(known.schemas));
  }
  if (arguments.json) print_out("{}\n", out.dump());
  return kExitGood;
}

nlohmann::json type_json(const DeviceType& type) {
  nlohmann::json row = {{"name", type.node.name},
                        {"base", type.node.base},
                        {"meaning", type.node.meaning},
                        {"api", type.api[0] ? type.api : type.node.name},
                        {"webots_node", type.webots_node},
                        {"inputs", to_string(type.inputs)},
                        {"forces", type.forces},
                        {"sends", type.sends},
                        {"messages", type.messages},
                        {"channels", nlohmann::json::array()},
                        {"commands", nlohmann::json::array()},
                        {"properties", nlohmann::json::array()}};
  for (const ChannelSpec& channel : type.channels) {
    nlohmann::json out = {{"name", channel.name},
                          {"type", to_string(channel.type)},
                          {"unit", channel.unit},
                          {"frame", channel.frame},
                          {"missing", channel.missing},
                          {"meaning", channel.meaning},
                          {"shape", nlohmann::json::array()}};
    for (const Dimension& dimension : channel.shape) {
      if (dimension.name.empty()) {
        out["shape"].push_back(dimension.size);
      } else {
        out["shape"].push_back(dimension.name);
      }
    }
    for (const Component& component : channel.components) {
      out["components"].push_back({{"name", component.name},
                                   {"type", to_string(component.type)},
                                   {"unit", component.unit}});
    }
    row["channels"].push_back(std::move(out));
  }
  for (const CommandSpec& command : type.commands) {
    nlohmann::json out = {{"name", command.name},
                          {"meaning", command.meaning},
                          {"bytes", command.bytes},
                          {"repeats", command.repeats},
                          {"arguments", nlohmann::json::array()}};
    for (const ArgumentSpec& argument : command.arguments) {
      out["arguments"].push_back({{"name", argument.name},
                                  {"unit", argument.unit},
                                  {"range", argument.range.to_string()}});
    }
    row["commands"].push_back(std::move(out));
  }
  for (const PropertySpec& property : type.properties) {
    row["properties"].push_back(
        {{"name", property.name}, {"unit", property.unit}, {"meaning", property.meaning}});
  }
  return row;
}

int info_types(const InfoArguments& arguments) {
  Known known;
  nlohmann::json out = nlohmann::json::array();
  std::vector<std::string> names;
  for (const auto& name : known.schemas.names()) {
    if (known.device_type(name)) names.push_back(name);
  }
  const bool all = arguments.name.empty();
  if (!all && !known.device_type(arguments.name)) {
    const std::string hint = did_you_mean(arguments.name, names);
    log_error(fmt::format("no device type '{}'; {}", arguments.name,
                          hint.empty() ? "`protobeam info types` lists them" : hint));
    return kExitData;
  }
  for (const auto& name : names) {
    if (!all && arguments.name != name) continue;
    const DeviceType& type = *known.device_type(name);
    if (arguments.json) {
      out.push_back(type_json(type));
    } else if (!all) {
      print_out("{}", node_page(known.schemas, *known.schemas.find(name), &type));
    } else {
      std::vector<std::string> channels, commands;
      for (const ChannelSpec& channel : type.channels) channels.push_back(channel.name);
      for (const CommandSpec& command : type.commands) commands.push_back(command.name);
      print_out("{:<22} channels: {}; commands: {}\n", name, fmt::join(channels, ", "),
                fmt::join(commands, ", "));
    }
  }
  if (arguments.json) print_out("{}\n", out.dump());
  return kExitGood;
}

/// Lidar nodes anywhere below a node.
void collect(const wbt::NodePtr& node, std::string_view type, std::vector<wbt::NodePtr>& out) {
  if (!node) return;
  if (node->type == type) out.push_back(node);
  for (const auto& field : node->fields) {
    for (const auto& child : field.value.nodes) collect(child, type, out);
  }
}

/// Layers, points a layer and fields of view.
struct Extent {
  int layers, points;
  double fov, vertical;  ///< rad
};

Extent extent_of(const wbt::NodeView& lidar, const DevicePlugin& plugin) {
  if (lidar.string("scanLaw") != "grid") {  // only the device itself knows what its lasers make
    const Properties device = plugin.make(lidar)->properties();
    const auto number = [&](const char* name) { return std::get<double>(device.at(name)); };
    return {static_cast<int>(number("numberOfLayers")),
            static_cast<int>(number("horizontalResolution")), number("fieldOfView"),
            number("verticalFieldOfView")};
  }
  Extent out{lidar.integer("numberOfLayers"), lidar.integer("horizontalResolution"),
             lidar.string("type") == "rotating" ? 2 * kPi : lidar.number("fieldOfView"), 0};
  const auto angles = lidar.numbers("layerAngles");
  if (!angles.empty()) {
    out.vertical = std::abs(angles.front() - angles.back());
  } else if (out.layers > 1) {
    out.vertical = lidar.number("verticalFieldOfView");
  }
  return out;
}

int info_devices(const InfoArguments& arguments) {
  Known known;
  nlohmann::json out = nlohmann::json::array();
  const auto products = catalogue_products(arguments.name, known);
  if (!products) return kExitData;
  for (const auto& [name, file, header, root] : *products) {
    std::vector<wbt::NodePtr> lidars;
    collect(root, "Lidar", lidars);
    // A robot that carries lidars is no lidar.
    if (lidars.size() != 1 || known.schemas.is_a(root->type, "Robot")) continue;
    const wbt::NodeView lidar(*lidars.front(), known.schemas);
    const Extent extent = extent_of(lidar, *known.plugins.find_as<DevicePlugin>("Lidar"));
    const double max_range = lidar.number("maxRange"), resolution = lidar.number("resolution");
    const double rate = lidar.number("defaultFrequency");
    out.push_back({{"name", name},
                   {"type", "Lidar"},
                   {"layers", extent.layers},
                   {"points_per_layer", extent.points},
                   {"fov_deg", extent.fov * kDegrees},
                   {"vertical_fov_deg", extent.vertical * kDegrees},
                   {"min_range", lidar.number("minRange")},
                   {"max_range", max_range},
                   {"noise_m", lidar.number("noise") * max_range},
                   {"resolution_m", resolution > 0 ? resolution : 0.0},
                   {"rate_hz", rate},
                   {"points_per_second", std::round(extent.layers * extent.points * rate)},
                   {"source", header.source}});
  }
  if (out.empty() && !arguments.name.empty()) {
    log_error(fmt::format("no device '{}' in the catalogue", arguments.name));
    return kExitData;
  }
  if (arguments.json) {
    print_out("{}\n", out.dump());
    return kExitGood;
  }
  print_out("{:<18} {:>6} {:>7} {:>9} {:>8} {:>12} {:>8} {:>10} {:>7} {:>8}\n", "device", "layers",
            "points", "fov", "vert.", "range", "noise", "resolution", "rate", "points/s");
  for (const auto& d : out) {
    print_out(
        "{:<18} {:>6} {:>7} {:>5.1f} deg {:>4.1f} deg {:>4.4g}..{:>4.4g} m {:>6.3g} m {:>8.3g} m "
        "{:>4.3g} Hz {:>8.0f}\n",
        d["name"].get<std::string>(), d["layers"].get<int>(), d["points_per_layer"].get<int>(),
        d["fov_deg"].get<double>(), d["vertical_fov_deg"].get<double>(),
        d["min_range"].get<double>(), d["max_range"].get<double>(), d["noise_m"].get<double>(),
        d["resolution_m"].get<double>(), d["rate_hz"].get<double>(),
        d["points_per_second"].get<double>());
  }
  return kExitGood;
}

int info_vehicles(const InfoArguments& arguments) {
  return show_vehicles(arguments.name, arguments.proto_path, arguments.json);
}

int info_plugins(const InfoArguments& arguments) {
  PluginLoader plugins;
  plugins.add_project(current_project());
  nlohmann::json out = nlohmann::json::array();
  for (const auto& name : plugins.names()) {
    if (!arguments.name.empty() && arguments.name != name) continue;
    const Plugin* plugin = plugins.find(name);
    if (!plugin) continue;
    if (arguments.json) {
      out.push_back({{"name", name},
                     {"kind", plugin->kind},
                     {"file", plugins.file_of(name).string()},
                     {"meaning", plugin->schema.meaning}});
    } else {
      print_out("{:<22} {:<11} {}\n", name, plugin->kind, plugins.file_of(name).string());
    }
  }
  if (arguments.json) print_out("{}\n", out.dump());
  for (const auto& problem : plugins.problems()) log_error(fmt::format("{}", problem));
  return plugins.problems().empty() ? kExitGood : kExitController;
}

}  // namespace

void add_info(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<InfoArguments>();
  CLI::App* command =
      app.add_subcommand("info", "What there is: node types, devices, vehicles, plugins");
  command->require_subcommand(1);
  const auto add = [&](const char* what, const char* help, int (*show)(const InfoArguments&)) {
    CLI::App* sub = command->add_subcommand(what, help);
    sub->add_option("NAME", arguments->name, "Only this one");
    sub->add_flag("--json", arguments->json, "JSON on stdout");
    sub->callback(
        [&chosen, arguments, show] { chosen = [arguments, show] { return show(*arguments); }; });
    return sub;
  };
  add("nodes", "Node types and PROTOs: what they are, their fields", info_nodes)
      ->add_option("--markdown", arguments->markdown,
                   "Write one page a node and README.md, their list, into this folder");
  add("types", "Device types: channels, commands and properties", info_types);
  add("devices", "The catalogue's lidars with their figures", info_devices);
  add_proto_path(
      *add("vehicles",
           "Vehicles with their figures: the catalogue's, and those in the protos/ of this "
           "project and of --proto-path",
           info_vehicles),
      arguments->proto_path);
  add("plugins", "Plugins and where they were found", info_plugins);
}

}  // namespace protobeam
