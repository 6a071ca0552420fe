#include "sim/scene/viewer_bridge.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <utility>

namespace protobeam {
using Clock = std::chrono::steady_clock;

struct ViewerBridge::Shared {
  mutable std::mutex mutex;
  std::condition_variable changed;

  // Both threads, under the mutex.
  RunStatus status;
  std::shared_ptr<const SceneDescription> description;
  std::shared_ptr<const SceneState> state;
  std::vector<int> keys;
  WindowTexts to_windows, from_windows;
  bool shows_windows = false, pictures_wanted = false;
  int steps_wanted = 0;
  bool state_wanted = true, reload_wanted = false, end_wanted = false, detached = false;
  bool clock_reset = true;

  // The thread that runs the world.
  int loads = 0;
  std::optional<SceneObserver> observer;
  Clock::time_point clock_start;  ///< when simulated time was time_start
  double time_start = 0;
  double time_begun = 0;  ///< when the last step began
  struct Mark {
    Clock::time_point wall;
    double time;
  };
  std::deque<Mark> marks;  ///< of about the last second
};

namespace {

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

}  // namespace

ViewerBridge::ViewerBridge(const Settings& settings) : shared_(std::make_unique<Shared>()) {
  shared_->status.paused = settings.paused;
  shared_->status.speed = settings.speed;
  shared_->status.can_reload = settings.can_reload;
  shared_->shows_windows = settings.shows_windows;
}

ViewerBridge::~ViewerBridge() = default;

void ViewerBridge::publish_world(const Simulation& simulation) {
  Shared& s = *shared_;
  auto description = describe_scene(simulation, ++s.loads);
  s.observer.emplace(simulation, *description);
  auto state = s.observer->state(simulation);
  const std::lock_guard lock(s.mutex);
  s.description = std::move(description);
  s.state = std::move(state);
  s.state_wanted = true;
  // What a supervisor has changed goes on in its time.
  if (simulation.time() >= s.time_begun) return;
  s.marks.clear();
  s.clock_reset = true;
}

bool ViewerBridge::step_unwanted() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->end_wanted || shared_->reload_wanted;
}

ViewerBridge::Command ViewerBridge::wait_for_order(std::chrono::milliseconds time) {
  Shared& s = *shared_;
  std::unique_lock lock(s.mutex);
  s.changed.wait_for(lock, time, [&s] { return s.end_wanted || s.reload_wanted; });
  if (s.end_wanted) return Command::kEnd;
  return std::exchange(s.reload_wanted, false) ? Command::kReload : Command::kStep;
}

ViewerBridge::Command ViewerBridge::wait_for_step(Simulation& simulation) {
  Shared& s = *shared_;
  std::unique_lock lock(s.mutex);
  while (true) {
    if (s.end_wanted) return Command::kEnd;
    if (s.reload_wanted) {
      s.reload_wanted = false;
      return Command::kReload;
    }
    const auto now = Clock::now();
    if (s.status.paused && !s.detached) {
      if (s.steps_wanted > 0) {
        --s.steps_wanted;
        break;
      }
      s.status.real_time_factor = 0;
      s.marks.clear();
      s.clock_reset = true;
      if (s.state->step != simulation.step_number()) {
        // The state at which it stopped, not the last one that was asked for.
        lock.unlock();
        auto state = s.observer->state(simulation);
        lock.lock();
        s.state = std::move(state);
        continue;
      }
      s.status.settled = true;
      s.changed.wait(lock);
      continue;
    }
    if (s.clock_reset) {
      s.clock_reset = false;
      s.clock_start = now;
      s.time_start = simulation.time();
    }
    if (!(s.status.speed > 0) || s.detached) break;
    const double due = (simulation.time() - s.time_start) / s.status.speed;
    const double wall = seconds(now - s.clock_start);
    // Time lost on a slow machine is not made up for by running faster.
    if (wall > due + 0.2) s.clock_reset = true;
    if (wall >= due) break;
    // At a speed near 0 it is due later than a clock can count.
    s.changed.wait_for(lock, std::chrono::duration<double>(std::min(due - wall, 1.0)));
  }
  s.status.settled = false;
  s.time_begun = simulation.time();
  std::vector<int> keys = s.keys;
  const std::vector<WindowText> texts = s.from_windows.take();
  lock.unlock();
  simulation.set_keys(std::move(keys));
  for (const WindowText& text : texts) simulation.tell_from_window(text);
  return Command::kStep;
}

