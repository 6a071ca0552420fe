// In place of services.cpp in a build without Fast DDS.
#include "services.h"

namespace protobeam::ros2 {

std::unique_ptr<Services> make_services(int, const std::string&, std::function<void()>) {
  return nullptr;
}

}  // namespace protobeam::ros2
