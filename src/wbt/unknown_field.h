// Fields that a node type does not have.
#pragma once

#include <string>
#include <vector>

namespace protobeam::wbt {

struct UnknownField {
  std::string message, hint;
  /// It looks like a field that there is: an error. Others are warnings, since files have fields of
  /// releases and PROTOs that are not ours; Webots skips them too.
  bool mistake = false;
};

/// What to say of a field that `type`, with the fields `known`, does not have.
UnknownField unknown_field(const std::string& field, const std::string& type,
                           const std::vector<std::string>& known);

}  // namespace protobeam::wbt
