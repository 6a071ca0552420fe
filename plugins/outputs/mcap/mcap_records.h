// Records of MCAP as bytes (mcap.dev/spec, "Records" and "Serialization"): an opcode, the length of
// the content, the content; all little-endian.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace protobeam::mcap {

inline constexpr std::string_view kMagic{"\x89MCAP0\r\n", 8};

enum class Opcode : std::uint8_t {
  kHeader = 1,
  kFooter = 2,
  kSchema = 3,
  kChannel = 4,
  kMessage = 5,
  kChunk = 6,
  kMessageIndex = 7,
  kChunkIndex = 8,
  kStatistics = 11,
  kMetadata = 12,
  kMetadataIndex = 13,
  kSummaryOffset = 14,
  kDataEnd = 15,
};

using Bytes = std::vector<std::uint8_t>;
using TextMap = std::map<std::string, std::string>;

/// Appends fields to bytes.
class Appender {
 public:
  explicit Appender(Bytes& out) : out_(out) {}

  template <std::unsigned_integral T>
  void number(T value) {
    const std::size_t at = out_.size();
    out_.resize(at + sizeof value);
    std::memcpy(out_.data() + at, &value, sizeof value);
  }
  void text(std::string_view value) {
    number(static_cast<std::uint32_t>(value.size()));
    raw(value.data(), value.size());
  }
  void texts(const TextMap& values) {
    counted([&] {
      for (const auto& [key, value] : values) {
        text(key);
        text(value);
      }
    });
  }
  /// An array or a map: what `fill` appends, behind its length in bytes.
  template <class F>
  void counted(F fill) {
    const std::size_t at = out_.size();
    number(std::uint32_t{0});
    fill();
    const auto size = static_cast<std::uint32_t>(out_.size() - at - sizeof(std::uint32_t));
    std::memcpy(out_.data() + at, &size, sizeof size);
  }
  /// A whole record, whose content `fill` appends. `behind`: bytes of it that follow elsewhere.
  template <class F>
  void record(Opcode opcode, F fill, std::uint64_t behind = 0) {
    number(static_cast<std::uint8_t>(opcode));
    const std::size_t at = out_.size();
    number(std::uint64_t{0});
    fill();
    const std::uint64_t size = out_.size() - at - sizeof size + behind;
    std::memcpy(out_.data() + at, &size, sizeof size);
  }
  void raw(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    out_.insert(out_.end(), bytes, bytes + size);
  }

 private:
  Bytes& out_;
};

}  // namespace protobeam::mcap
