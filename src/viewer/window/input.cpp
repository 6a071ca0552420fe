// What keys and the mouse do in the window.
#include <cmath>
#include <osgGA/GUIEventAdapter>

#include "viewer/window/session.h"

namespace protobeam::viewer {
namespace {

using Event = osgGA::GUIEventAdapter;

/// Pixels that a hand moves while it clicks.
constexpr float kClickSlack = 4;
constexpr double kDoubleClickTime = 0.4;  ///< s

}  // namespace

void Session::handle(const Event& event) {
  modifiers_ = static_cast<unsigned>(event.getModKeyMask());
  switch (event.getEventType()) {
    case Event::CLOSE_WINDOW:
    case Event::QUIT_APPLICATION:
      done_ = true;
      break;
    case Event::RESIZE:
      resize(event.getWindowWidth(), event.getWindowHeight());
      break;
    case Event::KEYDOWN:
      press(event);
      break;
    case Event::KEYUP:
      release(event);
      break;
    case Event::SCROLL:
      scroll(event);
      break;
    case Event::PUSH:
      push(event);
      break;
    case Event::DRAG:
      move_pointer(event);
      break;
    case Event::RELEASE:
      control_->handle(event, viewer_);
      if (may_click_ && !dragging_) click(event);
      may_click_ = false;
      break;
    default:
      return;  // nothing to draw for
  }
  stale_ = true;
}

// X11 has no double clicks.
void Session::push(const Event& event) {
  // A second button makes another movement of it, and no click.
  const bool left_alone = event.getButtonMask() == Event::LEFT_MOUSE_BUTTON;
  const bool again = left_alone && event.getTime() - pressed_at_ < kDoubleClickTime &&
                     distance_to_push(event) <= kClickSlack;
  may_click_ = left_alone && !again;
  dragging_ = !left_alone;
  pressed_x_ = event.getX();
  pressed_y_ = event.getY();
  pressed_at_ = again ? -kDoubleClickTime : event.getTime();  // a third one is a first one
  if (again) {
    if (const auto hit = world_.hit(ray_of(event))) control_->look_at(hit->point);
  } else {
    control_->handle(event, viewer_);
  }
}

float Session::distance_to_push(const Event& event) const {
  return std::hypot(event.getX() - pressed_x_, event.getY() - pressed_y_);
}

void Session::move_pointer(const Event& event) {
  if (may_click_ && !dragging_) dragging_ = distance_to_push(event) > kClickSlack;
  if (dragging_) control_->handle(event, viewer_);
}

void Session::click(const Event& event) {
  const auto hit = world_.hit(ray_of(event));
  select(hit ? hit->solid : -1);
}

void Session::scroll(const Event& event) {
  constexpr double kNotch = 0.85;
  const auto direction = event.getScrollingMotion();
  if (direction != Event::SCROLL_UP && direction != Event::SCROLL_DOWN) return;
  const Ray ray = ray_of(event);
  if (!ray.direction.allFinite()) return;
  control_->zoom(direction == Event::SCROLL_UP ? kNotch : 1 / kNotch, point_under(ray));
}

Ray Session::ray_of(const Event& event) const {
  return control_->ray(event.getXnormalized(), event.getYnormalized());
}

Vec3 Session::point_under(const Ray& ray) const {
  if (const auto hit = world_.hit(ray)) return hit->point;
  // Of the sky: as far away as the centre.
  const Vec3 ahead = control_->pose().R * Vec3::UnitX();
  return ray.from + ray.direction * (control_->getDistance() / ray.direction.dot(ahead));
}

void Session::press(const Event& event) {
  const int key = event.getUnmodifiedKey(), symbol = event.getKey();
  const bool is_first = down_.insert(key).second;
  // Ctrl and Alt make another key of it, which is not ours.
  const bool plain = !(modifiers_ & (Event::MODKEY_CTRL | Event::MODKEY_ALT));
  const Key* ours = plain ? find_key(symbol) : nullptr;
  if (!plain && (symbol == 'q' || key == 'q') && (modifiers_ & Event::MODKEY_CTRL)) {
    done_ = true;
    return;
  }
  if (ours && keys_to_controllers_ && ours->action != Action::kKeysToControllers) ours = nullptr;
  if (!ours) {
    held_.press(key, symbol);
  } else if (is_first || ours->repeats) {
    act(*ours);
  }
  report_keys();
}

void Session::release(const Event& event) {
  down_.erase(event.getUnmodifiedKey());
  held_.release(event.getUnmodifiedKey());
  report_keys();
}

void Session::report_keys() { bridge_.set_keys(held_.codes(modifiers_)); }

}  // namespace protobeam::viewer
