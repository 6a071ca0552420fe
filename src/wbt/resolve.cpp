#include "wbt/resolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "assets/derived_cache.h"
#include "base/address.h"
#include "base/named_files.h"
#include "base/whole_file.h"
#include "wbt/near_names.h"
#include "wbt/old_fields.h"
#include "wbt/values.h"

namespace protobeam::wbt {
namespace {

namespace fs = std::filesystem;

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// `file` is `folder` or below it.
bool lies_in(const fs::path& file, const fs::path& folder) {
  const auto rest = file.lexically_normal().lexically_relative(folder.lexically_normal());
  return !rest.empty() && *rest.begin() != "..";
}

/// An address in Webots' repository or installation.
bool is_of_webots(const std::string& url) {
  return url.rfind("webots://projects/", 0) == 0 ||
         url.find("/cyberbotics/webots/") != std::string::npos;
}

/// Collects the names behind IS; reports which of them are no parameters.
void collect_parameters(const Node& node, std::set<std::string>& used, const ProtoInterface& proto,
                        Diagnostics& diagnostics) {
  for (const auto& field : node.fields) {
    if (field.value.kind == Value::Kind::kIs) {
      const std::string& name = field.value.strings[0];
      used.insert(name);
      if (!proto.find(name)) {
        std::vector<std::string> names;
        for (const auto& parameter : proto.parameters) names.push_back(parameter.name);
        // Webots warns and leaves the field as it is by default.
        diagnostics.left_out(field.value.element_place(0),
                             "PROTO " + proto.name + " has no parameter '" + name + "'",
                             did_you_mean(name, names));
      }
    }
    for (const auto& child : field.value.nodes) {
      if (child) collect_parameters(*child, used, proto, diagnostics);
    }
  }
}

/// The word stands in the text by itself.
bool mentions(std::string_view text, std::string_view word) {
  const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !part(text[at - 1])) && (end == text.size() || !part(text[end]))) return true;
  }
  return false;
}

bool has_parts_of_a_project(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder / "controllers", error) ||
         fs::is_directory(folder / "protos", error);
}

/// Not where all sorts of files lie, which a world may name then, or where anyone can put a
/// controller: the root, a home, /tmp.
bool may_be_a_project(const fs::path& folder) {
  const char* home = std::getenv("HOME");
  std::error_code error;
  const fs::perms allowed = fs::status(folder, error).permissions();
  return !error && (allowed & fs::perms::others_write) == fs::perms::none &&
         folder.has_relative_path() && !(home && fs::equivalent(folder, home, error));
}

fs::path folder_above(const fs::path& folder) {
  fs::path out = (folder / "..").lexically_normal();
  if (out.filename().empty() && out.has_relative_path()) out = out.parent_path();
  return out.empty() ? fs::path(".") : out;
}

/// Webots has the folder above that of a world, whatever their names (WbProject::
/// projectPathFromWorldFile); here it has to look like a project, and a world may stand alone.
fs::path project_around(const fs::path& folder) {
  if (has_parts_of_a_project(folder)) return folder;
  const fs::path above = folder_above(folder);
  const fs::path whole = fs::absolute(above).lexically_normal();
  return may_be_a_project(whole) && has_parts_of_a_project(whole) ? above : folder;
}

}  // namespace

fs::path project_folder(const fs::path& file) {
  fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (fs::path at = fs::absolute(folder).lexically_normal(); at.has_relative_path();
       at = at.parent_path()) {
    if (at.filename() != "worlds" && at.filename() != "protos") continue;
    // In the user's spelling, as far as it goes.
    const fs::path relative = fs::absolute(folder).lexically_normal().lexically_relative(at);
    fs::path out = folder;
    if (relative != ".") {
      for (auto it = relative.begin(); it != relative.end(); ++it) out = out / "..";
    }
    return folder_above(out);
  }
  return project_around(folder);
}

