// The .gridmap files of MRPT: an object of its class COccupancyGridMap2D as it serialises itself.
//
//   u8      length of the class name, with bit 7 set
//   char[]  the class name, since MRPT 2 with its namespace
//   u8      version of the object
//   u8      bits of a cell, 8 or 16 (from version 2 on)
//   u32     cells along x, along y
//   f32     lowest x, highest x, lowest y, highest y, resolution: m
//   cells   rows from the lowest y on, from the lowest x on
//
// and parameters of the class, which say nothing about the map. All of it little-endian, often in
// gzip. A cell is 16 times the log-odds that it is free (from version 3 on; a probability of 255
// steps before), and MRPT's simulated rays take -1, 0 and 1 for unknown. MRPT,
// libs/maps/src/maps/COccupancyGridMap2D_io.cpp, COccupancyGridMap2D_simulate.cpp and
// CLogOddsGridMapLUT.h.
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/libm.h"
#include "geometry/image_codec.h"
#include "geometry/occupancy_map.h"

namespace protobeam {
namespace {
namespace fs = std::filesystem;

constexpr int kFirstVersion = 2, kLastVersion = 7;

class GridmapReader {
 public:
  explicit GridmapReader(const fs::path& path) : path_(path) {
    // A pipe or a directory is told apart before zlib opens it.
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (error) fail(error.message());
    if (!fs::is_regular_file(status)) fail("not a regular file");
    file_ = gzopen(path.c_str(), "rbe");
    if (file_ == nullptr) fail(std::strerror(errno));
  }
  ~GridmapReader() { gzclose(file_); }
  GridmapReader(const GridmapReader&) = delete;
  GridmapReader& operator=(const GridmapReader&) = delete;

  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error("cannot read map " + path_.string() + ": " + why);
  }

  void read(void* to, std::size_t size) {
    char* at = static_cast<char*>(to);
    while (size > 0) {
      const int got = gzread(file_, at, static_cast<unsigned>(std::min(size, kChunk)));
      int problem = Z_OK;
      if (got < 0) fail(gzerror(file_, &problem));
      if (got == 0) fail("it is truncated");
      at += got;
      size -= static_cast<std::size_t>(got);
    }
  }
  template <class T>
  T value() {
    T v;
    read(&v, sizeof v);
    return v;
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 24;
  fs::path path_;
  gzFile file_ = nullptr;
};

/// The version of the object that follows.
int read_header(GridmapReader& in) {
  const char* const no_map = "not a map of MRPT (class COccupancyGridMap2D)";
  const auto length = in.value<std::uint8_t>();
  if ((length & 0x80) == 0) in.fail(no_map);
  std::string name(length & 0x7f, '\0');
  in.read(name.data(), name.size());
  constexpr std::string_view kNamespace = "mrpt::maps::";
  if (name.starts_with(kNamespace)) name.erase(0, kNamespace.size());
  if (name != "COccupancyGridMap2D") in.fail(no_map);
  const int version = in.value<std::uint8_t>();
  if (version < kFirstVersion || version > kLastVersion) {
    in.fail("version " + std::to_string(version) + " of COccupancyGridMap2D; versions " +
            std::to_string(kFirstVersion) + " to " + std::to_string(kLastVersion) + " are read");
  }
  return version;
}

}  // namespace

bool is_gridmap(const fs::path& path) {
  const fs::path name = path.extension() == ".gz" ? path.stem() : path;
  return name.extension() == ".gridmap";
}

OccupancyMap load_gridmap(const fs::path& path, double occupied_threshold) {
  GridmapReader in(path);
  const int version = read_header(in);
  const int bits = in.value<std::uint8_t>();
  if (bits != 8 && bits != 16) in.fail("cells of " + std::to_string(bits) + " bits");
  const auto width = in.value<std::uint32_t>(), height = in.value<std::uint32_t>();
  const auto x_min = in.value<float>(), x_max = in.value<float>();
  const auto y_min = in.value<float>(), y_max = in.value<float>();
  const auto resolution = in.value<float>();
  const bool sound = std::isfinite(x_min) && std::isfinite(y_min) && x_max >= x_min &&
                     y_max >= y_min && resolution > 0 && std::isfinite(resolution);
  if (!sound || width == 0 || height == 0) in.fail("its size makes no sense");
  if (std::uint64_t{width} * height > kMaxPixels) in.fail("more than 2^28 cells");

  OccupancyMap map{
      static_cast<int>(width), static_cast<int>(height), resolution, Vec2(x_min, y_min), 0, {}};
  map.occupied.resize(std::size_t{width} * height);
  // Of 16 bits MRPT's builds with cells of 8 bits use the upper half.
  std::uint8_t occupied[256];
  for (int byte = 0; byte < 256; ++byte) {
    const int cell = static_cast<std::int8_t>(byte);
    const double free = version < 3 ? byte / 255.0 : 1 / (1 + libm::exp(-cell / 16.0));
    const bool known = version < 3 || std::abs(cell) > 1;
    occupied[byte] = known && 1 - free > occupied_threshold ? 1 : 0;
  }
  const std::size_t cell_bytes = static_cast<std::size_t>(bits) / 8;
  std::vector<std::uint8_t> row(width * cell_bytes);
  for (std::size_t y = 0; y < height; ++y) {
    in.read(row.data(), row.size());
    for (std::size_t x = 0; x < width; ++x) {
      map.occupied[y * width + x] = occupied[row[(x + 1) * cell_bytes - 1]];
    }
  }
  return map;
}

}  // namespace protobeam
