#include "wbt/templates/script_runner.h"

namespace protobeam::wbt::script {
namespace {

Request parse_request(std::span<const std::byte> bytes) {
  wire::Reader reader(bytes);
  Request request;
  request.language = reader.value<TemplateLanguage>();
  request.output_limit = reader.value<std::uint64_t>();
  request.memory_limit = reader.value<std::uint64_t>();
  request.fields_json = reader.text();
  request.context_json = reader.text();
  for (auto n = reader.count(2 * sizeof(std::uint32_t)); n > 0; --n) {
    Script script;
    script.url = reader.text();
    script.text = reader.text();
    request.scripts.push_back(std::move(script));
  }
  return request;
}

/// The C library reads its time zone at the first date.
void prepare_lua() {
  Request request;
  request.output_limit = 1024;
  request.memory_limit = std::uint64_t{1} << 20;
  request.fields_json = request.context_json = "{}";
  request.scripts.push_back({"prelude", "os.date() os.time({year = 2000, month = 1, day = 1})"});
  request.scripts.push_back({"template", "return string.format('%.14g', math.sin(0.5))"});
  Output output;
  run_lua(request, output);
}

}  // namespace

void prepare_scripts() {
  prepare_javascript();
  prepare_lua();
}

std::vector<std::byte> run_scripts(std::span<const std::byte> bytes) {
  const Request request = parse_request(bytes);
  Output output;
  output.limit = request.output_limit;
  if (request.language == TemplateLanguage::kLua) {
    run_lua(request, output);
  } else {
    run_javascript(request, output);
  }
  return output.take();
}

}  // namespace protobeam::wbt::script
