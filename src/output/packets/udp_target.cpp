#include "output/packets/udp_target.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace protobeam {
namespace {

constexpr std::string_view kScheme = "udp://";

[[noreturn]] void throw_invalid(const std::string& text, const std::string& why) {
  throw std::invalid_argument(fmt::format("'{}': {}", text, why));
}

std::string said(int error) { return std::generic_category().message(error); }

std::uint16_t parse_port(const std::string& text, std::string_view port) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), value);
  if (error != std::errc() || end != port.data() + port.size() || value < 1 || value > 65535) {
    throw_invalid(text, "the port must be 1 to 65535");
  }
  return static_cast<std::uint16_t>(value);
}

/// Loopback, or the address of one of its interfaces.
bool is_of_this_machine(const in_addr& address) {
  if (ntohl(address.s_addr) >> 24 == 127) return true;
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return false;
  bool found = false;
  for (const ifaddrs* one = all; one; one = one->ifa_next) {
    if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET || !(one->ifa_flags & IFF_UP)) {
      continue;
    }
    const auto* own = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
    found = found || own->sin_addr.s_addr == address.s_addr;
  }
  ::freeifaddrs(all);
  return found;
}

}  // namespace

UdpTarget::UdpTarget(const std::string& text) : text_(text) {
  std::string_view rest = text;
  if (!rest.starts_with(kScheme)) throw_invalid(text, "must look like udp://127.0.0.1:2368");
  rest.remove_prefix(kScheme.size());
  std::string host(rest.substr(0, rest.find(':')));
  if (rest.size() > host.size()) port_ = parse_port(text, rest.substr(host.size() + 1));
  if (host == "localhost") host = "127.0.0.1";
  in_addr address{};
  if (::inet_pton(AF_INET, host.c_str(), &address) != 1) {
    throw_invalid(
        text, fmt::format("'{}' is no IPv4 address such as 127.0.0.1 (names other than localhost "
                          "are not looked up)",
                          host));
  }
  address_ = address.s_addr;
  if (!is_of_this_machine(address)) {
    throw_invalid(
        text, fmt::format("{} is no address of this machine, and packets do not leave it", host));
  }
  socket_ = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) {
    throw std::runtime_error(fmt::format("cannot send to {}: {}", text, said(errno)));
  }
}

UdpTarget::~UdpTarget() {
  if (socket_ >= 0) ::close(socket_);
}

UdpTarget::UdpTarget(UdpTarget&& other) noexcept
    : text_(std::move(other.text_)),
      address_(other.address_),
      port_(other.port_),
      socket_(std::exchange(other.socket_, -1)) {}

std::array<std::uint8_t, 4> UdpTarget::address() const {
  std::array<std::uint8_t, 4> bytes;
  std::memcpy(bytes.data(), &address_, bytes.size());
  return bytes;
}

void UdpTarget::send(const std::array<std::uint8_t, 4>& address, std::uint16_t port,
                     std::span<const std::uint8_t> payload) const {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  std::memcpy(&to.sin_addr.s_addr, address.data(), address.size());
  ssize_t sent = -1;
  do {
    sent = ::sendto(socket_, payload.data(), payload.size(), 0,
                    reinterpret_cast<const sockaddr*>(&to), sizeof(to));
  } while (sent < 0 && errno == EINTR);
  // The error of an earlier packet may be reported now.
  if (sent >= 0 || errno == ECONNREFUSED) return;
  throw std::runtime_error(fmt::format("cannot send to {}, port {}: {}", text_, port, said(errno)));
}

}  // namespace protobeam
