// The front end of MVSim worlds: from XML files to one expanded, checked tree of elements.
//
//   xml -> (include, variable, for, if, classes: Expander; ${} $f{} $env{} $(): Substitution) ->
//   tree -> (unknown tags, bad values: TreeChecker) -> tree
//
// What a world means is not asked here: a vehicle is an element with children.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "mvsim/element.h"
#include "mvsim/options.h"

namespace protobeam::mvsim {

struct LoadedFile {
  std::filesystem::path file;     ///< as given
  std::filesystem::path project;  ///< the folder that includes stay in
  /// Of a world: its <mvsim_world>. The children of a class are in its instances: those that the
  /// instance has itself come first, and count.
  Element root;
  std::vector<Element> definitions;  ///< roots of a definition file, without classes
  std::vector<Element> classes;      ///< those without an instance, expanded once by themselves
};

/// Reads a world. All mistakes of all its files in one run; with errors the tree must not be used.
LoadedFile load_world(const std::filesystem::path& file, const LoadOptions& options,
                      Diagnostics& diagnostics);

/// The same of a text that would lie in that file.
LoadedFile load_world_text(std::string text, const std::filesystem::path& file,
                           const LoadOptions& options, Diagnostics& diagnostics);

/// Reads a file with definitions of vehicles, sensors, ... as a world would that gives it nothing.
LoadedFile load_definitions(const std::filesystem::path& file, const LoadOptions& options,
                            Diagnostics& diagnostics);

}  // namespace protobeam::mvsim
