// SHA-256 (FIPS 180-4), as `sha256sum` writes it.
#pragma once

#include <string>
#include <string_view>

namespace protobeam {

/// 64 digits in lower case.
std::string sha256_hex(std::string_view bytes);
/// 64 digits in lower case, and nothing else.
bool is_sha256_hex(std::string_view text);

}  // namespace protobeam
