// What simulator and template worker say to each other over their socket: frames of a 64-bit length
// and that many bytes. Both ends are the same machine and build, so numbers go in host order. The
// reader trusts nothing: the worker runs foreign code.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace protobeam::wbt::wire {

/// A script to evaluate; `url` names it in error messages and stacks.
struct Script {
  std::string url, text;
};

/// Run these scripts, one after the other, in a fresh JavaScript context.
struct Request {
  std::uint64_t output_limit = 0;  ///< bytes that __emit may collect
  std::string fields_json, context_json;
  std::vector<Script> scripts;
};

struct Emission {
  std::uint32_t piece;  ///< first argument of __emit
  bool has_text;        ///< called with a value
  std::string_view text;
};

struct Message {
  std::string level, text, stack;
};

enum class Status : std::uint8_t { kDone, kException, kOutputLimit };

/// What came of it. An exception has the places that JavaScriptCore gave: `line` 0 for unknown.
struct Exception {
  std::string message, url, stack;
  std::uint32_t line = 0, column = 0;  ///< from 1; columns in UTF-16 units
};

class Writer {
 public:
  template <typename T>
  void number(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void string(std::string_view text) {
    number(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what a Writer wrote. Past the end or over a broken length everything is zero and empty,
/// and `ok()` is false for good.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <typename T>
  T number() {
    T value{};
    if (const auto bytes = raw(sizeof(T)); bytes.size() == sizeof(T)) {
      std::memcpy(&value, bytes.data(), sizeof(T));
    }
    return value;
  }
  std::string_view string() { return raw(number<std::uint64_t>()); }
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view raw(std::uint64_t size) {
    if (!ok_ || size > rest_.size()) {
      ok_ = false;
      return {};
    }
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }

  std::string_view rest_;
  bool ok_ = true;
};

/// The descriptor of the worker's end of the socket.
inline constexpr int kSocket = 3;

}  // namespace protobeam::wbt::wire
