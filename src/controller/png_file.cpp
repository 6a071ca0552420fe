// W3C, "Portable Network Graphics (PNG) Specification", second edition; RFC 1950 and 1951.
#include "controller/png_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace protobeam::controller {
namespace {

constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = (c & 1u) != 0 ? 0xedb88320u ^ c >> 1 : c >> 1;
    table[i] = c;
  }
  return table;
}();

void append_number(std::string& to, std::uint32_t number) {  // big endian
  for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(number >> shift & 0xffu);
}

void append_chunk(std::string& file, const char* type, const std::string& data) {
  append_number(file, static_cast<std::uint32_t>(data.size()));
  const std::size_t start = file.size();
  file += type;
  file += data;
  std::uint32_t crc = 0xffffffffu;
  for (std::size_t i = start; i < file.size(); ++i) {
    crc = kCrcTable[(crc ^ static_cast<unsigned char>(file[i])) & 0xffu] ^ crc >> 8;
  }
  append_number(file, crc ^ 0xffffffffu);
}

/// A zlib stream of stored blocks.
std::string stored(const std::string& data) {
  std::string out = "\x78\x01";
  constexpr std::size_t kBlock = 65535;
  for (std::size_t at = 0; at < data.size(); at += kBlock) {
    const std::size_t size = std::min(kBlock, data.size() - at);
    out += at + size == data.size() ? '\1' : '\0';
    for (const std::size_t length : {size, ~size}) {
      out += static_cast<char>(length & 0xffu);
      out += static_cast<char>(length >> 8 & 0xffu);
    }
    out.append(data, at, size);
  }
  std::uint32_t a = 1, b = 0;  // Adler-32
  for (const char c : data) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  append_number(out, b << 16 | a);
  return out;
}

}  // namespace

std::string write_png(const char* filename, std::span<const unsigned char> pixels, int width, int height,
                      int channels) {
  const std::string_view name = filename ? filename : "";
  if (!name.ends_with(".png")) return "called with '" + std::string(name) + "': only .png is written";
  const auto row = static_cast<std::size_t>(width) * static_cast<std::size_t>(channels);
  if (pixels.size() != row * static_cast<std::size_t>(height) || pixels.empty()) {
    return "called before there is an image";
  }
  std::string header, rows;
  append_number(header, static_cast<std::uint32_t>(width));
  append_number(header, static_cast<std::uint32_t>(height));
  header += {'\x08', static_cast<char>(channels == 1 ? 0 : channels == 3 ? 2 : 6), 0, 0, 0};
  for (std::size_t at = 0; at < pixels.size(); at += row) {
    rows += '\0';  // no filter
    rows.append(reinterpret_cast<const char*>(pixels.data()) + at, row);
  }
  std::string file = "\x89PNG\r\n\x1a\n";
  append_chunk(file, "IHDR", header);
  append_chunk(file, "IDAT", stored(rows));
  append_chunk(file, "IEND", "");
  std::FILE* out = std::fopen(filename, "wb");
  if (!out) return "cannot write '" + std::string(name) + "': " + std::strerror(errno);
  const bool written = std::fwrite(file.data(), 1, file.size(), out) == file.size();
  if (std::fclose(out) != 0 || !written) return "cannot write '" + std::string(name) + "'";
  return "";
}

}  // namespace protobeam::controller
