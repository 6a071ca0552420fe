// Meshes and textures by their address.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/diagnostics.h"
#include "urdf/options.h"
#include "xml/element.h"

namespace protobeam::urdf {

using xml::Element;
using xml::Text;

class Resources {
 public:
  /// `file`: the URDF.
  Resources(const std::filesystem::path& file, const Options& options);

  /// The file of `package://NAME/path` (model:// is the same), `file:///path`, a path from the
  /// URDF's folder, or what was fetched for an address of the web (fetched_file()). A message at
  /// the text that says where it was looked for otherwise.
  std::optional<std::filesystem::path> find(const Text& address, Diagnostics& diagnostics);
  /// The same whether it is there or not, of folders, too.
  std::optional<std::filesystem::path> locate(const Text& address, Diagnostics& diagnostics);
  /// The folder of a package or model, or nothing.
  std::filesystem::path package(const std::string& name);
  /// Of a file that another program has named: by its path, else as `share/NAME/path` of a package
  /// that is here. A warning when it is not.
  std::optional<std::filesystem::path> find_installed(const Text& path, Diagnostics& diagnostics);

 private:
  std::filesystem::path look_for_package(const std::string& name) const;
  /// Of a relative path, as Gazebo looks for it: in folders above that may be named, in those of
  /// models; empty when it is not there.
  std::filesystem::path of_model_paths(const std::filesystem::path& file,
                                       const std::filesystem::path& folder);

  /// Of a fetched archive that this folder is in; empty: none.
  std::filesystem::path fetched_above(std::filesystem::path folder) const;

  std::filesystem::path folder_;          ///< of the URDF
  std::filesystem::path project_folder_;  ///< whose files the URDF may name
  const Options& options_;
  std::map<std::string, std::filesystem::path> packages_;
  std::set<std::filesystem::path> fetched_;  ///< models that are archives on the web
};

/// The folder whose files a URDF may name: the uppermost one above it that holds package.xml, or
/// its own (that of a folder `urdf` or `robots`: the one above). Absolute, links followed.
std::filesystem::path project_folder(const std::filesystem::path& file);

}  // namespace protobeam::urdf
