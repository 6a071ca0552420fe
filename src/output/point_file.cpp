#include "output/point_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/whole_file.h"
#include "output/numbers.h"

namespace protobeam {
namespace {

static_assert(std::endian::native == std::endian::little, "binary formats here are little-endian");

using Kind = PointColumn::Kind;

/// With the bytes between the columns as columns.
std::vector<PointColumn> with_gaps(const PointTable& points) {
  std::vector<PointColumn> columns;
  std::uint32_t end = 0;
  const auto fill_up_to = [&](std::uint32_t offset) {
    if (offset > end) columns.push_back({"_", end, Kind::kUnsigned, 1, offset - end});
  };
  for (const PointColumn& column : points.columns) {
    fill_up_to(column.offset);
    columns.push_back(column);
    end = column.offset + column.size * column.count;
  }
  fill_up_to(points.point_step);
  return columns;
}

std::uint64_t points_in(const PointTable& points) {
  return std::uint64_t{points.width} * points.height;
}

/// "x y z qw qx qy qz", all digits.
std::string viewpoint(const Pose& X) {
  std::string text;
  for (const double value : {X.p.x(), X.p.y(), X.p.z(), X.R.w(), X.R.x(), X.R.y(), X.R.z()}) {
    if (!text.empty()) text += ' ';
    append_number(text, value);
  }
  return text;
}

/// A name on one line of a header.
std::string one_line(std::string name) {
  for (char& c : name) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  return name;
}

/// Lines for the header, `mark` in front of each: "# ", "comment ".
std::string comments(const CloudOrigin& origin, const char* mark) {
  const auto number = [](double value) {
    std::string text;
    append_number(text, value);
    return text;
  };
  return fmt::format(
      "{0}lidar {1}/{2}\n"
      "{0}sweep_start {3}\n"
      "{0}sweep_end {4}\n"
      "{0}pose_start {5}\n"
      "{0}pose_end {6}\n",
      mark, one_line(origin.robot), one_line(origin.device), number(origin.start_time),
      number(origin.end_time), viewpoint(origin.X_WS_start), viewpoint(origin.X_WS_end));
}

/// PCD file format 0.7 (Point Cloud Library documentation, "The PCD file format").
std::string pcd_header(const PointTable& points, bool ascii,
                       const std::optional<CloudOrigin>& origin) {
  std::string fields, sizes, types, counts;
  for (const PointColumn& column : ascii ? points.columns : with_gaps(points)) {
    fields += fmt::format(" {}", column.name);
    sizes += fmt::format(" {}", column.size);
    types += fmt::format(" {}", static_cast<char>(column.kind));
    counts += fmt::format(" {}", column.count);
  }
  return fmt::format(
      "# .PCD v0.7 - Point Cloud Data file format\n"
      "{}VERSION 0.7\n"
      "FIELDS{}\n"
      "SIZE{}\n"
      "TYPE{}\n"
      "COUNT{}\n"
      "WIDTH {}\n"
      "HEIGHT {}\n"
      "VIEWPOINT {}\n"
      "POINTS {}\n"
      "DATA {}\n",
      origin ? comments(*origin, "# ") : "", fields, sizes, types, counts, points.width,
      points.height, viewpoint(origin ? origin->X_WS_start : Pose()), points_in(points),
      ascii ? "ascii" : "binary");
}

template <class T>
void append_value(std::string& text, const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  append_number(text, value);
}

void append_element(std::string& text, const PointColumn& column, const std::uint8_t* at) {
  switch (column.kind) {
    case Kind::kFloat:
      return column.size == 8 ? append_value<double>(text, at) : append_value<float>(text, at);
    case Kind::kSigned:
      switch (column.size) {
        case 1: return append_value<std::int8_t>(text, at);
        case 2: return append_value<std::int16_t>(text, at);
        default: return append_value<std::int32_t>(text, at);
      }
    case Kind::kUnsigned:
      switch (column.size) {
        case 1: return append_value<std::uint8_t>(text, at);
        case 2: return append_value<std::uint16_t>(text, at);
        default: return append_value<std::uint32_t>(text, at);
      }
  }
}

const char* ply_type(const PointColumn& column) {
  switch (column.kind) {
    case Kind::kFloat: return column.size == 8 ? "double" : "float";
    case Kind::kSigned: return column.size == 1 ? "char" : column.size == 2 ? "short" : "int";
    case Kind::kUnsigned: break;
  }
  return column.size == 1 ? "uchar" : column.size == 2 ? "ushort" : "uint";
}

template <class Action>
void for_each_point(const PointTable& points, const Action& action) {
  for (std::uint32_t row = 0; row < points.height; ++row) {
    const std::uint8_t* point = points.data.data() + row * points.row_step;
    for (std::uint32_t i = 0; i < points.width; ++i, point += points.point_step) action(point);
  }
}

/// A field of a message as a column, once it is known to be one.
PointColumn column_of(const message::PointField& field, std::uint32_t point_step) {
  // sensor_msgs/PointField: INT8 is 1, UINT8, INT16, UINT16, INT32, UINT32, FLOAT32, FLOAT64 is 8.
  constexpr std::uint32_t kSizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
  if (field.datatype == 0 || field.datatype > 8) {
    throw std::invalid_argument(
        fmt::format("field '{}' has the unknown type {}", field.name, field.datatype));
  }
  PointColumn column{field.name, field.offset, Kind::kFloat, kSizes[field.datatype], field.count};
  if (field.datatype < 7) column.kind = field.datatype % 2 ? Kind::kSigned : Kind::kUnsigned;
  const std::uint64_t end = field.offset + std::uint64_t{column.size} * field.count;
  if (field.count == 0) throw std::invalid_argument(fmt::format("field '{}' holds nothing", field.name));
  if (end > point_step) {
    throw std::invalid_argument(fmt::format("field '{}' ends behind its point", field.name));
  }
  const bool plain = std::ranges::all_of(field.name, [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '\x7f';
  });
  if (field.name.empty() || !plain) {
    throw std::invalid_argument("a field has a name that no column can have");
  }
  return column;
}

}  // namespace

PointTable table_of(const PointLayout& layout, const PointCloud& cloud) {
  PointTable points;
  for (const PointField& field : layout.fields) {
    const Kind kind = field.datatype == PointFieldType::kFloat32 ? Kind::kFloat : Kind::kUnsigned;
    points.columns.push_back(
        {std::string(field.name), field.offset, kind, size_of(field.datatype), field.count});
  }
  points.point_step = layout.point_step;
  points.width = cloud.width;
  points.height = cloud.height;
  points.row_step = std::size_t{cloud.width} * layout.point_step;
  points.data = cloud.data;
  return points;
}

PointTable table_of(const message::PointCloud2& cloud) {
  if (cloud.is_bigendian) throw std::invalid_argument("its numbers are big-endian");
  PointTable points;
  for (const message::PointField& field : cloud.fields) {
    points.columns.push_back(column_of(field, cloud.point_step));
  }
  if (points.columns.empty()) throw std::invalid_argument("its points have no fields");
  std::ranges::stable_sort(points.columns, {}, &PointColumn::offset);
  for (std::size_t i = 1; i < points.columns.size(); ++i) {
    const PointColumn& before = points.columns[i - 1];
    if (before.offset + before.size * before.count > points.columns[i].offset) {
      throw std::invalid_argument(
          fmt::format("fields '{}' and '{}' overlap", before.name, points.columns[i].name));
    }
  }
  const std::uint64_t row = std::uint64_t{cloud.width} * cloud.point_step;
  // The last row may end where its points do.
  const std::uint64_t bytes =
      cloud.height == 0 ? 0 : std::uint64_t{cloud.height - 1} * cloud.row_step + row;
  if ((cloud.height > 1 && cloud.row_step < row) || bytes > cloud.data.size()) {
    throw std::invalid_argument(fmt::format("{} bytes are too few for {} rows of {} points",
                                            cloud.data.size(), cloud.height, cloud.width));
  }
  points.point_step = cloud.point_step;
  points.width = cloud.width;
  points.height = cloud.height;
  points.row_step = cloud.row_step;
  points.data = cloud.data;
  return points;
}

std::string pcd_file(const PointTable& points, bool ascii,
                     const std::optional<CloudOrigin>& origin) {
  std::string text = pcd_header(points, ascii, origin);
  if (!ascii) {
    const std::size_t row_size = std::size_t{points.width} * points.point_step;
    text.reserve(text.size() + points.height * row_size);
    for (std::uint32_t row = 0; row < points.height; ++row) {
      const auto bytes = points.data.subspan(row * points.row_step, row_size);
      text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    return text;
  }
  for_each_point(points, [&](const std::uint8_t* point) {
    for (const PointColumn& column : points.columns) {
      for (std::uint32_t i = 0; i < column.count; ++i) {
        append_element(text, column, point + column.offset + i * column.size);
        text += ' ';
      }
    }
    text.back() = '\n';
  });
  return text;
}

/// G. Turk, "The PLY polygon file format", 1994.
std::string ply_file(const PointTable& points, const std::optional<CloudOrigin>& origin) {
  std::string bytes = "ply\nformat binary_little_endian 1.0\n";
  if (origin) bytes += comments(*origin, "comment ");
  if (points.height > 1) {
    bytes += fmt::format("obj_info num_cols {}\nobj_info num_rows {}\n", points.width, points.height);
  }
  bytes += fmt::format("element vertex {}\n", points_in(points));
  for (const PointColumn& column : points.columns) {
    for (std::uint32_t i = 0; i < column.count; ++i) {
      bytes += fmt::format("property {} {}", ply_type(column), column.name);
      bytes += column.count == 1 ? "\n" : fmt::format("_{}\n", i);
    }
  }
  bytes += "end_header\n";
  for_each_point(points, [&](const std::uint8_t* point) {
    for (const PointColumn& column : points.columns) {
      bytes.append(reinterpret_cast<const char*>(point + column.offset), column.size * column.count);
    }
  });
  return bytes;
}

/// NumPy enhancement proposal 1 ("A simple file format for NumPy arrays").
std::string npy_file(const PointTable& points) {
  std::string descr;
  for (const PointColumn& column : with_gaps(points)) {
    if (!descr.empty()) descr += ", ";
    if (column.name == "_") {
      descr += fmt::format("('', '|V{}')", column.count);
      continue;
    }
    const char kind = static_cast<char>(std::tolower(static_cast<char>(column.kind)));
    descr += fmt::format("('{}', '{}{}{}'{})", column.name, column.size == 1 ? '|' : '<', kind,
                         column.size, column.count == 1 ? "" : fmt::format(", ({},)", column.count));
  }
  std::string literal =
      fmt::format("{{'descr': [{}], 'fortran_order': False, 'shape': ({},), }}", descr, points_in(points));
  constexpr std::size_t kPrefix = 10;
  literal.append(63 - (kPrefix + literal.size()) % 64, ' ');
  literal += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(literal.size() & 0xff);
  bytes += static_cast<char>(literal.size() >> 8);
  bytes += literal;
  bytes.reserve(bytes.size() + points_in(points) * points.point_step);
  for_each_point(points, [&](const std::uint8_t* point) {
    bytes.append(reinterpret_cast<const char*>(point), points.point_step);
  });
  return bytes;
}

CloudOrigin origin_of(const TimedSweep& sweep, const SweepSource& source) {
  return {source.robot,   source.device, sweep.start_time, sweep.end_time, header_time(sweep, source),
          sweep.X_WS_start, sweep.X_WS};
}

std::string cloud_json(const CloudOrigin& origin, const PointLayout& layout,
                       const SweepSource& source, std::uint64_t points) {
  using Json = nlohmann::ordered_json;
  const auto pose = [](const Pose& X) {
    return Json{{"position", {X.p.x(), X.p.y(), X.p.z()}},
                {"orientation_xyzw", {X.R.x(), X.R.y(), X.R.z(), X.R.w()}}};
  };
  const auto type = [](PointFieldType datatype) {
    switch (datatype) {
      case PointFieldType::kUint8: return "uint8";
      case PointFieldType::kUint16: return "uint16";
      case PointFieldType::kUint32: return "uint32";
      case PointFieldType::kFloat32: break;
    }
    return "float32";
  };
  Json fields = Json::array();
  for (const PointField& field : layout.fields) {
    fields.push_back({{"name", field.name}, {"type", type(field.datatype)}, {"offset", field.offset}});
  }
  const Json out{{"robot", origin.robot},
                 {"device", origin.device},
                 {"product", source.product},
                 {"frame", origin.robot + "/" + origin.device},
                 {"pose_frame", "world"},
                 {"start_time_s", origin.start_time},
                 {"end_time_s", origin.end_time},
                 {"header_time_s", origin.header_time},
                 {"pose_start", pose(origin.X_WS_start)},
                 {"pose_end", pose(origin.X_WS_end)},
                 {"points", points},
                 {"point_format", layout.name},
                 {"fields", std::move(fields)}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_points(const std::filesystem::path& path, CloudFormat format, const PointTable& points,
                  const std::optional<CloudOrigin>& origin) {
  switch (format) {
    case CloudFormat::kPcdBinary:
    case CloudFormat::kPcdAscii:
      return write_whole_file(path, pcd_file(points, format == CloudFormat::kPcdAscii, origin));
    case CloudFormat::kPly:
      return write_whole_file(path, ply_file(points, origin));
    case CloudFormat::kCsv:
    case CloudFormat::kNpy:
      throw std::invalid_argument(path.string() +
                                  ": .csv and .npy files have columns of their own; points of a "
                                  "format go to .pcd or .ply");
  }
}

void write_points(const std::filesystem::path& path, CloudFormat format, const PointLayout& layout,
                  const PointCloud& cloud, const std::optional<CloudOrigin>& origin) {
  write_points(path, format, table_of(layout, cloud), origin);
}

}  // namespace protobeam
