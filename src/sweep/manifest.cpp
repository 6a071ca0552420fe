#include "sweep/manifest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>

namespace protobeam::sweep {
namespace fs = std::filesystem;
namespace {

constexpr int kFormat = 1;

fs::path database_file(const fs::path& folder) { return folder / "manifest.sqlite"; }

std::string quoted(const std::string& name) { return "\"" + name + "\""; }

std::string columns(const Description& description) {
  std::string out = "id";
  for (const Parameter& parameter : description.parameters) out += ", " + quoted(parameter.name);
  return out;
}

std::string table(const Description& description) {
  std::string out = "CREATE TABLE run (id INTEGER PRIMARY KEY";
  for (const Parameter& parameter : description.parameters) out += ", " + quoted(parameter.name);
  out +=
      ", state TEXT NOT NULL DEFAULT 'missing', attempts INTEGER NOT NULL DEFAULT 0, exit INTEGER, "
      "state_hash TEXT";
  for (const Metric& metric : description.metrics) out += ", " + quoted(metric.name) + " REAL";
  return out + ", wall REAL, version TEXT, machine TEXT, worker TEXT, began TEXT, message TEXT)";
}

}  // namespace

fs::path journal_folder(const fs::path& folder) { return folder / "journal"; }

FolderLock::FolderLock(const fs::path& file, Wait wait)
    : file_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (!file_.open())
    throw std::runtime_error(fmt::format("cannot write {}: {}", file.string(), strerror(errno)));
  int result = 0;
  do {
    result = flock(file_.get(), LOCK_EX | (wait == Wait::kNo ? LOCK_NB : 0));
  } while (result != 0 && errno == EINTR);
  if (result == 0) return;
  const int error = errno;
  file_.close();
  if (wait == Wait::kNo && error == EWOULDBLOCK) return;
  throw std::runtime_error(fmt::format("cannot lock {}: {}", file.string(), strerror(error)));
}

bool Manifest::exists(const fs::path& folder) { return fs::exists(database_file(folder)); }

