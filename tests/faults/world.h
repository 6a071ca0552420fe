// A world of two robots for tests that disturb one of them.
#pragma once

#include <filesystem>
#include <string>

#include "tests/support/program.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {

/// `victim`: the fields of the one under test. The other one, "witness", counts the samples of its
/// GPS: 63 in two seconds.
inline std::filesystem::path world_with(const TemporaryFolder& folder, const std::string& victim) {
  namespace fs = std::filesystem;
  fs::create_directories(folder.path() / "controllers");
  fs::copy(source_dir() + "/tests/worlds/project/controllers", folder.path() / "controllers",
           fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  return folder.write("worlds/two.wbt", R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 32 }
Robot { name "victim" )" + victim + R"( }
Robot { name "witness" translation 3 0 0 controller "counter" children [ GPS { } ] }
)");
}

inline std::string nuisance(const std::string& how, const std::string& more = {}) {
  return "controller \"nuisance\" controllerArgs [ \"" + how + "\" \"" + more + "\" ]";
}

/// The yard, whose VLP-16 sends the packets of the real one.
inline std::filesystem::path yard_with_packets(const TemporaryFolder& folder) {
  std::string text = read_bytes(source_dir() + "/worlds/yard.wbt");
  const std::string node = "VelodyneVLP-16 {";
  text.insert(text.find(node) + node.size(), " beamModel \"datasheet\"");
  const std::string catalogue = "\"../protos/";
  for (std::size_t at = 0; (at = text.find(catalogue, at)) != std::string::npos;) {
    text.replace(at, catalogue.size(), "\"" + source_dir() + "/protos/");
  }
  return folder.write("worlds/yard.wbt", text);
}

/// The program with a shell around it: `redirection` as "> /dev/full" or "| head -1". The exit code is
/// the program's.
inline Outcome in_shell(const std::string& arguments, const std::string& redirection,
                        const Surroundings& run = {}) {
  const std::string line = "'" + build_dir() + "/bin/protobeam' " + arguments + " " + redirection +
                           "; exit ${PIPESTATUS[0]}";
  return execute({"bash", "-c", line}, run);
}

/// Files whose names are of no result: what an unfinished one leaves.
inline int part_files(const std::filesystem::path& folder) {
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    count += entry.path().filename().string().find(".part") != std::string::npos;
  }
  return count;
}

}  // namespace protobeam::test
