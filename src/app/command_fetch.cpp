// fetch: what a world names on the web, into the cache, with a lock file beside the world.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/commands.h"
#include "app/diagnostics_json.h"
#include "app/log.h"
#include "app/standard_streams.h"
#include "app/world_options.h"
#include "base/address.h"
#include "base/named_files.h"
#include "base/stop.h"
#include "fetch/fuel_world.h"
#include "fetch/world_assets.h"

namespace protobeam {
namespace {

struct FetchArguments {
  std::string world, from, out;
  std::vector<std::string> proto_path, packages;
  double max_file = 256, max_total = 4096, timeout = 20;
  int jobs = 8;
  bool update = false, allow_http = false, json = false;
};

const char* name_of(FetchedAsset::State state) {
  switch (state) {
    case FetchedAsset::State::kKept:
      return "kept";
    case FetchedAsset::State::kFetched:
      return "fetched";
    case FetchedAsset::State::kCopied:
      return "copied";
    case FetchedAsset::State::kFailed:
      break;
  }
  return "failed";
}

DownloadLimits limits_of(const FetchArguments& arguments) {
  DownloadLimits out;
  out.jobs = arguments.jobs;
  out.file_bytes = static_cast<std::size_t>(arguments.max_file * 1e6);
  out.total_bytes = static_cast<std::size_t>(arguments.max_total * 1e6);
  out.stall_seconds = arguments.timeout;
  out.connect_seconds = std::min(15.0, arguments.timeout);
  out.allow_http = arguments.allow_http;
  return out;
}

int fetch(FetchArguments arguments) {
  stop::catch_signals();
  FetchOptions options;
  options.limits = limits_of(arguments);
  if (is_address(arguments.world)) {
    try {
      arguments.world = fetch_fuel_world(arguments.world, arguments.out, options.limits);
    } catch (const std::runtime_error& problem) {
      if (!stop::requested()) throw;
      log_error(problem.what());
      return kExitInterrupted;
    }
    if (!arguments.json) print_out("the world is {}\n", arguments.world);
  } else if (!arguments.out.empty()) {
    throw std::runtime_error("--out is for a world of Gazebo Fuel, which is named by its address");
  }
  SchemaRegistry schemas;
  PluginLoader plugins;
  fill_schemas(schemas, plugins);
  wbt::LoadOptions load = project_load_options(arguments.world, schemas, plugins);
  load.proto_path = proto_folders({arguments.proto_path.begin(), arguments.proto_path.end()});
  options.update = arguments.update;
  options.webots = WebotsFolder::from_environment();
  if (!arguments.from.empty()) options.webots.emplace(arguments.from, true);
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto progress = [&](std::size_t done, std::size_t known, std::size_t bytes) {
    if (terminal)
      print_err("\r{} of {} files, {:.1f} MB ", done, known, 1e-6 * static_cast<double>(bytes));
  };
  Diagnostics diagnostics;
  const WorldFileOptions world{0, false, packages_of(arguments.packages), {}};
  const auto read = [&](const auto& path, const wbt::LoadOptions& how, Diagnostics& problems) {
    check_any_file(path, world, how, problems);
  };
  const FetchReport report =
      fetch_assets(arguments.world, read, load, options, diagnostics, progress);
  if (terminal) write_to(stderr, "\r\033[K");
  write_to(stderr, diagnostics.to_string(color_stderr()));
  plugins.check();
  std::size_t failed = 0, got = 0;
  nlohmann::json rows = nlohmann::json::array();
  for (const FetchedAsset& asset : report.assets) {
    failed += asset.state == FetchedAsset::State::kFailed;
    got +=
        asset.state == FetchedAsset::State::kFetched || asset.state == FetchedAsset::State::kCopied;
    rows.push_back({{"address", asset.address}, {"state", name_of(asset.state)}});
    if (!asset.error.empty()) rows.back()["error"] = asset.error;
  }
  const bool nothing = report.assets.empty() && report.unreadable;
  if (arguments.json) {
    // Of one that names something all the same, `check` tells them.
    for (const Diagnostic& one : report.mistakes)
      if (nothing) diagnostics.add(one);
    nlohmann::json out = diagnostics_json(diagnostics, arguments.world);
    out.update({{"world", arguments.world},
                {"lock_file", report.lock_file.string()},
                {"cache", AssetCache::of_user().folder().string()},
                {"assets", rows},
                {"bytes", report.bytes},
                {"interrupted", report.interrupted}});
    print_out("{}\n", json_text(out));
  } else if (report.assets.empty() && !diagnostics.has_errors()) {
    print_out("{} names nothing on the web{}\n", arguments.world,
              report.unreadable
                  ? ", as far as it can be read; `protobeam check` says what is wrong "
                    "with it"
                  : "");
  } else {
    print_out("{}: {} files, {} of them new ({:.1f} MB from the web), {} failed\n",
              report.lock_file.string(), report.assets.size(), got,
              1e-6 * static_cast<double>(report.bytes), failed);
  }
  if (report.interrupted) return kExitInterrupted;
  return diagnostics.has_errors() || nothing ? kExitData : kExitGood;
}

}  // namespace

void add_fetch(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<FetchArguments>();
  CLI::App* command = app.add_subcommand(
      "fetch", "Gets what a world names by https:// and webots://, and locks it beside the world");
  command
      ->add_option("WORLD", arguments->world,
                   "A world (.wbt, .xml of MVSim, .sdf or .world of Gazebo), a robot (.urdf), a "
                   "PROTO (.proto), or a world of Gazebo Fuel by its address")
      ->required()
      ->check(CLI::Validator(
          [of_file = ending_argument({".wbt", ".xml", ".sdf", ".world", ".urdf", ".proto"})](
              std::string& world) { return is_address(world) ? std::string() : of_file(world); },
          "FILE"));
  command->add_option("--out", arguments->out,
                      "The folder for a world of Gazebo Fuel (default: its name)");
  add_proto_path(*command, arguments->proto_path);
  add_packages(*command, arguments->packages);
  command
      ->add_option(
          "--from", arguments->from,
          "An installed Webots or a copy of its repository: Webots' own files are taken from "
          "there (default: $WEBOTS_HOME, for files of its release)")
      ->check(CLI::ExistingDirectory);
  command->add_flag("--update", arguments->update,
                    "Asks for everything again, and takes what has changed");
  command->add_option("--jobs", arguments->jobs, "Transfers at once (default 8)")
      ->check(CLI::Range(1, 64));
  command
      ->add_option("--timeout", arguments->timeout,
                   "Seconds without a connection, or with less than 1 kB/s (default 20)")
      ->check(range_argument(1, 3600));
  command->add_option("--max-file", arguments->max_file, "MB of one file (default 256)")
      ->check(range_argument(0.001, 100'000));
  command->add_option("--max-total", arguments->max_total, "MB of all files (default 4096)")
      ->check(range_argument(0.001, 1'000'000));
  command->add_flag("--allow-http", arguments->allow_http,
                    "Permits http:// addresses, whose files anybody on the way can change");
  command->add_flag("--json", arguments->json, "One JSON object on stdout, nothing else");
  command->callback([&chosen, arguments] { chosen = [arguments] { return fetch(*arguments); }; });
}

}  // namespace protobeam
