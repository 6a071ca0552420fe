#include "base/edit_distance.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace protobeam {

int edit_distance(std::string_view one, std::string_view other, int replacement) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  const std::size_t n = one.size(), m = other.size();
  std::vector<std::vector<int>> cost(n + 1, std::vector<int>(m + 1));
  for (std::size_t i = 0; i <= n; ++i) cost[i][0] = static_cast<int>(i);
  for (std::size_t j = 0; j <= m; ++j) cost[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t j = 1; j <= m; ++j) {
      const int kept = cost[i - 1][j - 1] + (same(one[i - 1], other[j - 1]) ? 0 : replacement);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, kept});
      if (i > 1 && j > 1 && same(one[i - 1], other[j - 2]) && same(one[i - 2], other[j - 1])) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[n][m];
}

}  // namespace protobeam
