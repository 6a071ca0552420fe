#include "assets/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace protobeam {
namespace fs = std::filesystem;
namespace {

struct Free {
  void operator()(archive* one) const { archive_read_free(one); }
};

[[noreturn]] void fail(archive* from) {
  const char* why = archive_error_string(from);
  throw std::runtime_error(std::string("no archive that can be unpacked: ") +
                           (why ? why : "unknown format"));
}

/// Throws for a name that leaves the folder.
fs::path inner_path(const char* name) {
  std::string text = name ? name : "";
  std::ranges::replace(text, '\\', '/');
  const fs::path path(text);
  const bool leaves = path.is_absolute() || std::ranges::find(path, fs::path("..")) != path.end();
  if (text.empty() || leaves || text.find('\0') != std::string::npos)
    throw std::runtime_error("the archive names '" + text + "', which is not in it");
  return path.lexically_normal();
}

void write_file(archive* from, const fs::path& file, std::size_t& left) {
  std::ofstream out(file, std::ios::binary);
  std::vector<char> part(std::size_t{1} << 16);
  for (;;) {
    const la_ssize_t count = archive_read_data(from, part.data(), part.size());
    if (count < 0) fail(from);
    if (count == 0) break;
    const auto bytes = static_cast<std::size_t>(count);
    if (bytes > left) throw std::runtime_error("the archive has too many bytes");
    left -= bytes;
    out.write(part.data(), count);
  }
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace

void unpack_zip(std::string_view bytes, const fs::path& folder, const UnpackLimits& limits) {
  const std::unique_ptr<archive, Free> from(archive_read_new());
  if (!from) throw std::bad_alloc();
  archive_read_support_format_zip_seekable(from.get());
  if (archive_read_open_memory(from.get(), bytes.data(), bytes.size()) != ARCHIVE_OK)
    fail(from.get());
  fs::create_directories(folder);
  std::size_t left = limits.bytes, files = 0;
  archive_entry* entry = nullptr;
  for (;;) {
    const int result = archive_read_next_header(from.get(), &entry);
    if (result == ARCHIVE_EOF) break;
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) fail(from.get());
    if (++files > limits.files)
      throw std::runtime_error(fmt::format("the archive has more than {} files", limits.files));
    const char* name = archive_entry_pathname_utf8(entry);
    const fs::path file = folder / inner_path(name ? name : archive_entry_pathname(entry));
    const auto kind = archive_entry_filetype(entry);
    if (kind == AE_IFDIR) {
      fs::create_directories(file);
    } else if (kind == AE_IFREG && !archive_entry_hardlink(entry)) {
      fs::create_directories(file.parent_path());
      write_file(from.get(), file, left);
    } else {
      throw std::runtime_error("the archive has a link or a device: '" +
                               file.lexically_relative(folder).string() + "'");
    }
  }
}

void unpack_zip_whole(std::string_view bytes, const fs::path& folder,
                      const std::function<void(const fs::path&)>& look_at) {
  std::error_code error;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), error);
  // Inside of a folder of our own, which nobody else may read, it gets the usual permissions.
  std::string part = folder.string() + ".XXXXXX";
  if (!mkdtemp(part.data())) throw std::runtime_error("cannot write " + folder.string());
  try {
    unpack_zip(bytes, fs::path(part) / "all");
    if (look_at) look_at(fs::path(part) / "all");
    fs::rename(fs::path(part) / "all", folder, error);
  } catch (...) {
    fs::remove_all(part, error);
    throw;
  }
  fs::remove_all(part, error);
  if (!fs::is_directory(folder, error)) throw std::runtime_error("cannot write " + folder.string());
}

}  // namespace protobeam
