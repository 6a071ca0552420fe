#include "web/live.h"

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "web/live_site.h"
#include "web/server.h"

namespace protobeam::web {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kFrameTime = std::chrono::milliseconds(33);
/// Once the run is over, for its last moment to arrive.
constexpr auto kLastTime = std::chrono::milliseconds(200);
/// A world that changes all the time is made into a file for a tenth of the time.
constexpr int kRest = 9;

}  // namespace

bool is_built() { return true; }

struct Live::Impl {
  Impl(ViewerBridge& of, const std::string& address, int port)
      : bridge(of), site(of), server(site, address, port) {}

  /// Whether there is something to tell the pages.
  void look() {
    LiveSite::View view = site.view();
    view.run = bridge.status();
    site.deliver(bridge.take_window_texts());
    const auto description = bridge.description();
    if (site.has_guests() && description) {
      auto state = bridge.state();
      const bool is_new = !view.world || view.world->load != state->load;
      if (is_new && state->load == description->load && Clock::now() >= next_file) {
        const auto begin = Clock::now();
        view.world = std::make_shared<const WorldFile>(
            make_world_file(description, *state, view.world.get()));
        next_file = Clock::now() + kRest * (Clock::now() - begin);
      }
      // Of a world that has no file yet, nothing.
      if (view.world && state->load == view.world->load) view.state = std::move(state);
    }
    site.show(std::move(view));
    server.wake();
  }

  ViewerBridge& bridge;
  LiveSite site;
  Server server;  // ends before what it shows
  Clock::time_point next_file;
};

Live::Live(ViewerBridge& bridge, const std::string& address, int port)
    : impl_(std::make_unique<Impl>(bridge, address, port)) {}

Live::~Live() = default;

const std::string& Live::address() const { return impl_->server.address(); }

void Live::run(const std::function<bool()>& interrupted) {
  while (!interrupted()) {
    const bool over = impl_->bridge.status().ended;
    impl_->look();
    if (over) break;
    std::this_thread::sleep_for(kFrameTime);
  }
  if (impl_->site.has_guests()) std::this_thread::sleep_for(kLastTime);
}

}  // namespace protobeam::web
