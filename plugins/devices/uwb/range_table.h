// A figure that depends on the range: pairs range, value in a field, linear between them and
// constant outside of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/field_table.h"
#include "base/fields.h"

namespace protobeam {

class RangeTable {
 public:
  /// Throws std::invalid_argument with a message at the field unless it holds pairs with ranges
  /// that grow and values within `values`. An empty field is `otherwise` at each range.
  RangeTable(const Fields& fields, const std::string& field, const Range& values, double otherwise)
      : numbers_(fields.numbers(field)), otherwise_(otherwise) {
    const auto check = [&field](bool good, const auto&... parts) {
      if (good) return;
      std::ostringstream text;
      ((text << "field '" << field << "' ") << ... << parts);
      throw std::invalid_argument(text.str());
    };
    check(numbers_.size() % 2 == 0, "holds ", numbers_.size(),
          " numbers; it takes pairs of a range in m and a value");
    for (std::size_t i = 0; i < numbers_.size(); i += 2) {
      check(numbers_[i] >= 0, "has the range ", numbers_[i], " m; ranges are >= 0");
      check(i == 0 || numbers_[i] > numbers_[i - 2], "has the range ", numbers_[i], " m after ",
            i == 0 ? 0 : numbers_[i - 2], " m; ranges have to grow");
      check(values.contains(numbers_[i + 1]), "has the value ", numbers_[i + 1], " at ",
            numbers_[i], " m; values are ", values.to_string());
    }
  }

  bool empty() const { return numbers_.empty(); }

  double at(double range) const {
    if (numbers_.empty()) return otherwise_;
    if (range <= numbers_[0]) return numbers_[1];
    for (std::size_t i = 2; i < numbers_.size(); i += 2) {
      if (range > numbers_[i]) continue;
      const double share = (range - numbers_[i - 2]) / (numbers_[i] - numbers_[i - 2]);
      return (1 - share) * numbers_[i - 1] + share * numbers_[i + 1];
    }
    return numbers_.back();
  }

 private:
  std::vector<double> numbers_;
  double otherwise_;
};

}  // namespace protobeam
