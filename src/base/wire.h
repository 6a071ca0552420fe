// Bytes of messages between two processes of one build: plain values in host order, strings and
// lists with their length. A Reader never reads past its end; whatever it is fed, it throws
// BrokenMessage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace protobeam::wire {

/// Text of the other side that is no message: says what is wrong with it.
class BrokenMessage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <class T>
concept WireValue = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Writer {
 public:
  template <WireValue T>
  void value(T v) {
    append(&v, sizeof v);
  }
  void text(std::string_view s) {
    count(s.size());
    append(s.data(), s.size());
  }
  template <WireValue T>
  void list(std::span<const T> values) {
    count(values.size());
    items(values);
  }
  /// Number of the items that follow.
  void count(std::size_t n) {
    if (n > std::numeric_limits<std::uint32_t>::max()) throw BrokenMessage("a list is too long");
    value(static_cast<std::uint32_t>(n));
  }
  /// Values whose number the reader knows.
  template <WireValue T>
  void items(std::span<const T> values) {
    append(values.data(), values.size_bytes());
  }
  void reserve(std::size_t size) { bytes_.reserve(size); }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <WireValue T>
  T value() {
    T v;
    std::memcpy(&v, cut(sizeof v).data(), sizeof v);
    return v;
  }
  bool flag() { return value<std::uint8_t>() != 0; }  // any byte: a bool of another value is UB
  std::string text() { return std::string(view()); }
  /// A text where it lies in the message.
  std::string_view view() {
    const auto bytes = cut(value<std::uint32_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  template <WireValue T>
  std::vector<T> list() {
    std::vector<T> values(count(sizeof(T)));
    items(std::span<T>(values));
    return values;
  }
  /// Fills `values` with the next ones.
  template <WireValue T>
  void items(std::span<T> values) {
    const auto bytes = cut(values.size_bytes());
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  }
  /// Number of the items that follow, each of at least `smallest` bytes.
  std::uint32_t count(std::size_t smallest) {
    const auto n = value<std::uint32_t>();
    if (n > rest_.size() / smallest) throw BrokenMessage("a count exceeds its message");
    return n;
  }
  bool at_end() const { return rest_.empty(); }
  void expect_end() const {
    if (!rest_.empty()) {
      throw BrokenMessage("a message is " + std::to_string(rest_.size()) + " bytes too long");
    }
  }

 private:
  std::span<const std::byte> cut(std::size_t size) {
    if (size > rest_.size()) throw BrokenMessage("a message ends too early");
    const auto head = rest_.first(size);
    rest_ = rest_.subspan(size);
    return head;
  }
  std::span<const std::byte> rest_;
};

}  // namespace protobeam::wire