void Manifest::create(const fs::path& folder, const Description& description, const Design& design,
                      const std::string& version) {
  fs::create_directories(journal_folder(folder));
  const FolderLock lock(folder / "manifest.lock");
  if (exists(folder))
    throw std::runtime_error(fmt::format("{} holds a sweep already", folder.string()));
  // Under another name until it is whole: no journal of its own is needed for that.
  const fs::path part = folder / "manifest.sqlite.part";
  fs::remove(part);
  {
    Database database(part, Database::Open::kNew);
    database.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF");
    Transaction transaction(database);
    database.execute("CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID");
    database.execute(table(description));
    database.execute(
        "CREATE TABLE journal (name TEXT PRIMARY KEY, read INTEGER NOT NULL) WITHOUT ROWID");
    database.execute("CREATE TABLE job (id TEXT PRIMARY KEY) WITHOUT ROWID");
    database.execute("CREATE TABLE difference (run INTEGER, first TEXT, second TEXT, worker TEXT)");
    Statement about(database, "INSERT INTO about VALUES (?, ?)");
    for (const auto& [name, value] :
         std::map<std::string, std::string>{{"format", std::to_string(kFormat)},
                                            {"description", description.text},
                                            {"folder", fs::absolute(description.folder).string()},
                                            {"version", version},
                                            {"created", utc_now()},
                                            {"submissions", "0"}}) {
      about.bind(std::string_view(name)).bind(std::string_view(value)).run();
    }
    std::string marks = "?";
    for (std::size_t i = 0; i < description.parameters.size(); ++i) marks += ", ?";
    Statement insert(database,
                     fmt::format("INSERT INTO run ({}) VALUES ({})", columns(description), marks));
    for (std::int64_t run = 0; run < design.runs(); ++run) {
      insert.bind(run);
      for (const std::string& value : design.values(run)) insert.bind_value(value);
      insert.run();
    }
    // Few rows are not done, and these are looked for.
    database.execute("CREATE INDEX run_open ON run (state) WHERE state <> 'done'");
    transaction.commit();
  }
  const Descriptor file(::open(part.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open() || fsync(file.get()) != 0 ||
      ::rename(part.c_str(), database_file(folder).c_str()) != 0) {
    throw std::runtime_error(
        fmt::format("cannot write {}: {}", database_file(folder).string(), strerror(errno)));
  }
}

Manifest::Manifest(const fs::path& folder, std::chrono::milliseconds patience)
    : folder_(folder),
      lock_((exists(folder)
                 ? folder
                 : throw std::runtime_error(fmt::format(
                       "there is no sweep in '{}': it has no manifest.sqlite", folder.string()))) /
            "manifest.lock"),
      database_(database_file(folder), Database::Open::kExisting, patience) {
  database_.execute(
      "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
      "PRAGMA cache_size=-65536");
  if (about("format") != std::to_string(kFormat)) {
    throw std::runtime_error(fmt::format("{} has format {}, this version reads {}",
                                         database_file(folder).string(), about("format"), kFormat));
  }
  Diagnostics diagnostics;
  auto description = read_description_text(database_file(folder).string(), about("description"),
                                           about("folder"), diagnostics);
  if (!description) throw std::runtime_error(diagnostics.to_string());
  description_ = std::move(*description);
  began_ = std::make_unique<Statement>(
      database_,
      "UPDATE run SET attempts = attempts + 1, state = iif(state = 'done', state, 'running'), "
      "worker = iif(state = 'done', worker, ?2), version = iif(state = 'done', version, ?3), "
      "machine = iif(state = 'done', machine, ?4), began = iif(state = 'done', began, ?5) WHERE id "
      "= ?1");
  stopped_ = std::make_unique<Statement>(
      database_, "UPDATE run SET state = 'missing' WHERE id = ? AND state = 'running'");
  std::string metrics;
  int next = 8;
  for (const Metric& metric : description_.metrics) {
    metrics += fmt::format(", {} = ?{}", quoted(metric.name), next++);
  }
  ended_ = std::make_unique<Statement>(
      database_, fmt::format("UPDATE run SET state = ?2, exit = ?3, state_hash = ?4, wall = ?5, "
                             "message = ?6, worker = ?7{} WHERE id = ?1 AND state <> 'done'",
                             metrics));
  known_hash_ =
      std::make_unique<Statement>(database_, "SELECT state_hash, worker FROM run WHERE id = ?");
  differs_ = std::make_unique<Statement>(database_, "INSERT INTO difference VALUES (?, ?, ?, ?)");
}

std::string Manifest::about(const std::string& name) const {
  Statement read(database_, "SELECT value FROM about WHERE name = ?");
  read.bind(std::string_view(name));
  return read.step() ? read.text(0) : "";
}

void Manifest::set_about(const std::string& name, const std::string& value) {
  Statement(database_, "UPDATE about SET value = ? WHERE name = ?")
      .bind(std::string_view(value))
      .bind(std::string_view(name))
      .run();
}

void Manifest::gather() {
  Transaction transaction(database_);
  std::map<std::string, std::int64_t> read;
  {
    Statement all(database_, "SELECT name, read FROM journal");
    while (all.step()) read[all.text(0)] = all.integer(1);
  }
  std::set<std::string> running;
  const auto workers_of_runs = [&] {
    running.clear();
    Statement workers(database_, "SELECT DISTINCT worker FROM run WHERE state = 'running'");
    while (workers.step()) running.insert(workers.text(0));
  };
  workers_of_runs();
  Statement note(database_, "INSERT OR REPLACE INTO journal VALUES (?, ?)");
  std::set<std::string> alive;
  const fs::path journals = journal_folder(folder_);
  for (const std::string& name : journal_names(journals)) {
    const fs::path file = journals / (name + ".jsonl");
    std::int64_t& from = read[name];
    std::error_code gone;
    const auto size = static_cast<std::int64_t>(fs::file_size(file, gone));
    if (gone || (size <= from && !running.contains(name))) continue;
    // Before reading: what a worker wrote that has ended by now is read whole.
    if (is_written(file)) alive.insert(name);
    while (true) {
      const JournalPart part = read_journal(file, from);
      if (part.read == from) break;
      for (const Attempt& attempt : part.attempts) take(name, attempt);
      from = part.read;
      note.bind(std::string_view(name)).bind(from).run();
    }
  }
  workers_of_runs();
  for (const std::string& worker : running) {
    if (alive.contains(worker)) continue;
    Statement(database_,
              "UPDATE run SET state = 'missing', message = 'its worker ended' "
              "WHERE state = 'running' AND worker = ?")
        .bind(std::string_view(worker))
        .run();
  }
  transaction.commit();
}

void Manifest::take(const std::string& worker, const Attempt& attempt) {
  using Event = Attempt::Event;
  if (attempt.event == Event::kBegan) {
    began_->bind(attempt.run)
        .bind(std::string_view(worker))
        .bind(std::string_view(attempt.version))
        .bind(std::string_view(attempt.machine))
        .bind(std::string_view(attempt.began))
        .run();
    return;
  }
  if (attempt.event == Event::kStopped) return stopped_->bind(attempt.run).run();
  ended_->bind(attempt.run)
      .bind(attempt.event == Event::kDone ? "done" : "failed")
      .bind(static_cast<std::int64_t>(attempt.exit))
      .bind(std::string_view(attempt.state_hash))
      .bind(attempt.wall);
  attempt.message.empty() ? ended_->bind_null() : ended_->bind(std::string_view(attempt.message));
  ended_->bind(std::string_view(worker));
  for (std::size_t i = 0; i < description_.metrics.size(); ++i) {
    const bool there = i < attempt.metrics.size() && attempt.metrics[i];
    there ? ended_->bind(*attempt.metrics[i]) : ended_->bind_null();
  }
  ended_->run();
  if (database_.changes() > 0 || attempt.event != Event::kDone) return;
  // It was done already: the same result, or the run depends on more than it should.
  known_hash_->bind(attempt.run);
  if (known_hash_->step() && known_hash_->text(0) != attempt.state_hash) {
    differs_->bind(attempt.run)
        .bind(std::string_view(known_hash_->text(0)))
        .bind(std::string_view(attempt.state_hash))
        .bind(std::string_view(worker))
        .run();
  }
  known_hash_->reset();
}

Counts Manifest::counts() const {
  Counts out;
  Statement read(database_,
                 "SELECT state, count(*), sum(attempts), total(wall) FROM run GROUP BY state");
  while (read.step()) {
    const std::string state = read.text(0);
    const std::int64_t count = read.integer(1);
    out.runs += count;
    out.attempts += read.integer(2);
    if (state == "done") out.done = count, out.wall = read.number(3);
    if (state == "failed") out.failed = count;
    if (state == "running") out.running = count;
    if (state == "missing") out.missing = count;
  }
  return out;
}

std::vector<std::int64_t> Manifest::open_runs(std::int64_t attempts) const {
  std::vector<std::int64_t> out;
  Statement read(
      database_,
      "SELECT id FROM run WHERE state <> 'done' AND (state = 'missing' OR (state = 'failed' AND "
      "attempts < ?)) ORDER BY id");
  read.bind(attempts);
  while (read.step()) out.push_back(read.integer(0));
  return out;
}

void Manifest::for_each(const std::function<void(const Row&)>& use,
                        const std::string& where) const {
  std::string names = columns(description_) +
                      ", state, attempts, exit, state_hash, wall, version, machine, message";
  for (const Metric& metric : description_.metrics) names += ", " + quoted(metric.name);
  Statement read(database_, fmt::format("SELECT {} FROM run {} ORDER BY id", names, where));
  const int parameters = static_cast<int>(description_.parameters.size());
  Row row;
  while (read.step()) {
    row.id = read.integer(0);
    row.parameters.clear();
    for (int i = 0; i < parameters; ++i) {
      // As the description has it: SQLite would write 15 digits.
      row.parameters.push_back(read.type(1 + i) == SQLITE_FLOAT
                                   ? fmt::format("{}", read.number(1 + i))
                                   : read.text(1 + i));
    }
    const int at = 1 + parameters;
    row.state = read.text(at);
    row.attempts = read.integer(at + 1);
    row.exit =
        read.null(at + 2) ? std::nullopt : std::optional(static_cast<int>(read.integer(at + 2)));
    row.state_hash = read.text(at + 3);
    row.wall = read.null(at + 4) ? std::nullopt : std::optional(read.number(at + 4));
    row.version = read.text(at + 5);
    row.machine = read.text(at + 6);
    row.message = read.text(at + 7);
    row.metrics.clear();
    for (int i = 0; i < static_cast<int>(description_.metrics.size()); ++i) {
      const int column = at + 8 + i;
      row.metrics.push_back(read.null(column) ? std::nullopt : std::optional(read.number(column)));
    }
    use(row);
  }
}

std::vector<Difference> Manifest::differences() const {
  std::vector<Difference> out;
  Statement read(database_,
                 "SELECT run, first, second, worker FROM difference ORDER BY run, rowid");
  while (read.step()) out.push_back({read.integer(0), read.text(1), read.text(2), read.text(3)});
  return out;
}

void Manifest::add_jobs(const std::vector<std::string>& jobs) {
  Transaction transaction(database_);
  Statement insert(database_, "INSERT OR IGNORE INTO job VALUES (?)");
  for (const std::string& job : jobs) insert.bind(std::string_view(job)).run();
  transaction.commit();
}

std::vector<std::string> Manifest::jobs() const {
  std::vector<std::string> out;
  Statement read(database_, "SELECT id FROM job");
  while (read.step()) out.push_back(read.text(0));
  return out;
}

int Manifest::next_submission() {
  const int number = std::stoi(about("submissions")) + 1;
  set_about("submissions", std::to_string(number));
  return number;
}

}  // namespace protobeam::sweep
