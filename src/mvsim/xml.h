// One XML file of an MVSim world. Values are as written: nothing is substituted here.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "base/diagnostics.h"
#include "mvsim/options.h"
#include "xml/element.h"

namespace protobeam::mvsim {

struct XmlFile {
  std::filesystem::path path;  ///< absolute, links followed
  std::shared_ptr<const SourceText> source;
  std::vector<xml::Element> roots;  ///< a definition file may have several
};

/// Parses the text of `file.source` into `file.roots`; false with an error. An `<include ...>` or
/// `<variable ...>` that nothing closes is read as if it ended with `/>`, and a tag that another
/// name closes as if it were its own, with warnings: MVSim's documentation and tutorials have both.
bool parse_xml(XmlFile& file, const Limits& limits, Diagnostics& diagnostics,
               const std::shared_ptr<const Instantiation>& chain);

}  // namespace protobeam::mvsim
