// Points of any layout as PCD and PLY files.
#pragma once

#include <filesystem>
#include <string>

#include "output/cloud_file.h"
#include "output/point_cloud.h"

namespace protobeam {

/// PCD 0.7. Binary files keep every byte of a point: what no field covers is a field `_` of bytes,
/// as the Point Cloud Library writes it. Text leaves them out.
std::string pcd_file(const PointLayout& layout, const PointCloud& cloud, bool ascii);

/// Binary PLY: the fields of the layout without gaps, points row by row.
std::string ply_file(const PointLayout& layout, const PointCloud& cloud);

/// Throws std::invalid_argument when the format has columns of its own (CSV, NPY), and
/// std::runtime_error when the file cannot be written.
void write_points(const std::filesystem::path& path, CloudFormat format, const PointLayout& layout,
                  const PointCloud& cloud);

}  // namespace protobeam
