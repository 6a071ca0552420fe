// Texts to and from the page of the robot's window.
#include <webots/plugins/robot_window/robot_wwi.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>

#include "base/robot_commands.h"
#include "controller/client.h"

using protobeam::controller::Client;

namespace {

/// The next text, or null.
const std::string* next_text(const char* function) {
  if (!protobeam::controller::started(function)) return nullptr;
  Client& client = Client::get();
  const std::lock_guard lock(client.mutex);
  return client.next_window_text();
}

void send(const char* function, std::string text) {
  if (!protobeam::controller::started(function)) return;
  Client& client = Client::get();
  const std::lock_guard lock(client.mutex);
  if (client.robot().window) {
    client.push({0, protobeam::robot_commands::kWindowText, {}, std::move(text)});
    return;
  }
  static std::atomic<bool> said{false};
  if (said.exchange(true)) return;
  std::fprintf(stderr,
               "Warning: %s(): nobody can see a window of robot \"%s\": `run --web` shows the page "
               "that its field 'window' names\n",
               function, client.robot().name.c_str());
}

}  // namespace

extern "C" {

void wb_robot_wwi_send(const char* data, int size) {
  if (!data || size < 0) {
    protobeam::controller::complain(__func__, "called with no data, or a negative size");
    return;
  }
  send(__func__, {data, static_cast<std::size_t>(size)});
}

void wb_robot_wwi_send_text(const char* text) {
  if (!text) {
    protobeam::controller::complain(__func__, "called with NULL");
    return;
  }
  send(__func__, text);
}

const char* wb_robot_wwi_receive(int* size) {
  const std::string* text = next_text(__func__);
  if (size) *size = text ? static_cast<int>(text->size()) : 0;
  return text ? text->c_str() : nullptr;
}

const char* wb_robot_wwi_receive_text() {
  const std::string* text = next_text(__func__);
  return text ? text->c_str() : nullptr;
}

}  // extern "C"
