// Finds PROTO files, without network, and keeps what was read. What an address means: the file that
// the lock file names; else one of that name in the project, in the folders of PROTOs or in the
// catalogue; else one of an installed Webots.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "wbt/document.h"
#include "wbt/load.h"

namespace protobeam::wbt {

class ProtoLibrary {
 public:
  ProtoLibrary(const LoadOptions& options, std::filesystem::path project, Diagnostics& diagnostics);

  /// The PROTO that `name` means in `user`, or null. `known` returns whether anything by that name
  /// was declared or found: then what is wrong with it has been reported.
  std::shared_ptr<const Document> find(const std::string& name, const Document& user,
                                       const Place& used_at,
                                       const std::shared_ptr<const Instantiation>& chain,
                                       bool& known);

  /// Whether `user` or its project says what PROTO `name` is. Of files without EXTERNPROTO (before
  /// R2022b) so do the stand-ins for Webots' PROTOs, and only of these.
  bool declares(const std::string& name, const Document& user);

  /// Reads a PROTO file, once; null after errors. Without a header it is of the version of the text
  /// that uses it: Webots took its own version for such a file, and refuses it since R2023a.
  std::shared_ptr<const Document> read(const std::filesystem::path& file, const Place& asked_by,
                                       Version without_header = kR2025a);

  /// Whether it is of the catalogue.
  bool is_ours(const Document& proto) const;

  /// The addresses of its EXTERNPROTO lines go to LoadOptions::addresses.
  void note_addresses(const Document& document);
  /// One warning that names all stand-ins that were read; nothing if there were none.
  void report_stand_ins();

  /// Names of all PROTOs in the search folders, and the folders: for suggestions and messages.
  std::vector<std::string> names();
  std::string searched_folders() const;

 private:
  using Index = std::map<std::string, std::filesystem::path>;
  const Index& index(const std::filesystem::path& folder);
  /// `webots`: an address says that Webots' PROTO of that name is meant.
  std::filesystem::path search(const std::string& name, bool webots = false);
  /// One warning where a PROTO of the catalogue is taken for an address that is not of Webots.
  void report_namesake(const ExternProto& declared, const std::string& address,
                       const std::filesystem::path& file);
  void check_interface(Document& document);
  /// For one of Webots' PROTOs: one of the catalogue, or a copy of it in a project.
  bool is_stand_in(const std::filesystem::path& file);

  const LoadOptions& options_;
  std::vector<std::filesystem::path> folders_;
  /// The folder among them that lies in another one (in the catalogue), with stand-ins for Webots'
  /// PROTOs; empty if there is none.
  std::filesystem::path stand_ins_;
  std::set<std::string> stand_ins_used_;
  Place first_stand_in_;
  Diagnostics& diagnostics_;
  std::map<std::filesystem::path, Index> indexes_;
  std::map<std::filesystem::path, std::shared_ptr<const Document>> documents_;
  std::set<std::string> reported_;
};

}  // namespace protobeam::wbt
