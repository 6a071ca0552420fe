#include "output/point_file.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "base/whole_file.h"
#include "output/numbers.h"

namespace protobeam {
namespace {

static_assert(std::endian::native == std::endian::little, "binary formats here are little-endian");

/// A column of a PCD file.
struct Column {
  std::string name;
  std::uint32_t size, count;
  char type;
};

std::vector<Column> columns_of(const PointLayout& layout, bool with_gaps) {
  std::vector<Column> columns;
  std::uint32_t end = 0;
  const auto fill_up_to = [&](std::uint32_t offset) {
    if (with_gaps && offset > end) columns.push_back({"_", 1, offset - end, 'U'});
  };
  for (const PointField& field : layout.fields) {
    fill_up_to(field.offset);
    const std::uint32_t size = size_of(field.datatype);
    const char type = field.datatype == PointFieldType::kFloat32 ? 'F' : 'U';
    columns.push_back({std::string(field.name), size, field.count, type});
    end = field.offset + size * field.count;
  }
  fill_up_to(layout.point_step);
  return columns;
}

std::uint64_t points_in(const PointCloud& cloud) {
  return std::uint64_t{cloud.width} * cloud.height;
}

/// PCD file format 0.7 (Point Cloud Library documentation, "The PCD file format").
std::string pcd_header(const PointLayout& layout, const PointCloud& cloud, bool ascii) {
  std::string fields, sizes, types, counts;
  for (const Column& column : columns_of(layout, !ascii)) {
    fields += fmt::format(" {}", column.name);
    sizes += fmt::format(" {}", column.size);
    types += fmt::format(" {}", column.type);
    counts += fmt::format(" {}", column.count);
  }
  return fmt::format(
      "# .PCD v0.7 - Point Cloud Data file format\n"
      "VERSION 0.7\n"
      "FIELDS{}\n"
      "SIZE{}\n"
      "TYPE{}\n"
      "COUNT{}\n"
      "WIDTH {}\n"
      "HEIGHT {}\n"
      "VIEWPOINT 0 0 0 1 0 0 0\n"
      "POINTS {}\n"
      "DATA {}\n",
      fields, sizes, types, counts, cloud.width, cloud.height, points_in(cloud),
      ascii ? "ascii" : "binary");
}

template <class T>
void append_value(std::string& text, const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  append_number(text, value);
}

void append_field(std::string& text, PointFieldType type, const std::uint8_t* at) {
  switch (type) {
    case PointFieldType::kUint8:
      return append_value<std::uint8_t>(text, at);
    case PointFieldType::kUint16:
      return append_value<std::uint16_t>(text, at);
    case PointFieldType::kUint32:
      return append_value<std::uint32_t>(text, at);
    case PointFieldType::kFloat32:
      return append_value<float>(text, at);
  }
}

const char* ply_type(PointFieldType type) {
  switch (type) {
    case PointFieldType::kUint8:
      return "uchar";
    case PointFieldType::kUint16:
      return "ushort";
    case PointFieldType::kUint32:
      return "uint";
    case PointFieldType::kFloat32:
      break;
  }
  return "float";
}

/// Calls back for each element of each field, point by point, and after each point.
template <class Element, class End>
void for_each_element(const PointLayout& layout, const PointCloud& cloud, const Element& element,
                      const End& end_of_point) {
  for (std::size_t at = 0; at < cloud.data.size(); at += layout.point_step) {
    const std::uint8_t* point = cloud.data.data() + at;
    for (const PointField& field : layout.fields) {
      for (std::uint32_t i = 0; i < field.count; ++i) {
        element(field.datatype, point + field.offset + i * size_of(field.datatype));
      }
    }
    end_of_point();
  }
}

}  // namespace

std::string pcd_file(const PointLayout& layout, const PointCloud& cloud, bool ascii) {
  std::string text = pcd_header(layout, cloud, ascii);
  if (!ascii) {
    text.append(reinterpret_cast<const char*>(cloud.data.data()), cloud.data.size());
    return text;
  }
  for_each_element(
      layout, cloud,
      [&text](PointFieldType type, const std::uint8_t* at) {
        append_field(text, type, at);
        text += ' ';
      },
      [&text] { text.back() = '\n'; });
  return text;
}

/// G. Turk, "The PLY polygon file format", 1994.
std::string ply_file(const PointLayout& layout, const PointCloud& cloud) {
  std::string bytes = fmt::format(
      "ply\n"
      "format binary_little_endian 1.0\n"
      "element vertex {}\n",
      points_in(cloud));
  for (const PointField& field : layout.fields) {
    bytes += fmt::format("property {} {}\n", ply_type(field.datatype), field.name);
  }
  bytes += "end_header\n";
  for_each_element(
      layout, cloud,
      [&bytes](PointFieldType type, const std::uint8_t* at) {
        bytes.append(reinterpret_cast<const char*>(at), size_of(type));
      },
      [] {});
  return bytes;
}

void write_points(const std::filesystem::path& path, CloudFormat format, const PointLayout& layout,
                  const PointCloud& cloud) {
  switch (format) {
    case CloudFormat::kPcdBinary:
    case CloudFormat::kPcdAscii:
      return write_whole_file(path, pcd_file(layout, cloud, format == CloudFormat::kPcdAscii));
    case CloudFormat::kPly:
      return write_whole_file(path, ply_file(layout, cloud));
    case CloudFormat::kCsv:
    case CloudFormat::kNpy:
      throw std::invalid_argument(path.string() +
                                  ": .csv and .npy files have columns of their own; points of a "
                                  "format go to .pcd or .ply");
  }
}

}  // namespace protobeam
