#include "message/wire.h"

namespace protobeam::message {

void append_bytes(Bytes& out, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  out.insert(out.end(), bytes, bytes + size);
}

void append_zeros(Bytes& out, std::size_t size) { out.resize(out.size() + size); }

CdrReader::CdrReader(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kCdrHeader.size()) throw std::runtime_error("a message without its header");
  if (bytes[0] != 0 || bytes[1] > 1) {
    throw std::runtime_error("a message that is not plain CDR");
  }
  swapped_ = bytes[1] == 0;
  bytes_ = bytes.subspan(kCdrHeader.size());
}

std::span<const std::uint8_t> CdrReader::take(std::size_t size) {
  if (size > bytes_.size() - at_) throw std::runtime_error("a message that ends too early");
  const auto taken = bytes_.subspan(at_, size);
  at_ += size;
  return taken;
}

void CdrReader::read(std::string& text) {
  std::uint32_t size = 0;
  read(size);
  const auto bytes = take(size);
  // Some writers leave the zero of an empty text out.
  text.assign(bytes.begin(), bytes.end());
  if (!text.empty() && text.back() == '\0') text.pop_back();
}

}  // namespace protobeam::message
