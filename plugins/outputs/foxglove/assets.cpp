#include "assets.h"

#include <charconv>
#include <stdexcept>

#include "base/whole_file.h"

namespace protobeam::foxglove {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kAttribute = "filename=\"", kFile = "file://";
constexpr std::size_t kLargestFile = 64u << 20;

/// The path of "file:///a%20b".
fs::path path_of(std::string_view address) {
  address.remove_prefix(kFile.size());
  std::string path;
  for (std::size_t i = 0; i < address.size(); ++i) {
    unsigned byte = 0;
    const char* digits = address.data() + i + 1;
    if (address[i] == '%' && i + 2 < address.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      path += static_cast<char>(byte);
      i += 2;
    } else {
      path += address[i];
    }
  }
  return path;
}

}  // namespace

std::string Assets::offer(std::string urdf) {
  if (urdf.find("<robot") == std::string::npos) return urdf;
  std::string out;
  std::string_view rest = urdf;
  while (true) {
    const std::size_t found = rest.find(kAttribute);
    const std::size_t begin = found + kAttribute.size();
    const std::size_t end = found == std::string_view::npos ? found : rest.find('"', begin);
    if (end == std::string_view::npos) return out.append(rest);
    out.append(rest.substr(0, begin));
    const std::string address(rest.substr(begin, end - begin));
    rest.remove_prefix(end);
    if (!address.starts_with(kFile)) {
      out += address;
      continue;
    }
    const auto [known, fresh] = offered_.try_emplace(address);
    if (fresh) {
      const fs::path file = path_of(address);
      known->second = "package://protobeam/" + std::to_string(files_.size()) +
                      address.substr(address.rfind('/'));
      files_.emplace(known->second, file);
    }
    out += known->second;
  }
}

std::optional<fs::path> Assets::file_of(const std::string& address) const {
  const auto found = files_.find(address);
  return found == files_.end() ? std::nullopt : std::optional(found->second);
}

std::string Assets::read(const fs::path& file) { return read_whole_file(file, kLargestFile); }

}  // namespace protobeam::foxglove
