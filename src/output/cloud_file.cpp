#include "output/cloud_file.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "base/whole_file.h"
#include "output/numbers.h"
#include "output/point_file.h"

namespace protobeam {
namespace {

static_assert(std::endian::native == std::endian::little, "binary formats here are little-endian");

template <class... T>
void append_row(std::string& text, char separator, T... values) {
  const char* before = "";
  const char between[2] = {separator, '\0'};
  ((text += before, append_number(text, values), before = between), ...);
  text += '\n';
}

template <class... T>
void append_raw(std::string& bytes, T... values) {
  (bytes.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
}

bool is_first(const BeamReturn& beam) { return beam.return_number == 1; }

template <class Visitor>
void for_each_return(std::span<const BeamReturn> beams, const Visitor& visitor) {
  for (const BeamReturn& beam : beams) {
    if (is_return(beam)) visitor(beam, static_cast<std::uint16_t>(beam.layer));
  }
}

/// What the header promises is the point layout "protobeam".
void write_own_points(const std::filesystem::path& path, CloudFormat format,
                      const TimedSweep& sweep, const SweepSource& source) {
  const PointLayout& own = point_layout("protobeam");
  write_points(path, format, own, fill_points(own, shape_of(own), sweep, source),
               origin_of(sweep, source));
}

std::string csv(std::span<const BeamReturn> beams) {
  std::string text = "layer,column,azimuth,elevation,range,x,y,z,time,intensity\n";
  for (const BeamReturn& b : beams) {
    const bool hit = is_return(b);
    const auto or_inf = [hit](float value) {
      return hit ? value : std::numeric_limits<float>::infinity();
    };
    append_row(text, ',', b.layer, b.column, b.azimuth, b.elevation, or_inf(b.range), or_inf(b.x),
               or_inf(b.y), or_inf(b.z), b.time, b.intensity);
  }
  return text;
}

/// NumPy enhancement proposal 1 ("A simple file format for NumPy arrays"), version 1.0: magic,
/// version, length of the header, and a Python literal padded so that the data is aligned to 64.
std::string npy(std::span<const BeamReturn> beams, double start) {
  const auto count = std::count_if(beams.begin(), beams.end(), is_return);
  std::string literal =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(count) + ", 6), }";
  constexpr std::size_t kPrefix = 10;
  literal.append(63 - (kPrefix + literal.size()) % 64, ' ');
  literal += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  append_raw(bytes, static_cast<std::uint16_t>(literal.size()));
  bytes += literal;
  for_each_return(beams, [&](const BeamReturn& b, std::uint16_t ring) {
    append_raw(bytes, b.x, b.y, b.z, b.intensity, static_cast<float>(ring),
               static_cast<float>(b.time - start));
  });
  return bytes;
}

}  // namespace

void write_cloud(const std::filesystem::path& path, CloudFormat format, const TimedSweep& sweep,
                 const SweepSource& source) {
  const std::span<const BeamReturn> beams = sweep.beams;
  const int layers = source.layers, columns = source.columns;
  if (layers < 0 || columns < 0 ||
      static_cast<std::size_t>(std::count_if(beams.begin(), beams.end(), is_first)) !=
          static_cast<std::size_t>(layers) * static_cast<std::size_t>(columns)) {
    throw std::invalid_argument("cannot write " + path.string() + ": " +
                                std::to_string(beams.size()) + " beams are not " +
                                std::to_string(layers) + " layers of " + std::to_string(columns));
  }
  if (layers > 65536 && format != CloudFormat::kCsv) {
    throw std::runtime_error("cannot write " + path.string() + ": " + std::to_string(layers) +
                             " layers do not fit into the 16 bits of 'ring'; write a .csv file");
  }
  switch (format) {
    case CloudFormat::kPcdBinary:
    case CloudFormat::kPcdAscii:
    case CloudFormat::kPly:
      return write_own_points(path, format, sweep, source);
    case CloudFormat::kCsv:
      return write_whole_file(path, csv(beams));
    case CloudFormat::kNpy:
      return write_whole_file(path, npy(beams, sweep.start_time));
  }
}

CloudFormat cloud_format(const std::filesystem::path& path, bool ascii) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".pcd") return ascii ? CloudFormat::kPcdAscii : CloudFormat::kPcdBinary;
  if (ending == ".csv") return CloudFormat::kCsv;
  if (ending == ".ply" || ending == ".npy") {
    if (ascii) {
      throw std::invalid_argument(path.string() + ": " + ending +
                                  " files are binary here; text goes to .pcd or .csv");
    }
    return ending == ".ply" ? CloudFormat::kPly : CloudFormat::kNpy;
  }
  throw std::invalid_argument(path.string() +
                              ": a point cloud file ends in .pcd, .ply, .csv or .npy");
}

}  // namespace protobeam
