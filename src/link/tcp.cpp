#include "link/tcp.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <memory>
#include <stdexcept>
#include <system_error>

namespace protobeam::link {
namespace {

constexpr int kTcpBacklog = 128;
constexpr int kConnectMilliseconds = 3000;

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

/// Null with `problem`.
Addresses resolve(const std::string& host, int port, int flags, std::string& problem) {
  addrinfo hints{}, *list = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  const int result = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (result != 0) problem = gai_strerror(result);
  return Addresses(result == 0 ? list : nullptr);
}

void set(int socket, int level, int option, int value) {
  setsockopt(socket, level, option, &value, sizeof value);
}

/// Within a limit: a host that does not answer takes minutes otherwise. 0 or an errno.
int connect_soon(int socket, const addrinfo& address) {
  if (connect(socket, address.ai_addr, address.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  pollfd done{socket, POLLOUT, 0};
  if (poll(&done, 1, kConnectMilliseconds) <= 0) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

}  // namespace

Descriptor listen_tcp(const std::string& address, int port) {
  std::string problem;
  const Addresses list = resolve(address, port, AI_PASSIVE, problem);
  if (!list) throw std::runtime_error("cannot listen at '" + address + "': " + problem);
  Descriptor listener(
      socket(list->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
  if (!listener.open())
    throw std::system_error(errno, std::generic_category(), "cannot open a socket");
  set(listener.get(), SOL_SOCKET, SO_REUSEADDR, 1);
  if (bind(listener.get(), list->ai_addr, list->ai_addrlen) == 0 &&
      listen(listener.get(), kTcpBacklog) == 0) {
    return listener;
  }
  if (errno == EADDRINUSE || errno == EACCES) return Descriptor();
  throw std::system_error(errno, std::generic_category(), "cannot listen at '" + address + "'");
}

Descriptor connect_tcp(const std::string& host, int port, std::string& problem) {
  const Addresses list = resolve(host, port, 0, problem);
  for (const addrinfo* one = list.get(); one; one = one->ai_next) {
    Descriptor connection(
        socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
    if (!connection.open()) continue;
    const int error = connect_soon(connection.get(), *one);
    if (error == 0) {
      // Channel says for each call whether it waits.
      const int flags = fcntl(connection.get(), F_GETFL);
      fcntl(connection.get(), F_SETFL, flags & ~O_NONBLOCK);
      tune_tcp(connection.get());
      return connection;
    }
    problem = std::generic_category().message(error);
  }
  return Descriptor();
}

void tune_tcp(int socket) {
  set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(socket, IPPROTO_TCP, TCP_KEEPIDLE, 10);
  set(socket, IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set(socket, IPPROTO_TCP, TCP_KEEPCNT, 3);
  set(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, 30000);
}

}  // namespace protobeam::link
