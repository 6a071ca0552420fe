#include "assets/lock_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "assets/sha256.h"
#include "base/address.h"
#include "base/whole_file.h"

namespace protobeam {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr std::size_t kLargestFile = 64u << 20;
constexpr std::uint64_t kLargestAsset = std::uint64_t{1} << 40;
constexpr const char* kCure = "remove the file and get it again by protobeam fetch";

class Reader {
 public:
  Reader(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics)
      : source_(std::move(source)), diagnostics_(diagnostics) {}

  LockFile read() {
    LockFile out;
    const json root = parsed();
    if (failed_) return out;
    if (!root.is_object()) return error(0, "a lock file is an object { ... }"), out;
    const auto version = root.find("protobeam_lock");
    if (version == root.end() || *version != 1) {
      error(key("protobeam_lock", 0), "'protobeam_lock' must be 1, the version of the format");
      return out;
    }
    const auto assets = root.find("assets");
    if (assets == root.end() || !assets->is_object()) {
      return error(key("assets", 0), "'assets' must be an object of addresses"), out;
    }
    const std::size_t begin = key("assets", 0);
    for (const auto& [address, entry] : assets->items()) asset(address, entry, begin, out);
    return out;
  }

 private:
  json parsed() {
    // nlohmann keeps the last of two equal keys; which one is meant nobody knows.
    std::vector<std::set<std::string>> keys;
    std::string twice;
    const auto look = [&](int, json::parse_event_t event, json& value) {
      if (event == json::parse_event_t::object_start) keys.emplace_back();
      if (event == json::parse_event_t::object_end) keys.pop_back();
      if (event == json::parse_event_t::key &&
          !keys.back().insert(value.get<std::string>()).second) {
        twice = value.get<std::string>();
      }
      return true;
    };
    json root;
    try {
      root = json::parse(source_->text(), look);
    } catch (const json::parse_error& problem) {
      const std::string what = problem.what();  // "[json...] parse error at line 1, column 2: why"
      const auto why = what.find(": ");
      error(problem.byte > 0 ? problem.byte - 1 : 0,
            "this is no JSON: " + (why == std::string::npos ? what : what.substr(why + 2)));
    } catch (const json::exception& problem) {
      error(0, std::string("this is no JSON: ") + problem.what());
    }
    if (!twice.empty()) error(key(twice, key(twice, 0) + 1), "'" + twice + "' is there twice");
    return root;
  }

  void asset(const std::string& address, const json& entry, std::size_t begin, LockFile& out) {
    const std::size_t at = key(address, begin);
    if (const std::string why = why_bad_address(address); !why.empty()) {
      return error(at, "'" + address + "' " + why);
    }
    if (normalized_address(address) != address) {
      return error(at, "'" + address + "' is not written as it is looked up",
                   "write '" + normalized_address(address) + "'");
    }
    if (!entry.is_object()) return error(at, "an asset is an object { ... }");
    LockedAsset asset;
    for (const auto& [name, value] : entry.items()) {
      const std::size_t place = key(name, at);
      if (name == "sha256") {
        if (!value.is_string() || !is_sha256_hex(value.get_ref<const std::string&>())) {
          return error(place, "'sha256' must be 64 digits of 0-9 and a-f");
        }
        asset.sha256 = value.get<std::string>();
      } else if (name == "size") {
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kLargestAsset) {
          return error(place, "'size' must be a number of bytes");
        }
        asset.size = value.get<std::uint64_t>();
      } else if (name == "final_address") {
        if (!value.is_string() || !why_bad_address(value.get<std::string>()).empty()) {
          return error(place, "'final_address' must be an address of https or http");
        }
        asset.final_address = value.get<std::string>();
      } else {
        return error(place, "'" + name + "' is unknown; there are sha256, size and final_address");
      }
    }
    if (asset.sha256.empty()) return error(at, "'" + address + "' has no 'sha256'");
    if (!entry.contains("size")) return error(at, "'" + address + "' has no 'size'");
    if (asset.final_address.empty()) asset.final_address = address;
    out.assets[address] = std::move(asset);
  }

  /// Where a key is written from there on; there itself when it is written with other escapes.
  std::size_t key(const std::string& name, std::size_t from) const {
    const std::string quoted = json(name).dump(-1, ' ', false, json::error_handler_t::replace);
    const std::string_view text = source_->text();
    for (auto at = text.find(quoted, from); at != std::string_view::npos;
         at = text.find(quoted, at + 1)) {
      const auto next = text.find_first_not_of(" \t\r\n", at + quoted.size());
      if (next != std::string_view::npos && text[next] == ':') return at;
    }
    return from;
  }

  void error(std::size_t offset, std::string message, std::string hint = kCure) {
    failed_ = true;
    diagnostics_.error({source_, static_cast<std::uint32_t>(offset), 1}, std::move(message),
                       std::move(hint));
  }

  std::shared_ptr<const SourceText> source_;
  Diagnostics& diagnostics_;
  bool failed_ = false;
};

}  // namespace

fs::path LockFile::beside(const fs::path& world) { return world.string() + ".lock.json"; }

LockFile LockFile::parse(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics) {
  return Reader(std::move(source), diagnostics).read();
}

LockFile LockFile::read(const fs::path& file, Diagnostics& diagnostics) {
  std::error_code error;
  if (fs::status(file, error).type() == fs::file_type::not_found) return {};
  try {
    return parse(std::make_shared<SourceText>(file.string(), read_whole_file(file, kLargestFile)),
                 diagnostics);
  } catch (const std::runtime_error& problem) {
    diagnostics.error({}, problem.what());
    return {};
  }
}

std::string LockFile::to_text() const {
  json out = {{"protobeam_lock", 1}, {"assets", json::object()}};
  for (const auto& [address, asset] : assets) {
    json& row = out["assets"][address];
    row = {{"sha256", asset.sha256}, {"size", asset.size}};
    if (asset.final_address != address) row["final_address"] = asset.final_address;
  }
  return out.dump(2) + "\n";
}

std::string why_bad_address(const std::string& address) {
  if (address.size() > 4096) return "is longer than 4096 bytes";
  for (const unsigned char c : address) {
    if (c < 0x20 || c == 0x7f) return "holds a control character";
  }
  if (!is_address(address)) return "is no address";
  const std::string scheme = address.substr(0, address.find(':'));
  if (scheme == "webots") return {};
  if (scheme != "https" && scheme != "http") {
    return "begins with '" + scheme + ":'; https and webots addresses are fetched";
  }
  if (address.compare(scheme.size(), 3, "://") != 0) return "has no host";
  const auto begin = scheme.size() + 3;
  const std::string host = address.substr(begin, address.find_first_of("/?#", begin) - begin);
  if (host.find('@') != std::string::npos) return "holds a user's name or password";
  if (host.empty() || host.find_first_of(" \\\"<>^`{|}%") != std::string::npos) {
    return "names no host";
  }
  return {};
}

}  // namespace protobeam
