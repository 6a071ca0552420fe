#include "tests/fuzz/lua_bytes.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "wbt/templates/compile.h"
#include "wbt/templates/script_errors.h"
#include "wbt/templates/script_runner.h"

namespace protobeam::wbt {
namespace {

const char* const kFields = R"({"n": {"value": 3, "defaultValue": 1},
  "size": {"value": {"x": 1, "y": 0.5, "z": 2}, "defaultValue": {"x": 1, "y": 1, "z": 1}},
  "name": {"value": "a b", "defaultValue": ""},
  "parts": {"value": [null, {"node_name": "Box", "fields": {"size": {"value": 1}}}]}})";

void expect_inside(std::uint32_t offset, const std::string& body) {
  if (offset <= body.size()) return;
  std::fprintf(stderr, "an error at byte %u of %zu\n", offset, body.size());
  std::abort();
}

}  // namespace

void render_lua_bytes(const std::uint8_t* data, std::size_t size) {
  const std::string body(reinterpret_cast<const char*>(data), size);
  TemplateError error;
  const auto compiled = compile_template(body, TemplateLanguage::kLua, error);
  if (!compiled) return expect_inside(error.offset, body);
  script::Request request;
  request.language = TemplateLanguage::kLua;
  request.output_limit = request.memory_limit = std::uint64_t{1} << 20;
  request.fields_json = kFields;
  request.context_json = R"({"id": "7", "os": "linux"})";
  request.scripts = compiled->scripts;
  script::Output output;
  output.limit = request.output_limit;
  script::run_lua(request, output, {.instructions = 20'000});
  for (const script::Message& message : output.messages) {
    expect_inside(offset_from_stack(message.stack, compiled->script).value_or(0), body);
  }
  if (output.status == script::Status::kException) {
    const SourceText source("Fuzz.proto", body);
    expect_inside(describe_exception(output.exception, *compiled, source, 0, body).offset, body);
  }
  output.take();
}

}  // namespace protobeam::wbt
