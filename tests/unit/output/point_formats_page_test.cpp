// docs/point-formats.md tells what the table of layouts holds.
#include <gtest/gtest.h>

#include "output/point_layout.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/paths.h"

namespace protobeam {
namespace {

std::string type_name(PointFieldType type) {
  if (type == PointFieldType::kFloat32) return "float32";
  return "uint" + std::to_string(8 * size_of(type));
}

std::string misses_name(Misses misses) {
  if (misses == Misses::kDropped) return "dropped";
  return misses == Misses::kNan ? "NaN" : "zeros";
}

/// The cells of the rows of the table in `text` behind `start`, joined by '|'.
std::vector<std::string> rows_behind(const std::string& text, const std::string& start) {
  std::vector<std::string> rows;
  std::size_t at = text.find("\n| --- |", text.find(start));
  if (text.find(start) == std::string::npos || at == std::string::npos) return rows;
  for (at = text.find('\n', at + 1) + 1; text[at] == '|'; at = text.find('\n', at) + 1) {
    rows.push_back(text.substr(at, text.find('\n', at) - at));
  }
  return rows;
}

TEST(PointFormatsPage, HasEveryFieldOfEveryFormat) {
  const std::string page = read_bytes(source_dir() + "/docs/point-formats.md");
  for (const PointLayout& layout : point_layouts()) {
    const auto rows = rows_behind(page, "\n### `" + std::string(layout.name) + "` (" +
                                            std::to_string(layout.point_step) + " bytes)\n");
    ASSERT_EQ(rows.size(), layout.fields.size()) << layout.name;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const PointField& field = layout.fields[i];
      EXPECT_TRUE(rows[i].starts_with("| " + std::to_string(field.offset) + " | `" +
                                      std::string(field.name) + "` | " + type_name(field.datatype) +
                                      " | "))
          << layout.name << ": " << rows[i];
    }
  }
}

TEST(PointFormatsPage, HasWhatDriversDoByDefault) {
  const auto rows =
      rows_behind(read_bytes(source_dir() + "/docs/point-formats.md"), "| format | bytes |");
  ASSERT_EQ(rows.size(), point_layouts().size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const PointLayout& layout = point_layouts()[i];
    EXPECT_EQ(rows[i],
              "| `" + std::string(layout.name) + "` | " + std::to_string(layout.point_step) +
                  " | " + (layout.organised ? "yes" : "no") + " | " +
                  (layout.destaggered ? "destaggered" : "staggered") + " | " +
                  misses_name(layout.misses) + " | " + misses_name(layout.organised_misses) +
                  " | " + (layout.order == PointOrder::kByTime ? "as fired" : "row by row") + " |");
  }
}

}  // namespace
}  // namespace protobeam