void ViewerBridge::publish_state(Simulation& simulation) {
  Shared& s = *shared_;
  {
    const std::lock_guard lock(s.mutex);
    if (s.detached) return;
    const auto now = Clock::now();
    if (s.marks.empty() || seconds(now - s.marks.back().wall) > 0.02) {
      s.marks.push_back({now, simulation.time()});
      while (s.marks.size() > 2 && seconds(now - s.marks.front().wall) > 1) s.marks.pop_front();
      const double wall = seconds(now - s.marks.front().wall);
      if (wall > 0) {
        s.status.real_time_factor = (simulation.time() - s.marks.front().time) / wall;
      }
    }
  }
  s.observer->record_sweeps(simulation);
  {
    const std::lock_guard lock(s.mutex);
    for (WindowText& text : simulation.take_window_texts()) s.to_windows.add(std::move(text));
    if (!s.state_wanted && !s.status.paused) return;
    if (s.pictures_wanted) s.observer->record_pictures();
  }
  auto state = s.observer->state(simulation);
  const std::lock_guard lock(s.mutex);
  s.state = std::move(state);
  s.state_wanted = false;
}

void ViewerBridge::report_problem(std::string text) {
  const std::lock_guard lock(shared_->mutex);
  shared_->status.problem = std::move(text);
}

void ViewerBridge::report_end() {
  const std::lock_guard lock(shared_->mutex);
  shared_->status.ended = true;
}

std::shared_ptr<const SceneDescription> ViewerBridge::description() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->description;
}

std::shared_ptr<const SceneState> ViewerBridge::state() {
  const std::lock_guard lock(shared_->mutex);
  shared_->state_wanted = true;
  return shared_->state;
}

RunStatus ViewerBridge::status() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->status;
}

void ViewerBridge::set_paused(bool paused) {
  const std::lock_guard lock(shared_->mutex);
  shared_->status.paused = paused;
  shared_->steps_wanted = 0;
  shared_->changed.notify_all();
}

void ViewerBridge::step_once() {
  const std::lock_guard lock(shared_->mutex);
  shared_->status.paused = true;
  ++shared_->steps_wanted;
  shared_->changed.notify_all();
}

void ViewerBridge::set_speed(double speed) {
  const std::lock_guard lock(shared_->mutex);
  shared_->status.speed = speed;
  shared_->clock_reset = true;
  shared_->changed.notify_all();
}

void ViewerBridge::request_reload() {
  const std::lock_guard lock(shared_->mutex);
  shared_->reload_wanted = shared_->status.can_reload;
  shared_->changed.notify_all();
}

void ViewerBridge::request_end() {
  const std::lock_guard lock(shared_->mutex);
  shared_->end_wanted = true;
  shared_->changed.notify_all();
}

bool ViewerBridge::shows_windows() const { return shared_->shows_windows; }

std::vector<WindowText> ViewerBridge::take_window_texts() {
  const std::lock_guard lock(shared_->mutex);
  return shared_->to_windows.take();
}

void ViewerBridge::tell_from_window(WindowText text) {
  const std::lock_guard lock(shared_->mutex);
  shared_->from_windows.add(std::move(text));
}

void ViewerBridge::want_pictures(bool wanted) {
  const std::lock_guard lock(shared_->mutex);
  shared_->pictures_wanted = wanted;
}

void ViewerBridge::set_keys(std::vector<int> keys) {
  const std::lock_guard lock(shared_->mutex);
  shared_->keys = std::move(keys);
}

void ViewerBridge::detach() {
  const std::lock_guard lock(shared_->mutex);
  shared_->detached = true;
  shared_->keys.clear();
  shared_->changed.notify_all();
}

}  // namespace protobeam
