#include "sim/watch/watch.h"

#include <chrono>
#include <deque>

namespace protobeam {
using Clock = std::chrono::steady_clock;

struct Watch::State {
  mutable std::mutex mutex;
  std::condition_variable changed;

  // Both threads, under the mutex.
  WatchStatus status;
  std::shared_ptr<const WorldLook> look;
  std::shared_ptr<const WorldFrame> frame;
  std::vector<int> keys;
  int steps_wanted = 0;
  bool frame_wanted = true, reload_wanted = false, end_wanted = false, detached = false;
  bool clock_reset = true;

  // The thread that runs the world.
  int loads = 0;
  std::optional<Capture> capture;
  Clock::time_point clock_start;  ///< when simulated time was time_start
  double time_start = 0;
  struct Mark {
    Clock::time_point wall;
    double time;
  };
  std::deque<Mark> marks;  ///< of about the last second
};

namespace {

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

}  // namespace

Watch::Watch(const Settings& settings) : state_(std::make_unique<State>()) {
  state_->status.paused = settings.paused;
  state_->status.speed = settings.speed;
  state_->status.can_reload = settings.can_reload;
}

Watch::~Watch() = default;

void Watch::open(const Simulation& simulation) {
  State& s = *state_;
  auto look = look_at(simulation, ++s.loads);
  s.capture.emplace(simulation, *look);
  auto frame = s.capture->frame(simulation);
  s.marks.clear();
  const std::lock_guard lock(s.mutex);
  s.look = std::move(look);
  s.frame = std::move(frame);
  s.frame_wanted = true;
  s.clock_reset = true;
}

Watch::Order Watch::next(Simulation& simulation) {
  State& s = *state_;
  std::unique_lock lock(s.mutex);
  while (true) {
    if (s.end_wanted) return Order::kEnd;
    if (s.reload_wanted) {
      s.reload_wanted = false;
      return Order::kReload;
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
      if (s.frame->step != simulation.step_number()) {
        // The moment at which it stopped, not the last one that somebody had asked for.
        lock.unlock();
        auto frame = s.capture->frame(simulation);
        lock.lock();
        s.frame = std::move(frame);
        continue;
      }
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
    // What was lost on a slow machine is not caught up with in a rush.
    if (wall > due + 0.2) s.clock_reset = true;
    if (wall >= due) break;
    s.changed.wait_for(lock, std::chrono::duration<double>(due - wall));
  }
  std::vector<int> keys = s.keys;
  lock.unlock();
  simulation.set_keys(std::move(keys));
  return Order::kStep;
}

void Watch::show(const Simulation& simulation) {
  State& s = *state_;
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
  s.capture->note_sweeps(simulation);
  {
    const std::lock_guard lock(s.mutex);
    if (!s.frame_wanted && !s.status.paused) return;
  }
  auto frame = s.capture->frame(simulation);
  const std::lock_guard lock(s.mutex);
  s.frame = std::move(frame);
  s.frame_wanted = false;
}

void Watch::tell_problem(std::string text) {
  const std::lock_guard lock(state_->mutex);
  state_->status.problem = std::move(text);
}

void Watch::over() {
  const std::lock_guard lock(state_->mutex);
  state_->status.over = true;
}

std::shared_ptr<const WorldLook> Watch::look() const {
  const std::lock_guard lock(state_->mutex);
  return state_->look;
}

std::shared_ptr<const WorldFrame> Watch::frame() {
  const std::lock_guard lock(state_->mutex);
  state_->frame_wanted = true;
  return state_->frame;
}

WatchStatus Watch::status() const {
  const std::lock_guard lock(state_->mutex);
  return state_->status;
}

void Watch::set_paused(bool paused) {
  const std::lock_guard lock(state_->mutex);
  state_->status.paused = paused;
  state_->steps_wanted = 0;
  state_->changed.notify_all();
}

void Watch::step_once() {
  const std::lock_guard lock(state_->mutex);
  state_->status.paused = true;
  ++state_->steps_wanted;
  state_->changed.notify_all();
}

void Watch::set_speed(double speed) {
  const std::lock_guard lock(state_->mutex);
  state_->status.speed = speed;
  state_->clock_reset = true;
  state_->changed.notify_all();
}

void Watch::reload() {
  const std::lock_guard lock(state_->mutex);
  state_->reload_wanted = state_->status.can_reload;
  state_->changed.notify_all();
}

void Watch::end() {
  const std::lock_guard lock(state_->mutex);
  state_->end_wanted = true;
  state_->changed.notify_all();
}

void Watch::set_keys(std::vector<int> keys) {
  const std::lock_guard lock(state_->mutex);
  state_->keys = std::move(keys);
}

void Watch::detach() {
  const std::lock_guard lock(state_->mutex);
  state_->detached = true;
  state_->keys.clear();
  state_->changed.notify_all();
}

}  // namespace protobeam
