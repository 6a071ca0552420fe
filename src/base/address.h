// Addresses of files on the web and in an installed Webots: "https://host/a/b.proto",
// "webots://projects/c.png". Joined by the rules of RFC 3986, section 5.2.
#pragma once

#include <string>
#include <string_view>

namespace protobeam {

/// Begins with a scheme: "https://...", "webots://...", "file://...".
bool is_address(std::string_view text);

/// What `url` means in the text that was read from the address `base`. It may be an address itself;
/// "../x.png" and "/x.png" stay on the host of `base`. A webots:// address in a file of Webots'
/// repository on GitHub means the same revision of that repository, as in Webots.
std::string address_beside(std::string_view base, std::string_view url);

/// The path of an address, "/a/b.proto" of "https://host/a/b.proto?x"; beside that address it means
/// the same (but for what follows '?').
std::string path_of_address(std::string_view address);

/// With the spaces that "%20" stands for.
std::string with_spaces(std::string_view path);

/// One spelling for each address: backslashes are slashes, "." and ".." are resolved and never lead
/// above the host, scheme and host are in lower case.
std::string normalized_address(std::string_view address);

}  // namespace protobeam
