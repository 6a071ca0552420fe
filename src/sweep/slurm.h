// Slurm: what the sweep asks of sbatch, squeue and scontrol.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace protobeam::sweep {

struct SlurmSettings {
  int chunk = 0;                     ///< runs a job; 0: so many that a job takes some minutes
  int max_parallel = 0;              ///< jobs at once; 0: no limit
  int processes = 1;                 ///< of a job: runs at once, one a processor
  std::string time;                  ///< as sbatch takes it; "": the partition's
  double memory = 0;                 ///< GB a run; 0: the partition's
  std::vector<std::string> options;  ///< more of sbatch, as in "--partition=long"
  std::string launcher;              ///< how a job starts protobeam; "": this very program
};

/// Runs as "3 5-9 12", and back. Throws std::invalid_argument.
std::string to_ranges(const std::vector<std::int64_t>& runs);
std::vector<std::int64_t> from_ranges(const std::string& text);

/// What a program wrote on its standard output. Throws std::runtime_error with what it said when it
/// fails or is not there.
std::string output_of(const std::vector<std::string>& argv);

/// Indices in an array are less than that.
int max_array_size();
/// Those of these jobs that wait or run.
std::vector<std::string> live_jobs(const std::vector<std::string>& jobs);

/// Runs a job so that it takes some minutes: `seconds` is what one takes.
int chunk_of(std::size_t runs, double seconds, int processes);

/// The jobs of a submission: arrays, and one that gathers when they are over.
struct Submission {
  std::vector<std::string> jobs;
  std::size_t chunks = 0;
};

/// Files of submission `number` in FOLDER/submissions, and the jobs. `noted` is called with each
/// job as soon as it is there. Throws std::runtime_error; jobs that are there by then go on.
Submission submit(const std::filesystem::path& folder, int number,
                  const std::vector<std::int64_t>& runs, const SlurmSettings& settings,
                  const std::function<void(const std::string& job)>& noted);

/// Runs of chunk `chunk` of a submission.
std::vector<std::int64_t> chunk_runs(const std::filesystem::path& folder, int number, int chunk);

}  // namespace protobeam::sweep
