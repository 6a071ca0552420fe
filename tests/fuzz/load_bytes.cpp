#include "tests/fuzz/load_bytes.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "wbt/check.h"
#include "wbt/document.h"
#include "wbt/expand.h"
#include "wbt/load.h"
#include "wbt/resolve.h"

namespace protobeam::wbt {
namespace {

const LoadOptions& options() {
  static SchemaRegistry schemas = [] {
    SchemaRegistry made;
    add_core_schemas(made);
    return made;
  }();
  static const LoadOptions made = [] {
    LoadOptions out;
    out.schemas = &schemas;
    out.max_nodes = 20'000;
    return out;
  }();
  return made;
}

void expect_round_trip(const Document& document, DocumentKind kind) {
  Diagnostics diagnostics;
  const std::string written = to_text(document);
  const Document read = parse_document(std::make_shared<SourceText>("written", written), "written",
                                       kind, diagnostics);
  if (!diagnostics.has_errors() && to_text(read) == written) return;
  std::fprintf(stderr, "what was written reads differently:\n%s\n%s", written.c_str(),
               diagnostics.to_string().c_str());
  std::abort();
}

void load(const std::string& text, DocumentKind kind) {
  Diagnostics diagnostics;
  const char* name = kind == DocumentKind::kWorld ? "fuzz.wbt" : "Fuzz.proto";
  auto document = std::make_shared<Document>(
      parse_document(std::make_shared<SourceText>(name, text), name, kind, diagnostics));
  if (!diagnostics.has_errors()) expect_round_trip(*document, kind);
  ProtoLibrary library(options(), "/nonexistent", diagnostics);
  Expander expander(options(), library, name, "/nonexistent", diagnostics);
  std::vector<NodePtr> nodes;
  if (kind == DocumentKind::kWorld) {
    nodes = expander.world(*document);
    Checker(options(), diagnostics).world(nodes);
  } else if (document->proto && !document->broken && !document->proto->javascript) {
    NodePtr node = expander.proto(document);
    if (!node) return;
    Checker(options(), diagnostics).proto(node);
    nodes = {node};
  }
  check_structure(nodes, *options().schemas, diagnostics);
  diagnostics.to_string();
}

}  // namespace

void load_bytes(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  load(text, DocumentKind::kWorld);
  load(text, DocumentKind::kProto);
}

}  // namespace protobeam::wbt
