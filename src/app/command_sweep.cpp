// sweep: many runs of a world with other parameters, here or on a cluster.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>
#include <utility>

#include "app/commands.h"
#include "app/log.h"
#include "app/standard_streams.h"
#include "app/sweep_results.h"
#include "app/world_options.h"
#include "base/stop.h"
#include "base/whole_file.h"
#include "sim/build_config.h"
#include "sweep/manifest.h"
#include "sweep/slurm.h"
#include "sweep/worker.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

using sweep::Counts;
using sweep::Description;
using sweep::Design;
using sweep::Manifest;

struct SweepCommand {
  std::string file, out;
  std::string engine = "local";
  bool resume = false, retry_failed = false, dry_run = false, wait = false, json = false;
  int jobs = 0;
  sweep::SlurmSettings slurm;
  int submission = 0, chunk = 0;  // of `sweep work`
};

std::string own_program() { return fs::read_symlink("/proc/self/exe").string(); }

/// What jobs need to know, which do not open the manifest.
fs::path description_copy(const fs::path& folder) { return folder / "description.json"; }

void write_copy(const fs::path& folder, const Description& description) {
  const nlohmann::json out{{"folder", fs::absolute(description.folder).string()},
                           {"text", description.text}};
  write_whole_file(description_copy(folder), out.dump() + "\n");
}

Description read_copy(const fs::path& folder) {
  const auto in = nlohmann::json::parse(read_whole_file(description_copy(folder), 32u << 20));
  Diagnostics diagnostics;
  auto description = sweep::read_description_text(description_copy(folder).string(),
                                                  in.at("text").get<std::string>(),
                                                  in.at("folder").get<std::string>(), diagnostics);
  if (!description) throw std::runtime_error(diagnostics.to_string());
  return std::move(*description);
}

int exit_of(const Counts& counts) {
  return counts.done == counts.runs ? kExitGood : kExitController;
}

/// A chunk of a submission, in a job of Slurm.
int work(const SweepCommand& arguments) {
  const fs::path folder = arguments.out;
  const Description description = read_copy(folder);
  const Design design(description);
  std::vector<std::int64_t> runs = sweep::chunk_runs(folder, arguments.submission, arguments.chunk);
  const std::string prefix = fmt::format("s{:04}-c{:06}-", arguments.submission, arguments.chunk);
  // The job was begun before: on a node that is lost, or that it had to leave.
  for (const std::string& name : sweep::journal_names(sweep::journal_folder(folder), prefix)) {
    for (std::int64_t read = 0;;) {
      const sweep::JournalPart part =
          sweep::read_journal(sweep::journal_folder(folder) / (name + ".jsonl"), read);
      if (part.read == read) break;
      read = part.read;
      for (const sweep::Attempt& attempt : part.attempts) {
        if (attempt.event == sweep::Attempt::Event::kDone) std::erase(runs, attempt.run);
      }
    }
  }
  stop::catch_signals();
  sweep::Worker worker(description, design,
                       {.folder = folder,
                        .prefix = prefix,
                        .program = own_program(),
                        .version = kVersion,
                        .processes = std::max(1, arguments.jobs)});
  const bool whole = worker.work(std::move(runs), [] {});
  print_out("chunk {}: {} done, {} attempts failed\n", arguments.chunk, worker.done(),
            worker.failed());
  // Runs that failed are rows of the manifest, and no reason to do the job again.
  return whole ? kExitGood : kExitInterrupted;
}

void dry_run(const Description& description, const Design& design) {
  constexpr std::int64_t kShown = 5;
  print_out("{} runs of {}\n", design.runs(), description.world.string());
  for (std::int64_t run = 0; run < std::min(design.runs(), kShown); ++run) {
    const fs::path out = description.needs_folder() ? fs::path("OUT") : fs::path();
    print_out("{}\n", shell_text(sweep::run_command(description, design.values(run), "protobeam",
                                                    run, out)));
  }
  if (design.runs() > kShown) print_out("and {} more\n", design.runs() - kShown);
}

