#include "tests/fuzz/sdf_bytes.h"

#include <string>

#include "sdf/to_webots.h"
#include "tests/fuzz/made_document.h"

namespace protobeam::sdf {
namespace {

std::string world_of(const std::string& text) {
  Options options;
  options.environment = [](const std::string&) { return std::nullopt; };
  options.lenient = true;
  Diagnostics diagnostics;
  const auto world = read_world_text(text, "/nonexistent/fuzz.sdf", options, {}, diagnostics);
  if (!world && !diagnostics.has_errors()) test::stop("no world, and no error that says why");
  const std::string out = test::text_of(world);
  if (world) {
    Diagnostics problems;
    const auto source = std::make_shared<SourceText>("fuzz.wbt", out);
    wbt::parse_document(source, "fuzz.wbt", wbt::DocumentKind::kWorld, problems);
    if (problems.has_errors()) test::stop("the world is no text of the language");
  }
  for (const Diagnostic& one : diagnostics.all()) test::check(one.place);
  return out + diagnostics.to_string();
}

}  // namespace

void read_bytes(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (world_of(text) != world_of(text)) test::stop("the same text gave two different worlds");
}

}  // namespace protobeam::sdf
