#include "web/window_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "base/whole_file.h"

namespace protobeam::web {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = 100'000'000;
constexpr std::string_view kWindows = "/robot_windows/", kModule = "/wwi/RobotWindow.js",
                           kScript = "/wwi/webots.js";

/// What pages of Webots import from its site, to the same ends: send(), receive(), setTitle(),
/// name. Webots tells the robot when its window opens.
constexpr std::string_view kRobotWindow = R"(class RobotWindow {
  constructor(onready) {
    this.name = new URLSearchParams(window.location.search).get('name') || '';
    this.waiting = ['init robot window'];
    const scheme = window.location.protocol === 'https:' ? 'wss://' : 'ws://';
    this.socket = new WebSocket(scheme + window.location.host + '/window?name=' + encodeURIComponent(this.name));
    this.socket.onopen = () => {
      for (const text of this.waiting.splice(0)) this.socket.send(text);
      if (onready) onready();
    };
    this.socket.onmessage = event => this.receive(event.data, this.name);
  }
  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(message);
    else if (this.socket.readyState === WebSocket.CONNECTING) this.waiting.push(message);
  }
  receive(message, robot) {  // for pages to override
    console.log(robot + ': ' + message);
  }
  setTitle(title) {
    document.title = title;
  }
}
)";

/// What pages had before R2022b, without importing it: `webots.window()`.
std::string old_script() {
  return "(() => {\n" + std::string(kRobotWindow) +
         "let one = null;\n"
         "window.webots = { window: () => one || (one = new RobotWindow()) };\n})();\n";
}

/// Whether the page has that there, in small or capital letters; `word` is small.
bool has_word(std::string_view page, std::size_t at, std::string_view word) {
  return at + word.size() <= page.size() &&
         std::ranges::equal(page.substr(at, word.size()), word, {},
                            [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
}

/// Where the head of a page begins, or what there is instead.
std::size_t begin_of_head(std::string_view page) {
  std::size_t at = 0, behind = 0;
  if (page.starts_with("\xEF\xBB\xBF")) at = behind = 3;
  while (at < page.size()) {
    if (std::isspace(static_cast<unsigned char>(page[at]))) {
      ++at;
      continue;
    }
    const bool is_comment = has_word(page, at, "<!--");
    bool is_tag = has_word(page, at, "<!doctype"), is_head = false;
    for (const std::string_view tag : {"<html", "<head"}) {
      const std::size_t after = at + tag.size();
      if (!has_word(page, at, tag) || after >= page.size() ||
          !(page[after] == '>' || std::isspace(static_cast<unsigned char>(page[after]))))
        continue;
      is_tag = true;
      is_head = tag == "<head";
    }
    if (!is_comment && !is_tag) break;
    const std::string_view end = is_comment ? "-->" : ">";
    const std::size_t found = page.find(end, at);
    if (found == std::string_view::npos) break;
    at = found + end.size();
    if (is_tag) behind = at;
    if (is_head) break;
  }
  return behind;
}

/// With that script before all others.
std::string with_old_script(const std::string& page) {
  const std::size_t at = begin_of_head(page);
  return page.substr(0, at) + "<script src=\"" + std::string(kScript) + "\"></script>" +
         page.substr(at);
}

/// With our script instead of that of Webots' site, of any version.
std::string with_own_module(const std::string& text) {
  constexpr std::string_view kTheirs = "https://cyberbotics.com/wwi/", kEnd = "/RobotWindow.js";
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = text.find(kTheirs); at != std::string::npos; at = text.find(kTheirs, at)) {
    const std::size_t version = at + kTheirs.size();
    const std::size_t end = text.find_first_of("'\"/", version);
    if (end == std::string::npos) break;
    const bool is_module = end > version && text.compare(end, kEnd.size(), kEnd) == 0;
    if (is_module) {
      out.append(text, done, at - done).append(kModule);
      done = end + kEnd.size();
    }
    at = std::max(end, done);
  }
  return out.append(text, done);
}

std::string type_of(const fs::path& file) {
  constexpr std::array<std::pair<const char*, const char*>, 14> kTypes = {
      {{".html", "text/html; charset=utf-8"},
       {".js", "text/javascript; charset=utf-8"},
       {".mjs", "text/javascript; charset=utf-8"},
       {".css", "text/css; charset=utf-8"},
       {".json", "application/json"},
       {".svg", "image/svg+xml"},
       {".png", "image/png"},
       {".jpg", "image/jpeg"},
       {".jpeg", "image/jpeg"},
       {".gif", "image/gif"},
       {".ico", "image/x-icon"},
       {".woff2", "font/woff2"},
       {".mp3", "audio/mpeg"},
       {".wasm", "application/wasm"}}};
  for (const auto& [ending, type] : kTypes) {
    if (file.extension() == ending) return type;
  }
  return "application/octet-stream";
}

/// Within the folder, also by links.
bool is_below(const fs::path& file, const fs::path& folder) {
  const auto [at, end] = std::ranges::mismatch(folder, file);
  return at == folder.end();
}

}  // namespace

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t at) {
      return at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at]));
    };
    if (text[i] != '%' || !digit(i + 1) || !digit(i + 2)) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
    i += 2;
  }
  return out;
}

std::string encoded(std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x80 && std::isalnum(byte)) ||
        std::string_view("-._~").find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return out;
}

std::string window_address(const SceneDescription::Window& window) {
  const std::string name = encoded(window.page.stem().string());
  return std::string(kWindows) + name + "/" + name + ".html?name=" + encoded(window.robot);
}

std::optional<std::string> robot_of_window(std::string_view path) {
  constexpr std::string_view kSocket = "/window?name=";
  if (!path.starts_with(kSocket)) return std::nullopt;
  return decoded(path.substr(kSocket.size()));
}

std::shared_ptr<const File> window_file(const SceneDescription& description,
                                        std::string_view path) {
  const bool has_windows = !description.windows.empty();
  if (path == kModule && has_windows)
    return std::make_shared<const File>("text/javascript; charset=utf-8",
                                        "export default " + std::string(kRobotWindow));
  if (path == kScript && has_windows)
    return std::make_shared<const File>("text/javascript; charset=utf-8", old_script());
  if (!path.starts_with(kWindows)) return nullptr;
  const std::string wanted = decoded(path.substr(kWindows.size()));
  if (wanted.find('\0') != std::string::npos) return nullptr;
  for (const auto& window : description.windows) {
    // .../robot_windows/NAME/NAME.html
    std::error_code problem;
    const fs::path folder = fs::canonical(window.page.parent_path().parent_path(), problem);
    if (problem) continue;
    const fs::path file = fs::canonical(folder / fs::path(wanted).relative_path(), problem);
    if (problem || !is_below(file, folder) || !fs::is_regular_file(file, problem)) continue;
    try {
      std::string bytes = read_whole_file(file.string(), kMostBytes);
      const std::string type = type_of(file);
      if (type.starts_with("text/html") || type.starts_with("text/javascript"))
        bytes = with_own_module(bytes);
      if (type.starts_with("text/html")) bytes = with_old_script(bytes);
      return std::make_shared<const File>(type, std::move(bytes));
    } catch (const std::exception&) {
      return nullptr;  // it has gone, or is too large
    }
  }
  return nullptr;
}

}  // namespace protobeam::web
