#ifndef WEBOTS_MOUSE_HPP
#define WEBOTS_MOUSE_HPP

#include <webots/mouse.h>

namespace webots {

typedef WbMouseState MouseState;

/// The pointer, as webots/mouse.h describes it. The one of a program is robot.getMouse().
class Mouse {
 public:
  virtual ~Mouse() {}
  virtual void enable(int samplingPeriod) { wb_mouse_enable(samplingPeriod); }
  virtual void disable() { wb_mouse_disable(); }
  int getSamplingPeriod() const { return wb_mouse_get_sampling_period(); }
  void enable3dPosition() { wb_mouse_enable_3d_position(); }
  void disable3dPosition() { wb_mouse_disable_3d_position(); }
  bool is3dPositionEnabled() const { return wb_mouse_is_3d_position_enabled(); }
  MouseState getState() const { return wb_mouse_get_state(); }
};

}  // namespace webots

#endif  // WEBOTS_MOUSE_HPP
