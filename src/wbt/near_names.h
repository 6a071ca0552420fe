// What somebody may have meant by a type that is not there. Types are many and their names short,
// so that most words are near some of them: 'Spot' is no 'Slot' and 'Youbot' no 'Robot'.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace protobeam::wbt {

/// The nearest of `names`, or "" when none is near enough to be the same word misspelt: one letter
/// that is missing, too much or swapped with its neighbour; from 7 letters on two or one replaced,
/// from 9 letters on half as many again. One with other digits is another one.
std::string misspelt_type(std::string_view word, std::span<const std::string> names);

/// The one of `names` that is `name` but for case, hyphens and underscores, or, from 8 letters on,
/// for one letter; or "". An EXTERNPROTO names a file: it is another one, not a misspelt one.
std::string same_proto(std::string_view name, std::span<const std::string> names);

}  // namespace protobeam::wbt
