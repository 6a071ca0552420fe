// What the beam caster finds against what Embree traces, in worlds.
#include <fmt/format.h>

#include <string>

#include "app/bench/agreement.h"
#include "app/bench_place.h"
#include "app/bench_report.h"

namespace protobeam {
namespace {

void measure(BenchReport& report, const std::string& name, const std::string& where) {
  const BenchPlace place(where);
  const std::size_t rays = report.quick() ? 2'000'000 : 100'000'000;
  const auto found = bench::compare_with_embree([&](RayScene& scene) { place.add_to(scene); },
                                                place.viewpoint(), rays);
  report.add(
      name, {{"wrong", static_cast<double>(found.wrong)}},
      {{"rays", found.rays},
       {"hits", found.hits},
       {"coincident", found.coincident},
       {"outlines", found.outlines},
       {"widest_rad", found.widest},
       {"meaning", "rays with another hit than Embree's, not at an edge"}},
      fmt::format(
          "{} rays, {} hits; other than Embree's: {} at edges, at most {:.1e} rad from them, {} "
          "where two faces lie in one plane, {} elsewhere",
          found.rays, found.hits, found.outlines, found.widest, found.coincident, found.wrong));
}

}  // namespace

void bench_agreement(BenchReport& report) {
  for (const char* where : {"yard", "city", "statues", "campus"}) {
    const std::string name = fmt::format("agreement/{}", where);
    if (report.wants_also(name, "agreement")) measure(report, name, where);
  }
}

}  // namespace protobeam
