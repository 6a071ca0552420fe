#include "assets/derived_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "assets/asset_cache.h"
#include "assets/sha256.h"
#include "base/whole_file.h"
#include "base/worker_process.h"
#include "base/xxh3.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

/// Before the bytes.
struct Head {
  char magic[8] = {'P', 'B', 'D', 'E', 'R', 'I', 'V', '1'};
  std::uint64_t size = 0, hash = 0;
};

/// An entry that is used often is written about it once a day only.
void note_use(const fs::path& file) {
  using namespace std::chrono_literals;
  std::error_code error;
  const auto last = fs::last_write_time(file, error), now = fs::file_time_type::clock::now();
  if (!error && now - last > 24h) fs::last_write_time(file, now, error);
}

}  // namespace

DerivedCache DerivedCache::of_user() {
  const char* wanted = std::getenv("PROTOBEAM_DERIVED_CACHE");
  if (wanted != nullptr && std::string_view(wanted) == "0") return DerivedCache({});
  return DerivedCache(AssetCache::of_user().folder());
}

fs::path DerivedCache::folder_of_user() { return AssetCache::of_user().folder() / "derived"; }

fs::path DerivedCache::file_of(std::string_view key) const {
  const std::string name = sha256_hex(key);
  return folder_ / "derived" / name.substr(0, 2) / name.substr(2);
}

std::optional<std::string> DerivedCache::find(std::string_view key) const {
  if (folder_.empty()) return {};
  const fs::path file = file_of(key);
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  try {
    std::string bytes = read_whole_file(file, kMostBytes + sizeof(Head));
    Head head;
    const Head known;
    if (bytes.size() < sizeof head) return {};
    std::memcpy(&head, bytes.data(), sizeof head);
    bytes.erase(0, sizeof head);
    const bool whole = std::memcmp(head.magic, known.magic, sizeof head.magic) == 0 &&
                       head.size == bytes.size() &&
                       head.hash == XXH3_64bits(bytes.data(), bytes.size());
    if (!whole) return {};
    note_use(file);
    return bytes;
  } catch (const std::runtime_error&) {
    return {};
  }
}

void DerivedCache::store(std::string_view key, std::string_view bytes) {
  if (folder_.empty() || bytes.size() > kMostBytes) return;
  const fs::path file = file_of(key);
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return;
  Head head;
  head.size = bytes.size();
  head.hash = XXH3_64bits(bytes.data(), bytes.size());
  std::string all(reinterpret_cast<const char*>(&head), sizeof head);
  all += bytes;
  try {
    write_whole_file(file, all);
  } catch (const std::runtime_error&) {
    return;
  }
  // The first time in a program, and then when a lot has come.
  if (stored_ && (*stored_ += all.size()) < limit_ / 8) return;
  prune();
  stored_ = 0;
}

void DerivedCache::prune() const {
  struct Entry {
    fs::file_time_type used;
    std::uintmax_t size;
    fs::path file;
  };
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder_ / "derived", error), end; it != end;
       it.increment(error)) {
    if (error) return;  // somebody else is removing
    std::error_code gone;
    if (!it->is_regular_file(gone)) continue;
    Entry entry{it->last_write_time(gone), it->file_size(gone), it->path()};
    if (gone) continue;
    total += entry.size;
    entries.push_back(std::move(entry));
  }
  if (total <= limit_) return;
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.used != b.used ? a.used < b.used : a.file < b.file;
  });
  for (const Entry& entry : entries) {
    if (total <= limit_ / 4 * 3) return;
    std::error_code ignored;
    if (fs::remove(entry.file, ignored)) total -= entry.size;
  }
}

std::string stamp_of(const fs::path& program) {
  struct stat about {};
  if (program.empty() || stat(program.c_str(), &about) != 0) return {};
  return fmt::format("{}:{}:{}.{:09}", about.st_ino, about.st_size, about.st_mtim.tv_sec,
                     about.st_mtim.tv_nsec);
}

std::string stamp_of_programs() {
  const std::string worker = stamp_of(WorkerProcess::program());
  return worker.empty() ? worker : stamp_of("/proc/self/exe") + ' ' + worker;
}

std::string_view text_of(std::span<const std::byte> message) {
  return {reinterpret_cast<const char*>(message.data()), message.size()};
}

}  // namespace protobeam
