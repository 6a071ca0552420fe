#include "tests/fuzz/mvsim_bytes.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "mvsim/load.h"

namespace protobeam::mvsim {
namespace {

LoadOptions options() {
  LoadOptions made;
  made.project = "/nonexistent";
  made.model_caches = {"/nonexistent/cache"};
  made.environment = [](const std::string&) { return std::nullopt; };
  made.limits.elements = 5000;
  made.limits.value_bytes = 64u << 10;
  made.limits.total_bytes = 4u << 20;
  return made;
}

[[noreturn]] void stop(const char* why) {
  std::fprintf(stderr, "%s\n", why);
  std::abort();
}

void add(const Place& place, std::string& out) {
  if (!place.valid()) return;
  if (place.offset > place.source->text().size()) stop("a place lies outside of its text");
  out += place.to_string() + " ";
}

/// Everything that a tree says.
void add(const Element& element, std::string& out) {
  out += "<" + element.tag + " ";
  add(element.place, out);
  for (const auto& attribute : element.attributes) {
    out += attribute.name + "=" + attribute.text.value + " ";
    add(attribute.place, out);
    add(attribute.text.place, out);
  }
  out += element.text.value + " ";
  add(element.text.place, out);
  for (const auto& child : element.children) add(child, out);
  out += ">";
}

std::string load(const std::string& text) {
  Diagnostics diagnostics;
  const LoadedFile loaded =
      load_world_text(text, "/nonexistent/fuzz.world.xml", options(), diagnostics);
  std::string out = diagnostics.to_string();
  add(loaded.root, out);
  for (const auto& one : loaded.classes) add(one, out);
  return out;
}

}  // namespace

void load_bytes(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (load(text) != load(text)) stop("the same text gave two different trees");
}

}  // namespace protobeam::mvsim
