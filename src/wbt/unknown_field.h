// Fields that a node type does not have.
#pragma once

#include <string>
#include <vector>

namespace protobeam::wbt {

struct UnknownField {
  std::string message, hint;
  std::string note;  ///< the fields that there are; "" for a field of former releases
  /// It looks like a field that there is: an error. Others are warnings, since files have fields of
  /// releases and PROTOs that are not ours; Webots skips them too.
  bool mistake = false;
};

/// What to say of a field that `type`, with the fields `known`, does not have. `former`: old spellings,
/// which may be meant but are not shown.
UnknownField unknown_field(const std::string& field, const std::string& type,
                           const std::vector<std::string>& known,
                           const std::vector<std::string>& former = {});

}  // namespace protobeam::wbt
