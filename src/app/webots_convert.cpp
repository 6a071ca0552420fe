#include "app/webots_convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "app/commands.h"
#include "app/standard_streams.h"
#include "app/temporary_folder.h"
#include "app/world_options.h"
#include "sim/robot_urdf.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;

/// Writes a world around the PROTO.
void write_world(const std::string& file, const fs::path& proto,
                 const std::vector<std::string>& parameters) {
  std::string fields;
  for (const std::string& parameter : parameters) {
    const std::size_t equals = parameter.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw std::invalid_argument("-p " + parameter + " is not NAME=VALUE");
    fields += parameter.substr(0, equals) + " " + parameter.substr(equals + 1) + "\n";
  }
  std::ofstream(file) << fmt::format(
      "#VRML_SIM R2025a utf8\nEXTERNPROTO \"{}\"\nWorldInfo {{ }}\n{} {{\n{}}}\n",
      fs::absolute(proto).string(), proto.stem().string(), fields);
}

std::string type_of(const ConvertArguments& arguments) {
  std::string type = arguments.type;
  if (!arguments.output.empty()) {
    type = fs::path(arguments.output).extension().string();
    if (!type.empty()) type.erase(0, 1);
  }
  std::transform(type.begin(), type.end(), type.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (type != "urdf" && type != "wbo")
    throw std::invalid_argument("convert writes .urdf and .wbo, not '" + type + "'");
  return type;
}

std::string as_urdf(const Simulation& simulation, const std::string& name) {
  const auto& robots = simulation.model().robots;
  if (robots.empty()) throw std::invalid_argument(name + " is no Robot: URDF is of robots");
  return robot_urdf(simulation, robots.front().index, "");
}

std::string as_wbo(const Simulation& simulation) {
  const std::string text = wbt::to_text({simulation.world().nodes.back()});
  return "#VRML_OBJ R2025a utf8" + text.substr(text.find('\n'));
}

}  // namespace

int convert_proto(const ConvertArguments& arguments) {
  const std::string type = type_of(arguments);
  const fs::path proto = arguments.proto;
  if (proto.extension() != ".proto" || !fs::is_regular_file(proto))
    throw std::invalid_argument("'" + arguments.proto + "' is no PROTO file");
  const TemporaryFolder folder("convert");
  WorldArguments load;
  load.world = folder.file("convert.wbt");
  write_world(load.world, proto, arguments.parameters);
  load.lenient = true;
  load.allow_path = {"/"};
  load.proto_path = {fs::absolute(proto).parent_path().string()};
  const auto simulation = load_simulation(load);
  if (!simulation) return kExitData;
  const std::string name = proto.stem().string();
  if (simulation->world().nodes.size() != 2)
    throw std::invalid_argument(name + " makes no node of its own");
  const std::string text = type == "urdf" ? as_urdf(*simulation, name) : as_wbo(*simulation);
  if (arguments.output.empty()) {
    print_out("{}", text);
    return kExitGood;
  }
  std::ofstream out(arguments.output, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::invalid_argument("cannot write '" + arguments.output + "'");
  print_out("The {} PROTO is written to the file.\n", name);
  return kExitGood;
}

}  // namespace protobeam
