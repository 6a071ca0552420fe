// Result files are written whole or not at all.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/descriptor.h"

namespace protobeam {

/// The next version of a file, which has no name until it is finished: whatever happens to the
/// program, nothing of it is left. (On file systems without O_TMPFILE it is TARGET.partPID-N.) Links
/// are followed, so that they go on pointing where they did.
class PartFile {
 public:
  /// Opens it for reading and writing. Throws std::runtime_error ("cannot write out/a.pcd: ...").
  explicit PartFile(const std::filesystem::path& target);
  /// Removes what was not finished.
  ~PartFile();
  PartFile(PartFile&& other) noexcept;
  PartFile& operator=(PartFile&&) = delete;

  /// -1 once it is finished or discarded.
  int descriptor() const { return file_.get(); }
  /// What opens it once more, in this process and in children that have the descriptor.
  std::filesystem::path path() const;
  /// Gives it the name of the file. 0 or errno; then nothing is left of it.
  int finish();
  void discard();

 private:
  int link_to(const std::filesystem::path& name) const;

  std::filesystem::path target_, part_;  ///< `part_`: its name, if it has one
  Descriptor file_;
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

  int descriptor() const { return part_ ? part_->descriptor() : direct_.get(); }

  std::filesystem::path path_;
  std::optional<PartFile> part_;
  Descriptor direct_;  ///< without a part: what the path names
  std::string buffer_;
};

/// Also false where it cannot be looked at.
bool is_file(const std::filesystem::path& path);

void write_whole_file(const std::filesystem::path& path, std::string_view bytes);

/// The bytes of a regular file of at most `limit` bytes. Throws std::runtime_error ("cannot read
/// meshes/a.obj: No such file or directory").
std::string read_whole_file(const std::filesystem::path& path, std::size_t limit);

}  // namespace protobeam
