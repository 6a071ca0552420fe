// Accepts TCP connections, for servers that have a thread of their own. Includes Boost.Asio, which
// takes seconds to compile: only for the files that hold a server.
#pragma once

#include <fcntl.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace protobeam {

class Listener {
 public:
  using Socket = boost::asio::ip::tcp::socket;

  /// Listens; `take` is called with each connection by the thread that runs the context, from
  /// accept() on. Port 0 is any free one. Throws std::invalid_argument for an address that is none,
  /// std::runtime_error ("cannot listen on 127.0.0.1:8765: Address already in use").
  Listener(boost::asio::io_context& context, const std::string& address, int port,
           std::function<void(Socket)> take)
      : acceptor_(context), retry_(context), take_(std::move(take)) {
    boost::system::error_code error;
    const auto ip = boost::asio::ip::make_address(address, error);
    if (error) throw std::invalid_argument("'" + address + "' is no IP address");
    const boost::asio::ip::tcp::endpoint endpoint(ip, static_cast<unsigned short>(port));
    acceptor_.open(endpoint.protocol(), error);
    if (!error) close_in_children(acceptor_.native_handle());
    // So that the next run may listen at once.
    if (!error) acceptor_.set_option(boost::asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(boost::asio::socket_base::max_listen_connections, error);
    if (error) {
      throw std::runtime_error("cannot listen on " + text_of(endpoint) + ": " + error.message());
    }
  }

  /// "127.0.0.1:8765"
  std::string address() const { return text_of(acceptor_.local_endpoint()); }

  void accept() {
    acceptor_.async_accept([this](boost::system::error_code error, Socket socket) {
      if (!acceptor_.is_open()) return;
      if (!error) {
        try {
          close_in_children(socket.native_handle());
          take_(std::move(socket));
        } catch (const std::bad_alloc&) {
          // This one has no answer; the next ones may have one.
        }
        return accept();
      }
      // Such as too many open files, which does not get better by asking at once.
      retry_.expires_after(std::chrono::milliseconds(100));
      retry_.async_wait([this](boost::system::error_code cancelled) {
        if (!cancelled && acceptor_.is_open()) accept();
      });
    });
  }

  /// Takes no more connections.
  void close() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    retry_.cancel();
  }

 private:
  static std::string text_of(const boost::asio::ip::tcp::endpoint& endpoint) {
    const std::string ip = endpoint.address().to_string();
    return (endpoint.address().is_v6() ? "[" + ip + "]" : ip) + ":" +
           std::to_string(endpoint.port());
  }

  /// Controllers that are started later must not keep the port.
  static void close_in_children(int socket) { ::fcntl(socket, F_SETFD, FD_CLOEXEC); }

  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer retry_;
  std::function<void(Socket)> take_;
};

/// Runs the context until nothing is left for it to do.
inline void run_connections(boost::asio::io_context& context) {
  while (true) {
    try {
      context.run();
      return;
    } catch (const std::exception&) {
      // No memory for one connection: the others go on.
    }
  }
}

}  // namespace protobeam
