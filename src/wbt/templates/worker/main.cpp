// protobeam-template: evaluates the JavaScript of PROTO templates for a simulator, in a process
// that can do nothing else. It reads requests from a socket and writes replies until the socket
// closes.
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>

#include "wbt/templates/worker/sandbox.h"
#include "wbt/templates/worker/script_runner.h"

namespace protobeam::wbt {
namespace {

bool read_exactly(void* data, std::size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = read(wire::kSocket, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_exactly(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(wire::kSocket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

wire::Request parse_request(std::string_view bytes) {
  wire::Reader reader(bytes);
  wire::Request request;
  request.output_limit = reader.number<std::uint64_t>();
  request.fields_json = reader.string();
  request.context_json = reader.string();
  const auto count = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < count && reader.ok(); ++i) {
    std::string url(reader.string());
    std::string text(reader.string());
    request.scripts.push_back({std::move(url), std::move(text)});
  }
  return request;
}

/// A first evaluation, so that everything that JavaScriptCore opens lazily is open.
void warm_up() {
  wire::Request request;
  request.output_limit = 1024;
  request.fields_json = request.context_json = "{}";
  request.scripts.push_back(
      {"warm-up", "__emit(0, [1.5, 'é'.normalize()].join() + new Date(0)); undefined.x;"});
  run_scripts(request);
}

int serve() {
  std::uint64_t size = 0;
  std::string bytes;
  while (read_exactly(&size, sizeof(size))) {
    bytes.resize(size);
    if (!read_exactly(bytes.data(), bytes.size())) break;
    const std::string reply = run_scripts(parse_request(bytes));
    const std::uint64_t reply_size = reply.size();
    if (!write_exactly({reinterpret_cast<const char*>(&reply_size), sizeof(reply_size)}) ||
        !write_exactly(reply)) {
      break;
    }
  }
  return 0;
}

}  // namespace
}  // namespace protobeam::wbt

int main() {
  using namespace protobeam::wbt;
  int type = 0;
  socklen_t length = sizeof(type);
  if (getsockopt(wire::kSocket, SOL_SOCKET, SO_TYPE, &type, &length) != 0) {
    std::fputs("protobeam-template is started by protobeam for the templates of PROTO files\n",
               stderr);
    return 2;
  }
  limit_resources();
  configure_javascript();
  warm_up();
  if (!forbid_system_calls()) {
    std::perror("protobeam-template: cannot forbid system calls");
    return 3;
  }
  return serve();
}
