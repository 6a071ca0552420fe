// Numbers of a look and a frame, looked up with care: a frame may have less than its look names.
#pragma once

#include <memory>
#include <vector>

#include "sim/watch/world_frame.h"
#include "sim/watch/world_look.h"

namespace protobeam::viewer {

/// Null where there is none.
template <typename T>
const T* find(const std::vector<T>& list, int index) {
  if (index < 0 || static_cast<std::size_t>(index) >= list.size()) return nullptr;
  return &list[static_cast<std::size_t>(index)];
}

/// A sweep of a device that the world has.
inline bool is_of(const std::shared_ptr<const Sweep>& sweep, const WorldLook& look) {
  return sweep && find(look.devices, sweep->device);
}

}  // namespace protobeam::viewer
