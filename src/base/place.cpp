#include "base/place.h"

#include <algorithm>

namespace protobeam {

SourceText::SourceText(std::string path, std::string text)
    : SourceText(path, std::move(text), path, 0) {}

SourceText::SourceText(std::string path, std::string text, std::string name, int head)
    : path_(std::move(path)), text_(std::move(text)), name_(std::move(name)), head_(head) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

SourceText::LineColumn SourceText::locate(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const std::size_t line = static_cast<std::size_t>(after - line_starts_.begin());
  int column = 1;
  for (std::size_t i = line_starts_[line - 1]; i < offset; ++i) {
    const bool continuation = (static_cast<unsigned char>(text_[i]) & 0xc0) == 0x80;
    if (!continuation) ++column;
  }
  return {static_cast<int>(line) - head_, column};
}

std::string_view SourceText::line(int number) const {
  if (number < first_line()) return {};
  const auto next = static_cast<std::size_t>(number + head_);
  if (next > line_starts_.size()) return {};
  const std::size_t begin = line_starts_[next - 1];
  std::size_t end = next < line_starts_.size() ? line_starts_[next] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

std::string Place::to_string() const {
  if (!source) return {};
  const auto at = source->locate(offset);
  return source->name() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

}  // namespace protobeam
