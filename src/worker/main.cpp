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

/// The bytes of a frame, wherever they lie.
struct Frame {
  Bytes sent;
  SharedBytes shared;
  std::span<const std::byte> bytes() const {
    return shared.bytes().empty() ? std::span<const std::byte>(sent) : shared.bytes();
  }
};

/// Bytes of shared memory for the reply to the last request.
std::uint64_t reply_room = 0;

bool receive(Frame& frame) {
  FrameHead head;
  if (!read_exactly(&head, sizeof head)) return false;
  if (head.kind == FrameKind::kRequest) reply_room = head.room;
  frame = {};
  if (head.shared != 0) {
    frame.shared = SharedBytes(kWorkerInput, head.size, false);
    return frame.shared.bytes().size() == head.size;
  }
  frame.sent.resize(head.size);
  return read_exactly(frame.sent.data(), frame.sent.size());
}

bool send_frame(FrameKind kind, std::span<const std::byte> bytes) {
  FrameHead head{kind, 0, bytes.size()};
  if (bytes.size() > kSharedFrame && reply_room > 0) {
    // Its size is for the simulator to judge; beyond it there is no memory.
    const SharedBytes shared(kWorkerOutput, bytes.size(), true);
    if (shared.bytes().empty()) return false;
    std::memcpy(shared.bytes().data(), bytes.data(), bytes.size());
    head.shared = 1;
    return write_exactly(&head, sizeof head);
  }
  return write_exactly(&head, sizeof head) && write_exactly(bytes.data(), bytes.size());
}

/// The simulator's answer. Without a simulator nobody waits for what this process does.
Bytes ask(std::span<const std::byte> question) {
  Frame answer;
  if (!send_frame(FrameKind::kQuestion, question) || !receive(answer)) _exit(0);
  return std::move(answer.sent);
}

struct Task {
  const char* name;
  void (*prepare)();
  std::function<Bytes(std::span<const std::byte>)> run;
};

const Task* find_task(const char* name) {
  static const Task kTasks[] = {
      {"templates", wbt::script::prepare_scripts, wbt::script::run_scripts},
      {"models", prepare_import,
       [](std::span<const std::byte> request) { return import_packed(request, ask); }},
  };
  for (const Task& task : kTasks) {
    if (std::strcmp(name, task.name) == 0) return &task;
  }
  return nullptr;
}

int serve(const Task& task) {
  for (Frame request; receive(request);) {
    const Bytes reply = task.run(request.bytes());
    request = {};
    if (!send_frame(FrameKind::kReply, reply)) break;
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
    std::fprintf(stderr, "protobeam: error: protobeam-worker: %s\n", error.what());
    return 4;
  }
}
