// Between the thread that runs a world and the thread that shows it: the newest moment one way,
// the buttons the other way. The world never waits for the viewer, except that it was asked to
// pause or to keep to the clock.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/watch/capture.h"

namespace protobeam {

/// How the run goes, for the status line.
struct WatchStatus {
  bool paused = false;          ///< asked for
  bool resting = false;         ///< paused, and the frame shows the moment at which it stopped
  double speed = 1;             ///< wanted simulated seconds a wall second; 0: as fast as it can
  double real_time_factor = 0;  ///< reached, over about the last second
  bool can_reload = false;
  std::string problem;  ///< diagnostics of a reload that failed, many lines; "" when all is well
  bool over = false;    ///< the run has ended; the last frame stays
};

class Watch {
 public:
  struct Settings {
    bool paused = false;
    double speed = 1;
    bool can_reload = false;
  };
  explicit Watch(const Settings& settings);
  ~Watch();

  // The thread that runs the world.
  enum class Order { kStep, kReload, kEnd };
  /// A world was loaded (again): its look, and its first frame.
  void open(const Simulation& simulation);
  /// Call before each step: waits while paused or ahead of the clock, hands over the pressed keys.
  Order next(Simulation& simulation);
  /// Call after each step: keeps finished sweeps and, when the viewer has taken the last frame,
  /// makes the next one.
  void show(const Simulation& simulation);
  /// Text for the screen until it is called again; "" takes it away.
  void tell_problem(std::string text);
  /// No more steps: the last frame stays until the viewer goes.
  void over();

  // The viewer's thread. Each returns at once.
  std::shared_ptr<const WorldLook> look() const;    ///< null before open()
  std::shared_ptr<const WorldFrame> frame();        ///< newest; null before open()
  WatchStatus status() const;
  void set_paused(bool paused);
  void step_once();         ///< pauses, too
  void set_speed(double speed);
  void reload();
  void end();
  void set_keys(std::vector<int> keys);  ///< pressed now, as Webots numbers them, modifiers added
  /// The viewer goes away, the run goes on: nothing is captured any more, pauses end.
  void detach();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace protobeam
