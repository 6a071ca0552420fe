#include "scan_law.h"

#include "throw_invalid.h"

namespace protobeam {
namespace {

constexpr std::int64_t kMostCells = 1 << 24;

}  // namespace

void require_unset(const Fields& fields, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (!fields.is_set(name)) continue;
    throw_invalid("field '", name, "' of Lidar does nothing with scanLaw \"",
                  fields.string("scanLaw"), "\"; leave it out");
  }
}

void check_size(int layers, int columns) {
  if (std::int64_t{layers} * columns <= kMostCells) return;
  throw_invalid(layers, " beams times ", columns, " columns of Lidar are more than ", kMostCells,
                " beams a sweep");
}

}  // namespace protobeam
