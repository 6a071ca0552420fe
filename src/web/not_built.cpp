// In place of the live page in a build without Boost.Beast.
#include <stdexcept>

#include "web/live.h"

namespace protobeam::web {

struct Live::Impl {
  std::string address;
};

bool is_built() { return false; }
Live::Live(ViewerBridge&, const std::string&, int) {
  throw std::runtime_error("this build has no live page: it needs the package libboost-dev");
}
Live::~Live() = default;
const std::string& Live::address() const { return impl_->address; }
void Live::run(const std::function<bool()>&) {}

}  // namespace protobeam::web
