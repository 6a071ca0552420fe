#include "base/archived_file.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/address.h"

namespace protobeam {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// "1.0"
bool is_api(std::string_view text) {
  const auto dot = text.find('.');
  return dot != std::string_view::npos && is_number(text.substr(0, dot)) &&
         is_number(text.substr(dot + 1));
}

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    if (end > 0) parts.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

/// Addresses have no spaces, but worlds write some.
std::string encoded(const std::string& part) {
  std::string out;
  for (const char c : part) out += c == ' ' ? std::string("%20") : std::string(1, c);
  return out;
}

/// `kind` is "models" or "worlds".
std::optional<ArchivedFile> part_of_fuel(const std::string& root, std::string_view path,
                                         const std::string& kind) {
  const std::vector<std::string> parts = parts_of(path);
  const bool has_api = !parts.empty() && is_api(parts[0]);
  const bool is_fuel = root.find("://fuel.") != std::string::npos;
  const std::size_t owner = has_api ? 1 : 0;
  if ((!has_api && !is_fuel) || parts.size() < owner + 3 || parts[owner + 1] != kind) return {};
  // Elsewhere a file may be in a folder "models".
  if (!is_fuel && parts[owner + 2].find('.') != std::string::npos) return {};
  const std::string name = encoded(parts[owner + 2]);
  std::size_t next = owner + 3;
  const bool has_version = next < parts.size() && (is_number(parts[next]) || parts[next] == "tip");
  const std::string version = has_version ? parts[next++] : "tip";
  ArchivedFile out{root + "/" + (has_api ? parts[0] : "1.0") + "/" + encoded(parts[owner]) + "/" +
                       kind + "/" + name + "/" + version + "/" + name + ".zip",
                   ""};
  if (next == parts.size()) return out;
  if (parts[next] != "files") return {};
  for (++next; next < parts.size(); ++next)
    out.inner += (out.inner.empty() ? "" : "/") + parts[next];
  out.inner = with_spaces(out.inner);
  return out;
}

/// "https://host" and the path behind it; nothing for other addresses, and those with a query.
struct Split {
  std::string root, path;
};
std::optional<Split> split(const std::string& written) {
  if (!is_address(written)) return {};
  const std::string address = normalized_address(written);
  const std::string path = path_of_address(address);
  const auto begin = address.find('/', address.find("://") + 3);
  if (begin == std::string::npos || address.compare(begin, std::string::npos, path) != 0) return {};
  const std::string root = address.substr(0, begin);
  if (root.rfind("http", 0) != 0) return {};
  return Split{root, path};
}

}  // namespace

std::optional<ArchivedFile> archived_file(const std::string& written) {
  const auto address = split(written);
  if (!address) return {};
  const auto& [root, path] = *address;
  if (const auto at = path.find(".zip/"); at != std::string::npos) {
    return ArchivedFile{root + path.substr(0, at + 4), with_spaces(path.substr(at + 5))};
  }
  return part_of_fuel(root, path, "models");
}

std::string archive_of_world(const std::string& written) {
  const auto address = split(written);
  const auto found = address ? part_of_fuel(address->root, address->path, "worlds") : std::nullopt;
  return found && found->inner.empty() ? found->archive : "";
}

}  // namespace protobeam
