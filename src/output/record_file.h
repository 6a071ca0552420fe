// A file that grows record by record and can be read at any time: lines of a table, poses of a
// trajectory. WholeFile is for what is of use only when it is finished.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"

namespace protobeam {

/// Records wait for each other until there are 64 KiB of them. When the disk is full, the file ends
/// behind the last record that went in whole.
class RecordFile {
 public:
  enum class Existing { kReplace, kContinue };
  /// Throws std::runtime_error ("cannot write out/imu.csv: Permission denied").
  explicit RecordFile(const std::filesystem::path& path, Existing existing = Existing::kReplace);
  /// Writes what waits, if it can.
  ~RecordFile();
  RecordFile(RecordFile&&) noexcept = default;

  void add(std::string_view record);
  /// Nothing is added any more. Throws as add() does; not again after add() has.
  void finish();

 private:
  void flush();

  std::filesystem::path path_;
  Descriptor file_;
  std::string waiting_;
  std::vector<std::size_t> ends_;  ///< of the records in `waiting_`
};

}  // namespace protobeam
