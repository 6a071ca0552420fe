#include "base/address.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace protobeam {
namespace {

constexpr std::string_view kWebotsOnGitHub =
    "https://raw.githubusercontent.com/cyberbotics/webots/";
constexpr std::string_view kWebots = "webots://";

struct Parts {
  std::string root;   ///< "https://host", "webots:/"
  std::string path;   ///< begins with '/'
  std::string query;  ///< "?..." or ""
};

std::string without_dots(std::string_view path) {
  std::vector<std::string_view> kept;
  bool folder = true;  // what comes last is one
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    folder = part == "." || part == ".." || (part.empty() && end == path.size());
    if (part == "..") {
      if (!kept.empty()) kept.pop_back();
    } else if (!part.empty() && part != ".") {
      kept.push_back(part);
    }
    if (end < path.size() && end + 1 == path.size()) folder = true;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  std::string out;
  for (const auto part : kept) out.append("/").append(part);
  return folder ? out + "/" : out;
}

Parts split(std::string_view address) {
  const auto colon = address.find(':');
  auto at = colon + 1;
  while (at < address.size() && at < colon + 3 && address[at] == '/') ++at;
  Parts parts;
  parts.root = std::string(address.substr(0, colon)) + "://";
  const auto query = std::min(address.find_first_of("?#", at), address.size());
  parts.query = address.substr(query);
  // Nothing after '#' goes to a server.
  parts.query.resize(std::min(parts.query.find('#'), parts.query.size()));
  std::string_view rest = address.substr(at, query - at);
  std::transform(parts.root.begin(), parts.root.end(), parts.root.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (parts.root == kWebots) {
    parts.root = "webots:/";
    parts.path.assign(1, '/').append(rest);
    return parts;
  }
  const auto end = std::min(rest.find('/'), rest.size());
  std::string host(rest.substr(0, end));
  // A name before '@' is no host; such an address is refused elsewhere, as it is.
  if (host.find('@') == std::string::npos) {
    std::transform(host.begin(), host.end(), host.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  }
  parts.root += host;
  parts.path = end < rest.size() ? std::string(rest.substr(end)) : "/";
  return parts;
}

std::string with_slashes(std::string_view text) {
  std::string out(text);
  const auto query = std::min(out.find('?'), out.size());
  std::replace(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(query), '\\', '/');
  return out;
}

}  // namespace

bool is_address(std::string_view text) {
  // "https:/x" is what is left of an address that went through functions for paths.
  const auto colon = text.find(":/");
  if (colon == std::string_view::npos || colon < 2) return false;
  return std::isalpha(static_cast<unsigned char>(text[0])) &&
         std::all_of(
             text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon),
             [](unsigned char c) { return std::isalnum(c) || c == '+' || c == '-' || c == '.'; });
}

std::string with_spaces(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const bool space = path.starts_with("%20");
    out += space ? ' ' : path.front();
    path.remove_prefix(space ? 3 : 1);
  }
  return out;
}

std::string normalized_address(std::string_view address) {
  const Parts parts = split(with_slashes(address));
  return parts.root + without_dots(parts.path.substr(1)) + parts.query;
}

std::string path_of_address(std::string_view address) {
  return without_dots(split(with_slashes(address)).path.substr(1));
}

std::string address_beside(std::string_view base, std::string_view written) {
  const std::string url = with_slashes(written);
  if (is_address(url)) {
    const std::string address = normalized_address(url);
    if (address.rfind(kWebots, 0) == 0 && base.rfind(kWebotsOnGitHub, 0) == 0) {
      const auto revision = base.substr(kWebotsOnGitHub.size());
      const auto end = revision.find('/');
      if (end != std::string_view::npos) {
        return std::string(base.substr(0, kWebotsOnGitHub.size() + end + 1)) +
               address.substr(kWebots.size());
      }
    }
    return address;
  }
  Parts parts = split(normalized_address(base));
  const auto query = std::min(url.find_first_of("?#"), url.size());
  std::string path = url.substr(0, query);
  if (path.rfind('/', 0) != 0) path = parts.path.substr(0, parts.path.rfind('/') + 1) + path;
  return normalized_address(parts.root + (path.empty() ? "/" : path) + url.substr(query));
}

}  // namespace protobeam
