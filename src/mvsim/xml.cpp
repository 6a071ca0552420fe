#include "mvsim/xml.h"

#include "mvsim/xml_tags.h"
#include "xml/parse.h"

namespace protobeam::mvsim {

bool parse_xml(XmlFile& file, const Limits& limits, Diagnostics& diagnostics,
               const std::shared_ptr<const Instantiation>& chain) {
  xml::Dialect dialect{{limits.nesting, limits.elements}, {}, chain};
  return pair_tags(file.source, diagnostics, chain, dialect.edits) &&
         xml::parse(file.source, dialect, diagnostics, file.roots);
}

}  // namespace protobeam::mvsim
