// A web server of files for tests, with its own world and cache.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {

class Web {
 public:
  Web() {
    std::filesystem::create_directories(folder / "web");
    int in[2], out[2];
    EXPECT_EQ(pipe2(in, O_CLOEXEC), 0);
    EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
    const std::string script = source_dir() + "/tests/fetch/server.py";
    const std::string root = folder / "web";
    child_ = fork();
    if (child_ == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      execlp("python3", "python3", script.c_str(), root.c_str(), nullptr);
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    in_ = in[1];
    char c = 0;
    while (read(out[0], &c, 1) == 1 && c != '\n') port_ += c;
    close(out[0]);
    EXPECT_NE(port_, "");
  }
  ~Web() {
    close(in_);
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
  }
  Web(const Web&) = delete;
  Web& operator=(const Web&) = delete;

  std::string address(const std::string& path) const {
    return "http://127.0.0.1:" + port_ + "/" + path;
  }
  void publish(const std::string& path, const std::string& bytes) const {
    folder.write("web/" + path, bytes);
  }
  long requests() const {
    const std::string log = read_bytes(folder / "requests.log");
    return std::count(log.begin(), log.end(), '\n');
  }

  std::filesystem::path world(const std::string& text) const {
    return folder.write("project/worlds/a.wbt", "#VRML_SIM R2025a utf8\n" + text);
  }
  std::string world_file() const { return folder / "project/worlds/a.wbt"; }
  std::string lock_text() const { return read_bytes(world_file() + ".lock.json"); }
  nlohmann::json lock() const { return nlohmann::json::parse(lock_text())["assets"]; }

  Outcome run(std::vector<std::string> words, std::vector<std::string> environment = {}) const {
    environment.push_back("PROTOBEAM_CACHE=" + (folder / "cache").string());
    environment.push_back("no_proxy=*");
    return protobeam(words, {.environment = std::move(environment)});
  }
  Outcome fetch(std::vector<std::string> more = {},
                std::vector<std::string> environment = {}) const {
    more.insert(more.begin(), {"fetch", world_file(), "--allow-http"});
    return run(std::move(more), std::move(environment));
  }
  Outcome check(std::vector<std::string> environment = {}) const {
    return run({"check", world_file()}, std::move(environment));
  }

  const TemporaryFolder folder;

 private:
  pid_t child_ = -1;
  int in_ = -1;
  std::string port_;
};

}  // namespace protobeam::test
