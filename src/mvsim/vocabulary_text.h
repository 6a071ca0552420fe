// vocabulary.txt as it is in the program.
#pragma once

#include <string_view>

namespace protobeam::mvsim {

extern const std::string_view kVocabularyText;

}  // namespace protobeam::mvsim
