#include "sweep/slurm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "base/child_process.h"
#include "base/text.h"
#include "base/whole_file.h"

namespace protobeam::sweep {
namespace fs = std::filesystem;
namespace {

constexpr double kJobSeconds = 600;
constexpr int kMostRunsInChunk = 10000;
constexpr std::size_t kLargestPlan = 1u << 30;

fs::path plan_file(const fs::path& folder, int number) {
  return folder / "submissions" / fmt::format("{:04}.runs", number);
}

std::string read_to_end(Descriptor& from) {
  std::string out;
  char block[1 << 14];
  for (ssize_t got; (got = ::read(from.get(), block, sizeof block)) > 0;) {
    out.append(block, static_cast<std::size_t>(got));
  }
  return out;
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string started_by(const SlurmSettings& settings) {
  return settings.launcher.empty() ? shell_word(fs::read_symlink("/proc/self/exe").string())
                                   : settings.launcher;
}

/// What both kinds of jobs have.
std::string job_head(const fs::path& folder, const std::string& name, const std::string& log,
                     const SlurmSettings& settings) {
  std::string out = "#!/bin/sh\n";
  out += fmt::format("#SBATCH --job-name={}\n", name);
  out += fmt::format("#SBATCH --output={}\n", (folder / "logs" / log).string());
  out += "#SBATCH --open-mode=append\n";
  for (const std::string& option : settings.options) out += fmt::format("#SBATCH {}\n", option);
  return out;
}

std::string sbatch(const fs::path& script, const std::vector<std::string>& options) {
  std::vector<std::string> argv{"sbatch", "--parsable"};
  argv.insert(argv.end(), options.begin(), options.end());
  argv.push_back(script.string());
  const std::string said = trimmed(output_of(argv));
  const std::string id = said.substr(0, said.find(';'));  // with a cluster: ID;CLUSTER
  if (id.empty() || !std::ranges::all_of(id, [](char c) { return c >= '0' && c <= '9'; })) {
    throw std::runtime_error(fmt::format("sbatch gave no job number but '{}'", printable(said)));
  }
  return id;
}

}  // namespace

std::string to_ranges(const std::vector<std::int64_t>& runs) {
  std::string out;
  for (std::size_t i = 0; i < runs.size();) {
    std::size_t last = i;
    while (last + 1 < runs.size() && runs[last + 1] == runs[last] + 1) ++last;
    if (!out.empty()) out += ' ';
    out += last > i ? fmt::format("{}-{}", runs[i], runs[last]) : fmt::format("{}", runs[i]);
    i = last + 1;
  }
  return out;
}

std::vector<std::int64_t> from_ranges(const std::string& text) {
  std::vector<std::int64_t> out;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    std::int64_t first = 0, last = 0;
    const char* end = word.data() + word.size();
    auto [at, error] = std::from_chars(word.data(), end, first);
    last = first;
    if (error == std::errc() && at != end && *at == '-') {
      const auto rest = std::from_chars(at + 1, end, last);
      at = rest.ptr;
      error = rest.ec;
    }
    if (error != std::errc() || at != end || first < 0 || last < first ||
        last - first > 100'000'000) {
      throw std::invalid_argument(fmt::format("'{}' is no range of runs, such as 5-9", word));
    }
    for (std::int64_t run = first; run <= last; ++run) out.push_back(run);
  }
  return out;
}

std::string output_of(const std::vector<std::string>& argv) {
  std::unique_ptr<ChildProcess> process;
  try {
    process.reset(new ChildProcess({.argv = argv, .err = ChildProcess::Stream::kOut}));
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::no_such_file_or_directory) throw;
    throw std::runtime_error(fmt::format(
        "there is no Slurm here: '{}' is not installed (Debian's slurm-client); --engine local "
        "makes the runs on this machine",
        argv[0]));
  }
  const std::string out = read_to_end(process->out());
  process->wait();
  if (process->wait_status() == 0) return out;
  throw std::runtime_error(fmt::format("{} {}: {}", argv[0],
                                       describe_wait_status(process->wait_status()),
                                       printable(trimmed(out), true)));
}

int max_array_size() {
  std::istringstream in(output_of({"scontrol", "show", "config"}));
  for (std::string line; std::getline(in, line);) {
    int size = 0;
    if (std::sscanf(line.c_str(), "MaxArraySize = %d", &size) == 1) return std::max(size, 1);
  }
  return 1001;  // Slurm's own
}

