#include "geometry/collada_quirks.h"

#include <algorithm>
#include <string_view>

#include "geometry/collada_holes.h"
#include "geometry/collada_text.h"

namespace protobeam {
namespace {

using collada::is_tag;
using collada::kSpace;

/// White space may stand before the end of a tag as well as behind it. False for a text that ends
/// before: then no tag behind it has an end, either.
bool trim_number(std::string& text, std::size_t tag) {
  const std::size_t end = text.find('>', tag);
  if (end == std::string::npos) return false;
  const std::size_t number = text.find_first_not_of(kSpace, end + 1);
  if (number == std::string::npos) return false;
  if (text[end - 1] == '/') return true;
  std::rotate(text.begin() + static_cast<std::ptrdiff_t>(end),
              text.begin() + static_cast<std::ptrdiff_t>(end) + 1,
              text.begin() + static_cast<std::ptrdiff_t>(number));
  return true;
}

bool blank_library(std::string& text, std::size_t tag, std::string_view name) {
  const std::size_t begin = text.find('>', tag);
  const std::size_t end = text.find("</" + std::string(name), tag);
  if (begin == std::string::npos || end == std::string::npos) return false;
  if (begin < end) {
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin) + 1,
              text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
  }
  return true;
}

void blank_comments(std::string& text) {
  for (std::size_t at = text.find("<!--"); at != text.npos; at = text.find("<!--", at)) {
    const std::size_t end = text.find("-->", at + 4);
    if (end == text.npos) return;
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(at),
              text.begin() + static_cast<std::ptrdiff_t>(end) + 3, ' ');
  }
}

/// What stands in an <image> says where its picture is.
bool has_picture(std::string_view contents) {
  for (std::size_t at = contents.find('<'); at != contents.npos; at = contents.find('<', at + 1)) {
    const bool data = is_tag(contents, at + 1, "data") || is_tag(contents, at + 1, "hex");
    if (!data && !is_tag(contents, at + 1, "init_from")) continue;
    const std::size_t end = contents.find('>', at);
    if (end == contents.npos || contents[end - 1] == '/') continue;
    const std::size_t first = contents.find_first_not_of(kSpace, end + 1);
    if (first != contents.npos && !contents.substr(first).starts_with("</")) return true;
  }
  return false;
}

void name_missing_pictures(std::string& text) {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = text.find("<image"); at != text.npos; at = text.find("<image", at + 1)) {
    if (!is_tag(text, at + 1, "image") || collada::is_empty(text, at)) continue;
    const std::size_t begin = text.find('>', at);
    const std::size_t end = begin == text.npos ? begin : text.find("</image>", begin);
    if (end == text.npos) break;
    at = end;  // no <image> in it counts
    if (has_picture(std::string_view(text).substr(begin + 1, end - begin - 1))) continue;
    out.append(text, copied, begin + 1 - copied);
    out.append("<init_from>").append(kNoImage).append("</init_from>");
    copied = end;
  }
  if (copied > 0) text = out.append(text, copied);
}

}  // namespace

void mend_collada(std::string& text) {
  blank_comments(text);
  name_missing_pictures(text);
  cut_holes(text);
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    for (const std::string_view name : {"color", "float"})
      if (is_tag(text, at + 1, name) && !trim_number(text, at)) return;
    for (const std::string_view name : {"library_cameras", "library_lights"})
      if (is_tag(text, at + 1, name) && !blank_library(text, at, name)) return;
  }
}

}  // namespace protobeam
