#include "gltf/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/whole_file.h"
#include "gltf/page_source.h"

namespace protobeam::gltf {
namespace {

constexpr std::size_t kMostSource = 16'000'000;

/// RFC 4648, section 4.
std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out.push_back(k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=');
  }
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

PageMaker::PageMaker(const std::string& three) {
  for (const char* part : {"three.min.js", "examples/js/loaders/GLTFLoader.js",
                           "examples/js/controls/OrbitControls.js"}) {
    const std::string file = three + "/" + part;
    if (!is_file(file))
      throw std::runtime_error(
          fmt::format("a page needs three.js, and there is no {} (apt-get install libjs-three); a "
                      ".glb needs none",
                      file));
    libraries_ += "<script>" + read_whole_file(file, kMostSource) + "</script>\n";
  }
}

std::string PageMaker::page(const Parts& parts) const {
  std::string settings;  // in a script, "<" could end it
  for (const char c : parts.settings)
    settings += c == '<' ? std::string("\\u003c") : std::string(1, c);
  const std::string glb = !parts.glb ? ""
                                     : "<script id=\"glb\" type=\"application/octet-stream\">" +
                                           base64(*parts.glb) + "</script>\n";
  return fmt::format(
      "<!DOCTYPE html>\n<html>\n<head>\n<meta "
      "charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{}</title>\n<style>{}{}</style>\n"
      "<!-- three.js is under the MIT licence: https://threejs.org/license -->\n{}</head>\n<body>{}"
      "<script id=\"settings\" type=\"application/json\">{}</script>\n{}<script>{}{}</script>\n"
      "</body>\n</html>\n",
      escaped(parts.title), kPageStyle, parts.style, libraries_, parts.body, settings, glb,
      kSceneScript, parts.script);
}

std::string PageMaker::page(std::string_view glb, const PageSettings& settings) const {
  nlohmann::json sides = nlohmann::json::array();
  for (const std::string& side : settings.sides)
    sides.push_back("data:image/jpeg;base64," + base64(side));
  const nlohmann::json values{{"sky", settings.sky},
                              {"sides", sides},
                              {"follow", settings.follow},
                              {"seconds", settings.seconds}};
  return page({settings.title, "", kPageBody, kPageScript,
               values.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace), glb});
}

}  // namespace protobeam::gltf