std::vector<std::string> live_jobs(const std::vector<std::string>& jobs) {
  if (jobs.empty()) return {};
  // By job and not by --jobs: that fails for those that Slurm has forgotten.
  std::istringstream in(output_of({"squeue", "--noheader", "--format=%F"}));
  std::set<std::string> live;
  for (std::string id; in >> id;) live.insert(id);
  std::vector<std::string> out;
  for (const std::string& job : jobs) {
    if (live.contains(job)) out.push_back(job);
  }
  return out;
}

int chunk_of(std::size_t runs, double seconds, int processes) {
  const double fit = kJobSeconds * processes / std::max(seconds, 0.01);
  // On a small sweep all the same several jobs at once.
  const double parts = std::ceil(static_cast<double>(runs) / 16);
  return static_cast<int>(
      std::clamp(std::min(fit, std::max(parts, 1.0)), 1.0, double{kMostRunsInChunk}));
}

Submission submit(const fs::path& folder, int number, const std::vector<std::int64_t>& runs,
                  const SlurmSettings& settings,
                  const std::function<void(const std::string& job)>& noted) {
  const int array = max_array_size();
  fs::create_directories(folder / "submissions");
  fs::create_directories(folder / "logs");
  Submission out;
  std::string plan;
  const auto chunk = static_cast<std::size_t>(std::max(1, settings.chunk));
  for (std::size_t first = 0; first < runs.size(); first += chunk) {
    const std::size_t last = std::min(first + chunk, runs.size());
    plan += to_ranges({runs.begin() + static_cast<std::ptrdiff_t>(first),
                       runs.begin() + static_cast<std::ptrdiff_t>(last)}) +
            "\n";
    ++out.chunks;
  }
  write_whole_file(plan_file(folder, number), plan);

  const std::string program = started_by(settings), where = shell_word(folder.string());
  std::string script = job_head(folder, "sweep", "%A_%a.txt", settings);
  script += fmt::format("#SBATCH --cpus-per-task={}\n#SBATCH --requeue\n", settings.processes);
  if (!settings.time.empty()) script += fmt::format("#SBATCH --time={}\n", settings.time);
  if (settings.memory > 0) {
    script += fmt::format(
        "#SBATCH --mem={}M\n",
        static_cast<std::int64_t>(std::ceil(settings.memory * settings.processes * 1e9 / 1048576)));
  }
  // The first number of this array, since indices begin at 0 in each.
  script += fmt::format(
      "exec {} sweep work {} --submission {} --chunk $((${{SWEEP_FIRST:-0}} + "
      "SLURM_ARRAY_TASK_ID)) "
      "--jobs {}\n",
      program, where, number, settings.processes);
  const fs::path job = folder / "submissions" / fmt::format("{:04}.sh", number);
  write_whole_file(job, script);
  const fs::path gather = folder / "submissions" / fmt::format("{:04}-gather.sh", number);
  write_whole_file(gather, job_head(folder, "sweep-gather", "gather-%j.txt", settings) +
                               fmt::format("exec {} sweep gather {}\n", program, where));

  for (std::size_t first = 0; first < out.chunks; first += static_cast<std::size_t>(array)) {
    const std::size_t count = std::min(out.chunks - first, static_cast<std::size_t>(array));
    std::vector<std::string> options{fmt::format(
        "--array=0-{}{}", count - 1,
        settings.max_parallel > 0 ? fmt::format("%{}", settings.max_parallel) : std::string())};
    options.push_back(fmt::format("--export=ALL,SWEEP_FIRST={}", first));
    // The limit counts within an array: one after the other keeps it.
    if (settings.max_parallel > 0 && !out.jobs.empty()) {
      options.push_back("--dependency=afterany:" + out.jobs.back());
    }
    out.jobs.push_back(sbatch(job, options));
    noted(out.jobs.back());
  }
  const std::string after = fmt::format("--dependency=afterany:{}", fmt::join(out.jobs, ":"));
  out.jobs.push_back(sbatch(gather, {after, "--export=ALL"}));
  noted(out.jobs.back());
  return out;
}

std::vector<std::int64_t> chunk_runs(const fs::path& folder, int number, int chunk) {
  const std::string plan = read_whole_file(plan_file(folder, number), kLargestPlan);
  std::istringstream in(plan);
  std::string line;
  for (int i = 0; i <= chunk; ++i) {
    if (!std::getline(in, line)) {
      throw std::runtime_error(fmt::format("submission {} has no chunk {}", number, chunk));
    }
  }
  return from_ranges(line);
}

}  // namespace protobeam::sweep