/// The sweep in the folder; true when it was not there and is made.
bool open_folder(const SweepCommand& arguments, const Description& description,
                 const Design& design) {
  const fs::path folder = arguments.out;
  if (!Manifest::exists(folder)) {
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem)
      throw std::runtime_error(
          fmt::format("cannot write into the folder '{}': {}", folder.string(), problem.message()));
    write_copy(folder, description);
    Manifest::create(folder, description, design, kVersion);
    return true;
  }
  if (!arguments.resume) {
    throw std::runtime_error(fmt::format(
        "'{}' holds a sweep already: --resume goes on with it, another --out makes a new one",
        folder.string()));
  }
  Manifest manifest(folder);
  if (manifest.description().text != description.text ||
      manifest.description().world != description.world) {
    throw std::runtime_error(fmt::format(
        "'{}' holds another sweep than {}: its file has changed, or was another one. A new "
        "--out makes a new sweep",
        folder.string(), arguments.file));
  }
  return false;
}

/// A sweep that does not work is not begun: its file will be changed.
void forget(const fs::path& folder) {
  for (const char* name :
       {"manifest.sqlite", "manifest.sqlite-wal", "description.json", "journal"}) {
    std::error_code ignored;
    fs::remove_all(folder / name, ignored);
  }
}

/// What is to be done, and how much is.
std::vector<std::int64_t> open_runs(const SweepCommand& arguments, const Description& description,
                                    Counts* counts = nullptr) {
  Manifest manifest(arguments.out);
  manifest.gather();
  if (counts) *counts = manifest.counts();
  return manifest.open_runs(arguments.retry_failed ? std::numeric_limits<std::int64_t>::max()
                                                   : 1 + description.retries);
}

/// How far it is, on a line of the terminal.
class Progress {
 public:
  Progress(std::int64_t done, std::int64_t all, bool quiet)
      : before_(done), all_(all), quiet_(quiet || !isatty(STDERR_FILENO)) {}
  ~Progress() { clear(); }
  void show(std::int64_t done, std::int64_t failed) {
    if (quiet_) return;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    const std::int64_t now = before_ + done;
    std::string line = fmt::format("{} of {} runs", now, all_);
    if (failed > 0) line += fmt::format(", {} attempts failed", failed);
    if (done > 0)
      line += fmt::format(", {:.0f} s left",
                          seconds / static_cast<double>(done) * static_cast<double>(all_ - now));
    write_to(stderr, "\r\x1b[K" + line);
    flush(stderr);
    shown_ = true;
  }
  void clear() {
    if (shown_) write_to(stderr, "\r\x1b[K");
    shown_ = false;
  }

