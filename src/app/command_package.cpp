// package: the package for Debian of the build that this program belongs to.
#include <fmt/format.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <system_error>

#include "app/commands.h"
#include "app/log.h"
#include "app/standard_streams.h"
#include "app/temporary_folder.h"
#include "base/child_process.h"
#include "base/whole_file.h"
#include "sim/build_config.h"
#include "sim/paths.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

struct PackageArguments {
  std::string out = ".", compression = "xz";
};

/// The one file in `folder` that ends in .deb; empty when there is none.
fs::path package_in(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".deb") return entry.path();
  }
  return {};
}

int package(const PackageArguments& arguments) {
  if (!installed_paths().source_tree) {
    log_error("an installation cannot be packed; run ./protobeam package in a source tree");
    return kExitData;
  }
  // Elsewhere: two calls at the same time do not meet, and nothing is left in the build folder.
  const TemporaryFolder temporary("package");
  const std::string folder = temporary.file("made");
  const std::string config = (fs::path(kBinaryDir) / "CPackConfig.cmake").string();
  umask(022);  // cpack makes folders that are packed
  std::string said;
  try {
    ChildProcess cpack({.argv = {"cpack", "--config", config, "-G", "DEB", "-B", folder, "-D",
                                 "CPACK_DEBIAN_COMPRESSION_TYPE=" + arguments.compression},
                        .err = ChildProcess::Stream::kOut,
                        .own_group = false});
    const std::unique_ptr<FILE, int (*)(FILE*)> output(fdopen(cpack.out().release(), "r"), fclose);
    char buffer[4096];
    while (std::fgets(buffer, sizeof buffer, output.get())) said += buffer;
    cpack.wait();
    if (cpack.wait_status() != 0) {
      write_to(stderr, said);
      log_error(fmt::format("cpack {}", describe_wait_status(cpack.wait_status())));
      return kExitData;
    }
  } catch (const std::system_error&) {
    log_error("cannot start cpack (package cmake)");
    return kExitData;
  }
  const fs::path made = package_in(folder);
  if (made.empty()) {
    write_to(stderr, said);
    log_error("cpack has made no package");
    return kExitData;
  }
  const std::string bytes = read_whole_file(made, std::numeric_limits<std::uint32_t>::max());
  const fs::path target = fs::path(arguments.out) / made.filename();
  write_whole_file(target, bytes);
  print_out("wrote {}: {:.1f} MB\n", target.lexically_normal().string(), bytes.size() / 1e6);
  return kExitGood;
}

}  // namespace

void add_package(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<PackageArguments>();
  CLI::App* command =
      app.add_subcommand("package", "Make the package for Debian, protobeam_VERSION_amd64.deb");
  command->add_option("--out", arguments->out, "Folder where it is written (default: here)")
      ->check(CLI::ExistingDirectory);
  command
      ->add_option("--compression", arguments->compression,
                   "xz (the default, smallest), zstd, gzip (fast) or none")
      ->check(CLI::IsMember({"xz", "zstd", "gzip", "none"}));
  command->callback([&chosen, arguments] { chosen = [arguments] { return package(*arguments); }; });
}

}  // namespace protobeam
