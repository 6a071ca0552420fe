#include "mvsim/load.h"

#include <optional>

#include "mvsim/check.h"
#include "mvsim/expand.h"

namespace protobeam::mvsim {
namespace {

bool is_world(const XmlFile& file, Diagnostics& diagnostics) {
  const xml::Element& root = file.roots.front();
  if (root.tag != "mvsim_world") {
    diagnostics.error(root.place, "a world is a <mvsim_world>, not a <" + root.tag + ">",
                      root.tag == "world" ? "write <mvsim_world>" : "");
    return false;
  }
  if (file.roots.size() > 1) {
    diagnostics.error(file.roots[1].place, "a world is one <mvsim_world> and nothing else");
    return false;
  }
  return true;
}

void check_version(const Element& root, Diagnostics& diagnostics) {
  const Text* version = root.attribute("version");
  if (!version || version->broken) return;
  const std::string& text = version->value;
  const auto dot = text.find('.');
  const auto whole = [](std::string_view number) {
    return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (dot != std::string::npos && whole(std::string_view(text).substr(0, dot)) &&
      whole(std::string_view(text).substr(dot + 1))) {
    return;
  }
  diagnostics.error(version->place,
                    "'version' of <mvsim_world> wants two numbers such as 1.0, got '" + text + "'");
}

LoadedFile load(std::optional<std::string> text, const std::filesystem::path& file,
                const LoadOptions& options, Diagnostics& diagnostics) {
  LoadedFile out;
  out.file = file;
  FileLibrary files(options, file, diagnostics);
  out.project = files.project();
  const auto source = files.world(std::move(text));
  if (!source || !is_world(*source, diagnostics)) return out;
  Expander expander(options, files, diagnostics);
  expander.world(source, out.root);
  out.classes = expander.unused_classes();
  TreeChecker checker(options, diagnostics);
  check_version(out.root, diagnostics);
  checker.world(out.root);
  for (auto& one : out.classes) checker.definition(one);
  return out;
}

}  // namespace

LoadedFile load_world(const std::filesystem::path& file, const LoadOptions& options,
                      Diagnostics& diagnostics) {
  return load(std::nullopt, file, options, diagnostics);
}

LoadedFile load_world_text(std::string text, const std::filesystem::path& file,
                           const LoadOptions& options, Diagnostics& diagnostics) {
  return load(std::move(text), file, options, diagnostics);
}

LoadedFile load_definitions(const std::filesystem::path& file, const LoadOptions& options,
                            Diagnostics& diagnostics) {
  LoadedFile out;
  out.file = file;
  FileLibrary files(options, file, diagnostics);
  out.project = files.project();
  const auto source = files.world();
  if (!source) return out;
  Expander expander(options, files, diagnostics);
  out.definitions = expander.definitions(source);
  out.classes = expander.unused_classes();
  TreeChecker checker(options, diagnostics);
  for (auto& one : out.definitions) checker.definition(one);
  for (auto& one : out.classes) checker.definition(one);
  return out;
}

}  // namespace protobeam::mvsim
