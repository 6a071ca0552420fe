#include "sweep/worker.h"

#include <fmt/format.h>
#include <poll.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fstream>
#include <system_error>

#include "base/stop.h"

namespace protobeam::sweep {
namespace fs = std::filesystem;
namespace {

constexpr int kLook = 1000;  // ms

/// GB that the kernel says programs can have.
double free_memory() {
  std::ifstream in("/proc/meminfo");
  for (std::string word; in >> word;) {
    double kilobytes = 0;
    if (word == "MemAvailable:" && in >> kilobytes) return kilobytes * 1024e-9;
  }
  return 0;
}

}  // namespace

int processes_that_fit(double memory) {
  cpu_set_t ours;
  const int processors = sched_getaffinity(0, sizeof ours, &ours) == 0 ? CPU_COUNT(&ours) : 1;
  const double free = free_memory();
  if (!(memory > 0) || !(free > 0)) return processors;
  return std::clamp(static_cast<int>(std::min(free / memory, 1e6)), 1, processors);
}

Worker::Worker(const Description& description, const Design& design, const WorkSettings& settings)
    : description_(description),
      design_(design),
      settings_(settings),
      journal_(settings.folder / "journal", settings.prefix),
      decided_(!settings.first_decides) {}

fs::path Worker::folder_of(std::int64_t run) const {
  if (!description_.needs_folder()) return {};
  // Controllers work in folders of their own.
  return fs::absolute(settings_.folder) / "runs" / fmt::format("{:08}", run);
}

bool Worker::work(std::vector<std::int64_t> runs, const std::function<void()>& seen) {
  for (const std::int64_t run : runs) waiting_.push_back({run, 0});
  auto looked = std::chrono::steady_clock::now();
  while ((!waiting_.empty() || !running_.empty()) && !stop::requested()) {
    // Before the first run has shown that the world works, there is no other one.
    const std::size_t most = decided_ ? static_cast<std::size_t>(settings_.processes) : 1;
    while (!waiting_.empty() && running_.size() < most) {
      const Waiting next = waiting_.front();
      waiting_.pop_front();
      start(next);
    }
    wait();
    bool ended = false;
    for (auto entry = running_.begin(); entry != running_.end();) {
      RunProcess& process = *entry->second;
      process.read();
      const bool late = description_.time_limit > 0 && process.wall() > description_.time_limit;
      if (late && !process.ended()) process.time_out();
      if (!process.ended()) {
        ++entry;
        continue;
      }
      ended = true;
      const double wall = process.wall();
      const Outcome outcome = process.outcome();
      take(process, outcome, wall);
      Waiting again = entry->first;
      entry = running_.erase(entry);
      if (!outcome.done && ++again.attempts <= description_.retries) waiting_.push_back(again);
    }
    const auto now = std::chrono::steady_clock::now();
    if (!ended && now - looked < std::chrono::milliseconds(kLook)) continue;
    looked = now;
    seen();
  }
  for (auto& [run, process] : running_) {
    journal_.add({.event = Attempt::Event::kStopped, .run = run.run});
  }
  running_.clear();
  seen();
  return !stop::requested();
}

void Worker::start(const Waiting& next) {
  const fs::path folder = folder_of(next.run);
  if (!folder.empty()) {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  const RunCommand command =
      run_command(description_, design_.values(next.run), settings_.program, next.run, folder);
  auto process = std::make_unique<RunProcess>(description_, next.run, command, folder);
  journal_.add({.event = Attempt::Event::kBegan,
                .run = next.run,
                .version = settings_.version,
                .machine = machine_,
                .began = utc_now()});
  running_.emplace_back(next, std::move(process));
}

void Worker::wait() {
  std::vector<pollfd> fds;
  if (stop::descriptor() >= 0) fds.push_back({stop::descriptor(), POLLIN, 0});
  int patience = kLook;
  for (auto& [run, process] : running_) {
    for (const int fd : {process->out(), process->err(), process->pidfd()}) {
      if (fd >= 0) fds.push_back({fd, POLLIN, 0});
    }
    if (description_.time_limit > 0) {
      const double left = description_.time_limit - process->wall();
      patience = std::clamp(static_cast<int>(std::min(left, 1.0) * 1000) + 1, 1, patience);
    }
  }
  ::poll(fds.data(), fds.size(), patience);
}

void Worker::take(const RunProcess& process, Outcome outcome, double wall) {
  if (!decided_ && !outcome.usable) {
    throw FirstRunFailed(
        fmt::format("run {} does not work: {}\n{}", process.run(), outcome.message,
                    shell_text(run_command(description_, design_.values(process.run()), "protobeam",
                                           process.run(), folder_of(process.run())))));
  }
  decided_ = true;
  journal_.add({.event = outcome.done ? Attempt::Event::kDone : Attempt::Event::kFailed,
                .run = process.run(),
                .exit = outcome.exit,
                .wall = wall,
                .state_hash = outcome.state_hash,
                .message = outcome.message,
                .metrics = std::move(outcome.metrics)});
  (outcome.done ? done_ : failed_) += 1;
  wall_ += wall;
}

}  // namespace protobeam::sweep
