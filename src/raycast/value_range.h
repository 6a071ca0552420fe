// The least and the greatest of many values.
#pragma once

#include <cstddef>

namespace protobeam {

/// What is no number does not count; without numbers `low` is +inf and `high` -inf.
void find_range(const float* values, std::size_t count, float& low, float& high);

}  // namespace protobeam
