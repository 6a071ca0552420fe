// Messages as bytes: CDR (OMG DDS-XTYPES 1.3, 7.4.1, XCDR1, plain, little-endian), which ROS 2 and MCAP
// carry, and the serialisation of ROS 1 (wiki.ros.org/msg), which has the same order without gaps.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "message/description.h"

namespace protobeam::message {

static_assert(std::endian::native == std::endian::little);

using Bytes = std::vector<std::uint8_t>;

/// The first four bytes of a CDR message: little-endian, no options.
inline constexpr std::array<std::uint8_t, 4> kCdrHeader{0, 1, 0, 0};

enum class Encoding { kCdr, kRos1 };

/// Not inline: messages have hundreds of fields.
void append_bytes(Bytes& out, const void* data, std::size_t size);
void append_zeros(Bytes& out, std::size_t size);

template <Encoding E>
class Writer {
 public:
  explicit Writer(Bytes& out) : out_(out), start_(out.size()) {}

  template <class T>
  void operator()(FieldName name, const T& value) {
    if ((E == Encoding::kCdr ? name.ros2 : name.ros1) != nullptr) write(value);
  }

  template <Message M>
  void write(const M& message) {
    const std::size_t before = out_.size();
    M::each(message, *this);
    if (E == Encoding::kCdr && before == out_.size() && description_of<M>().fields.empty()) {
      out_.push_back(0);  // IDL has no empty structures
    }
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void write(T value) {
    align(sizeof value);
    append(&value, sizeof value);
  }
  void write(const std::string& text) {
    const bool zero = E == Encoding::kCdr;
    write(static_cast<std::uint32_t>(text.size() + (zero ? 1 : 0)));
    append(text.c_str(), text.size() + (zero ? 1 : 0));
  }
  void write(const Time& time) {
    write(time.sec);
    write(time.nanosec);
  }
  void write(const Duration& duration) {
    write(duration.sec);
    write(duration.nanosec);
  }
  template <class T, std::size_t N>
  void write(const std::array<T, N>& values) {
    write_all(std::span<const T>(values));
  }
  template <class T>
  void write(const std::vector<T>& values) {
    if (values.size() > UINT32_MAX) throw std::length_error("a sequence too long for a message");
    write(static_cast<std::uint32_t>(values.size()));
    write_all(std::span<const T>(values));
  }

 private:
  template <class T>
  void write_all(std::span<const T> values) {
    if (values.empty()) return;
    if constexpr (std::is_arithmetic_v<T>) {
      align(sizeof(T));
      append(values.data(), values.size_bytes());
    } else {
      for (const T& value : values) write(value);
    }
  }
  void align(std::size_t size) {
    if (E != Encoding::kCdr) return;
    const std::size_t past = (out_.size() - start_) % size;
    if (past) append_zeros(out_, size - past);
  }
  void append(const void* data, std::size_t size) { append_bytes(out_, data, size); }

  Bytes& out_;
  std::size_t start_;  ///< alignment counts from here
};

/// What was received: it may be anything. Throws std::runtime_error where the bytes end too early or
/// say what cannot be.
class CdrReader {
 public:
  /// `bytes` begin with the four of the encapsulation; both byte orders are read.
  explicit CdrReader(std::span<const std::uint8_t> bytes);

  template <class T>
  void operator()(FieldName name, T& value) {
    if (name.ros2 != nullptr) read(value);
  }
  template <Message M>
  void read(M& message) {
    M::each(message, *this);
    if (description_of<M>().fields.empty()) take(1);
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void read(T& value) {
    align(sizeof value);
    auto source = take(sizeof value);
    std::array<std::uint8_t, sizeof value> copy;
    std::memcpy(copy.data(), source.data(), sizeof value);
    if (swapped_) std::ranges::reverse(copy);
    if constexpr (std::is_same_v<T, bool>) {
      value = copy[0] != 0;
    } else {
      std::memcpy(&value, copy.data(), sizeof value);
    }
  }
  void read(std::string& text);
  void read(Time& time) {
    read(time.sec);
    read(time.nanosec);
  }
  void read(Duration& duration) {
    read(duration.sec);
    read(duration.nanosec);
  }
  template <class T, std::size_t N>
  void read(std::array<T, N>& values) {
    for (T& value : values) read(value);
  }
  template <class T>
  void read(std::vector<T>& values) {
    std::uint32_t count = 0;
    read(count);
    // Each element has at least one byte: a count that cannot be takes no memory.
    if (count > bytes_.size() - at_) throw std::runtime_error("a sequence longer than its message");
    values.clear();
    for (std::uint32_t i = 0; i < count; ++i) read(values.emplace_back());
  }

 private:
  void align(std::size_t size) { take((size - at_ % size) % size); }
  std::span<const std::uint8_t> take(std::size_t size);

  std::span<const std::uint8_t> bytes_;  ///< behind the encapsulation
  std::size_t at_ = 0;
  bool swapped_ = false;
};

}  // namespace protobeam::message
