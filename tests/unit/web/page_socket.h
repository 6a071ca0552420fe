// The WebSocket of a page, without a browser.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/descriptor.h"

namespace protobeam::web {

class PageSocket {
 public:
  struct Settings {
    bool answers = true;                      ///< to pings
    int kept = 1 << 18;                       ///< bytes that the system keeps of what was not taken
    std::chrono::milliseconds rest{0};        ///< after each part of 32 kB
    std::chrono::milliseconds limit{20'000};  ///< until the server listens, and says something
  };
  struct Message {
    bool text = false;
    std::string bytes;
  };

  /// Throws std::runtime_error when there is no server in time.
  PageSocket(int port, const Settings& settings) : settings_(settings) {
    const auto end = std::chrono::steady_clock::now() + settings_.limit;
    while (!connect_to(port)) {
      if (std::chrono::steady_clock::now() > end) throw std::runtime_error("no server listens");
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    write("GET /live HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
          "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
  }

  /// Nothing when the connection has ended, or nothing came in time; what has come of the next one
  /// until then is in part().
  std::optional<Message> next() {
    std::array<char, 32'000> piece;
    for (;;) {
      if (auto message = take_message()) return message;
      const ssize_t count = recv(socket_.get(), piece.data(), piece.size(), 0);
      if (count <= 0) return std::nullopt;
      received_.append(piece.data(), static_cast<std::size_t>(count));
      std::this_thread::sleep_for(settings_.rest);
    }
  }
  const std::string& part() const { return message_.bytes; }

 private:
  bool connect_to(int port) {
    socket_ = Descriptor(socket(AF_INET, SOCK_STREAM, 0));
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(settings_.limit);
    const timeval limit{seconds.count(), 0};
    setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &settings_.kept, sizeof settings_.kept);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
    return connect(socket_.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }

  /// RFC 6455, section 5.2.
  std::optional<Message> take_message() {
    if (!upgraded_) {
      const auto end = received_.find("\r\n\r\n");
      if (end == std::string::npos) return std::nullopt;
      received_.erase(0, end + 4);
      upgraded_ = true;
    }
    for (;;) {
      const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(received_[i]); };
      if (received_.size() < 2) return std::nullopt;
      const std::size_t more = byte(1) == 126 ? 2 : byte(1) == 127 ? 8 : 0;
      if (received_.size() < 2 + more) return std::nullopt;
      std::size_t length = more == 0 ? byte(1) : 0;
      for (std::size_t i = 2; i < 2 + more; ++i) length = length << 8 | byte(i);
      if (received_.size() < 2 + more + length) return std::nullopt;
      constexpr int kText = 1, kBinary = 2, kPing = 9;
      const int kind = byte(0) & 15;
      const bool last = (byte(0) & 128) != 0;
      const std::string payload = received_.substr(2 + more, length);
      received_.erase(0, 2 + more + length);
      if (kind == kPing && settings_.answers)
        write("\x8a" + std::string(1, static_cast<char>(128 | payload.size())) +
              std::string(4, '\0') + payload);
      if (kind > kBinary) continue;
      if (kind != 0) message_.text = kind == kText;
      message_.bytes += payload;
      if (last) return std::exchange(message_, {});
    }
  }
  void write(const std::string& bytes) {
    send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }

  Settings settings_;
  Descriptor socket_;
  bool upgraded_ = false;
  std::string received_;
  Message message_;
};

/// Of an address "http://127.0.0.1:8090".
inline int port_of(const std::string& address) {
  return std::stoi(address.substr(address.rfind(':') + 1));
}

}  // namespace protobeam::web
