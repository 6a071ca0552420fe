// Places in the text that a person wrote: what every diagnostic points at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace protobeam {

/// One text file as it was read. Immutable; shared by every Place in it.
class SourceText {
 public:
  /// `path` is how messages name the file (as the user spelled it, or relative to the project).
  SourceText(std::string path, std::string text);

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }

  struct LineColumn {
    int line = 1;    ///< from 1
    int column = 1;  ///< from 1, in UTF-8 characters
  };
  /// Line and column of a byte offset; offsets past the end give the end.
  LineColumn locate(std::size_t offset) const;
  /// The text of a line (from 1) without its line end; empty when there is no such line.
  std::string_view line(int number) const;

 private:
  std::string path_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};

/// A piece of a SourceText: where a node, a field or a value was written.
struct Place {
  std::shared_ptr<const SourceText> source;
  std::uint32_t offset = 0;  ///< bytes from the start
  std::uint32_t length = 1;  ///< bytes; the caret line underlines them

  bool valid() const { return source != nullptr; }
  /// "file:line:column", or "" when not valid.
  std::string to_string() const;
};

/// One step of "expanded from": the use of a PROTO whose body holds the place of a message.
struct Instantiation {
  std::string proto;  ///< name of the PROTO
  Place place;        ///< where it was used
  std::shared_ptr<const Instantiation> parent;  ///< the PROTO whose body used it; null at world level
};

}  // namespace protobeam
