// World files of every language that the program reads.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mvsim/world/to_webots.h"
#include "urdf/options.h"
#include "wbt/load.h"

namespace protobeam {

struct WorldFileOptions {
  std::uint64_t seed = 0;    ///< of random numbers in the text of an MVSim world
  bool allow_shell = false;  ///< MVSim worlds may run commands
  /// Folders of ROS packages and of models, by name, that robots in URDF and worlds in SDF name.
  std::map<std::string, std::filesystem::path> packages;
  /// Parameters of the controllers of robots in URDF, where their text does not name them.
  std::vector<std::filesystem::path> controllers;
};

/// A world or a robot, by the ending of its name: .wbt, .xml, .sdf, .world, .urdf or .xacro.
bool is_world_file(const std::filesystem::path& file);

/// An .xml file: MVSim's.
bool is_mvsim_file(const std::filesystem::path& file);

/// A world or model of Gazebo: .sdf or .world.
bool is_sdf_file(const std::filesystem::path& file);

/// A robot in URDF: .urdf, or .xacro, which is an error with advice.
bool is_urdf_file(const std::filesystem::path& file);
/// Up to 1 MiB, enough to distinguish a world from a definition; the reader checks the rest. "" of
/// what cannot be read.
std::string beginning_of(const std::filesystem::path& file);
/// The name of the first tag of XML, "robot"; "" without one.
std::string first_tag_of(std::string_view text);
/// Of robots in URDF and of worlds in SDF.
urdf::Options urdf_options(const WorldFileOptions& options, bool lenient);

/// A world, .wbt, MVSim's or Gazebo's, or a robot in URDF on a plain. `recordings` gets what an
/// MVSim world asks to be written; may be null.
wbt::LoadedWorld read_world(const std::filesystem::path& file, const WorldFileOptions& options,
                            const wbt::LoadOptions& load, Diagnostics& diagnostics,
                            mvsim::Recordings* recordings = nullptr);

/// An MVSim world as the document that Webots text would give, its files named relative to
/// `folder`. Nothing after errors. `addresses` gets what it names on the web; may be null.
std::optional<mvsim::WebotsWorld> read_mvsim_world(const std::filesystem::path& file,
                                                   const WorldFileOptions& options,
                                                   const std::filesystem::path& folder,
                                                   Diagnostics& diagnostics,
                                                   std::vector<NamedAddress>* addresses = nullptr);

/// Checks a world, a PROTO, or a file with definitions of an MVSim world. True when it is a world
/// that can be built.
bool check_any_file(const std::filesystem::path& file, const WorldFileOptions& options,
                    const wbt::LoadOptions& load, Diagnostics& diagnostics);

}  // namespace protobeam
