#include "app/output_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>

#include "app/log.h"
#include "app/mesh_files.h"
#include "app/standard_streams.h"
#include "app/world_options.h"
#include "base/diagnostics.h"
#include "base/file_names.h"
#include "publish/settings_file.h"
#include "sim/build_config.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

/// Recorders are called after the endings of their files: .mcap is the McapRecorder's.
std::string recorder_of(const std::string& file) {
  std::string ending = extension_of(file);
  if (ending.size() < 2) return "";
  ending.erase(0, 1);
  ending[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(ending[0])));
  return ending + "Recorder";
}

/// Publishers after what they speak: ros2 is the Ros2Publisher's.
std::string publisher_of(std::string name) {
  if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name + "Publisher";
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Others write a folder: they stand in a file of settings.
bool writes_a_file(const OutputPlugin* plugin) {
  return plugin && std::ranges::any_of(plugin->schema.fields, [](const FieldSpec& field) {
           return std::string_view(field.name) == "file";
         });
}

/// "mcap, bag": what is there with names that end so.
std::vector<std::string> kinds(PluginLoader& plugins, const std::string& ending) {
  std::vector<std::string> out;
  for (const std::string& name : plugins.names()) {
    const auto* plugin = name.ends_with(ending) ? plugins.find_as<OutputPlugin>(name) : nullptr;
    if (!plugin || (ending == "Recorder" && !writes_a_file(plugin))) continue;
    out.push_back(lower(name.substr(0, name.size() - ending.size())));
  }
  return out;
}

class OutputMaker {
 public:
  explicit OutputMaker(Simulation& simulation) : simulation_(simulation) {
    context_.world = simulation.world().file;
    context_.program = std::string("protobeam ") + kVersion;
  }

  /// Of a world, which may come from anywhere: it writes below the current folder only.
  void add_of_world(const wbt::Node& node) {
    const wbt::NodeView fields(node, simulation_.schemas());
    for (const char* name : {"file", "folder"}) {
      if (!fields.has(name)) continue;
      const fs::path path = fields.string(name);
      const bool up = std::ranges::find(path, fs::path("..")) != path.end();
      if (!path.is_absolute() && !up) continue;
      throw std::invalid_argument(fmt::format(
          "{}: error: field '{}' of {}: a world writes below the current folder only, not '{}' (--outputs and "
          "--record may)",
          fields.place(name).to_string(), name, node.type, path.string()));
    }
    add(node);
  }

  void add(const wbt::Node& node) {
    const auto* plugin = simulation_.plugins().find_as<OutputPlugin>(node.type);
    if (!plugin) throw std::invalid_argument(fmt::format("there is no output '{}'", node.type));
    const wbt::NodeView fields(node, simulation_.schemas());
    OutputChoice choice;
    choice.sink = plugin->make(fields, context_);
    choice.takes = [filter = TopicFilter(fields)](const std::string& name) {
      return filter.takes(name);
    };
    constexpr double kMostMemory = 1e18;  // bytes; more than a machine has
    choice.memory = static_cast<std::size_t>(std::min(fields.number("memory") * 1e6, kMostMemory));
    outputs_.push_back(std::move(choice));
  }

  void record(const std::string& file) {
    add_default(recorder_of(file), "file", file);
  }

  /// What fits into the rows of tables: samples of sensors, and where robots are.
  void record_tables(const std::string& folder) {
    add_default("CsvRecorder", "folder", folder);
    outputs_.back().takes_type = [](const message::MessageType& type) {
      static const std::set<std::string> others{
          "geometry_msgs/Polygon",       "geometry_msgs/PoseArray",
          "livox_ros_driver/CustomMsg",  "livox_ros_driver2/CustomMsg",
          "rosgraph_msgs/Clock",         "sensor_msgs/CameraInfo",
          "sensor_msgs/CompressedImage", "sensor_msgs/Image",
          "sensor_msgs/LaserScan",       "sensor_msgs/PointCloud",
          "sensor_msgs/PointCloud2",     "std_msgs/String",
          "tf2_msgs/TFMessage",          "visualization_msgs/MarkerArray"};
      return !others.contains(type.ros1_name);
    };
  }

  void publish(const std::string& name, int domain) {
    wbt::Node node;
    node.type = publisher_of(name);
    if (name == "ros2" && domain >= 0) add_number(node, "domainId", domain);
    add(node);
  }

  std::vector<OutputChoice> take() { return std::move(outputs_); }

 private:
  void add_default(const std::string& type, const char* name, const std::string& text) {
    wbt::Node node;
    node.type = type;
    wbt::Field field;
    field.name = name;
    field.value.kind = wbt::Value::Kind::kStrings;
    field.value.strings = {text};
    node.fields.push_back(std::move(field));
    add(node);
  }
  static void add_number(wbt::Node& node, const char* name, double value) {
    wbt::Field field;
    field.name = name;
    field.value.kind = wbt::Value::Kind::kNumbers;
    field.value.numbers = {value};
    node.fields.push_back(std::move(field));
  }

  Simulation& simulation_;
  SinkContext context_;
  std::vector<OutputChoice> outputs_;
};

std::string listed(std::vector<std::string> words, const std::string& mark) {
  std::ranges::sort(words);
  const std::string last = words.back();
  words.pop_back();
  for (std::string& word : words) word.insert(0, mark);
  return words.empty() ? mark + last : fmt::format("{} or {}{}", fmt::join(words, ", "), mark, last);
}

/// A device or a pipe takes packets.
bool is_packet_file(const std::string& file) {
  std::error_code ignored;
  return lower(fs::path(file).extension().string()) == ".pcap" ||
         (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored));
}