ProtoLibrary::ProtoLibrary(const LoadOptions& options, fs::path project, Diagnostics& diagnostics)
    : options_(options), diagnostics_(diagnostics) {
  folders_.push_back((project / "protos").lexically_normal());
  folders_.insert(folders_.end(), options.proto_path.begin(), options.proto_path.end());
  for (const fs::path& inner : options.proto_path) {
    for (const fs::path& outer : options.proto_path) {
      if (inner.filename() == "webots" && inner.parent_path() == outer) stand_ins_ = inner;
    }
  }
  allow_files_below(project);
  for (const fs::path& folder : options.proto_path) {
    // Meshes and textures lie beside a folder "protos".
    const fs::path whole = fs::absolute(folder).lexically_normal() / "";
    allow_files_below(whole.parent_path().filename() == "protos" ? whole.parent_path().parent_path()
                                                                 : whole);
  }
}

const ProtoLibrary::Index& ProtoLibrary::index(const fs::path& folder) {
  const auto known = indexes_.find(folder);
  if (known != indexes_.end()) return known->second;
  static const fs::path derived = DerivedCache::folder_of_user();  // many files, none of them a PROTO
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    // A folder with a place of its own in the list is not searched as part of another one.
    if (it->path() == stand_ins_ && folder != stand_ins_) it.disable_recursion_pending();
    if (it->path() == derived) it.disable_recursion_pending();
    if (lowered(it->path().extension().string()) == ".proto" && is_file(it->path())) {
      files.push_back(it->path());
    }
  }
  // Of two files with one name the one nearer to the top counts, then the first in the alphabet.
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    const auto da = std::distance(a.begin(), a.end()), db = std::distance(b.begin(), b.end());
    return da != db ? da < db : a < b;
  });
  Index& out = indexes_[folder];
  for (const auto& file : files) out.emplace(file.stem().string(), file);
  return out;
}

fs::path ProtoLibrary::search(const std::string& name, bool webots) {
  const auto look_in = [&](const fs::path& folder) {
    const Index& known = index(folder);
    const auto found = known.find(name);
    return found != known.end() ? found->second : fs::path();
  };
  // The catalogue has products of its own by names of Webots', with other fields: where an address
  // asks for Webots', the stand-in goes before those.
  const bool stand_in_first = webots && !stand_ins_.empty() && !look_in(stand_ins_).empty();
  for (const auto& folder : folders_) {
    const bool around = folder != stand_ins_ && lies_in(stand_ins_, folder);
    if (stand_in_first && around) continue;
    if (fs::path file = look_in(folder); !file.empty()) return file;
  }
  return {};
}

void ProtoLibrary::report_stand_ins() {
  if (stand_ins_used_.empty()) return;
  std::string names;
  for (const auto& name : stand_ins_used_) names += (names.empty() ? "" : ", ") + name;
  const std::size_t count = stand_ins_used_.size();
  diagnostics_.warning(
      first_stand_in_,
      fmt::format(
          "{} for Webots' own, of the same fields and size and with another look: {}",
          count == 1 ? "1 PROTO is a stand-in" : fmt::format("{} PROTOs are stand-ins", count),
          names),
      "'protobeam fetch' gets the originals");
}

