// What Webots' nodes are called, and what they had in older releases.
#pragma once

#include <string_view>

namespace protobeam::wbt {

/// True for the node types of Webots R2025a: no PROTO may have their names. Types of our own yield
/// to a PROTO of their name.
bool is_webots_node(std::string_view type);

/// The last release of Webots in which the node had this field and it did something; "" when there
/// was none. (Webots' change logs and reference of R2018a to R2025a.)
std::string_view last_release_with(std::string_view type, std::string_view field);

}  // namespace protobeam::wbt