std::string check_record(const std::string& file) {
  if (is_packet_file(file)) return "";
  PluginLoader plugins;
  if (writes_a_file(plugins.find_as<OutputPlugin>(recorder_of(file)))) return "";
  auto endings = kinds(plugins, "Recorder");
  endings.push_back("pcap");
  return fmt::format("'{}' must end in {}", file, listed(std::move(endings), "."));
}

std::string check_publish(const std::string& text) {
  if (text.find("://") != std::string::npos) return check_udp_address(text);
  PluginLoader plugins;
  if (plugins.find_as<OutputPlugin>(publisher_of(text))) return "";
  auto names = kinds(plugins, "Publisher");
  const std::string hint = did_you_mean(text, names);
  names.push_back("udp://ADDRESS[:PORT]");
  return fmt::format("there is no '{}'; {}", text,
                     hint.empty() ? "there are " + listed(std::move(names), "") : hint);
}

}  // namespace

void add_output_arguments(CLI::App& command, OutputArguments& arguments) {
  const auto one_each = [](CLI::Option* option) {
    return option->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  CLI::Option* record = one_each(command.add_option(
      "--record", arguments.record,
      "A file with everything that the world publishes: .mcap, .bag; or the packets that the real "
      "lidars would send: .pcap. May be given several times"));
  record->check(CLI::Validator(check_record, "FILE.mcap|FILE.bag|FILE.pcap"));
  CLI::Option* publish = one_each(command.add_option(
      "--publish", arguments.publish,
      "ros2, foxglove, or udp://127.0.0.1[:PORT] for the packets of lidars (see --realtime). May be given "
      "several times"));
  publish->check(CLI::Validator(check_publish, "ros2|foxglove|udp://ADDRESS[:PORT]"));
  command.add_option("--outputs", arguments.settings,
                     "A .yaml file that says where messages go, and how (docs/outputs.md)")
      ->check(CLI::ExistingFile);
  command.add_option("--ros-domain-id", arguments.domain, "Of --publish ros2 (else ROS_DOMAIN_ID, or 0)")
      ->check(CLI::Range(0, 232));
  add_packet_devices(command, arguments.packets, record, publish);
}

void split_packet_arguments(OutputArguments& arguments) {
  const auto move_one = [](std::vector<std::string>& from, std::string& to, const char* option, auto is) {
    for (auto it = from.begin(); it != from.end();) {
      if (!is(*it)) {
        ++it;
        continue;
      }
      if (!to.empty()) {
        throw std::invalid_argument(fmt::format("{} {}: there is {} already", option, *it, to));
      }
      to = *it;
      it = from.erase(it);
    }
  };
  move_one(arguments.record, arguments.packets.record, "--record", is_packet_file);
  move_one(arguments.publish, arguments.packets.publish, "--publish",
           [](const std::string& address) { return address.starts_with("udp:"); });
}

namespace {

/// What a world says, and before it what the file of settings does.
PublishSettings merged(const WorldModel& model, const std::optional<PublishSettings>& of_file) {
  PublishSettings out = of_file ? *of_file : model.publishing;
  if (of_file) {
    const auto& more = model.publishing.topics;
    out.topics.insert(out.topics.end(), more.begin(), more.end());
  } else {
    out.named_poses.clear();  // SimulationControl asks the world for its own
  }
  return out;
}

}  // namespace

std::unique_ptr<Publisher> make_publisher(Simulation& simulation, const OutputArguments& arguments,
                                          const std::string& log) {
  OutputMaker maker(simulation);
  for (const wbt::Node* node : simulation.model().outputs) maker.add_of_world(*node);
  OutputSettings file;
  if (!arguments.settings.empty()) {
    Diagnostics diagnostics;
    file = read_output_settings(arguments.settings, simulation.schemas(), diagnostics);
    log_diagnostics(diagnostics, arguments.settings);
    if (diagnostics.has_errors()) throw std::invalid_argument("the outputs cannot be made");
    for (const auto& node : file.outputs) maker.add(*node);
  }
  for (const std::string& record : arguments.record) maker.record(record);
  for (const std::string& publish : arguments.publish) maker.publish(publish, arguments.domain);
  if (!log.empty()) maker.record_tables(log);
  auto outputs = maker.take();
  if (outputs.empty()) return nullptr;
  return std::make_unique<Publisher>(
      simulation, merged(simulation.model(), file.publishing), std::move(outputs),
      PublisherHelp{mesh_files(), log_note, [of_file = file.publishing](const WorldModel& model) {
                      return merged(model, of_file);
                    }});
}

std::vector<WorldOutput> outputs_of_world(const Simulation& simulation) {
  const auto& all = simulation.model().outputs;
  std::vector<WorldOutput> out;
  for (const wbt::NodePtr& node : simulation.world().nodes) {
    if (std::ranges::find(all, node.get()) != all.end())
      out.push_back({node->type, wbt::to_text({node}), node->place});
  }
  return out;
}

void warn_of_other_outputs(const std::vector<WorldOutput>& opened, const Simulation& simulation,
                           Diagnostics& diagnostics) {
  std::vector<std::string> places;
  for (const WorldOutput& one : opened)
    places.push_back(fmt::format("the {} at {}", one.type, one.place.to_string()));
  for (const WorldOutput& one : outputs_of_world(simulation)) {
    if (std::ranges::find(opened, one.text, &WorldOutput::text) != opened.end()) continue;
    diagnostics.warning(
        one.place,
        fmt::format("this {} is not opened: a run keeps the outputs with which it began{}",
                    one.type, places.empty() ? "" : fmt::format(", {}", fmt::join(places, ", "))));
  }
}

}  // namespace protobeam
