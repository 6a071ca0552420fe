// World files of every language that the program reads.
#pragma once

#include <filesystem>
#include <optional>

#include "mvsim/world/to_webots.h"
#include "wbt/load.h"

namespace protobeam {

struct WorldFileOptions {
  std::uint64_t seed = 0;    ///< of random numbers in the text of an MVSim world
  bool allow_shell = false;  ///< MVSim worlds may run commands
};

/// An .xml file: MVSim's.
bool is_mvsim_file(const std::filesystem::path& file);

/// A world, .wbt or MVSim's. `recordings` gets what an MVSim world asks to be written; may be null.
wbt::LoadedWorld read_world(const std::filesystem::path& file, const WorldFileOptions& options,
                            const wbt::LoadOptions& load, Diagnostics& diagnostics,
                            mvsim::Recordings* recordings = nullptr);

/// An MVSim world as the document that Webots text would give, its files named relative to
/// `folder`. Nothing after errors.
std::optional<mvsim::WebotsWorld> read_mvsim_world(const std::filesystem::path& file,
                                                   const WorldFileOptions& options,
                                                   const std::filesystem::path& folder,
                                                   Diagnostics& diagnostics);

/// Checks a world, a PROTO, or a file with definitions of an MVSim world. True when it is a world
/// that can be built.
bool check_any_file(const std::filesystem::path& file, const WorldFileOptions& options,
                    const wbt::LoadOptions& load, Diagnostics& diagnostics);

}  // namespace protobeam
