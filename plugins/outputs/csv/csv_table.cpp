#include "csv_table.h"

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "base/whole_file.h"

namespace protobeam {
namespace {

/// The table in `path` with `header` behind its first row and `filling` behind each other one.
void widen(const std::filesystem::path& path, std::string_view header, std::string_view filling) {
  WholeFile wider(path);
  std::ifstream old(path, std::ios::binary);
  std::string block(std::size_t{1} << 20, '\0'), out;
  bool quoted = false, first = true;
  while (old.read(block.data(), static_cast<std::streamsize>(block.size())) || old.gcount() > 0) {
    out.clear();
    for (const char c : std::string_view(block).substr(0, static_cast<std::size_t>(old.gcount()))) {
      // A doubled quotation mark within a text ends it and begins it again.
      if (c == '"') quoted = !quoted;
      if (c == '\n' && !quoted) {
        out += first ? header : filling;
        first = false;
      }
      out += c;
    }
    wider.add(out);
  }
  if (!old.eof()) {
    throw std::runtime_error("cannot read " + path.string() + ": " + std::generic_category().message(errno));
  }
  wider.finish();
}

}  // namespace

std::string csv_text(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += c;
    quoted += c;
  }
  return quoted + '"';
}

CsvTable::CsvTable(std::filesystem::path path) : path_(std::move(path)), file_(path_) {}

void CsvTable::add(std::span<const Cell> row) {
  add_columns(row);
  row_.assign(columns_.size(), nullptr);
  for (const Cell& cell : row) row_[index_.at(cell.column)] = &cell.text;
  line_.clear();
  for (std::size_t i = 0; i < row_.size(); ++i) {
    if (i > 0) line_ += ',';
    if (row_[i]) line_ += *row_[i];
  }
  line_ += '\n';
  file_->add(line_);
}

void CsvTable::add_columns(std::span<const Cell> row) {
  const std::size_t before = columns_.size();
  std::string header;
  for (const Cell& cell : row) {
    if (!index_.try_emplace(cell.column, columns_.size()).second) continue;
    if (!columns_.empty()) header += ',';
    header += cell.column;
    columns_.push_back(cell.column);
  }
  if (header.empty()) return;
  if (before == 0) {
    file_->add(header + "\n");
    return;
  }
  file_->finish();
  widen(path_, header, std::string(columns_.size() - before, ','));
  file_.emplace(path_, RecordFile::Existing::kContinue);
}

}  // namespace protobeam
