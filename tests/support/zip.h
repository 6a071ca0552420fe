// ZIP archives for tests, written byte by byte: PKWARE, APPNOTE.TXT 6.3.10, files that are stored.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace protobeam::test {

struct ZipEntry {
  std::string name, bytes;
  std::uint32_t unix_mode = 0100644;  ///< 0120777: a link
};

inline std::uint32_t crc32_of(std::string_view bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
  }
  return ~crc;
}

inline std::string zip_of(const std::vector<ZipEntry>& entries) {
  std::string files, directory;
  const auto add = [](std::string& to, std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i));
  };
  for (const ZipEntry& entry : entries) {
    const auto offset = static_cast<std::uint32_t>(files.size());
    const auto size = static_cast<std::uint32_t>(entry.bytes.size());
    std::string common;                         // of both headers
    add(common, 20, 2);                         // version that is needed
    add(common, 0, 2), add(common, 0, 2);       // flags, stored
    add(common, 0, 2), add(common, 0x5a21, 2);  // time, date
    add(common, crc32_of(entry.bytes), 4);
    add(common, size, 4), add(common, size, 4);
    add(common, static_cast<std::uint32_t>(entry.name.size()), 2), add(common, 0, 2);
    files += "PK\x03\x04" + common + entry.name + entry.bytes;
    directory += "PK\x01\x02";
    add(directory, 3 << 8 | 20, 2);  // made on Unix
    directory += common;
    add(directory, 0, 2), add(directory, 0, 2), add(directory, 0, 2);  // comment, disk, attributes
    add(directory, entry.unix_mode << 16, 4);
    add(directory, offset, 4);
    directory += entry.name;
  }
  const auto count = static_cast<std::uint32_t>(entries.size());
  std::string end = "PK\x05\x06";
  add(end, 0, 4), add(end, count, 2), add(end, count, 2);
  add(end, static_cast<std::uint32_t>(directory.size()), 4);
  add(end, static_cast<std::uint32_t>(files.size()), 4), add(end, 0, 2);
  return files + directory + end;
}

}  // namespace protobeam::test
