#pragma once

#include <cstddef>
#include <cstdint>

namespace protobeam::wbt {

/// Renders the bytes as the body of a PROTO with templates in Lua, in this process. Aborts when the
/// place of an error is not one of the body.
void render_lua_bytes(const std::uint8_t* data, std::size_t size);

}  // namespace protobeam::wbt
