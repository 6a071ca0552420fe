// Means with confidence, of metrics over the values of a parameter.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace protobeam::sweep {

/// Mean and variance of a stream of numbers (Welford's method).
class Sample {
 public:
  void add(double value);
  std::int64_t count() const { return count_; }
  double mean() const { return mean_; }
  double deviation() const;  ///< of the sample; 0 for fewer than two
  /// Half the width of the 95 % confidence interval of the mean, by Student's t; infinite for one
  /// value.
  double half_width() const;

 private:
  std::int64_t count_ = 0;
  double mean_ = 0, squares_ = 0;
};

/// Below which 97.5 % of Student's t distribution lie.
double student_quantile(std::int64_t degrees_of_freedom);

/// A metric over a parameter.
struct Curve {
  std::string parameter, metric;
  bool numeric = true;  ///< else the points are in the order of their labels
  struct Point {
    double x;
    std::string label;
    Sample sample;
  };
  std::vector<Point> points;  ///< by x
};

}  // namespace protobeam::sweep
