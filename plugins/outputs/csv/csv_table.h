// Rows of one topic as a CSV file (RFC 4180), whose columns may become more.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "output/record_file.h"

namespace protobeam {

struct Cell {
  std::string column;
  std::string text;  ///< as it goes into the file: csv_text()
};

/// The text, in quotation marks where commas, line ends or quotation marks are in it.
std::string csv_text(std::string_view text);

class CsvTable {
 public:
  explicit CsvTable(std::filesystem::path path);

  /// A column that is not there yet is put behind the others, and the rows before have nothing in it.
  /// Throws std::runtime_error as RecordFile does.
  void add(std::span<const Cell> row);
  void finish() { file_->finish(); }

 private:
  void add_columns(std::span<const Cell> row);

  std::filesystem::path path_;
  std::optional<RecordFile> file_;
  std::vector<std::string> columns_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<const std::string*> row_;  ///< by column; null: nothing
  std::string line_;
};

}  // namespace protobeam
