// Tags and attributes that a URDF does not have: slips, and extensions of other programs.
#pragma once

#include "urdf/import.h"

namespace protobeam::urdf {

/// A tag that has a meaning, with what has one in it.
struct KnownTag {
  const char* tag;
  std::vector<std::string> attributes, children;
};
/// Notes what of an element has none; what is in tags that `all` does not explain is not looked at.
void note_unknown(Ignored& ignored, const std::vector<KnownTag>& all, const Element& element);

/// Notes in import.ignored what of <robot>, its links, joints and materials has no meaning. What is
/// in <gazebo>, <ros2_control> and <transmission> is not looked at.
void note_unknown(Import& import);

}  // namespace protobeam::urdf
