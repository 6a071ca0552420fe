// Result files are written whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/descriptor.h"

namespace protobeam {

/// A place beside a file in which the next version of it grows. Links are followed, so that they go
/// on pointing where they did.
class PartFile {
 public:
  /// Its name ends in `ending` for programs that look at that. Writes nothing.
  explicit PartFile(const std::filesystem::path& target, const std::string& ending = {});
  /// Removes what was not finished.
  ~PartFile();
  PartFile(PartFile&& other) noexcept;
  PartFile& operator=(PartFile&&) = delete;

  const std::filesystem::path& path() const { return part_; }
  /// Gives it the name of the file. 0 or errno; then nothing is left of it.
  int finish();
  void discard();

 private:
  std::filesystem::path target_, part_;  ///< `part_` empty: nothing to remove
};

/// A file that is written bit by bit and gets its name at the end; an existing file stays as it was
/// until then. Devices and pipes are written directly. Everything throws std::runtime_error
/// ("cannot write out/a.pcd: No space left on device"); nothing is left then.
class WholeFile {
 public:
  explicit WholeFile(const std::filesystem::path& path);
  /// Without finish(): nothing is left.
  ~WholeFile();
  WholeFile(WholeFile&&) noexcept = default;

  void add(std::string_view bytes);
  void finish();

 private:
  void flush();
  [[noreturn]] void fail(int error);

  std::filesystem::path path_;
  PartFile part_;
  bool direct_ = false;
  Descriptor file_;
  std::string buffer_;
};

void write_whole_file(const std::filesystem::path& path, std::string_view bytes);

/// The bytes of a regular file of at most `limit` bytes. Throws std::runtime_error ("cannot read
/// meshes/a.obj: No such file or directory").
std::string read_whole_file(const std::filesystem::path& path, std::size_t limit);

}  // namespace protobeam
