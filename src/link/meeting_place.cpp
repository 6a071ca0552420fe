#include "link/meeting_place.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>

namespace protobeam::link {
namespace fs = std::filesystem;
namespace {

constexpr const char* kSocketEnding = ".socket";
constexpr const char* kLockEnding = ".lock";
constexpr int kBacklog = 128;

fs::path socket_of(const fs::path& folder, int port) {
  return folder / (std::to_string(port) + kSocketEnding);
}
fs::path lock_of(const fs::path& folder, int port) {
  return folder / (std::to_string(port) + kLockEnding);
}

/// Where the folder may be, best first. A program may have another environment than the simulator.
std::vector<fs::path> folders() {
  // Set for both sides, it keeps simulations of one user apart, as those of two jobs on one
  // machine.
  if (const char* own = std::getenv("PROTOBEAM_RUNTIME_DIR"); own && *own == '/') {
    return {fs::path(own) / "protobeam"};
  }
  const std::string user = std::to_string(geteuid());
  std::vector<fs::path> all;
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime && *runtime == '/') all.push_back(fs::path(runtime) / "protobeam");
  const fs::path usual = "/run/user/" + user + "/protobeam";
  if (std::find(all.begin(), all.end(), usual) == all.end()) all.push_back(usual);
  all.push_back("/tmp/protobeam-" + user);
  return all;
}

/// "" or what speaks against it.
std::string objection(const fs::path& folder) {
  struct stat status {};
  if (lstat(folder.c_str(), &status) != 0) return std::generic_category().message(errno);
  if (!S_ISDIR(status.st_mode)) return "it is no folder";
  if (status.st_uid != geteuid()) return "it belongs to another user";
  if ((status.st_mode & 077) != 0) return "others may enter it; chmod 700 it";
  return {};
}

bool fill(sockaddr_un& address, const fs::path& path) {
  address = {};
  address.sun_family = AF_UNIX;
  const std::string& text = path.native();
  if (text.size() >= sizeof address.sun_path) return false;
  text.copy(address.sun_path, text.size());
  return true;
}

/// The first folder that can be used; made when it is not there.
fs::path our_folder() {
  std::string tried;
  for (const fs::path& folder : folders()) {
    sockaddr_un address;
    std::string problem = "its name is too long for a socket";
    if (fill(address, socket_of(folder, 65535))) {
      mkdir(folder.c_str(), 0700);  // or it is there, or it cannot be
      problem = objection(folder);
      if (problem.empty()) return folder;
    }
    tried += "\n  " + folder.string() + ": " + problem;
  }
  throw std::runtime_error("there is no folder for the sockets of extern controllers:" + tried);
}

/// The lock of a port, as long as the simulator lives that holds it; -1 when another one does.
Descriptor lock(const fs::path& folder, int port) {
  const fs::path path = lock_of(folder, port);
  for (;;) {
    Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file.open()) {
      throw std::system_error(errno, std::generic_category(), "cannot make " + path.string());
    }
    if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) return Descriptor();
    // The one before may have removed the file between our two calls.
    struct stat held {
    }, named{};
    if (fstat(file.get(), &held) == 0 && stat(path.c_str(), &named) == 0 &&
        held.st_ino == named.st_ino && held.st_dev == named.st_dev) {
      return file;
    }
  }
}

void remove_files(const fs::path& folder, int port) {
  unlink(socket_of(folder, port).c_str());
  unlink(lock_of(folder, port).c_str());
}

std::vector<int> ports_in(const fs::path& folder, const std::string& ending) {
  std::vector<int> ports;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string stem = entry.path().stem().string();
    int port = 0;
    const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), port);
    if (entry.path().extension() != ending || error != std::errc() || *end) continue;
    ports.push_back(port);
  }
  std::stable_sort(ports.begin(), ports.end());
  return ports;
}

/// What simulators have left that were killed.
void clean(const fs::path& folder) {
  auto ports = ports_in(folder, kLockEnding);
  for (const int port : ports_in(folder, kSocketEnding)) ports.push_back(port);
  for (const int port : ports) {
    if (const Descriptor held = lock(folder, port); held.open()) remove_files(folder, port);
  }
}

}  // namespace

std::optional<MeetingPlace> MeetingPlace::take(int port) {
  const fs::path folder = our_folder();
  clean(folder);
  Descriptor held = lock(folder, port);
  if (!held.open()) return std::nullopt;
  return MeetingPlace(folder, port, std::move(held));
}

MeetingPlace::MeetingPlace(fs::path folder, int port, Descriptor lock)
    : folder_(std::move(folder)), port_(port), lock_(std::move(lock)) {
  const fs::path path = socket_of(folder_, port);
  sockaddr_un address;
  fill(address, path);
  listener_ = Descriptor(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener_.open() ||
      bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      chmod(path.c_str(), 0600) != 0 || listen(listener_.get(), kBacklog) != 0) {
    const int error = errno;
    remove_files(folder_, port);
    throw std::system_error(error, std::generic_category(), "cannot listen at " + path.string());
  }
}

MeetingPlace::~MeetingPlace() {
  if (lock_.open()) remove_files(folder_, port_);
}

std::vector<int> meeting_ports() {
  std::vector<int> all;
  for (const fs::path& folder : folders()) {
    if (!objection(folder).empty()) continue;
    for (const int port : ports_in(folder, kSocketEnding)) all.push_back(port);
  }
  std::stable_sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::optional<Descriptor> meet(int port) {
  for (const fs::path& folder : folders()) {
    sockaddr_un address;
    if (!objection(folder).empty() || !fill(address, socket_of(folder, port))) continue;
    Descriptor connection(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    if (!connection.open()) continue;
    int result;
    do {
      result =
          connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    } while (result != 0 && errno == EINTR);
    if (result == 0 && is_ours(connection.get())) return connection;
  }
  return std::nullopt;
}

bool is_ours(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

}  // namespace protobeam::link
