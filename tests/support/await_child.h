// Waits for what a program under test has started, however slow the machine is.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>

namespace protobeam::test {

/// A file of /proc; empty when its process has ended.
inline std::string read_of_process(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// For a minute at most, until some process that `parent` started is as wished (by its folder in
/// /proc).
inline void await_child(pid_t parent,
                        const std::function<bool(const std::string& folder)>& as_wished) {
  const std::string id = std::to_string(parent);
  for (int i = 0; i < 6000; ++i) {
    std::istringstream children(read_of_process("/proc/" + id + "/task/" + id + "/children"));
    for (std::string child; children >> child;) {
      if (as_wished("/proc/" + child)) return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ADD_FAILURE() << "the program does not start what is waited for";
}

/// Any process.
inline void await_child(pid_t parent) {
  await_child(parent, [](const std::string&) { return true; });
}

}  // namespace protobeam::test
