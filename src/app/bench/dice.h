// Uniform numbers that are the same with every standard library.
#pragma once

#include <random>

namespace protobeam::bench {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double operator()(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_()) / 4294967296.0;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace protobeam::bench
