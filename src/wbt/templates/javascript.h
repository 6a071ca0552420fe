// Just enough of JavaScript's grammar to find its module declarations: JavaScriptCore's public
// interface evaluates scripts, not modules.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace protobeam::wbt {

/// A part of the code that has to be written in another way for evaluation as a script.
struct JavaScriptPart {
  enum Kind : std::uint8_t {
    kImport,   ///< a whole import declaration
    kExport,   ///< the word `export` before a function
    kComment,  ///< the `#` that begins a comment of the world language
    kBroken,   ///< an import declaration that is none; `message` says why
  } kind;
  std::uint32_t begin, end;  ///< bytes of the code
  std::string module;        ///< of an import
  std::string name_space;    ///< `* as NAME`; empty: by names
  /// Import: (name in the module, name here) pairs; export: the one function's name, twice.
  std::vector<std::pair<std::string, std::string>> names;
  std::string message;
};

/// In the order of the code. Declarations inside strings, comments and regular expressions are
/// none.
std::vector<JavaScriptPart> find_module_parts(std::string_view code);

}  // namespace protobeam::wbt
