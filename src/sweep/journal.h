// What a worker did, line by line, in a file of its own: the only thing that workers write. A
// gatherer takes the lines into the manifest, wherever the worker ran and however it ended.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"

namespace protobeam::sweep {

struct Attempt {
  enum class Event {
    kBegan,
    kDone,
    kFailed,
    kStopped,  ///< nothing came of it: the worker had to end
  };
  Event event = Event::kBegan;
  std::int64_t run = 0;
  int exit = 0;
  double wall = 0;  ///< s
  std::string state_hash, message, version, machine, began;
  std::vector<std::optional<double>> metrics;  ///< in the description's order
};

std::string to_line(const Attempt& attempt);
/// std::nullopt for what is no such line.
std::optional<Attempt> from_line(const std::string& line);

class Journal {
 public:
  /// A new file of a name that begins with `prefix`. It is locked as long as its writer lives.
  /// Throws std::runtime_error.
  Journal(const std::filesystem::path& folder, const std::string& prefix);

  /// The whole line is on the disk when it returns, or nothing of it is in the file: then throws
  /// std::runtime_error ("cannot write ...: No space left on device").
  void add(const Attempt& attempt);
  const std::string& name() const { return name_; }

 private:
  std::filesystem::path path_;
  std::string name_;
  Descriptor file_;
  std::int64_t size_ = 0;
};

struct JournalPart {
  std::vector<Attempt> attempts;
  std::int64_t read = 0;  ///< bytes, up to the end of the last whole line
  int unreadable = 0;     ///< lines
};

/// The whole lines behind the first `from` bytes, at most some 16 MB of them.
JournalPart read_journal(const std::filesystem::path& file, std::int64_t from);
/// Whether the worker that writes it still lives, here or on another machine with the same files.
bool is_written(const std::filesystem::path& file);

/// Names of the journals in a folder that begin so, in order.
std::vector<std::string> journal_names(const std::filesystem::path& folder,
                                       const std::string& prefix = {});

std::string machine_name();
/// "2026-03-01T12:00:00Z"
std::string utc_now();

}  // namespace protobeam::sweep
