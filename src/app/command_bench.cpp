// bench: speed as ratios in one process and run: against the bare Embree trace of the same rays,
// against Bullet's ray test, one thread against two, and against the clock.
#include <CLI/CLI.hpp>

#include "app/bench_report.h"
#include "app/commands.h"

namespace protobeam {
namespace {

int run_benches(const BenchArguments& arguments) {
  BenchReport report(arguments);
  if (!arguments.results.empty()) return report.finish();
  bench_lidars(report);
  bench_catalogue(report);
  bench_moving(report);
  bench_agreement(report);
  bench_growth(report);
  bench_robots(report);
  bench_cameras(report);
  bench_vehicles(report);
  bench_bodies(report);
  bench_outputs(report);
  bench_batch(report);
  return report.finish();
}

}  // namespace

void add_bench(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<BenchArguments>();
  CLI::App* command =
      app.add_subcommand("bench", "Speed as ratios against bare Embree, Bullet and the clock");
  command->add_option("NAME", arguments->name, "Only benchmarks whose name holds this");
  command->add_flag("--json", arguments->json, "One JSON object on stdout");
  command->add_flag("--quick", arguments->quick, "Fewer repetitions");
  CLI::Option* compare =
      command->add_option("--compare", arguments->compare,
                          "What --json has written before: a table of what has changed since "
                          "then, and exit status 1 when something is worse");
  compare->check(CLI::ExistingFile);
  command
      ->add_option("--results", arguments->results,
                   "Compare what --json has written in this file; measure nothing")
      ->check(CLI::ExistingFile)
      ->needs(compare);
  command->callback(
      [&chosen, arguments] { chosen = [arguments] { return run_benches(*arguments); }; });
}

}  // namespace protobeam
