// What `bench` measured, as lines on a terminal or one JSON object.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/measure.h"

namespace protobeam {

/// A number that can be compared with that of another run.
struct BenchFigure {
  enum class Better { kLess, kMore };
  std::string key;  ///< of the result
  double value = 0;
  Better better = Better::kLess;
  std::vector<double> repetitions = {};  ///< what it was taken from; none: measured once
};

/// What is measured, and how it is told.
struct BenchArguments {
  std::string name;  ///< only benchmarks whose name holds it, or begins with it; "" for all
  bool json = false, quick = false;
  std::string compare;  ///< a file of --json; "": compared with nothing
  std::string results;  ///< the same, in place of measuring
};

class BenchReport {
 public:
  explicit BenchReport(BenchArguments arguments);

  bool wants(const std::string& benchmark) const;
  /// A benchmark that takes long is wanted only by who names what is in its name: "growth".
  bool wants_also(const std::string& benchmark, const std::string& what) const;
  bool quick() const { return arguments_.quick; }
  int repetitions() const { return quick() ? 5 : 15; }
  /// A comparison whose figure is its ratio.
  void add(const std::string& benchmark, const bench::Comparison& comparison,
           const std::string& meaning);
  /// A comparison of which something else is the figure.
  void add(const std::string& benchmark, const BenchFigure& figure,
           const bench::Comparison& comparison, const std::string& meaning);
  /// A comparison on several threads (ours) with one: how many times as fast they are.
  void add_speed_up(const std::string& benchmark, const bench::Comparison& comparison);
  /// A result with keys of its own, and its line on a terminal.
  void add(const std::string& benchmark, const std::vector<BenchFigure>& figures,
           nlohmann::json keys, const std::string& line);
  /// Prints the JSON object, or what has changed; the program's exit status.
  int finish();

 private:
  BenchArguments arguments_;
  std::optional<nlohmann::json> before_;  ///< what is compared with
  nlohmann::json results_ = nlohmann::json::array();
};

/// Lidars in worlds/city.wbt: against bare rays, two threads, Bullet and the clock.
void bench_lidars(BenchReport& report);
/// Each product of the catalogue in several places, at rest and with what it sees in motion.
void bench_catalogue(BenchReport& report);
/// Bodies of many triangles that move, against the same at rest.
void bench_moving(BenchReport& report);
/// Rays of the beam caster against Embree's, a hundred million in each of several places; when asked for.
void bench_agreement(BenchReport& report);
/// How a scan grows with beams, triangles and threads; when asked for.
void bench_growth(BenchReport& report);
/// Robots with lidars, on one thread and on two.
void bench_robots(BenchReport& report);
/// Depth and colour images in the city.
void bench_cameras(BenchReport& report);
/// Worlds of 1, 10 and 100 vehicles: whole steps a second.
void bench_vehicles(BenchReport& report);
/// Tumbling boxes, against plain Bullet.
void bench_bodies(BenchReport& report);

/// Worlds on threads, as Python steps them.
void bench_batch(BenchReport& report);
/// Recorders and publishers, and runs that are recorded.
void bench_outputs(BenchReport& report);

}  // namespace protobeam
