// Where the tests' files are. Functions and not macros on the command line of every test, so that
// a compiler cache finds a test again that another checkout has compiled.
#pragma once

#include <filesystem>
#include <string>

namespace protobeam {

/// The folder of the sources: Protobeam's, or that of the project whose test it is.
std::string source_dir();
inline std::filesystem::path source_tree() { return source_dir(); }
/// The folder of the build, with bin/, lib/ and tests/ in it.
std::string build_dir();

}  // namespace protobeam
