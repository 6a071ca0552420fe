// Meshes and pictures by their address: files of the project, or copies of what is on the web.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/diagnostics.h"
#include "mvsim/element.h"
#include "mvsim/options.h"

namespace protobeam::mvsim {

/// Whether the address is one of the web (http or https).
bool is_remote(const std::string& uri);

/// The file of an address: a path (relative to `folder`), `file://...`, or http(s)://...: what
/// `protobeam fetch` has got for it (the address itself, or a file of an unpacked archive), else a
/// copy in a cache folder; nothing is ever fetched here. There `x.zip/inner/file` is looked for in
/// the unpacked folder `x.zip.out`. A message at the text that says how to get the file otherwise.
std::optional<std::filesystem::path> find_resource(
    const Text& uri, const std::filesystem::path& folder, const LoadOptions& options,
    const std::shared_ptr<const Instantiation>& chain, Diagnostics& diagnostics,
    Severity missing = Severity::kError);

}  // namespace protobeam::mvsim
