#include "app/spawn_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "app/named_sources.h"
#include "base/file_names.h"
#include "base/named_files.h"
#include "publish/spawning.h"
#include "sdf/to_webots.h"
#include "urdf/to_webots.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

using message::simulation::Resource;
using Code = message::simulation::Result::Code;

constexpr const char* kTextName = "resource_string";  // how messages name it

SpawnModel refuse(std::uint8_t code, std::string why) {
  SpawnModel out;
  out.result = code;
  out.why = std::move(why);
  return out;
}

/// What it is by its diagnostics: not all there, or wrong.
SpawnModel refuse(const Diagnostics& diagnostics) {
  return refuse(only_missing(diagnostics) ? kMissingAssets : kResourceParseError,
                diagnostics.to_string());
}

SpawnModel made_of(std::optional<urdf::Model> model, const Diagnostics& diagnostics) {
  if (!model) return refuse(diagnostics);
  SpawnModel out;
  out.document = std::move(model->document);
  out.contact_properties = std::move(model->contact_properties);
  out.warnings = diagnostics.to_string();
  return out;
}

class Reader {
 public:
  Reader(Simulation& simulation, const WorldFileOptions& options, bool lenient)
      : sources_(simulation, options, lenient), options_(urdf_options(options, lenient)) {}

  SpawnModel uri(const std::string& uri) {
    if (const std::string scheme = unknown_scheme(uri); !scheme.empty())
      return refuse(kUnsupportedFormat, no_scheme(uri, scheme));
    const auto file = sources_.locate(uri, diagnostics_);
    if (!file) return refuse(Code::kNotFound, diagnostics_.to_string());
    const std::string ending = extension_of(*file);
    std::error_code failed;
    if (ending != ".urdf" && ending != ".xacro" && ending != ".sdf" && ending != ".proto")
      return refuse(
          kUnsupportedFormat,
          fmt::format("'{}' is no model that is read: a .urdf, .sdf or .proto, or the name "
                      "of a PROTO",
                      uri));
    if (!fs::is_regular_file(*file, failed)) {
      if (ending == ".proto" && !uri.starts_with('/')) return proto("", file->stem().string());
      return refuse(Code::kNotFound, fmt::format("there is no file '{}'", file->string()));
    }
    if (ending == ".proto") return proto(file->string(), file->stem().string());
    if (ending == ".sdf")
      return made_of(sdf::read_model(*file, options_, diagnostics_), diagnostics_);
    const auto robot = urdf::read_robot(*file, options_, diagnostics_);
    SpawnModel out = of_robot(robot.get());
    if (ending == ".xacro" && out.result != Code::kOk) out.result = kUnsupportedFormat;
    return out;
  }

  SpawnModel text(const std::string& text) {
    const fs::path file = sources_.folder() / kTextName;
    const std::string tag = first_tag_of(text);
    if (tag == "robot")
      return of_robot(urdf::read_robot_text(text, file, options_, diagnostics_).get());
    if (tag == "sdf")
      return made_of(sdf::read_model_text(text, file, options_, diagnostics_), diagnostics_);
    return refuse(
        kUnsupportedFormat,
        fmt::format("a text that begins with <{}> is no model that is read: a <robot>, an "
                    "<sdf>, or nodes of a world",
                    tag));
  }

 private:
  SpawnModel of_robot(const urdf::Robot* robot) {
    if (!robot) return refuse(diagnostics_);
    return made_of(urdf::to_model(*robot, options_, diagnostics_), diagnostics_);
  }

  SpawnModel proto(const std::string& file, const std::string& name) {
    std::string text = "#VRML_SIM R2025a utf8\n";
    if (!file.empty()) {
      allow_files_below(wbt::project_folder(file));
      text += fmt::format("EXTERNPROTO \"{}\"\n", file);
    }
    text += name + " { }\n";
    const fs::path path = sources_.folder() / kTextName;
    SpawnModel out;
    out.document = wbt::parse_document(std::make_shared<SourceText>(path.string(), std::move(text)),
                                       path, wbt::DocumentKind::kWorld, diagnostics_);
    if (diagnostics_.has_errors()) return refuse(diagnostics_);
    out.document.has_header = false;  // a name is enough, without EXTERNPROTO
    out.warnings = diagnostics_.to_string();
    return out;
  }

  NamedSources sources_;
  const urdf::Options options_;
  Diagnostics diagnostics_;
};

}  // namespace

SpawnModel read_spawn_model(const Resource& resource, Simulation& simulation,
                            const WorldFileOptions& options, bool lenient) {
  Reader reader(simulation, options, lenient);
  return resource.uri.empty() ? reader.text(resource.resource_string) : reader.uri(resource.uri);
}

}  // namespace protobeam
