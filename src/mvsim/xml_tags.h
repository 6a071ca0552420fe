// The tags of an XML text, paired: who is not closed, or closed by another name, and where.
#pragma once

#include <memory>
#include <vector>

#include "base/diagnostics.h"
#include "xml/parse.h"

namespace protobeam::mvsim {

/// Pairs the tags of a text. Slips that MVSim's parser lets pass are warnings, and `edits` gets
/// what makes them right, by ascending offset: a `/` for tags that never have content and that
/// nothing closes, and the right name where another one closes the last open tag. False with an
/// error when the tags cannot be paired. Says nothing about other mistakes: from the first of them
/// on, the text is the XML parser's.
bool pair_tags(const std::shared_ptr<const SourceText>& source, Diagnostics& diagnostics,
               const std::shared_ptr<const Instantiation>& chain, std::vector<xml::Edit>& edits);

}  // namespace protobeam::mvsim
