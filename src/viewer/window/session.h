// One window from its opening to its end: what is shown, and what keys and the mouse do.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <osgViewer/Viewer>
#include <set>
#include <string>

#include "sim/scene/solid_facts.h"
#include "viewer/overlay/keys.h"
#include "viewer/overlay/overlay.h"
#include "viewer/window/camera_control.h"
#include "viewer/window/held_keys.h"
#include "viewer/window/selection.h"
#include "viewer/window/status_line.h"
#include "viewer/window/window.h"
#include "viewer/window/world_view.h"
#include "viewer/window/x_window.h"

namespace protobeam::viewer {

class Session {
 public:
  /// Throws NoGraphics.
  Session(ViewerBridge& bridge, const WindowSettings& settings);

  /// Until the window is closed, the run is over or interrupted() is true. Throws NoGraphics when
  /// the display goes away.
  WindowReport run();

 private:
  using Clock = std::chrono::steady_clock;

  // session.cpp: the loop, and what it draws.
  void take_events();
  void take_world();
  void open_world(bool again);
  void aim_at_start();
  void follow();
  void refresh_overlay();
  void draw();
  void resize(int width, int height);
  void note(const std::string& text);
  StatusFacts status_facts() const;

  // input.cpp
  void handle(const osgGA::GUIEventAdapter& event);
  void press(const osgGA::GUIEventAdapter& event);
  void release(const osgGA::GUIEventAdapter& event);
  void push(const osgGA::GUIEventAdapter& event);
  float distance_to_push(const osgGA::GUIEventAdapter& event) const;  ///< pixels
  void move_pointer(const osgGA::GUIEventAdapter& event);
  void click(const osgGA::GUIEventAdapter& event);
  void scroll(const osgGA::GUIEventAdapter& event);
  void report_keys();
  Ray ray_of(const osgGA::GUIEventAdapter& event) const;
  Vec3 point_under(const Ray& ray) const;

  // actions.cpp
  void act(const Key& key);
  bool act_on_clouds(const Key& key);
  bool act_on_layers(const Key& key);
  void act_on_run(const Key& key);
  void act_on_camera(const Key& key);
  void toggle(bool& setting, const char* name);
  void select(int solid);
  void set_following(const scene::SolidPath& path);
  void save_picture(const Image& image);

  ViewerBridge& bridge_;
  const WindowSettings& settings_;
  DrawSettings drawn_;
  XWindow window_;
  osg::ref_ptr<CameraControl> control_ = new CameraControl;
  osg::ref_ptr<ClipPlanes> clip_planes_ = new ClipPlanes;
  osg::ref_ptr<osg::Group> root_ = new osg::Group;
  WorldView world_;
  Overlay overlay_;
  osgViewer::Viewer viewer_;

  RunStatus status_;
  std::string hidden_problem_;  ///< has been read
  int width_, height_;
  bool done_ = false, stale_ = true;
  std::uint64_t frames_ = 0;
  std::deque<Clock::time_point> drawn_at_;  ///< frames of about the last second
  std::optional<Clock::time_point> note_ends_;

  int selected_ = -1;
  scene::SolidPath selected_path_, followed_path_;
  int followed_ = -1;
  Vec3 followed_at_ = Vec3::Zero();

  HeldKeys held_;
  std::set<int> down_;  ///< keys, to distinguish a press from a repetition
  unsigned modifiers_ = 0;
  bool keys_to_controllers_ = false, help_ = false, wants_picture_ = false;
  bool dragging_ = false, may_click_ = false;
  float pressed_x_ = 0, pressed_y_ = 0;
  double pressed_at_ = -1;  ///< s, as events count
};

}  // namespace protobeam::viewer
