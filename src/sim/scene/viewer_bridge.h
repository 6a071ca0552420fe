// Connects the thread that runs a world with the thread that shows it: scene states go to the
// viewer, commands and keys come back. The world never waits for the viewer, except that it was
// asked to pause or to keep to the clock.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/scene/scene_observer.h"

namespace protobeam {

/// The progress of the run, for the status line.
struct RunStatus {
  bool paused = false;          ///< asked for
  bool settled = false;         ///< paused, and the state is that at which it stopped
  double speed = 1;             ///< wanted simulated seconds a wall second; 0: as fast as it can
  double real_time_factor = 0;  ///< reached, over about the last second
  bool can_reload = false;
  std::string problem;  ///< diagnostics of a reload that failed, many lines; "" when all is well
  bool ended = false;   ///< no more steps; the last state stays
};

class ViewerBridge {
 public:
  struct Settings {
    bool paused = false;
    double speed = 1;
    bool can_reload = false;
    bool shows_windows = false;  ///< the viewer can show pages of robot windows
  };
  explicit ViewerBridge(const Settings& settings);
  ~ViewerBridge();

  // The thread that runs the world.
  enum class Command { kStep, kReload, kEnd };
  /// A world was loaded (again): its description and its first state.
  void publish_world(const Simulation& simulation);
  /// Call before each step: waits while paused or ahead of the clock, passes on the pressed keys.
  Command wait_for_step(Simulation& simulation);
  /// Whether it would not be kStep, for who waits for something else.
  bool step_unwanted() const;
  /// Of who has no world to step: kStep when that time is over without an order.
  Command wait_for_order(std::chrono::milliseconds time);
  /// Whether the simulation should have its windows open.
  bool shows_windows() const;
  /// Call after each step: keeps finished sweeps and, when the viewer has taken the last state,
  /// makes the next one.
  void publish_state(Simulation& simulation);
  /// Text for the screen until it is called again; "" takes it away.
  void report_problem(std::string text);
  /// No more steps: the last state stays until the viewer goes.
  void report_end();

  // The viewer's thread. Each returns at once.
  std::shared_ptr<const SceneDescription> description() const;  ///< null before publish_world()
  std::shared_ptr<const SceneState> state();  ///< newest; null before publish_world()
  RunStatus status() const;
  void set_paused(bool paused);
  void step_once();  ///< pauses, too
  void set_speed(double speed);
  void request_reload();
  void request_end();
  /// What controllers have sent to their windows, and what their pages send.
  std::vector<WindowText> take_window_texts();
  void tell_from_window(WindowText text);
  /// Whether states are to have pictures of devices, which are copied for that.
  void want_pictures(bool wanted);
  void set_keys(std::vector<int> keys);  ///< pressed now, as Webots numbers them, modifiers added
  /// The viewer goes away, the run goes on: no more snapshots are taken, pauses end.
  void detach();

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace protobeam
