#include "app/sweep_results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/standard_streams.h"
#include "base/text.h"
#include "sweep/report.h"

namespace protobeam {

using sweep::Counts;
using sweep::Manifest;

nlohmann::json json_of(const Counts& counts) {
  return {{"runs", counts.runs},       {"done", counts.done},       {"failed", counts.failed},
          {"running", counts.running}, {"missing", counts.missing}, {"attempts", counts.attempts},
          {"wall_s", counts.wall}};
}

std::string text_of(const Counts& counts) {
  std::string out = fmt::format("{} of {} runs done", counts.done, counts.runs);
  if (counts.failed > 0) out += fmt::format(", {} failed", counts.failed);
  if (counts.running > 0) out += fmt::format(", {} running", counts.running);
  if (counts.missing > 0) out += fmt::format(", {} missing", counts.missing);
  if (counts.done > 0)
    out += fmt::format("; {:.2f} s a run", counts.wall / static_cast<double>(counts.done));
  return out;
}

int show_sweep_status(const std::string& folder, bool json) {
  Manifest manifest(folder);
  manifest.gather();
  const Counts counts = manifest.counts();
  if (json) {
    print_out("{}\n", json_of(counts).dump());
    return kExitGood;
  }
  print_out("{}: {}\n", folder, text_of(counts));
  int shown = 0;
  manifest.for_each(
      [&](const sweep::Row& row) {
        if (++shown <= 5)
          print_out("run {} after {} attempts: {}\n", row.id, row.attempts, row.message);
      },
      "WHERE state = 'failed'");
  if (shown > 5) print_out("and {} more that failed: `sweep report` has them all\n", shown - 5);
  for (const sweep::Difference& one : manifest.differences()) {
    print_out("run {} was done twice, with the hashes {} and {}\n", one.run, one.first, one.second);
  }
  return kExitGood;
}

int gather_sweep(const std::string& folder) {
  Manifest manifest(folder);
  manifest.gather();
  print_out("{}: {}\n", folder, text_of(manifest.counts()));
  return kExitGood;
}

int report_sweep(const std::string& folder, const std::string& into, bool json) {
  Manifest manifest(folder);
  manifest.gather();
  const sweep::Report made =
      sweep::write_report(manifest, into.empty() ? std::filesystem::path(folder) / "report"
                                                 : std::filesystem::path(into));
  if (json) {
    nlohmann::json out = json_of(made.counts);
    out["files"] = made.files;
    print_out("{}\n", out.dump());
    return kExitGood;
  }
  print_out("{}\n", text_of(made.counts));
  for (const sweep::Curve& curve : made.curves) {
    print_out("\n{} over {}:\n", curve.metric, curve.parameter);
    constexpr std::size_t kShown = 30;
    for (std::size_t i = 0; i < std::min(kShown, curve.points.size()); ++i) {
      const auto& [x, label, sample] = curve.points[i];
      const double half = sample.half_width();
      print_out("{:>16}  {:>12.6g} {:<14} {} runs\n", printable(label), sample.mean(),
                std::isfinite(half) ? fmt::format("+- {:.3g}", half) : "", sample.count());
    }
  }
  if (!made.failures.empty())
    print_out("\n{:>8} {:>8} {:>5}  message\n", "failed", "attempts", "exit");
  for (const sweep::Row& row : made.failures) {
    print_out("{:>8} {:>8} {:>5}  {}\n", row.id, row.attempts, row.exit.value_or(0), row.message);
  }
  for (const sweep::Difference& one : made.differences) {
    print_out("run {} was done twice, with the hashes {} and {}\n", one.run, one.first, one.second);
  }
  print_out("\nwrote {}\n", fmt::join(made.files, ", "));
  return kExitGood;
}

}  // namespace protobeam
