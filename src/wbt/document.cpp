#include "wbt/document.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/address.h"
#include "base/named_files.h"
#include "wbt/parser.h"

namespace protobeam::wbt {
namespace {

std::string header_hint(Version version) {
  return "write '#VRML_SIM " + to_string(version) + " utf8' as the first line";
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

int leading_number(std::string_view text, std::size_t& at) {
  int number = 0;
  while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) &&
         number < 100000) {
    number = number * 10 + (text[at++] - '0');
  }
  return number;
}

/// "R2023b", "V8.6.1"; odd endings ("R2021c-rev1") are read as far as they make sense.
bool parse_version(std::string_view text, Version& version) {
  if (text.size() < 2 || (text[0] != 'R' && text[0] != 'V')) return false;
  if (!std::isdigit(static_cast<unsigned char>(text[1]))) return false;
  std::size_t at = 1;
  version.major = leading_number(text, at);
  version.minor = 0;
  if (at >= text.size()) return text[0] == 'V';
  if (text[0] == 'R') {
    if (!std::islower(static_cast<unsigned char>(text[at]))) return false;
    version.minor = text[at] - 'a';
  } else if (text[at] == '.') {
    version.minor = leading_number(text, ++at);
  }
  return true;
}

/// "#VRML_SIM R2025a utf8", "#VRML V2.0 utf8" or "#VRML_OBJ V7.1.2 utf8"; blanks may follow the
/// "#", as in Webots (WbTokenizer::readFileInfo).
bool parse_header(std::string_view line, Document& document) {
  if (line.empty() || line[0] != '#') return false;
  line.remove_prefix(1);
  const auto word = [&line] {
    line = trimmed(line);
    const auto end = std::min(line.find_first_of(" \t"), line.size());
    const auto out = line.substr(0, end);
    line.remove_prefix(end);
    return out;
  };
  const auto mark = word();
  if (mark != "VRML_SIM" && mark != "VRML_OBJ" && mark != "VRML") return false;
  const auto version = word();
  if (!parse_version(version, document.version)) return false;
  document.version_text = version;
  return true;
}

void read_header(Document& document, DocumentKind kind, Version without_header,
                 Diagnostics& diagnostics) {
  const auto& source = document.source;
  std::string_view first = source->line(source->first_line());
  if (first.substr(0, 3) == "\xef\xbb\xbf") first.remove_prefix(3);
  document.has_header = parse_header(first, document);
  const Place place{source, 0, static_cast<std::uint32_t>(std::max<std::size_t>(first.size(), 1))};
  if (!document.has_header) {
    document.version = without_header;
    document.version_text = to_string(without_header);
    const bool commented = !first.empty() && first[0] == '#';
    const std::string message =
        commented ? "the first line is no header with a version" : "the file has no header";
    if (kind == DocumentKind::kWorld) {
      diagnostics.error(place, message, header_hint(without_header));
      document.broken = true;
    } else {
      diagnostics.warning(place, message, header_hint(without_header));
    }
  } else if (document.version > kR2025a) {
    diagnostics.warning(place, "the file is of version " + document.version_text + ", newer than " +
                                   to_string(kR2025a) +
                                   ": what is new in it may not be understood");
  }
  for (int number = source->first_line() + (document.has_header ? 1 : 0);; ++number) {
    std::string_view line = trimmed(source->line(number));
    if (line.empty() || line[0] != '#') break;
    line = trimmed(line.substr(1));
    document.info.emplace_back(line);
    if (lower(line.substr(0, 5)) != "tags:") continue;
    line.remove_prefix(5);
    while (!line.empty()) {
      const auto comma = std::min(line.find(','), line.size());
      const auto tag = trimmed(line.substr(0, comma));
      if (!tag.empty()) document.tags.emplace_back(tag);
      line.remove_prefix(std::min(comma + 1, line.size()));
    }
  }
}

/// A file of the disk. False with an error.
bool read_text(const std::filesystem::path& file, std::size_t max_bytes, const Place& asked_by,
               Diagnostics& diagnostics, std::string& text) {
  const std::string name = file.string();
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    diagnostics.error(asked_by, "there is no file '" + name + "'");
    return false;
  }
  if (status.type() == std::filesystem::file_type::directory) {
    diagnostics.error(asked_by, "'" + name + "' is a folder, not a file");
    return false;
  }
  if (status.type() != std::filesystem::file_type::regular) {
    diagnostics.error(asked_by, "'" + name + "' is not a regular file");
    return false;
  }
  if (const std::string why = asked_by.valid() ? why_not_allowed(file) : ""; !why.empty()) {
    diagnostics.error(asked_by, "cannot read '" + name + "': " + why);
    return false;
  }
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    diagnostics.error(asked_by, "cannot read '" + name + "': " + std::strerror(errno));
    return false;
  }
  char buffer[1 << 16];
  while (in.read(buffer, sizeof buffer) || in.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(in.gcount()));
    if (text.size() > max_bytes) {
      diagnostics.error(asked_by,
                        "'" + name + "' is larger than " + std::to_string(max_bytes >> 20) + " MB");
      return false;
    }
  }
  if (in.bad()) {
    diagnostics.error(asked_by, "cannot read '" + name + "': " + std::strerror(errno));
    return false;
  }
  return true;
}

}  // namespace

std::string to_string(Version version) {
  const bool release = version.major >= 1000;
  std::string out(1, release ? 'R' : 'V');
  out += std::to_string(version.major);
  if (release) return out += static_cast<char>('a' + version.minor);
  return out.append(1, '.').append(std::to_string(version.minor));
}

std::shared_ptr<const SourceText> read_source(const std::filesystem::path& file,
                                              std::size_t max_bytes, const Place& asked_by,
                                              Diagnostics& diagnostics) {
  const std::string name = file.string();
  std::string text;
  if (is_address(name)) {
    try {
      text = read_named_file(file, max_bytes);
    } catch (const std::runtime_error& problem) {
      diagnostics.error(asked_by, problem.what());
      return nullptr;
    }
  } else if (!read_text(file, max_bytes, asked_by, diagnostics, text)) {
    return nullptr;
  }
  if (text.find('\0') != std::string::npos) {
    diagnostics.error(asked_by, "'" + name + "' is not a text file");
    return nullptr;
  }
  auto source = std::make_shared<SourceText>(name, std::move(text));
  if (source->text().find_first_not_of(" \t\r\n") == std::string_view::npos) {
    diagnostics.error({source, 0, 1}, "the file is empty", header_hint(kR2025a));
    return nullptr;
  }
  return source;
}

Document parse_document(std::shared_ptr<const SourceText> source, std::filesystem::path file,
                        DocumentKind kind, Diagnostics& diagnostics, Version without_header) {
  Document document;
  document.file = std::move(file);
  document.source = source;
  read_header(document, kind, without_header, diagnostics);
  ParseInput input;
  input.source = source;
  input.text = source->text();
  input.begin = input.text.substr(0, 3) == "\xef\xbb\xbf" ? 3 : 0;
  input.end = static_cast<std::uint32_t>(input.text.size());
  Parser parser(std::move(input), diagnostics);
  if (kind == DocumentKind::kWorld) {
    parser.world(document);
  } else {
    parser.proto(document);
  }
  document.broken = document.broken || parser.failed();
  document.def_names = parser.take_def_names();
  return document;
}

}  // namespace protobeam::wbt
