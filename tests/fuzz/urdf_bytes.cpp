#include "tests/fuzz/urdf_bytes.h"

#include <string>

#include "tests/fuzz/made_document.h"
#include "urdf/to_webots.h"

namespace protobeam::urdf {
namespace {

using test::check;
using test::stop;
using test::text_of;

std::string read(const std::string& text) {
  Options options;
  options.environment = [](const std::string&) { return std::nullopt; };
  options.lenient = true;
  Diagnostics diagnostics;
  const auto robot = read_robot_text(text, "/nonexistent/fuzz.urdf", options, diagnostics);
  std::string out;
  if (robot) {
    const std::string proto =
        text_of(to_proto(*robot, "Fuzz", options, "/nonexistent", diagnostics));
    out = proto + text_of(to_world(*robot, options, {}, diagnostics));
    if (!diagnostics.has_errors()) {
      Diagnostics problems;
      const auto source = std::make_shared<SourceText>("Fuzz.proto", proto);
      wbt::parse_document(source, "Fuzz.proto", wbt::DocumentKind::kProto, problems);
      if (problems.has_errors()) stop("the PROTO is no text of the language");
    }
  } else if (!diagnostics.has_errors()) {
    stop("no robot, and no error that says why");
  }
  for (const Diagnostic& one : diagnostics.all()) check(one.place);
  return out + diagnostics.to_string();
}

}  // namespace

void read_bytes(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (read(text) != read(text)) stop("the same text gave two different robots");
}

}  // namespace protobeam::urdf