 private:
  std::int64_t before_, all_;
  bool quiet_, shown_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

int finish(const SweepCommand& arguments, bool interrupted) {
  Manifest manifest(arguments.out);
  manifest.gather();
  const Counts counts = manifest.counts();
  if (arguments.json) print_out("{}\n", json_of(counts).dump());
  if (!arguments.json) print_out("{}: {}\n", arguments.out, text_of(counts));
  if (interrupted) {
    log_note("interrupted: --resume goes on");
    return kExitInterrupted;
  }
  if (!arguments.json && counts.done < counts.runs) {
    manifest.for_each(
        [shown = 0](const sweep::Row& row) mutable {
          if (++shown <= 3) print_out("run {}: {}\n", row.id, row.message);
        },
        "WHERE state = 'failed'");
  }
  return exit_of(counts);
}

int run_here(const SweepCommand& arguments, const Description& description,
             const Design& design) {
  Counts counts;
  std::vector<std::int64_t> runs = open_runs(arguments, description, &counts);
  const int processes =
      arguments.jobs > 0 ? arguments.jobs : sweep::processes_that_fit(description.memory);
  stop::catch_signals();
  bool whole = true;
  if (!runs.empty()) {
    sweep::Worker worker(description, design,
                         {.folder = arguments.out,
                          .prefix = "local-",
                          .program = own_program(),
                          .version = kVersion,
                          .processes = processes,
                          .first_decides = counts.done == 0});
    Progress progress(counts.done, counts.runs, arguments.json);
    auto gathered = std::chrono::steady_clock::now();
    bool told = false;
    whole = worker.work(std::move(runs), [&] {
      progress.show(worker.done(), worker.failed());
      const auto now = std::chrono::steady_clock::now();
      if (now - gathered < std::chrono::seconds(5)) return;
      gathered = now;
      try {
        Manifest(arguments.out, std::chrono::milliseconds(100)).gather();
      } catch (const std::exception& error) {
        // What the journals have can be gathered later.
        progress.clear();
        if (!told) log_note(fmt::format("not gathered for now: {}", error.what()));
        told = true;
      }
    });
  }
  return finish(arguments, !whole);
}

int run_on_slurm(const SweepCommand& arguments, const Description& description,
                 const Design& design) {
  const fs::path folder = fs::absolute(arguments.out);
  sweep::SlurmSettings settings = arguments.slurm;
  settings.processes = std::max(1, arguments.jobs);
  if (settings.memory == 0) settings.memory = description.memory;
  std::vector<std::string> jobs;
  {
    Manifest manifest(folder);
    jobs = manifest.jobs();
  }
  const auto live = sweep::live_jobs(jobs);  // asks Slurm in any case: is it there?
  if (jobs.empty()) sweep::max_array_size();
  if (!live.empty()) {
    throw std::runtime_error(fmt::format(
        "jobs of this sweep are waiting or running: {}; wait for them, or scancel them first",
        fmt::join(live, " ")));
  }
  Counts counts;
  std::vector<std::int64_t> runs = open_runs(arguments, description, &counts);
  stop::catch_signals();
  if (!runs.empty() && settings.chunk == 0) {
    // One run here, to see that it works and how long it takes.
    sweep::Worker worker(description, design,
                         {.folder = folder,
                          .prefix = "local-",
                          .program = own_program(),
                          .version = kVersion,
                          .first_decides = counts.done == 0});
    if (!worker.work({runs.front()}, [] {})) return finish(arguments, true);
    const double attempts = static_cast<double>(worker.done() + worker.failed());
    settings.chunk =
        sweep::chunk_of(runs.size(), worker.wall() / std::max(1.0, attempts), settings.processes);
    runs = open_runs(arguments, description, &counts);
  }
  if (runs.empty()) return finish(arguments, false);
  int number = 0;
  {
    Manifest manifest(folder);
    number = manifest.next_submission();
  }
  const sweep::Submission made =
      sweep::submit(folder, number, runs, settings,
                    [&](const std::string& job) { Manifest(folder).add_jobs({job}); });
  if (!arguments.json) {
    print_out("submitted {} runs in {} chunks of {}: jobs {}\n", runs.size(), made.chunks,
              settings.chunk, fmt::join(made.jobs, " "));
    flush(stdout);
  }
  if (!arguments.wait) return kExitGood;
  Progress progress(0, counts.runs, arguments.json);
  bool told = false;
  while (!stop::requested()) {
    bool over = false;
    try {
      over = sweep::live_jobs(made.jobs).empty();
    } catch (const std::exception& error) {
      // Slurm is busy or begins anew: the jobs go on meanwhile.
      progress.clear();
      if (!std::exchange(told, true)) log_note(error.what());
    }
    Manifest manifest(folder);
    manifest.gather();
    const Counts now = manifest.counts();
    progress.show(now.done, now.failed);
    if (over) break;
    for (int i = 0; i < 20 && !stop::requested(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  progress.clear();
  return finish(arguments, stop::requested());
}

int run_sweep(const SweepCommand& arguments) {
  if (arguments.file.empty()) {
    log_error(
        "write `sweep FILE.yaml --out DIR`, or one of status, report, gather and DIR; --help says "
        "more");
    return kExitUsage;
  }
  Diagnostics diagnostics;
  const auto description = sweep::read_description(arguments.file, diagnostics);
  log_diagnostics(diagnostics, arguments.file);
  if (!description) return kExitData;
  const Design design(*description);
  if (arguments.dry_run) {
    dry_run(*description, design);
    return kExitGood;
  }
  if (arguments.out.empty()) {
    log_error("--out DIR: where the manifest goes");
    return kExitUsage;
  }
  const bool made = open_folder(arguments, *description, design);
  const sweep::FolderLock driver(fs::path(arguments.out) / "driver.lock",
                                 sweep::FolderLock::Wait::kNo);
  if (!driver.held()) {
    throw std::runtime_error(
        fmt::format("another process works on the sweep in '{}'", arguments.out));
  }
  try {
    return arguments.engine == "slurm" ? run_on_slurm(arguments, *description, design)
                                       : run_here(arguments, *description, design);
  } catch (const sweep::FirstRunFailed& error) {
    if (made) forget(arguments.out);
    log_error(error.what());
    return kExitData;
  }
}

void add_folder(CLI::App& command, SweepCommand& arguments) {
  command.add_option("DIR", arguments.out, "The folder of the sweep")->required();
}

}  // namespace

void add_sweep(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<SweepCommand>();
  CLI::App* command = app.add_subcommand("sweep",
                                         "Many runs of a world with other parameters, here or on a "
                                         "cluster; `sweep status`, `sweep report`");
  command->require_subcommand(0, 1);
  command->add_option("FILE", arguments->file, "What is swept: a .yaml file (docs/sweeps.md)");
  command->add_option("--out", arguments->out,
                      "Folder of the manifest and of all else that the sweep writes");
  command->add_flag("--resume", arguments->resume,
                    "Go on with the sweep in that folder: what is missing, and nothing twice");
  command->add_flag("--retry-failed", arguments->retry_failed,
                    "Also runs that have failed as often as `retries` allows");
  command->add_flag("--dry-run", arguments->dry_run,
                    "Say how many runs there are and how the first ones are started");
  command
      ->add_option("--engine", arguments->engine,
                   "local: processes on this machine; slurm: job arrays")
      ->check(CLI::IsMember({"local", "slurm"}));
  command
      ->add_option("--jobs", arguments->jobs,
                   "Runs at once (default: one a processor, as memory allows); with slurm in each "
                   "job (default: 1)")
      ->check(CLI::Range(1, 4096));
  command
      ->add_option("--chunk", arguments->slurm.chunk,
                   "Slurm: runs a job (default: one run is made here, and jobs take ten minutes)")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--max-parallel", arguments->slurm.max_parallel, "Slurm: jobs at once")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--time", arguments->slurm.time,
                      "Slurm: time limit of a job, as sbatch takes it");
  command
      ->add_option("--memory", arguments->slurm.memory,
                   "Slurm: GB for each run (default: `memory` of FILE)")
      ->check(positive_argument());
  command
      ->add_option("--slurm-option", arguments->slurm.options,
                   "Slurm: another option of sbatch, as in --slurm-option=--partition=long; may be "
                   "given several times")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option(
      "--launcher", arguments->slurm.launcher,
      "Slurm: how jobs start protobeam, as in \"apptainer exec image.sif protobeam\"");
  command->add_flag("--wait", arguments->wait, "Slurm: until all jobs are over");
  command->add_flag("--json", arguments->json, "One JSON object on stdout, nothing else");

  const auto add = [&](const char* name, const char* help) {
    CLI::App* sub = command->add_subcommand(name, help);
    add_folder(*sub, *arguments);
    return sub;
  };
  CLI::App* status = add("status", "How far a sweep is, and what failed");
  status->add_flag("--json", arguments->json, "One JSON object on stdout, nothing else");
  CLI::App* results = add("report", "Tables and plots of a sweep");
  auto into = std::make_shared<std::string>();
  results->add_option("--into", *into, "Folder for them (default: DIR/report)");
  results->add_flag("--json", arguments->json, "One JSON object on stdout, nothing else");
  CLI::App* gathers = add("gather", "Take what workers did into the manifest");
  CLI::App* works = add("work", "A chunk of runs: what jobs of Slurm start");
  works->add_option("--submission", arguments->submission)->required();
  works->add_option("--chunk", arguments->chunk)->required();
  works->add_option("--jobs", arguments->jobs);
  command->callback([&chosen, arguments, into, status, results, gathers, works] {
    chosen = [arguments, into,
              which = status->parsed()    ? 0
                      : results->parsed() ? 1
                      : gathers->parsed() ? 2
                      : works->parsed()   ? 3
                                          : 4] {
      switch (which) {
        case 0:
          return show_sweep_status(arguments->out, arguments->json);
        case 1:
          return report_sweep(arguments->out, *into, arguments->json);
        case 2:
          return gather_sweep(arguments->out);
        case 3:
          return work(*arguments);
        default:
          return run_sweep(*arguments);
      }
    };
  });
}

}  // namespace protobeam
