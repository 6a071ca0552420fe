// What `bench` measured, as lines on a terminal or one JSON object.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/bench/measure.h"

namespace protobeam {

class BenchReport {
 public:
  /// `name`: only benchmarks whose name holds it, or begins with it; "" for all.
  BenchReport(std::string name, bool json, bool quick)
      : name_(std::move(name)), json_(json), quick_(quick) {}

  bool wants(const std::string& benchmark) const;
  bool quick() const { return quick_; }
  int repetitions() const { return quick_ ? 5 : 15; }
  void add(const std::string& benchmark, double ratio, const bench::Comparison& comparison,
           const std::string& meaning);
  /// A result with keys of its own, and its line on a terminal.
  void add(const std::string& benchmark, nlohmann::json keys, const std::string& line);
  /// Prints the JSON object; the program's exit status.
  int finish() const;

 private:
  std::string name_;
  bool json_, quick_;
  nlohmann::json results_ = nlohmann::json::array();
};

/// Lidars in worlds/city.wbt: against bare rays, two threads, Bullet and the clock.
void bench_lidars(BenchReport& report);
/// Each product of the catalogue there, at rest and with what it sees in motion.
void bench_catalogue(BenchReport& report);
/// Depth and colour images there.
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
