// Built only where the template engine is not: finds template code, so that it can be refused.
#include "wbt/template.h"

namespace protobeam::wbt {

bool has_javascript(std::string_view body) { return body.find("%<") != std::string_view::npos; }
bool has_lua(std::string_view body) { return body.find("%{") != std::string_view::npos; }
std::uint32_t RenderedText::source_offset(std::uint32_t offset) const { return offset; }

}  // namespace protobeam::wbt
