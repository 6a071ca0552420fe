#include "mvsim/resources.h"

#include <algorithm>

#include "base/address.h"
#include "base/named_files.h"
#include "base/whole_file.h"

namespace protobeam::mvsim {
namespace {

namespace fs = std::filesystem;

/// "x.zip/inner/file" and how it lies when unpacked, "x.zip.out/inner/file".
struct Archived {
  std::string archive, inner;  ///< `inner` empty: no archive
  std::string unpacked() const { return inner.empty() ? archive : archive + ".out/" + inner; }
};

Archived split(const std::string& path) {
  const auto at = path.find(".zip/");
  if (at == std::string::npos) return {path, ""};
  return {path.substr(0, at + 4), path.substr(at + 5)};
}

/// Links followed.
fs::path without_links(const fs::path& file) {
  std::error_code failed;
  return is_address(file.native()) ? file : fs::weakly_canonical(file, failed);
}

bool leaves_its_folder(const fs::path& path) {
  return path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end();
}

}  // namespace

bool is_remote(const std::string& uri) {
  return uri.rfind("http://", 0) == 0 || uri.rfind("https://", 0) == 0;
}

std::optional<fs::path> find_resource(const Text& uri, const fs::path& folder,
                                      const LoadOptions& options,
                                      const std::shared_ptr<const Instantiation>& chain,
                                      Diagnostics& diagnostics, Severity missing) {
  if (uri.broken) return std::nullopt;
  const auto fail = [&](std::string message, std::string hint) {
    diagnostics.add({missing, uri.place, std::move(message), std::move(hint), chain});
    return std::nullopt;
  };
  if (is_remote(uri.value)) {
    const Archived parts = split(uri.value);
    const std::string name = fs::path(parts.archive).filename();
    if (name.empty() || name == "." || name == ".." || leaves_its_folder(parts.inner)) {
      return fail("'" + uri.value + "' names no file", {});
    }
    if (options.addresses) options.addresses->push_back(address_to_fetch(uri.value, uri.place));
    try {
      if (const fs::path fetched = fetched_file(uri.value); !fetched.empty())
        return without_links(fetched);
    } catch (const AddressError& problem) {
      return fail(problem.what(), {});
    }
    const auto caches =
        options.model_caches.empty() ? default_model_caches(options) : options.model_caches;
    for (const auto& cache : caches) {
      const fs::path file = cache / Archived{name, parts.inner}.unpacked();
      if (!is_file(file)) continue;
      allow_files_below(cache);
      return without_links(file);
    }
    std::string where;
    for (const auto& cache : caches) {
      where += (where.empty() ? "" : " or ") + cache.string();
    }
    const auto addressed = addressed_files();
    const std::string how = addressed ? addressed->how_to_get() + ", or " : "";
    return fail("'" + uri.value + "' is on the web and was not fetched",
                how + (parts.inner.empty()
                           ? "put " + name + " into " + where
                           : "unpack " + name + " into a folder " + name + ".out in " + where));
  }
  const std::string path = uri.value.rfind("file://", 0) == 0 ? uri.value.substr(7) : uri.value;
  const Archived parts = split(path);
  const fs::path file = (folder / parts.unpacked()).lexically_normal();
  if (is_file(file)) return without_links(file);
  if (path.empty()) return fail("the address of a file is empty", {});
  return fail("there is no file '" + uri.value + "'",
              parts.inner.empty() ? "looked for " + file.string()
                                  : "unpack " + parts.archive + " into " + parts.archive + ".out");
}

}  // namespace protobeam::mvsim
