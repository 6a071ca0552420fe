#include "tests/support/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace fs = std::filesystem;

Outcome protobeam(const std::vector<std::string>& arguments, const Surroundings& run) {
  std::vector<std::string> words = {build_dir() + "/bin/protobeam"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return execute(words, run);
}

Outcome execute(const std::vector<std::string>& words, const Surroundings& run) {
  int out[2], err[2];
  if (pipe(out) != 0 || pipe(err) != 0) throw std::runtime_error("no pipes");
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    for (int fd : {out[0], out[1], err[0], err[1]}) close(fd);
    // Ignored in what nohup or a shell's & has started.
    for (const int number : {SIGINT, SIGQUIT, SIGHUP}) signal(number, SIG_DFL);
    const fs::path directory =
        run.directory.empty() ? fs::path(source_dir()) : run.directory;
    if (chdir(directory.c_str()) != 0) _exit(126);
    for (const auto& entry : run.environment) putenv(const_cast<char*>(entry.c_str()));
    if (run.file_size_limit >= 0) {
      const rlimit limit{static_cast<rlim_t>(run.file_size_limit),
                         static_cast<rlim_t>(run.file_size_limit)};
      setrlimit(RLIMIT_FSIZE, &limit);
      signal(SIGXFSZ, SIG_IGN);
    }
    std::vector<char*> raw;
    for (const auto& word : words) raw.push_back(const_cast<char*>(word.c_str()));
    raw.push_back(nullptr);
    execvp(raw[0], raw.data());
    _exit(127);
  }
  close(out[1]);
  close(err[1]);
  if (run.meanwhile) run.meanwhile(child);
  Outcome outcome;
  pollfd fds[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  bool killed = false;
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    poll(fds, 2, 200);
    if (!killed && std::chrono::steady_clock::now() - begin > run.limit) {
      kill(child, SIGKILL);
      killed = true;
    }
    for (int i = 0; i < 2; ++i) {
      if (fds[i].fd < 0 || !(fds[i].revents & (POLLIN | POLLHUP | POLLERR))) continue;
      char buffer[65536];
      const ssize_t n = read(fds[i].fd, buffer, sizeof buffer);
      if (n > 0) {
        (i == 0 ? outcome.out : outcome.err).append(buffer, static_cast<std::size_t>(n));
      } else {
        close(fds[i].fd);
        fds[i].fd = -1;
      }
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  outcome.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

int processes_with(const std::string& word) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (std::stol(name) == getpid()) continue;
    // One that ends meanwhile cannot be read any more, which is no failure.
    std::ostringstream words;
    words << std::ifstream(entry.path() / "cmdline", std::ios::binary).rdbuf();
    if (words.str().find(word) != std::string::npos) ++count;
  }
  return count;
}

}  // namespace protobeam::test