std::vector<std::string> ProtoLibrary::names() {
  std::vector<std::string> out;
  for (const auto& folder : folders_) {
    for (const auto& [name, file] : index(folder)) out.push_back(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string ProtoLibrary::searched_folders() const {
  std::string out;
  for (const auto& folder : folders_) out += (out.empty() ? "" : ", ") + folder.string();
  return out;
}

std::shared_ptr<const Document> ProtoLibrary::find(
    const std::string& name, const Document& user, const Place& used_at,
    const std::shared_ptr<const Instantiation>& chain, bool& known) {
  const auto declared = std::find_if(user.externs.begin(), user.externs.end(),
                                     [&](const ExternProto& e) { return e.name == name; });
  known = true;
  if (declared == user.externs.end()) {
    // Before there was EXTERNPROTO, names meant Webots' PROTOs.
    const fs::path file = search(name, user.has_header && user.version < kR2022b);
    if (file.empty()) {
      known = false;
      return nullptr;
    }
    if (user.version >= kR2022b && user.has_header &&
        reported_.insert(user.file.string() + '\n' + name).second) {
      std::vector<std::string> declared_names;
      for (const ExternProto& e : user.externs) declared_names.push_back(e.name);
      const std::string meant = nearest(name, declared_names);
      std::string hint = "add EXTERNPROTO with its path";
      if (!meant.empty() && search(meant).empty()) {
        hint = fmt::format("its EXTERNPROTO names '{}'", meant);
      }
      diagnostics_.warning(
          used_at, "PROTO '" + name + "' is used without EXTERNPROTO; found " + file.string(),
          std::move(hint), chain);
    }
    return read(file, used_at, user.version);
  }
  const fs::path named = file_beside(declared->url, user.file);
  if (is_address(named.native())) {
    const auto addressed = addressed_files();
    if (addressed && addressed->locked(named.native()))
      return read(named, declared->place, user.version);
    const fs::path file = search(name, is_of_webots(named.native()));
    const bool stand_in = !stand_ins_.empty() && lies_in(file, stand_ins_);
    if (!file.empty() && !stand_in) {
      report_namesake(*declared, named.native(), file);
      return read(file, declared->place, user.version);
    }
    if (addressed && addressed->has(named.native()))
      return read(named, declared->place, user.version);
    if (stand_in) {
      report_namesake(*declared, named.native(), file);
      return read(file, declared->place, user.version);
    }
    if (reported_.insert(name).second) {
      const std::string meant = same_proto(name, names());
      const std::string other = meant.empty() ? "" : "did you mean '" + meant + "'? Else ";
      const std::string get = addressed ? addressed->how_to_get() + ", or " : "";
      diagnostics_.missing(
          declared->place, named.string(),
          fmt::format("there is no {}.proto in {}, and '{}' was not fetched", name,
                      searched_folders(), named.string()),
          other + get +
              "put the file into one of these folders or name its folder with --proto-path, or go "
              "on without it by --lenient");
    }
    return nullptr;
  }
  const fs::path url(declared->url);
  const fs::path beside =
      url.is_absolute() ? url : (user.file.parent_path() / url).lexically_normal();
  if (is_file(beside)) return read(beside, declared->place, user.version);
  const fs::path in_protos = (folders_[0] / url).lexically_normal();
  if (!url.is_absolute() && !user.proto && is_file(in_protos)) {
    return read(in_protos, declared->place, user.version);
  }
  if (reported_.insert(name).second) {
    const std::string elsewhere = search(name).string();
    std::string hint;
    if (!elsewhere.empty()) {
      hint.append("there is one at '").append(elsewhere).append("'");
    } else if (const std::string meant = same_proto(name, names()); !meant.empty()) {
      hint.append("did you mean '").append(meant).append("'?");
    }
    diagnostics_.missing(declared->place, beside.string(),
                         fmt::format("there is no file '{}' for PROTO '{}'", beside.string(), name),
                         std::move(hint));
  }
  return nullptr;
}

/// Files of the catalogue stand for those of Webots, of which they have the names and fields. One
/// of somebody's own project may have no more than its name in common with them.
void ProtoLibrary::report_namesake(const ExternProto& declared, const std::string& address,
                                   const fs::path& file) {
  const bool ours = !stand_ins_.empty() && lies_in(file, stand_ins_.parent_path());
  const bool named = address.starts_with("protobeam://") || address.starts_with("webots://");
  if (!ours || named || is_of_webots(address)) return;
  if (!reported_.insert("in place of " + address).second) return;
  const auto addressed = addressed_files();
  diagnostics_.warning(declared.place,
                       fmt::format("'{}' was not fetched; PROTO '{}' is '{}' instead", address,
                                   declared.name, file.string()),
                       addressed ? addressed->how_to_get() : "");
}

bool ProtoLibrary::is_ours(const Document& proto) const {
  return !stand_ins_.empty() && lies_in(proto.file, stand_ins_.parent_path());
}

bool ProtoLibrary::is_stand_in(const fs::path& file) {
  const auto document = read(file, {});
  return document && std::ranges::any_of(document->tags, [](const std::string& tag) {
           return tag.ends_with("stand-in");
         });
}

bool ProtoLibrary::declares(const std::string& name, const Document& user) {
  const bool named = std::any_of(user.externs.begin(), user.externs.end(),
                                 [&](const ExternProto& e) { return e.name == name; });
  const Index& own = index(folders_[0]);
  const auto found = own.find(name);
  const bool has = found != own.end();
  if (named || (has && !is_stand_in(found->second))) return true;
  const bool of_webots = user.has_header && user.version < kR2022b;
  return of_webots && (has || (!stand_ins_.empty() && index(stand_ins_).count(name) > 0));
}

std::shared_ptr<const Document> ProtoLibrary::read(const fs::path& file, const Place& asked_by,
                                                   Version without_header) {
  const auto known = documents_.find(file);
  if (known != documents_.end()) return known->second;
  auto& slot = documents_[file];
  const bool is_part = file.parent_path() == stand_ins_ / "parts";  // of stand-ins, Webots has none
  if (!stand_ins_.empty() && lies_in(file, stand_ins_) && !is_part) {
    if (!first_stand_in_.valid()) first_stand_in_ = asked_by;
    stand_ins_used_.insert(file.stem().string());
  }
  auto source = read_source(file, options_.max_file_bytes, asked_by, diagnostics_);
  if (!source) return nullptr;
  auto document = std::make_shared<Document>(
      parse_document(std::move(source), file, DocumentKind::kProto, diagnostics_, without_header));
  note_addresses(*document);
  if (document->proto) check_interface(*document);
  if (!document->broken) slot = std::move(document);
  return slot;
}

void ProtoLibrary::note_addresses(const Document& document) {
  if (options_.addresses == nullptr) return;
  for (const ExternProto& declared : document.externs) {
    const fs::path file = file_beside(declared.url, document.file);
    if (is_address(file.native())) options_.addresses->push_back({file.native(), declared.place});
  }
}

/// What can be said about a PROTO before it is used.
void ProtoLibrary::check_interface(Document& document) {
  const auto& proto = *document.proto;
  const int errors = diagnostics_.error_count();
  const std::string stem = document.file.stem().string();
  if (stem != proto.name) {
    diagnostics_.error(proto.place, "PROTO '" + proto.name + "' stands in a file named '" +
                                        document.file.filename().string() +
                                        "': the two names must be equal");
  }
  if (options_.schemas->find(proto.name) && is_webots_node(proto.name)) {
    diagnostics_.error(proto.place,
                       "a PROTO cannot be named '" + proto.name + "': that is a node type");
  }
  for (const auto& parameter : proto.parameters) {
    Value value = parameter.default_value;
    fit(value, parameter.type,
        {"parameter '" + parameter.name + "' of PROTO " + proto.name, nullptr, diagnostics_});
  }
  const auto body =
      document.source->text().substr(proto.body_begin, proto.body_end - proto.body_begin);
  const bool templated = proto.javascript || proto.lua;
  std::set<std::string> used;
  for (const auto& node : document.nodes) {
    collect_parameters(*node, used, proto, diagnostics_);
  }
  if (!document.broken) {
    for (const auto& parameter : proto.parameters) {
      const bool is_used =
          templated ? mentions(body, parameter.name) : used.count(parameter.name) > 0;
      if (!is_used && parameter.kind != Parameter::Kind::kUnconnected &&
          parameter.kind != Parameter::Kind::kHidden &&
          parameter.kind != Parameter::Kind::kDeprecated) {
        diagnostics_.warning(
            parameter.place,
            "parameter '" + parameter.name + "' is not used in the body of PROTO " + proto.name,
            "declare it as unconnectedField if that is meant");
      }
    }
  }
  if (diagnostics_.error_count() > errors) document.broken = true;
}

}  // namespace protobeam::wbt
