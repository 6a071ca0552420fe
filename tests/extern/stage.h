// A world with robots for programs from outside, and processes that run beside the test.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/program.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {

/// A process whose output goes to files; killed at the end.
class Process {
 public:
  Process(const std::vector<std::string>& words, const std::filesystem::path& output,
          std::vector<std::string> environment)
      : out_(output.string() + ".out"), err_(output.string() + ".err") {
    pid_ = fork();
    if (pid_ != 0) return;
    for (const auto& [file, fd] : {std::pair{out_, 1}, std::pair{err_, 2}}) {
      if (!freopen(file.c_str(), "w", fd == 1 ? stdout : stderr)) _exit(126);
    }
    // Ignored in what nohup or a shell's & has started.
    for (const int number : {SIGINT, SIGQUIT, SIGHUP}) signal(number, SIG_DFL);
    unsetenv("WEBOTS_CONTROLLER_URL");
    unsetenv("WEBOTS_ROBOT_NAME");
    for (auto& entry : environment) putenv(entry.data());
    std::vector<char*> raw;
    for (const auto& word : words) raw.push_back(const_cast<char*>(word.c_str()));
    raw.push_back(nullptr);
    execvp(raw[0], raw.data());
    _exit(127);
  }
  ~Process() {
    if (exit_ < 0) send(SIGKILL), wait();
  }
  Process(const Process&) = delete;

  void send(int number) const { kill(pid_, number); }
  bool ended() {
    int status = 0;
    if (exit_ < 0 && waitpid(pid_, &status, WNOHANG) == pid_) {
      exit_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return exit_ >= 0;
  }
  /// The exit code, or 128 + signal; -1 when it takes too long.
  int wait() {
    await([this] { return ended(); });
    return exit_;
  }
  std::string out() const { return read_bytes(out_); }
  std::string err() const { return read_bytes(err_); }
  /// Until its output holds it.
  bool says(const std::string& text) {
    return await([&] {
      return out().find(text) != std::string::npos || err().find(text) != std::string::npos;
    });
  }

  template <class Condition>
  static bool await(Condition condition) {
    for (int i = 0; i < 6000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return condition();
  }

 private:
  std::string out_, err_;
  pid_t pid_ = -1;
  int exit_ = -1;
};

inline std::string robot(const std::string& name, double x, const std::string& fields) {
  return "Robot { name \"" + name + "\" translation " + std::to_string(x) + " 0 1 " + fields +
         R"( children [
  GPS { name "gps" }
  HingeJoint {
    jointParameters HingeJointParameters { axis 0 0 1 }
    device [ RotationalMotor { name "motor" maxTorque 100 } ]
    endPoint Solid {
      children [ Lidar { name "lidar" horizontalResolution 400 numberOfLayers 16 fieldOfView 6.28 noise 0.01 } ]
      boundingObject Box { size 0.1 0.1 0.1 } physics Physics { }
    }
  }
] }
)";
}

/// One test's folder of sockets, its world and its processes.
class ExternTest : public testing::Test {
 protected:
  std::filesystem::path world(const std::string& robots, const std::string& name = "w") {
    namespace fs = std::filesystem;
    for (const char* controller : {"wanderer", "py_wanderer"}) {
      fs::create_directories(folder_.path() / "controllers");
      fs::copy(source_dir() + "/tests/extern/" + controller,
               folder_.path() / "controllers" / controller,
               fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    }
    return folder_.write("worlds/" + name + ".wbt", R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 32 }
Solid { translation 4 1 1 children [ Shape { geometry Box { size 1 3 2 } } ] }
Solid { translation -3 -4 1 children [ Shape { geometry Sphere { radius 2 } } ] }
)" + robots);
  }
  std::vector<std::string> environment(std::vector<std::string> more = {}) const {
    more.push_back(folder_variable_ + "=" + folder_.path().string());
    return more;
  }
  std::unique_ptr<Process> start(const std::vector<std::string>& words,
                                 std::vector<std::string> more = {}) {
    const auto file = folder_.path() / ("process" + std::to_string(++count_));
    return std::make_unique<Process>(words, file, environment(std::move(more)));
  }
  std::unique_ptr<Process> run(const std::filesystem::path& world,
                               std::vector<std::string> more = {}) {
    std::vector<std::string> words = {
        build_dir() + "/bin/protobeam", "run", world.string(), "--duration", "2", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return start(words);
  }
  std::unique_ptr<Process> launch(std::vector<std::string> words,
                                  std::vector<std::string> more = {}) {
    words.insert(words.begin(), {build_dir() + "/bin/protobeam", "controller"});
    return start(words, std::move(more));
  }
  static std::string wanderer() { return build_dir() + "/controllers/wanderer/wanderer"; }
  static std::string py_wanderer() {
    return source_dir() + "/tests/extern/py_wanderer/py_wanderer.py";
  }
  static std::string hash(const Process& simulator) {
    const auto summary = nlohmann::json::parse(simulator.out(), nullptr, false);
    return summary.is_object() ? summary["state_hash"].get<std::string>()
                               : "none: " + simulator.err();
  }
  /// That of the same program, started by the simulator.
  std::string hash_inside(const std::string& controller) {
    const auto inside = run(world(robot("a", 0, "controller \"" + controller + "\""), "inside"));
    EXPECT_EQ(inside->wait(), 0) << inside->err();
    return hash(*inside);
  }
  std::filesystem::path one_robot() { return world(robot("a", 0, kExtern)); }
  /// Of TCP, which the simulator tells.
  static std::string tcp_url(Process& simulator) {
    if (!simulator.says("waiting for controller")) return "";
    const std::string text = simulator.err();
    const auto begin = text.find("tcp://");
    return text.substr(begin, text.find('\n', begin) - begin);
  }
  int files_left() const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / "protobeam")) {
      count += !entry.path().empty();
    }
    return count;
  }

  static constexpr const char* kExtern = "controller \"<extern>\"";
  const TemporaryFolder folder_;
  std::string folder_variable_ = "PROTOBEAM_RUNTIME_DIR";
  int count_ = 0;
};

}  // namespace protobeam::test
