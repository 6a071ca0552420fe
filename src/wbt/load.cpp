#include "wbt/load.h"

#include <algorithm>
#include <cctype>
#include <unordered_set>

#include "assets/asset_store.h"
#include "base/address.h"
#include "wbt/check.h"
#include "wbt/expand.h"
#include "wbt/field_settings.h"
#include "wbt/resolve.h"

namespace protobeam::wbt {
namespace {

namespace fs = std::filesystem;

bool is_proto(const fs::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".proto";
}

bool names_files(const std::string& field) {
  return field == "url" || field.ends_with("Url") || field == "sound" || field.ends_with("Sound");
}

void add_addresses(const NodePtr& node, std::unordered_set<const Node*>& seen,
                   std::vector<NamedAddress>& out) {
  if (!node || !seen.insert(node.get()).second) return;
  for (const Field& field : node->fields) {
    const Value& value = field.value;
    for (const NodePtr& child : value.nodes) add_addresses(child, seen, out);
    if (value.kind != Value::Kind::kStrings || !names_files(field.name)) continue;
    for (std::size_t i = 0; i < value.strings.size(); ++i) {
      if (value.strings[i].empty()) continue;
      const fs::path file = file_beside(value.strings[i], value.place);
      if (!is_address(file.native())) continue;
      out.push_back({file.native(), value.element_place(i), node->type == "CadShape"});
    }
  }
}

void add_addresses(const std::vector<NodePtr>& nodes, const LoadOptions& options) {
  if (options.addresses == nullptr) return;
  std::unordered_set<const Node*> seen;
  for (const NodePtr& node : nodes) add_addresses(node, seen, *options.addresses);
}

}  // namespace

LoadedWorld load_world(const fs::path& file, const LoadOptions& options, Diagnostics& diagnostics) {
  diagnostics.set_lenient(options.lenient);
  auto source = read_source(file, options.max_file_bytes, {}, diagnostics);
  if (!source) return {file, project_folder(file), "", {}, {}};
  return expand_world(parse_document(std::move(source), file, DocumentKind::kWorld, diagnostics),
                      options, diagnostics);
}

LoadedWorld expand_world(const Document& document, const LoadOptions& options,
                         Diagnostics& diagnostics) {
  const fs::path& file = document.file;
  diagnostics.set_lenient(options.lenient);
  LoadedWorld out{file, project_folder(file), document.version_text, {}, document.externs};
  // Each step goes on after mistakes, so that one run reports them all.
  if (options.use_lock_file) use_assets_of(file, diagnostics);
  ProtoLibrary library(options, out.project, diagnostics);
  library.note_addresses(document);
  FieldSetter setter(options, library, diagnostics);
  setter.set_in_text(document);
  out.nodes = Expander(options, library, file, out.project, diagnostics).world(document);
  setter.set_in_tree(out.nodes);
  add_addresses(out.nodes, options);
  library.report_stand_ins();
  Checker(options, diagnostics).world(out.nodes);
  check_structure(out.nodes, *options.schemas, diagnostics);
  if (diagnostics.has_errors()) out.nodes.clear();
  return out;
}

std::vector<NodePtr> expand_nodes(const Document& document, const std::string& owner,
                                  const std::string& field, const LoadOptions& options,
                                  Diagnostics& diagnostics) {
  const fs::path project = project_folder(document.file);
  diagnostics.set_lenient(options.lenient);
  ProtoLibrary library(options, project, diagnostics);
  auto nodes = Expander(options, library, document.file, project, diagnostics).world(document);
  std::erase_if(nodes, [](const NodePtr& node) { return !node || node->type == "WorldInfo"; });
  if (diagnostics.has_errors()) return {};
  if (owner.empty()) {
    Checker(options, diagnostics).world(nodes);
  } else {
    Field holder;
    holder.name = field;
    holder.value.kind = nodes.empty() ? Value::Kind::kEmpty : Value::Kind::kNodes;
    holder.value.bracketed = true;
    holder.value.offsets = std::vector<std::uint32_t>(nodes.size(), 0);
    if (!nodes.empty()) holder.place = holder.value.place = nodes.front()->place;
    holder.value.nodes = std::move(nodes);
    if (!check_field(owner, holder, options, diagnostics)) return {};
    nodes = std::move(holder.value.nodes);
    std::erase(nodes, nullptr);
  }
  check_structure(nodes, *options.schemas, diagnostics);
  return diagnostics.has_errors() ? std::vector<NodePtr>{} : nodes;
}

bool check_field(const std::string& owner, Field& field, const LoadOptions& options,
                 Diagnostics& diagnostics) {
  auto holder = std::make_shared<Node>();
  holder->type = owner;
  holder->place = field.place;
  holder->fields.push_back(field);
  // A list of one stands for the node of a single field.
  const NodeSchema* schema = options.schemas->find(owner);
  const FieldSpec* spec = schema ? options.schemas->find_field(*schema, field.name) : nullptr;
  if (spec && !is_multi(spec->type)) holder->fields.front().value.bracketed = false;
  Checker(options, diagnostics).proto(holder);
  if (diagnostics.has_errors() || holder->fields.empty()) return false;
  field.value = std::move(holder->fields.front().value);
  return true;
}

NodePtr load_proto(const fs::path& file, const LoadOptions& options, Diagnostics& diagnostics) {
  const fs::path project = project_folder(file);
  diagnostics.set_lenient(options.lenient);
  if (options.use_lock_file) use_assets_of(file, diagnostics);
  ProtoLibrary library(options, project, diagnostics);
  const auto document = library.read(file, {});
  if (!document) return nullptr;
  NodePtr node = Expander(options, library, file, project, diagnostics).proto(document);
  if (!node) return nullptr;
  add_addresses({node}, options);
  Checker(options, diagnostics).proto(node);
  check_structure({node}, *options.schemas, diagnostics);
  return diagnostics.has_errors() ? nullptr : node;
}

void check_file(const fs::path& file, const LoadOptions& options, Diagnostics& diagnostics) {
  if (is_proto(file)) {
    load_proto(file, options, diagnostics);
  } else {
    load_world(file, options, diagnostics);
  }
}

}  // namespace protobeam::wbt
