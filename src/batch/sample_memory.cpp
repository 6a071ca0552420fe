#include "batch/sample_memory.h"

#include <cassert>
#include <cstring>

namespace protobeam {

void SampleMemory::take_over(Device& device, std::size_t index) const {
  const std::span<std::byte> here = at(index);
  assert(here.size() == device.data.size());
  if (here.data() == device.data.data()) return;
  std::memcpy(here.data(), device.data.data(), here.size());
  const auto* own = device.own_data.data();
  const bool in_controller =
      device.data.data() < own || device.data.data() >= own + device.own_data.size();
  if (!in_controller) device.data = here;
}

void SampleMemory::follow(const Device& device, std::size_t index) const {
  const std::span<std::byte> here = at(index);
  if (here.data() == device.data.data() || here.size() != device.data.size()) return;
  std::memcpy(here.data(), device.data.data(), here.size());
}

}  // namespace protobeam
