#include "output/cloud_file.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "base/whole_file.h"

namespace protobeam {
namespace {

static_assert(std::endian::native == std::endian::little, "binary formats here are little-endian");

/// The shortest text that reads back as the same value.
template <class T>
requires std::floating_point<T> || std::integral<T>
void append_number(std::string& text, T value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

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

bool is_return(const BeamReturn& beam) { return std::isfinite(beam.range); }
bool is_first(const BeamReturn& beam) { return beam.return_number == 1; }

template <class Visitor>
void for_each_return(std::span<const BeamReturn> beams, const Visitor& visitor) {
  for (const BeamReturn& beam : beams) {
    if (is_return(beam)) visitor(beam, static_cast<std::uint16_t>(beam.layer));
  }
}

/// PCD file format 0.7 (Point Cloud Library documentation, "The PCD file format").
std::string pcd_header(std::size_t count, const char* data) {
  const std::string n = std::to_string(count);
  return "# .PCD v0.7 - Point Cloud Data file format\n"
         "VERSION 0.7\n"
         "FIELDS x y z intensity ring time\n"
         "SIZE 4 4 4 4 2 4\n"
         "TYPE F F F F U F\n"
         "COUNT 1 1 1 1 1 1\n"
         "WIDTH " +
         n +
         "\n"
         "HEIGHT 1\n"
         "VIEWPOINT 0 0 0 1 0 0 0\n"
         "POINTS " +
         n + "\nDATA " + data + "\n";
}

std::string pcd_ascii(std::size_t count, std::span<const BeamReturn> beams) {
  std::string text = pcd_header(count, "ascii");
  for_each_return(beams, [&](const BeamReturn& b, std::uint16_t ring) {
    append_row(text, ' ', b.x, b.y, b.z, b.intensity, ring, static_cast<float>(b.time));
  });
  return text;
}

/// G. Turk, "The PLY polygon file format", 1994.
std::string ply_header(std::size_t count) {
  return "ply\n"
         "format binary_little_endian 1.0\n"
         "element vertex " +
         std::to_string(count) +
         "\n"
         "property float x\n"
         "property float y\n"
         "property float z\n"
         "property float intensity\n"
         "property ushort ring\n"
         "property float time\n"
         "end_header\n";
}

/// The rows of binary PCD and PLY files alike.
std::string binary(std::string header, std::span<const BeamReturn> beams) {
  for_each_return(beams, [&](const BeamReturn& b, std::uint16_t ring) {
    append_raw(header, b.x, b.y, b.z, b.intensity, ring, static_cast<float>(b.time));
  });
  return header;
}

std::string csv(std::span<const BeamReturn> beams) {
  std::string text = "layer,column,azimuth,elevation,range,x,y,z,time,intensity\n";
  for (const BeamReturn& b : beams) {
    const bool hit = is_return(b);
    const auto or_inf = [hit](float value) {
      return hit ? value : std::numeric_limits<float>::infinity();
    };
    append_row(text, ',', b.layer, b.column, b.azimuth, b.elevation, or_inf(b.range), or_inf(b.x),
               or_inf(b.y), or_inf(b.z), static_cast<float>(b.time), b.intensity);
  }
  return text;
}

/// NumPy enhancement proposal 1 ("A simple file format for NumPy arrays"), version 1.0: magic,
/// version, length of the header, and a Python literal padded so that the data is aligned to 64.
std::string npy(std::size_t count, std::span<const BeamReturn> beams) {
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
               static_cast<float>(b.time));
  });
  return bytes;
}

}  // namespace

void write_cloud(const std::filesystem::path& path, CloudFormat format, int layers, int columns,
                 std::span<const BeamReturn> beams) {
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
  const auto count = static_cast<std::size_t>(std::count_if(beams.begin(), beams.end(), is_return));
  switch (format) {
    case CloudFormat::kPcdBinary:
      return write_whole_file(path, binary(pcd_header(count, "binary"), beams));
    case CloudFormat::kPcdAscii:
      return write_whole_file(path, pcd_ascii(count, beams));
    case CloudFormat::kPly:
      return write_whole_file(path, binary(ply_header(count), beams));
    case CloudFormat::kCsv:
      return write_whole_file(path, csv(beams));
    case CloudFormat::kNpy:
      return write_whole_file(path, npy(count, beams));
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
