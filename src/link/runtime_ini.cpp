#include "link/runtime_ini.h"

#include <strings.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>

namespace protobeam::link {
namespace {

enum class Section { kNone, kPaths, kVariables, kPython, kJava, kOther };

std::string trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

/// A `;` starts a comment, but not inside of quotes.
std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == ';' && !quoted) return line.substr(0, i);
  }
  return line;
}

std::string unquote(std::string value) {
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
    return value.substr(1, value.size() - 2);
  }
  return value;
}

std::optional<Section> section_of(const std::string& name) {
  constexpr std::array kElsewhere = {
      "environment variables for Windows", "environment variables for macOS",
      "environment variables for Mac OS X", "environment variables for Linux 32", "matlab"};
  if (name == "environment variables with paths") return Section::kPaths;
  if (name == "environment variables" || name == "environment variables for Linux" ||
      name == "environment variables for Linux 64") {
    return Section::kVariables;
  }
  if (name == "python") return Section::kPython;
  if (name == "java") return Section::kJava;
  if (std::find(kElsewhere.begin(), kElsewhere.end(), name) != kElsewhere.end()) {
    return Section::kOther;
  }
  return std::nullopt;
}

std::string expand(const std::string& value, const RuntimeIni& ini, const Lookup& outer) {
  std::string out;
  for (std::size_t i = 0; i < value.size();) {
    const auto end = value.compare(i, 2, "$(") == 0 ? value.find(')', i) : std::string::npos;
    if (end == std::string::npos) {
      out += value[i++];
      continue;
    }
    const std::string name = value.substr(i + 2, end - i - 2);
    if (const auto known = ini.environment.find(name); known != ini.environment.end()) {
      out += known->second;
    } else {
      out += outer(name).value_or("");
    }
    i = end + 1;
  }
  return out;
}

/// Each entry of a `:` list, made absolute; empty ones (a variable that was not set) vanish.
std::string absolute_paths(const std::string& list, const std::filesystem::path& folder) {
  std::string out;
  std::istringstream entries(list);
  for (std::string entry; std::getline(entries, entry, ':');) {
    if (entry.empty()) continue;
    if (!out.empty()) out += ':';
    out += (folder / entry).lexically_normal().string();
  }
  return out;
}

}  // namespace

RuntimeIni parse_runtime_ini(std::string_view text, const std::filesystem::path& path,
                             const Lookup& outer) {
  RuntimeIni ini;
  Section section = Section::kNone;
  int number = 0;
  const auto fail = [&](const std::string& message) {
    throw std::runtime_error(path.string() + ":" + std::to_string(number) + ": " + message);
  };
  std::istringstream lines{std::string(text)};
  for (std::string raw; std::getline(lines, raw);) {
    ++number;
    const std::string line = trim(without_comment(raw));
    if (line.empty()) continue;
    if (line.front() == '[') {
      if (line.back() != ']') fail("the section name '" + line + "' has no ']'");
      const std::string name = trim(std::string_view(line).substr(1, line.size() - 2));
      const auto found = section_of(name);
      if (!found) {
        fail("unknown section '" + name +
             "'; known are 'environment variables with paths', 'environment variables', "
             "'environment variables for Linux', 'python' and 'java'");
      }
      section = *found;
      continue;
    }
    if (section == Section::kOther) continue;
    const auto equals = line.find('=');
    const std::string name = trim(std::string_view(line).substr(0, equals));
    if (equals == std::string::npos || name.empty()) {
      fail("'" + line + "' is no 'NAME = value'");
    }
    const std::string value =
        expand(unquote(trim(std::string_view(line).substr(equals + 1))), ini, outer);
    switch (section) {
      case Section::kNone:
        fail("'" + name + "' stands before the first [section]");
        break;
      case Section::kPaths:
        ini.environment[name] = absolute_paths(value, path.parent_path());
        break;
      case Section::kVariables:
        ini.environment[name] = value;
        break;
      case Section::kPython:
      case Section::kJava: {
        auto& interpreter = section == Section::kPython ? ini.python : ini.java;
        // Webots on Windows takes them in small letters, too, and so people write them.
        if (strcasecmp(name.c_str(), "COMMAND") == 0) {
          interpreter.command = value;
        } else if (strcasecmp(name.c_str(), "OPTIONS") == 0) {
          std::istringstream words(value);
          for (std::string word; words >> word;) interpreter.options.push_back(word);
        } else {
          fail("unknown key '" + name + "' of [" +
               (section == Section::kPython ? "python" : "java") +
               "]; known are COMMAND and OPTIONS");
        }
        break;
      }
      case Section::kOther:
        break;
    }
  }
  return ini;
}

}  // namespace protobeam::link
