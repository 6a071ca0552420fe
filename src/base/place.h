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
  /// A text that is no file: messages call it `name`, and what it names lies beside `path`. Line 1
  /// comes after `head` lines that nobody wrote.
  SourceText(std::string path, std::string text, std::string name, int head);

  const std::string& path() const { return path_; }
  /// What messages call it: its path, if it is a file.
  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }

  struct LineColumn {
    int line = 1;    ///< from first_line()
    int column = 1;  ///< from 1, in UTF-8 characters
  };
  /// Line and column of a byte offset; offsets past the end give the end.
  LineColumn locate(std::size_t offset) const;
  /// 1, less the lines of the head.
  int first_line() const { return 1 - head_; }
  /// The text of a line without its line end; empty when there is no such line.
  std::string_view line(int number) const;

 private:
  std::string path_;
  std::string text_;
  std::string name_;
  int head_ = 0;
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
