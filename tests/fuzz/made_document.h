// Documents that a program makes out of foreign texts, looked through.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "wbt/document.h"

namespace protobeam::test {

[[noreturn]] inline void stop(const char* why) {
  std::fprintf(stderr, "%s\n", why);
  std::abort();
}

inline void check(const Place& place) {
  if (place.valid() && place.offset > place.source->text().size())
    stop("a place lies outside of its text");
}

inline void check(const wbt::NodePtr& node) {
  if (!node) return;
  check(node->place);
  for (const wbt::Field& field : node->fields) {
    check(field.place);
    for (const double number : field.value.numbers) {
      if (!std::isfinite(number)) stop("a number is not finite");
    }
    for (const wbt::NodePtr& child : field.value.nodes) check(child);
  }
}

inline std::string text_of(const std::optional<wbt::Document>& document) {
  if (!document) return "nothing";
  for (const wbt::NodePtr& node : document->nodes) check(node);
  return wbt::to_text(*document);
}

}  // namespace protobeam::test
