// What the keys of the viewer do.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "viewer/offscreen/osg_util.h"
#include "viewer/window/screenshot.h"
#include "viewer/window/session.h"
#include "viewer/window/status_line.h"

namespace protobeam::viewer {
namespace {

constexpr double kLargestPoint = 20;
constexpr int kMostSweeps = 1000;

nlohmann::json numbers(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

nlohmann::json json_of(const DrawSettings& s) {
  return {
      {"clouds", s.clouds},           {"colour", name_of(s.color)}, {"point_size", s.point_size},
      {"past_sweeps", s.past_sweeps}, {"beams", s.beams},           {"frusta", s.frusta},
      {"frames", s.frames},           {"wireframe", s.wireframe},   {"joints", s.joints},
      {"contacts", s.contacts},       {"trails", s.trails}};
}

nlohmann::json json_of(const RunStatus& s) {
  return {{"paused", s.paused},
          {"settled", s.settled},
          {"speed", s.speed},
          {"real_time_factor", s.real_time_factor},
          {"can_reload", s.can_reload},
          {"problem", s.problem},
          {"ended", s.ended}};
}

}  // namespace

void Session::act(const Key& key) {
  switch (key.action) {
    case Action::kHelp:
      help_ = !help_;
      return;
    case Action::kScreenshot:
      wants_picture_ = true;
      return;
    case Action::kKeysToControllers:
      keys_to_controllers_ = !keys_to_controllers_;
      held_.release_all();
      note(keys_to_controllers_ ? "all keys go to the controllers, Tab comes back"
                                : "keys are the viewer's again");
      return;
    default:
      break;
  }
  if (act_on_clouds(key) || act_on_layers(key)) {
    world_.draw(drawn_);
    return;
  }
  act_on_run(key);
  act_on_camera(key);
}

bool Session::act_on_clouds(const Key& key) {
  switch (key.action) {
    case Action::kClouds:
      toggle(drawn_.clouds, "point clouds");
      return true;
    case Action::kColor: {
      const auto all = std::span(kCloudColors);
      const auto now = std::find(all.begin(), all.end(), drawn_.color);
      drawn_.color = now + 1 == all.end() ? all.front() : *(now + 1);
      note(fmt::format("colour: {}", name_of(drawn_.color)));
      return true;
    }
    case Action::kPointSize:
      drawn_.point_size = std::clamp(drawn_.point_size + key.value, 1.0, kLargestPoint);
      note(fmt::format("points: {:g} pixel{}", drawn_.point_size,
                       drawn_.point_size == 1 ? "" : "s"));
      return true;
    case Action::kPastSweeps:
      drawn_.past_sweeps =
          std::clamp(drawn_.past_sweeps + static_cast<int>(key.value), 0, kMostSweeps);
      note(fmt::format("past sweeps: {}", drawn_.past_sweeps));
      return true;
    default:
      return false;
  }
}

bool Session::act_on_layers(const Key& key) {
  switch (key.action) {
    case Action::kBeams:
      toggle(drawn_.beams, "beams");
      return true;
    case Action::kFrusta:
      toggle(drawn_.frusta, "what cameras see");
      return true;
    case Action::kFrames:
      toggle(drawn_.frames, "frames");
      return true;
    case Action::kWireframe:
      toggle(drawn_.wireframe, "bounding objects");
      return true;
    case Action::kJoints:
      toggle(drawn_.joints, "joint axes");
      return true;
    case Action::kContacts:
      toggle(drawn_.contacts, "contacts");
      return true;
    case Action::kTrails:
      toggle(drawn_.trails, "trails");
      return true;
    default:
      return false;
  }
}

void Session::toggle(bool& setting, const char* name) {
  setting = !setting;
  note(fmt::format("{}: {}", name, setting ? "on" : "off"));
}

void Session::act_on_run(const Key& key) {
  switch (key.action) {
    case Action::kPause:
      status_ = bridge_.status();
      bridge_.set_paused(!status_.paused);
      note(status_.paused ? "running" : "paused");
      return;
    case Action::kStep:
      bridge_.step_once();
      note("one step");
      return;
    case Action::kSpeed:
      bridge_.set_speed(key.value);
      note(key.value > 0 ? "speed " + speed_name(key.value) : speed_name(key.value));
      return;
    case Action::kReload:
      if (bridge_.status().can_reload) {
        bridge_.request_reload();
        note("loading again");
      } else {
        note("this run cannot load its world again");
      }
      return;
    default:
      return;
  }
}

void Session::act_on_camera(const Key& key) {
  switch (key.action) {
    case Action::kHome:
      if (world_.description()) aim_at_start();
      return;
    case Action::kZoom:
      control_->zoom(key.value, control_->centre());
      return;
    case Action::kDeselect:
      select(-1);
      return;
    case Action::kFollow:
      if (followed_ >= 0) {
        set_following({});
        note("not following");
      } else if (selected_ >= 0) {
        set_following(selected_path_);
        note("following " + selected_path_.front());
      } else {
        note("click on something to follow it");
      }
      return;
    default:
      return;
  }
}

void Session::select(int solid) {
  selected_ = solid;
  selected_path_ = solid >= 0 ? scene::path_of(*world_.description(), solid) : scene::SolidPath{};
  world_.highlight(solid);
  stale_ = true;
}

void Session::set_following(const scene::SolidPath& path) {
  followed_path_ = path;
  followed_ = world_.description() ? scene::find_solid(*world_.description(), path) : -1;
  if (followed_ >= 0) {
    followed_at_ = world_.state()->solids[static_cast<std::size_t>(followed_)].X_WS.p;
  }
}

void Session::save_picture(const Image& image) {
  const StatusFacts facts = status_facts();
  const Pose X_WC = control_->pose();
  nlohmann::json text = {{"texts", overlay_.texts()},
                         {"status", json_of(status_)},
                         {"selection", nullptr},
                         {"selection_pixels_box", nullptr},
                         {"following", nullptr},
                         {"camera",
                          {{"position", numbers(X_WC.p)},
                           {"target", numbers(control_->centre())},
                           {"up", numbers(X_WC.R * Vec3::UnitZ())},
                           {"fov", control_->vertical_fov()}}},
                         {"window", {image.width, image.height}},
                         {"time", facts.time},
                         {"paused", status_.settled},
                         {"speed", status_.speed},
                         {"colour", name_of(drawn_.color)},
                         {"points", facts.points},
                         {"fps", facts.fps},
                         {"frames_drawn", frames_},
                         {"keys", held_.codes(modifiers_)},
                         {"keys_to_controllers", keys_to_controllers_},
                         {"settings", json_of(drawn_)}};
  if (!facts.following.empty()) text["following"] = facts.following;
  if (selected_ >= 0) {
    text["selection"] = selected_path_.front();
    const osg::Camera& camera = *viewer_.getCamera();
    const auto box =
        pixels_of(*world_.description(), *world_.state(), selected_,
                  camera.getViewMatrix() * camera.getProjectionMatrix(), image.width, image.height);
    if (box) text["selection_pixels_box"] = *box;
  }
  try {
    const auto path = save_screenshot(settings_.screenshots, image, text);
    note("saved " + path.filename().string());
  } catch (const std::exception& trouble) {
    note(trouble.what());
    fmt::print(stderr, "protobeam: error: {}\n", trouble.what());
  }
}

}  // namespace protobeam::viewer
