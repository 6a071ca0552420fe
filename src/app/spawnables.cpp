#include "app/spawnables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "base/file_names.h"
#include "sim/paths.h"
#include "wbt/document.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

namespace sim = message::simulation;

constexpr int kProtoLevels = 8;
constexpr int kMostBases = 20;  ///< PROTOs of PROTOs
constexpr std::size_t kLargestProto = std::size_t{64} << 20;

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; }

/// Of the body of a PROTO, with templates in it: the type of its node; "" where a template says it.
std::string first_type(std::string_view body) {
  bool is_def_name = false;
  for (std::size_t at = 0; at < body.size();) {
    const auto skip_past = [&](std::string_view end) {
      const auto found = body.find(end, at);
      at = found == std::string_view::npos ? body.size() : found + end.size();
    };
    const std::string_view rest = body.substr(at);
    if (rest[0] == '#') {
      skip_past("\n");
    } else if (rest.starts_with("%<=")) {
      return "";
    } else if (rest.starts_with("%<")) {
      skip_past(">%");
    } else if (rest.starts_with("%{")) {
      skip_past("}%");
    } else if (!in_word(rest[0])) {
      if (!std::isspace(static_cast<unsigned char>(rest[0]))) return "";
      ++at;
    } else {
      const auto end = std::ranges::find_if_not(rest, in_word) - rest.begin();
      const std::string word(rest.substr(0, static_cast<std::size_t>(end)));
      at += static_cast<std::size_t>(end);
      if (word != "DEF" && !is_def_name) return word;
      is_def_name = word == "DEF";
    }
  }
  return "";
}

/// "Crate: a wooden box with battens along its edges." of what stands under the header: the first
/// sentence that is no tag.
std::string first_sentence(const wbt::Document& proto) {
  for (const std::string& line : proto.info) {
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) continue;
    const std::string text = line.substr(begin);
    const auto is_tag = [&text](const char* name) { return text.starts_with(name); };
    if (is_tag("license") || is_tag("template language") || is_tag("tags") ||
        is_tag("documentation url") || is_tag("keywords") || is_tag("VRML"))
      continue;
    return text;
  }
  return "";
}

/// PROTOs of folders by their names, the first folders first.
class ProtosByName {
 public:
  ProtosByName(const std::vector<fs::path>& folders, const SchemaRegistry& schemas)
      : schemas_(schemas) {
    for (const fs::path& folder : folders) {
      for (const fs::path& file : files_below(folder, kProtoLevels)) {
        if (extension_of(file) != ".proto") continue;
        if (files_.try_emplace(file.stem().string(), file).second)
          names_.push_back(file.stem().string());
      }
    }
  }
  const std::vector<std::string>& names() const { return names_; }
  const wbt::Document* find(const std::string& name) {
    const auto file = files_.find(name);
    return file == files_.end() ? nullptr : &read(file->second);
  }
  const wbt::Document& read(const fs::path& file) {
    const auto [known, added] = documents_.try_emplace(file);
    if (!added) return known->second;
    Diagnostics nobody_reads;
    auto source = wbt::read_source(file, kLargestProto, {}, nobody_reads);
    if (source)
      known->second =
          wbt::parse_document(std::move(source), file, wbt::DocumentKind::kProto, nobody_reads);
    return known->second;
  }
  /// A Solid that may stand at the top of a world.
  bool is_solid(const wbt::Document& proto) {
    const wbt::Document* at = &proto;
    for (int i = 0; i < kMostBases && at && at->proto && at->source; ++i) {
      const auto& interface = *at->proto;
      const std::string type = first_type(at->source->text().substr(
          interface.body_begin, interface.body_end - interface.body_begin));
      if (schemas_.is_a(type, "Solid")) return !schemas_.is_a(type, "Device");
      at = type.empty() ? nullptr : find(type);
    }
    return false;
  }

 private:
  const SchemaRegistry& schemas_;
  std::map<std::string, fs::path> files_;
  std::vector<std::string> names_;
  std::map<fs::path, wbt::Document> documents_;
};

