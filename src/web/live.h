// The viewer in a browser: shows a world that another thread runs to whoever opens its page, and
// takes their commands.
#pragma once

#include <functional>
#include <string>

#include "sim/scene/viewer_bridge.h"

namespace protobeam::web {

/// False in a build without Boost.Beast: then there is no Live.
bool is_built();

class Live {
 public:
  /// Listens. Port 0 is any free one. Throws std::invalid_argument for an address that is none,
  /// std::runtime_error when the port is taken or three.js is missing.
  Live(ViewerBridge& bridge, const std::string& address, int port);
  ~Live();

  /// "http://127.0.0.1:8090"
  const std::string& address() const;
  /// Until the run is over or `interrupted` is true, which is asked each frame.
  void run(const std::function<bool()>& interrupted);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace protobeam::web
