#include "link/controller_url.h"

#include <charconv>
#include <stdexcept>

namespace protobeam::link {
namespace {

constexpr int kLastPort = 65535;

[[noreturn]] void fail(const std::string& text, const std::string& what) {
  throw std::invalid_argument(std::string(kUrlVariable) + " is '" + text + "': " + what +
                              "; it is ipc://PORT, ipc://PORT/ROBOT, tcp://HOST:PORT, "
                              "tcp://HOST:PORT/ROBOT or the name of a robot");
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string percent_decode(const std::string& url, std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
    const int low = high >= 0 ? digit_of(text[i + 2]) : -1;
    if (low < 0) fail(url, "a '%' is followed by no two hexadecimal digits (write '%25' for it)");
    out += static_cast<char>(16 * high + low);
    i += 2;
  }
  return out;
}

int port_of(const std::string& url, std::string_view text) {
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port < 1 || port > kLastPort) {
    fail(url, std::string("'").append(text) += "' is no port from 1 to 65535");
  }
  return port;
}

}  // namespace

ControllerUrl parse_controller_url(const std::string& text) {
  ControllerUrl url;
  const auto colon = text.find("://");
  if (colon == std::string::npos) {
    url.robot = text;
    return url;
  }
  const std::string protocol = text.substr(0, colon);
  std::string_view rest = std::string_view(text).substr(colon + 3);
  if (const auto slash = rest.find('/'); slash != std::string_view::npos) {
    url.robot = percent_decode(text, rest.substr(slash + 1));
    rest = rest.substr(0, slash);
  }
  if (protocol == "ipc") {
    url.port = port_of(text, rest);
  } else if (protocol == "tcp") {
    url.protocol = ControllerUrl::Protocol::kTcp;
    const auto last = rest.rfind(':');
    if (last == std::string_view::npos) fail(text, "it has no port");
    std::string_view host = rest.substr(0, last);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {  // [::1]
      host = host.substr(1, host.size() - 2);
    }
    if (host.empty()) fail(text, "it has no host");
    url.host = host;
    url.port = port_of(text, rest.substr(last + 1));
  } else {
    fail(text, "the protocol '" + protocol + "' is unknown");
  }
  return url;
}

std::string percent_encode(std::string_view text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::string to_string(const ControllerUrl& url) {
  if (url.port == 0) return url.robot;
  std::string out = "ipc://";
  if (url.protocol == ControllerUrl::Protocol::kTcp) {
    const bool ipv6 = url.host.find(':') != std::string::npos;
    out = "tcp://";
    out.append(ipv6 ? "[" : "").append(url.host).append(ipv6 ? "]:" : ":");
  }
  out.append(std::to_string(url.port));
  if (!url.robot.empty()) out.append("/").append(percent_encode(url.robot));
  return out;
}

}  // namespace protobeam::link
