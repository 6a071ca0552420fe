// The tags of an XML text, paired: who is not closed, or closed by another name, and where.
#pragma once

#include <memory>
#include <vector>

#include "base/diagnostics.h"

namespace protobeam::mvsim {

/// Pairs the tags of a text. False with an error at the tag that does not match. `unclosed` gets
/// the offsets of the `>` where a `/` is missing: tags that never have content and that nothing
/// closes. Says nothing about other mistakes: from the first of them on, the text is the XML
/// parser's.
bool pair_tags(const std::shared_ptr<const SourceText>& source, Diagnostics& diagnostics,
               const std::shared_ptr<const Instantiation>& chain,
               std::vector<std::size_t>& unclosed);

}  // namespace protobeam::mvsim
