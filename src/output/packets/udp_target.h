// Where packets are sent: "udp://127.0.0.1:2368".
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace protobeam {

class UdpTarget {
 public:
  /// "udp://" address [ ":" port ]. The address is an IPv4 number of this machine or localhost;
  /// other names are not looked up. Throws std::invalid_argument for text that does not fit
  /// ("'udp://127.0.0.1:99999': the port must be 1 to 65535") and for addresses of other machines,
  /// std::runtime_error when the system gives no socket.
  explicit UdpTarget(const std::string& text);
  ~UdpTarget();
  UdpTarget(UdpTarget&& other) noexcept;
  UdpTarget(const UdpTarget&) = delete;
  UdpTarget& operator=(const UdpTarget&) = delete;

  /// 0: the device's own.
  std::uint16_t port() const { return port_; }
  std::array<std::uint8_t, 4> address() const;

  /// Without delay. A port without a receiver is no error. Throws std::runtime_error ("cannot send
  /// to udp://10.0.0.1:2368: Network is unreachable").
  void send(std::uint16_t port, std::span<const std::uint8_t> payload) const {
    send(address(), port, payload);
  }
  /// To another address of this machine.
  void send(const std::array<std::uint8_t, 4>& address, std::uint16_t port,
            std::span<const std::uint8_t> payload) const;

 private:
  std::string text_;
  std::uint32_t address_ = 0;  ///< network order
  std::uint16_t port_ = 0;
  int socket_ = -1;
};

}  // namespace protobeam
