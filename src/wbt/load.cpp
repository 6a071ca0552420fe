#include "wbt/load.h"

#include <algorithm>
#include <cctype>

#include "wbt/check.h"
#include "wbt/expand.h"
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

}  // namespace

LoadedWorld load_world(const fs::path& file, const LoadOptions& options, Diagnostics& diagnostics) {
  auto source = read_source(file, options.max_file_bytes, {}, diagnostics);
  if (!source) return {file, project_folder(file), "", {}};
  return expand_world(parse_document(std::move(source), file, DocumentKind::kWorld, diagnostics),
                      options, diagnostics);
}

LoadedWorld expand_world(const Document& document, const LoadOptions& options,
                         Diagnostics& diagnostics) {
  const fs::path& file = document.file;
  diagnostics.set_lenient(options.lenient);
  LoadedWorld out{file, project_folder(file), document.version_text, {}};
  // Each step goes on after mistakes, so that one run reports them all.
  ProtoLibrary library(options, out.project, diagnostics);
  out.nodes = Expander(options, library, file, out.project, diagnostics).world(document);
  Checker(options, diagnostics).world(out.nodes);
  check_structure(out.nodes, *options.schemas, diagnostics);
  if (diagnostics.has_errors()) out.nodes.clear();
  return out;
}

NodePtr load_proto(const fs::path& file, const LoadOptions& options, Diagnostics& diagnostics) {
  const fs::path project = project_folder(file);
  diagnostics.set_lenient(options.lenient);
  ProtoLibrary library(options, project, diagnostics);
  const auto document = library.read(file, {});
  if (!document) return nullptr;
  NodePtr node = Expander(options, library, file, project, diagnostics).proto(document);
  if (!node) return nullptr;
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
