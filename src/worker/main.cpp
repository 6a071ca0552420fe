// protobeam-worker: looks at foreign data for a simulator, in a process that can do nothing else.
// It reads requests from a socket and writes replies until the socket closes.
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>

#include "base/worker_process.h"
#include "geometry/imported_model.h"
#include "wbt/templates/script_runner.h"
#include "worker/sandbox.h"

namespace protobeam {
namespace {

using Bytes = WorkerProcess::Bytes;

bool read_exactly(void* data, std::size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = read(kWorkerSocket, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_exactly(const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = send(kWorkerSocket, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive(Bytes& bytes) {
  std::uint64_t size = 0;
  if (!read_exactly(&size, sizeof size)) return false;
  bytes.resize(size);
  return read_exactly(bytes.data(), bytes.size());
}

bool send_frame(WorkerFrame kind, std::span<const std::byte> bytes) {
  const std::uint64_t size = bytes.size();
  return write_exactly(&kind, sizeof kind) && write_exactly(&size, sizeof size) &&
         write_exactly(bytes.data(), bytes.size());
}

/// The simulator's answer. Without a simulator nobody waits for what this process does.
Bytes ask(std::span<const std::byte> question) {
  Bytes answer;
  if (!send_frame(WorkerFrame::kQuestion, question) || !receive(answer)) _exit(0);
  return answer;
}

struct Task {
  const char* name;
  void (*prepare)();
  std::function<Bytes(std::span<const std::byte>)> run;
};

const Task* find_task(const char* name) {
  static const Task kTasks[] = {
      {"templates", wbt::script::prepare_javascript, wbt::script::run_scripts},
      {"models", prepare_import,
       [](std::span<const std::byte> request) { return import_packed(request, ask); }},
  };
  for (const Task& task : kTasks) {
    if (std::strcmp(name, task.name) == 0) return &task;
  }
  return nullptr;
}

int serve(const Task& task) {
  Bytes bytes;
  while (receive(bytes)) {
    if (!send_frame(WorkerFrame::kReply, task.run(bytes))) break;
  }
  return 0;
}

bool has_socket() {
  int type = 0;
  socklen_t length = sizeof type;
  return getsockopt(kWorkerSocket, SOL_SOCKET, SO_TYPE, &type, &length) == 0;
}

}  // namespace
}  // namespace protobeam

int main(int argc, char** argv) {
  using namespace protobeam;
  const Task* task = argc == 2 && has_socket() ? find_task(argv[1]) : nullptr;
  if (task == nullptr) {
    std::fputs("protobeam-worker is started by protobeam, for templates and models\n", stderr);
    return 2;
  }
  limit_resources();
  task->prepare();
  if (!forbid_system_calls()) {
    std::perror("protobeam-worker: cannot forbid system calls");
    return 3;
  }
  try {
    return serve(*task);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "protobeam-worker: %s\n", error.what());
    return 4;
  }
}
