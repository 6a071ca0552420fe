#include "assets/file_list.h"

#include <charconv>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string_view>

#include "assets/sha256.h"
#include "base/whole_file.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

constexpr const char* kList = ".protobeam_files";
constexpr std::size_t kLargest = std::size_t{2} << 30;  ///< as archives may have in all

struct Listed {
  std::string sha256;
  std::uintmax_t size = 0;
  std::int64_t time = 0;
};

std::int64_t time_of(const fs::path& file) {
  return std::int64_t{fs::last_write_time(file).time_since_epoch().count()};
}

/// Regular files by their names in the folder; throws for other things.
std::map<std::string, fs::path> files_in(const fs::path& folder) {
  std::map<std::string, fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    std::string name = entry.path().lexically_relative(folder).string();
    if (name == kList || (entry.is_directory() && !entry.is_symlink())) continue;
    if (entry.is_symlink() || !entry.is_regular_file())
      throw std::runtime_error(name + " is no file");
    out.emplace(std::move(name), entry.path());
  }
  return out;
}

std::string hash_of(const fs::path& file) { return sha256_hex(read_whole_file(file, kLargest)); }

/// The next word of a record, which ends with `end`.
std::string_view take(std::string_view& text, char end) {
  const auto at = text.find(end);
  if (at == std::string_view::npos) throw std::runtime_error("the list of its files is damaged");
  const std::string_view word = text.substr(0, at);
  text.remove_prefix(at + 1);
  return word;
}

template <class Number>
Number number(std::string_view word) {
  Number out{};
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), out);
  if (problem != std::errc() || end != word.data() + word.size())
    throw std::runtime_error("the list of its files is damaged");
  return out;
}

/// Records "SHA256 SIZE TIME NAME", each with a zero behind it, which no name holds.
std::map<std::string, Listed> read_list(const fs::path& folder) {
  std::map<std::string, Listed> out;
  const std::string bytes = read_whole_file(folder / kList, kLargest);
  for (std::string_view text = bytes; !text.empty();) {
    Listed one;
    one.sha256 = take(text, ' ');
    one.size = number<std::uintmax_t>(take(text, ' '));
    one.time = number<std::int64_t>(take(text, ' '));
    out.emplace(take(text, '\0'), std::move(one));
  }
  return out;
}

}  // namespace

void list_files(const fs::path& folder) {
  std::string text;
  for (const auto& [name, file] : files_in(folder)) {
    text += hash_of(file) + ' ' + std::to_string(fs::file_size(file)) + ' ' +
            std::to_string(time_of(file)) + ' ' + name + '\0';
  }
  write_whole_file(folder / kList, text);
}

std::string why_changed(const fs::path& folder) {
  try {
    auto listed = read_list(folder);
    for (const auto& [name, file] : files_in(folder)) {
      const auto known = listed.extract(name);
      if (!known) return name + " is new";
      const Listed& before = known.mapped();
      if (fs::file_size(file) != before.size ||
          (time_of(file) != before.time && hash_of(file) != before.sha256))
        return name + " has been changed";
    }
    return listed.empty() ? "" : listed.begin()->first + " is gone";
  } catch (const std::exception& problem) {  // of the file system, too
    return problem.what();
  }
}

}  // namespace protobeam
