// From an error of JavaScript or Lua in the script that was made of a template to a message at the
// place in the PROTO.
#pragma once

#include "wbt/templates/compile.h"

namespace protobeam::wbt {

/// Where the body's first template code begins.
std::uint32_t first_code(const CompiledTemplate& compiled);

/// The innermost call of the template itself in a stack of `function@url:line:column` lines.
std::optional<std::uint32_t> offset_from_stack(std::string_view stack, const ScriptText& script);

/// `body` is the text of `source` from `body_begin` on; offsets count from there.
TemplateError describe_exception(const script::Exception& exception,
                                 const CompiledTemplate& compiled, const SourceText& source,
                                 std::uint32_t body_begin, std::string_view body);

}  // namespace protobeam::wbt
