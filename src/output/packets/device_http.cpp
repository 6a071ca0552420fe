#include "output/packets/device_http.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace protobeam {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// '+' is a space, "%41" an A. What is no code stays as it is.
std::string decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
      if (high >= 0 && low >= 0) {
        out += static_cast<char>(16 * high + low);
        i += 2;
        continue;
      }
    }
    out += text[i] == '+' ? ' ' : text[i];
  }
  return out;
}

}  // namespace

std::string to_text(const Ipv4& address) {
  return fmt::format("{}.{}.{}.{}", address[0], address[1], address[2], address[3]);
}

std::optional<Ipv4> ipv4_of(const std::string& text) {
  in_addr parsed{};
  if (::inet_pton(AF_INET, text.c_str(), &parsed) != 1) return std::nullopt;
  Ipv4 address;
  std::memcpy(address.data(), &parsed.s_addr, address.size());
  return address;
}

std::map<std::string, std::string> decode_form(std::string_view text) {
  std::map<std::string, std::string> fields;
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(pair.size() + 1, text.size()));
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    fields[decode(pair.substr(0, equals))] =
        equals == std::string_view::npos ? "" : decode(pair.substr(equals + 1));
  }
  return fields;
}

std::map<std::string, std::string> HttpRequest::query() const {
  const std::size_t mark = target.find('?');
  if (mark == std::string::npos) return {};
  return decode_form(std::string_view(target).substr(mark + 1));
}

DeviceHttp::DeviceHttp(DeviceSettings settings)
    : settings_(std::move(settings)), named_(settings_.address) {}

std::optional<DeviceSettings> DeviceHttp::take_settings() {
  const std::lock_guard lock(mutex_);
  return std::exchange(waiting_, std::nullopt);
}

void DeviceHttp::hand_over(DeviceSettings settings) {
  settings_ = settings;
  const std::lock_guard lock(mutex_);
  waiting_ = std::move(settings);
}

bool DeviceHttp::is_waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.has_value();
}

std::string DeviceHttp::check_destination(const std::string& address) const {
  const auto parsed = ipv4_of(address);
  if (!parsed) return "is no IPv4 address";
  if ((*parsed)[0] == 127 || *parsed == named_) return "";
  return fmt::format(
      "packets are sent to loopback (127.0.0.1) and to {} only, which --publish names",
      to_text(named_));
}

}  // namespace protobeam
