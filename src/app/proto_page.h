// What a PROTO is and which fields it has, as its file says.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace protobeam {

/// PROTO files by name: those of the current folder's protos/, of the catalogue and of the cache.
/// Of two with one name the first in that order.
std::vector<std::pair<std::string, std::filesystem::path>> known_protos();

/// The comment of its head and its interface, as they are written. Throws std::runtime_error with
/// the diagnostics of a file that is no PROTO.
std::string proto_page(const std::filesystem::path& file);
/// Name, file, comment, and the fields with their types.
nlohmann::json proto_json(const std::filesystem::path& file);

}  // namespace protobeam