class SpawnableLister {
 public:
  SpawnableLister(const Simulation& simulation, const std::vector<std::string>& proto_path)
      : simulation_(simulation), protos_(folders(simulation, proto_path), simulation.schemas()) {}

  std::vector<sim::Spawnable> take() { return std::move(out_); }

  void add_protos() {
    for (const auto& declared : simulation_.world().externs) add_proto(declared.name, true);
    for (const std::string& name : protos_.names()) add_proto(name, false);
  }
  /// A file that SpawnEntity takes by this address; others are left out.
  void add_file(const fs::path& file, const std::string& uri) {
    const std::string ending = extension_of(file);
    if (ending == ".urdf") {
      if (first_tag_of(beginning_of(file)) == "robot") add(uri, "robot in URDF");
    } else if (ending == ".sdf") {
      const std::string text = beginning_of(file);
      if (text.find("<model") != std::string::npos && text.find("<world") == std::string::npos)
        add(uri, "model in SDF");
    } else if (ending == ".proto") {
      const wbt::Document& proto = protos_.read(file);
      if (protos_.is_solid(proto)) add(uri, first_sentence(proto));
    }
  }

 private:
  static std::vector<fs::path> folders(const Simulation& simulation,
                                       const std::vector<std::string>& proto_path) {
    std::vector<fs::path> out = {wbt::project_folder(simulation.world().file) / "protos"};
    out.insert(out.end(), proto_path.begin(), proto_path.end());
    out.push_back(installed_paths().catalogue);
    return out;
  }
  /// Of the catalogue: no sensors, parts and elements of worlds, and no stand-ins for PROTOs of
  /// Webots, which worlds have to declare.
  static bool stands_by_itself(const fs::path& file) {
    const fs::path within = file.lexically_relative(installed_paths().catalogue);
    constexpr std::array<std::string_view, 3> kWhole{"objects", "robots", "vehicles"};
    return within.empty() || *within.begin() == ".." ||
           (std::ranges::find(kWhole, within.begin()->string()) != kWhole.end() &&
            std::distance(within.begin(), within.end()) == 2);
  }
  void add_proto(const std::string& name, bool declared) {
    const wbt::Document* proto = protos_.find(name);
    if (!proto || !proto->proto || !names_.insert(name).second) return;
    const auto has = [proto](const char* tag) {
      return std::ranges::find(proto->tags, tag) != proto->tags.end();
    };
    if (has("hidden") || has("deprecated")) return;
    if (!declared && !stands_by_itself(proto->file)) return;
    if (protos_.is_solid(*proto)) add(name, first_sentence(*proto));
  }
  void add(const std::string& uri, std::string text) {
    sim::Spawnable one;
    one.entity_resource.uri = uri;
    one.description = std::move(text);
    out_.push_back(std::move(one));
  }

  const Simulation& simulation_;
  ProtosByName protos_;
  std::set<std::string> names_;
  std::vector<sim::Spawnable> out_;
};

}  // namespace

sim::GetSpawnables::Response list_spawnables(const sim::GetSpawnables::Request& asked,
                                             const Simulation& simulation, NamedSources& sources,
                                             const std::vector<std::string>& proto_path) {
  SpawnableLister lister(simulation, proto_path);
  lister.add_protos();
  for (const fs::path& file : files_below(sources.folder(), 0)) {
    if (extension_of(file) != ".proto") lister.add_file(file, file.filename().string());
  }
  std::vector<std::string> unknown;
  for (const std::string& source : asked.sources) {
    const auto files = sources.files(source);
    if (!files) unknown.push_back(fmt::format("there is no folder or file '{}'", source));
    for (const fs::path& file : files.value_or(std::vector<fs::path>()))
      lister.add_file(file, file.string());
  }
  return {{sim::Result::kOk, fmt::format("{}", fmt::join(unknown, "; "))}, lister.take()};
}

}  // namespace protobeam
