#include "app/proto_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <stdexcept>
#include <system_error>

#include "sim/simulation.h"
#include "wbt/document.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLargest = 16u << 20;

wbt::Document read_proto(const fs::path& file) {
  Diagnostics diagnostics;
  auto source = wbt::read_source(file, kLargest, {}, diagnostics);
  if (!source) throw std::runtime_error(diagnostics.to_string());
  auto document =
      wbt::parse_document(std::move(source), file, wbt::DocumentKind::kProto, diagnostics);
  if (!document.proto) throw std::runtime_error(diagnostics.to_string());
  return document;
}

/// The lines of the interface, between its brackets.
std::string interface_text(const wbt::Document& document) {
  const std::string_view text = document.source->text();
  const std::size_t open = text.find('[', document.proto->place.offset);
  const std::size_t close = text.rfind(']', document.proto->body_begin);
  if (open == std::string_view::npos || close == std::string_view::npos || close <= open) return "";
  std::string_view inside = text.substr(open + 1, close - open - 1);
  while (!inside.empty() && (inside.front() == '\n' || inside.front() == '\r'))
    inside.remove_prefix(1);
  while (!inside.empty() && std::isspace(static_cast<unsigned char>(inside.back())))
    inside.remove_suffix(1);
  return std::string(inside);
}

}  // namespace

std::vector<std::pair<std::string, fs::path>> known_protos() {
  std::map<std::string, fs::path> found;
  for (const fs::path& folder : proto_folders({"protos"})) {
    std::vector<fs::path> files;
    std::error_code error;
    fs::recursive_directory_iterator it(folder, error);
    for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
      if (it->path().extension() == ".proto") files.push_back(it->path());
    }
    std::stable_sort(files.begin(), files.end());
    for (const fs::path& file : files) found.emplace(file.stem().string(), file);
  }
  return {found.begin(), found.end()};
}

std::string proto_page(const fs::path& file) {
  const wbt::Document document = read_proto(file);
  std::string page = fmt::format("{} (PROTO, {})\n\n", document.proto->name, file.string());
  for (const std::string& line : document.info) page += line + "\n";
  const std::string fields = interface_text(document);
  return page + (fields.empty() ? "\nIt has no fields.\n" : "\n" + fields + "\n");
}

nlohmann::json proto_json(const fs::path& file) {
  const wbt::Document document = read_proto(file);
  nlohmann::json fields = nlohmann::json::array();
  for (const auto& parameter : document.proto->parameters) {
    const bool hidden = parameter.kind == wbt::Parameter::Kind::kHidden;
    fields.push_back({{"name", parameter.name},
                      {"type", std::string(to_string(parameter.type))},
                      {"hidden", hidden}});
  }
  return {{"name", document.proto->name},
          {"file", file.string()},
          {"comment", fmt::format("{}", fmt::join(document.info, "\n"))},
          {"fields", std::move(fields)}};
}

}  // namespace protobeam
