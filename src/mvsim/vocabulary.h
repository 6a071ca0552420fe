// Which tags and attributes MVSim knows, and where (vocabulary.txt).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace protobeam::mvsim {

enum class ValueKind {
  kText,
  kNumber,
  kInt,
  kDegrees,
  kBool,
  kColor,
  kPose2d,
  kPose3d,
  kPoint3d,
  kNumbers,
  kMatrix,
  kUri,
  kEmpty,     ///< the tag alone says it
  kChildren,  ///< no value of its own
};

struct Word {
  ValueKind kind = ValueKind::kText;
  std::string context;    ///< of its children
  bool by_class = false;  ///< `context` goes on with ".CLASS" of the element
  bool repeats = false;
  std::string ineffective;  ///< why it has no effect in MVSim; usually empty
};

/// What may stand in an element.
struct Context {
  std::map<std::string, Word, std::less<>> tags, attributes;
  ValueKind text = ValueKind::kChildren;  ///< of the element's own text
};

/// Null for an unknown one. "world" is the root's.
const Context* find_context(std::string_view name);
/// "laser", "lidar3d", ... of "sensor".
std::vector<std::string> classes_of(std::string_view context);
/// Whether an element of the world may have several children of that tag.
bool repeats(std::string_view parent, std::string_view tag);

}  // namespace protobeam::mvsim
