#include "sdf/material_script.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/named_files.h"

namespace protobeam::sdf {
namespace fs = std::filesystem;
namespace {

using Words = std::vector<std::string_view>;

/// Words and braces; comments are left out.
Words words_of(std::string_view text) {
  Words out;
  const auto ends = [](char c) {
    return c == '{' || c == '}' || c == ' ' || c == '\t' || c == '\r';
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at, 2) == "//" || text.substr(at, 2) == "/*") {
      const bool line = text[at + 1] == '/';
      const std::size_t end = text.find(line ? "\n" : "*/", at + 2);
      if (end == std::string_view::npos) break;
      at = line ? end : end + 2;
    } else if (text[at] == '\n' || text[at] == '{' || text[at] == '}') {
      out.push_back(text.substr(at++, 1));
    } else if (ends(text[at])) {
      ++at;
    } else {
      std::size_t end = at;
      while (end < text.size() && text[end] != '\n' && !ends(text[end])) ++end;
      out.push_back(text.substr(at, end - at));
      at = end;
    }
  }
  return out;
}

/// The numbers behind a word, in its line.
std::vector<double> numbers_behind(const Words& words, std::size_t at) {
  std::vector<double> out;
  for (++at; at < words.size(); ++at) {
    double value = 0;
    const char* const end = words[at].data() + words[at].size();
    if (std::from_chars(words[at].data(), end, value).ptr != end) break;
    out.push_back(std::clamp(value, -1e6, 1e6));
  }
  return out;
}

/// The material whose block begins at words[at]: its first technique, of that the first pass, and
/// of that the first picture.
ScriptLook first_pass(const Words& words, std::size_t at) {
  ScriptLook out;
  std::vector<std::string_view> blocks;
  bool passed = false;
  std::string_view kind;
  for (; at < words.size(); ++at) {
    const std::string_view word = words[at];
    if (word == "\n") continue;
    if (word == "{") {
      blocks.push_back(kind);
      continue;
    }
    if (word == "}") {
      passed = passed || (!blocks.empty() && blocks.back() == "pass");
      if (!blocks.empty()) blocks.pop_back();
      if (blocks.empty() || passed) break;
      continue;
    }
    const bool first = at == 0 || words[at - 1] == "\n" || words[at - 1] == "{";
    if (!first) continue;
    kind = word;
    const std::string_view block = blocks.empty() ? std::string_view() : blocks.back();
    if (block == "pass") {
      const std::vector<double> n = numbers_behind(words, at);
      const auto colour = [&] {
        return Vec3(std::clamp(n[0], 0.0, 1.0), std::clamp(n[1], 0.0, 1.0),
                    std::clamp(n[2], 0.0, 1.0));
      };
      if (n.size() < 3) continue;
      if (word == "diffuse") {
        out.diffuse = colour();
        if (n.size() > 3) out.alpha = std::clamp(n[3], 0.0, 1.0);
      }
      if (word == "ambient") out.ambient = colour();
      if (word == "emissive") out.emissive = colour();
    } else if (block == "texture_unit") {
      if (word == "texture" && out.texture.empty() && at + 1 < words.size())
        out.texture = std::string(words[at + 1]);
      const std::vector<double> n = numbers_behind(words, at);
      if (word == "scale" && n.size() == 2 && n[0] != 0 && n[1] != 0) out.scale = {n[0], n[1]};
    }
  }
  return out;
}

/// What a <uri> names, a file or a folder; empty when there is none.
fs::path place_of(Context& context, const Text& uri) {
  Diagnostics said;  // scripts of Gazebo's own are not there
  const auto found = context.resources.locate(uri, said);
  if (!found || !why_not_allowed(*found).empty()) return {};
  return found->has_filename() ? *found : found->parent_path();
}

std::vector<fs::path> scripts_in(const fs::path& place) {
  std::error_code failed;
  if (fs::is_regular_file(place, failed)) return {place};
  std::vector<fs::path> out;
  for (fs::directory_iterator at(place, failed), end; !failed && at != end; at.increment(failed)) {
    if (at->path().extension() == ".material") out.push_back(at->path());
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

std::optional<ScriptLook> look_in(std::string_view text, std::string_view name) {
  const Words words = words_of(text);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const bool first = i == 0 || words[i - 1] == "\n" || words[i - 1] == "}";
    if (!first || words[i] != "material" || words[i + 1] != name) continue;
    return first_pass(words, i);
  }
  return std::nullopt;
}

std::optional<ScriptLook> look_of(Context& context, const Element& script) {
  const Element* name = script.child("name");
  if (!name) return std::nullopt;
  std::vector<fs::path> places;
  for (const Element* uri : script.all("uri")) {
    if (fs::path place = place_of(context, uri->text); !place.empty())
      places.push_back(std::move(place));
  }
  std::optional<ScriptLook> out;
  fs::path folder_of_script;
  for (const fs::path& place : places) {
    for (const fs::path& file : scripts_in(place)) {
      if (out) continue;
      try {
        out = look_in(read_named_file(file, context.options.limits.file_bytes), name->text.value);
      } catch (const std::exception&) {
        continue;  // it is not there for who reads the look
      }
      folder_of_script = file.parent_path();
    }
  }
  if (!out || out->texture.empty()) return out;
  places.push_back(folder_of_script);
  std::error_code failed;
  for (const fs::path& place : places) {
    for (const fs::path& folder : {place, place.parent_path() / "textures"}) {
      if (!fs::is_regular_file(folder / out->texture, failed)) continue;
      out->texture = (folder / out->texture).string();
      return out;
    }
  }
  return out;
}

}  // namespace protobeam::sdf
