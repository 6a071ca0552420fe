// The manifest of a sweep: a row for each run, in SQLite. FOLDER/manifest.sqlite, table `run`:
//
//   id, the parameters by their names, state (missing, running, done, failed), attempts, exit,
//   state_hash, the metrics by their names, wall (s), version, machine, worker, began, message
//
// Only gatherers write it, one after the other (FOLDER/manifest.lock); what workers did they take
// from the journals, together with how far each journal was read, so that nothing counts twice. The
// journal mode is WAL, and the memory that connections would share is not used (locking_mode
// EXCLUSIVE), so that the folder may be on a network.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "sweep/database.h"
#include "sweep/description.h"
#include "sweep/design.h"
#include "sweep/journal.h"

namespace protobeam::sweep {

/// Held by whoever has opened FILE.lock; waits for others.
class FolderLock {
 public:
  enum class Wait { kYes, kNo };
  /// Throws std::runtime_error when the file cannot be locked.
  explicit FolderLock(const std::filesystem::path& file, Wait wait = Wait::kYes);
  /// False, with Wait::kNo: another process has it.
  bool held() const { return file_.open(); }

 private:
  Descriptor file_;
};

struct Counts {
  std::int64_t runs = 0, done = 0, failed = 0, running = 0, missing = 0, attempts = 0;
  double wall = 0;  ///< s, of all runs that are done
};

struct Row {
  std::int64_t id = 0;
  std::vector<std::string> parameters;
  std::string state, state_hash, version, machine, message;
  std::int64_t attempts = 0;
  std::optional<int> exit;
  std::optional<double> wall;
  std::vector<std::optional<double>> metrics;
};

/// A run that was done twice and came out differently.
struct Difference {
  std::int64_t run;
  std::string first, second;  ///< state hashes
  std::string worker;         ///< of the second
};

class Manifest {
 public:
  static bool exists(const std::filesystem::path& folder);
  /// All rows, or no file. `description.text` and the world's place are kept in it.
  static void create(const std::filesystem::path& folder, const Description& description,
                     const Design& design, const std::string& version);
  /// Waits until nobody else has it open. Throws std::runtime_error when there is none.
  /// `patience`: for programs that have it open without being gatherers.
  explicit Manifest(const std::filesystem::path& folder,
                    std::chrono::milliseconds patience = std::chrono::minutes(1));

  /// What create() was given.
  const Description& description() const { return description_; }

  /// Takes what the journals have. Runs whose worker lives no more are missing again.
  void gather();
  Counts counts() const;
  /// Runs that are to be made: the missing ones, and the failed ones that were tried less than
  /// `attempts` times.
  std::vector<std::int64_t> open_runs(std::int64_t attempts) const;
  void for_each(const std::function<void(const Row&)>& use, const std::string& where = {}) const;
  std::vector<Difference> differences() const;

  void add_jobs(const std::vector<std::string>& jobs);
  std::vector<std::string> jobs() const;
  int next_submission();

 private:
  void take(const std::string& worker, const Attempt& attempt);
  std::string about(const std::string& name) const;
  void set_about(const std::string& name, const std::string& value);

  std::filesystem::path folder_;
  FolderLock lock_;
  Database database_;
  Description description_;
  std::unique_ptr<Statement> began_, stopped_, ended_, known_hash_, differs_;
};

std::filesystem::path journal_folder(const std::filesystem::path& folder);

}  // namespace protobeam::sweep
