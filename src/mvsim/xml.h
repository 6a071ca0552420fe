// One XML file as a tree in which every name and value knows its place. Values are as written:
// nothing is substituted here.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "mvsim/options.h"

namespace protobeam::mvsim {

/// A value with its blanks cut off at both ends and its entities (&lt; ...) decoded.
struct XmlText {
  std::string value;
  Place place;
  /// Character n of the value is character n of the place: nothing was decoded.
  bool verbatim = true;
};

struct XmlAttribute {
  std::string name;
  Place place;  ///< of the name
  XmlText text;
};

struct XmlNode {
  std::string tag;
  Place place;  ///< of the tag's name
  std::vector<XmlAttribute> attributes;
  XmlText text;  ///< of all pieces between the children
  std::vector<XmlNode> children;
};

struct XmlFile {
  std::filesystem::path path;  ///< absolute, links followed
  std::shared_ptr<const SourceText> source;
  std::vector<XmlNode> roots;  ///< a definition file may have several
};

/// Parses the text of `file.source` into `file.roots`; false with an error. An `<include ...>` or
/// `<variable ...>` that nothing closes is read as if it ended with `/>`, and a tag that another
/// name closes as if it were its own, with warnings: MVSim's documentation and tutorials have both.
bool parse_xml(XmlFile& file, const Limits& limits, Diagnostics& diagnostics,
               const std::shared_ptr<const Instantiation>& chain);

}  // namespace protobeam::mvsim
