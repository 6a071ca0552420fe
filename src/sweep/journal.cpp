#include "sweep/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace protobeam::sweep {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 4> kEvents{"began", "done", "failed", "stopped"};
constexpr std::size_t kPart = 16u << 20;

[[noreturn]] void cannot(const char* what, const std::filesystem::path& path, int error) {
  throw std::runtime_error(fmt::format("cannot {} {}: {}", what, path.string(), strerror(error)));
}

}  // namespace

std::string machine_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string utc_now() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm parts{};
  gmtime_r(&now.tv_sec, &parts);
  char text[32];
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string to_line(const Attempt& attempt) {
  json out{{"event", kEvents[static_cast<std::size_t>(attempt.event)]}, {"run", attempt.run}};
  if (attempt.event == Attempt::Event::kBegan) {
    out["version"] = attempt.version;
    out["machine"] = attempt.machine;
    out["began"] = attempt.began;
  } else if (attempt.event != Attempt::Event::kStopped) {
    out["exit"] = attempt.exit;
    out["wall"] = attempt.wall;
    out["state_hash"] = attempt.state_hash;
    out["message"] = attempt.message;
    out["metrics"] = json::array();
    for (const auto& metric : attempt.metrics) {
      out["metrics"].push_back(metric ? json(*metric) : json(nullptr));
    }
  }
  return out.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::optional<Attempt> from_line(const std::string& line) {
  const json in = json::parse(line, nullptr, false);
  if (!in.is_object()) return std::nullopt;
  Attempt out;
  try {
    const auto event = std::ranges::find(kEvents, in.at("event").get<std::string>());
    if (event == kEvents.end()) return std::nullopt;
    out.event = static_cast<Attempt::Event>(event - kEvents.begin());
    out.run = in.at("run").get<std::int64_t>();
    out.exit = in.value("exit", 0);
    out.wall = in.value("wall", 0.0);
    out.state_hash = in.value("state_hash", "");
    out.message = in.value("message", "");
    out.version = in.value("version", "");
    out.machine = in.value("machine", "");
    out.began = in.value("began", "");
    for (const json& metric : in.value("metrics", json::array())) {
      out.metrics.push_back(metric.is_number() ? std::optional(metric.get<double>())
                                               : std::nullopt);
    }
  } catch (const json::exception&) {
    return std::nullopt;
  }
  return out;
}

Journal::Journal(const std::filesystem::path& folder, const std::string& prefix) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  name_ = fmt::format("{}{}-{}-{:x}", prefix, machine_name(), getpid(),
                      static_cast<std::uint64_t>(now.tv_sec) * 1000000000u +
                          static_cast<std::uint64_t>(now.tv_nsec));
  path_ = folder / (name_ + ".jsonl");
  file_ =
      Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666));
  if (!file_.open()) cannot("write", path_, errno);
  // A gatherer that looks whether it is locked has it for a moment.
  if (flock(file_.get(), LOCK_EX) != 0) cannot("lock", path_, errno);
}

void Journal::add(const Attempt& attempt) {
  const std::string line = to_line(attempt);
  ssize_t written = 0;
  do {
    written = ::write(file_.get(), line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  int error = written < 0 ? errno : 0;
  if (written >= 0 && static_cast<std::size_t>(written) < line.size()) error = ENOSPC;
  // Some file systems find out only here.
  if (error == 0 && fdatasync(file_.get()) != 0 && errno != EINVAL) error = errno;
  if (error != 0) {
    if (ftruncate(file_.get(), size_) != 0) {
      // Half a line stays; the reader leaves it out.
    }
    cannot("write", path_, error);
  }
  size_ += static_cast<std::int64_t>(line.size());
}

JournalPart read_journal(const std::filesystem::path& file, std::int64_t from) {
  JournalPart out;
  out.read = from;
  const Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in.open()) cannot("read", file, errno);
  std::string text;
  std::string block(1u << 16, '\0');
  while (text.size() < kPart) {
    const ssize_t got =
        pread(in.get(), block.data(), block.size(), from + static_cast<std::int64_t>(text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot("read", file, errno);
    if (got == 0) break;
    text.append(block, 0, static_cast<std::size_t>(got));
  }
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    auto attempt = from_line(text.substr(begin, end - begin));
    if (attempt) out.attempts.push_back(std::move(*attempt));
    if (!attempt) ++out.unreadable;
  }
  out.read += static_cast<std::int64_t>(begin);
  return out;
}

bool is_written(const std::filesystem::path& file) {
  // For writing: over NFS such a lock is one of records, which asks for that.
  const Descriptor in(::open(file.c_str(), O_RDWR | O_CLOEXEC));
  if (!in.open()) return false;
  return flock(in.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

std::vector<std::string> journal_names(const std::filesystem::path& folder,
                                       const std::string& prefix) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::filesystem::path& path = entry.path();
    const std::string name = path.stem().string();
    if (path.extension() == ".jsonl" && name.starts_with(prefix)) names.push_back(name);
  }
  std::ranges::stable_sort(names);
  return names;
}

}  // namespace protobeam::sweep
