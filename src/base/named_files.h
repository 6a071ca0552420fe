// Files that a world names. It may come from anywhere, so it may name files of its project, of the
// folders of PROTOs and of what the user allows (--allow-path), and no others: a diagnostic shows
// lines of a file that is no valid one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/place.h"

namespace protobeam {

/// From now on, for the whole process. Before the first call every file is allowed.
void allow_files_below(const std::filesystem::path& folder);

/// What is allowed while it lives is not any more afterwards: for programs that read a world and then
/// go on with other things, as tests do. They may be nested.
class AllowedFilesScope {
 public:
  AllowedFilesScope();
  ~AllowedFilesScope();
  AllowedFilesScope(const AllowedFilesScope&) = delete;
  AllowedFilesScope& operator=(const AllowedFilesScope&) = delete;

 private:
  std::vector<std::filesystem::path> before_;
};

/// What is behind an address cannot be read: it is not here, or not what is expected.
class AddressError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What is behind addresses: nothing here asks the network. For all threads.
class AddressedFiles {
 public:
  virtual ~AddressedFiles() = default;
  /// Whether there is a file for it, whatever state it is in.
  virtual bool has(const std::string& address) = 0;
  /// As has(), of those only that the lock file of the world names.
  virtual bool locked(const std::string& address) = 0;
  /// The bytes, which are those that are expected. Throws std::runtime_error with the reason alone.
  virtual std::string read(const std::string& address, std::size_t limit) = 0;
  /// The folder with the files of an archive that the lock file names; "" for others. Throws as
  /// read().
  virtual std::filesystem::path unpacked(const std::string& archive) = 0;
  /// How to get what is not there: "get it by: protobeam fetch worlds/yard.wbt".
  virtual std::string how_to_get() const = 0;
};

/// From now on, for the whole process; null: there is nothing behind any address.
void set_addressed_files(std::shared_ptr<AddressedFiles> files);
std::shared_ptr<AddressedFiles> addressed_files();

/// An address that a text names, and where.
struct NamedAddress {
  std::string address;
  Place place;
  bool model = false;  ///< of a model that may name files of its own
};

/// What was fetched for an address of the web: the address itself, which read_named_file() takes,
/// or a file or folder of an unpacked archive (archived_file.h), which is allowed from now on; "":
/// it was not fetched. Throws AddressError when what was fetched is not as it should be.
std::filesystem::path fetched_file(const std::string& address);
/// What has to be fetched for it: an archive, or the address itself.
NamedAddress address_to_fetch(const std::string& address, const Place& place);

/// A file or address that is named in a text: relative names start in the folder of the text, as all
/// urls do; in a text that came from an address, they are addresses.
std::filesystem::path file_beside(const std::filesystem::path& url, const Place& place);
/// The same of a text or model by its name.
std::filesystem::path file_beside(const std::filesystem::path& url,
                                  const std::filesystem::path& text);

/// "" or why a file or address that a world names is not there; `hint` gets how to get it.
std::string why_not_there(const std::filesystem::path& file, std::string* hint = nullptr);

/// "", or why a world may not name this file; links are followed first. A file that does not exist is
/// allowed: reading it says so.
std::string why_not_allowed(const std::filesystem::path& file);

/// read_whole_file() of an allowed file, or what is behind an address (AddressError). Throws
/// std::runtime_error ("cannot read /etc/shadow: ...").
std::string read_named_file(const std::filesystem::path& file, std::size_t limit);

}  // namespace protobeam
