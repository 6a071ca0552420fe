#include "web/live_site.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "gltf/page.h"
#include "render/color.h"
#include "sim/scene/solid_facts.h"
#include "web/ink.h"
#include "web/live_colors.h"
#include "web/live_ink.h"
#include "web/live_overlays.h"
#include "web/live_page.h"
#include "web/messages.h"
#include "web/overlays.h"
#include "web/window_files.h"

namespace protobeam::web {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMostKeys = 32;
constexpr std::size_t kMostLines = 16;  ///< kinds of them
/// From one message about ink to the next: a pen that draws makes another picture in each step.
constexpr auto kInkTime = std::chrono::milliseconds(100);
/// What took longer to send, on a slow link, comes again after so many times as long, so that there
/// is time for where things are.
constexpr auto kLongTime = std::chrono::milliseconds(200);
constexpr int kRestOfLarge = 3;
/// For a page that loads a world's file, until it is told of the next world nevertheless.
constexpr auto kPatience = std::chrono::seconds(60);

/// A page that is open.
class LiveGuest : public Guest {
 public:
  explicit LiveGuest(LiveSite& site) : site_(site) {}
  ~LiveGuest() override { site_.forget(this); }
  LiveGuest(const LiveGuest&) = delete;
  LiveGuest& operator=(const LiveGuest&) = delete;

  void receive(std::string_view text) override {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object()) return;
    const auto op = json.value("op", nlohmann::json());
    const auto value = json.value("value", nlohmann::json());
    ViewerBridge& bridge = site_.bridge();
    if (op == "pause" && value.is_boolean()) bridge.set_paused(value.get<bool>());
    if (op == "shown" && world_ && value == world_->load) shown_ = true;
    if (op == "step") bridge.step_once();
    if (op == "pictures" && value.is_boolean()) site_.want_pictures(this, value.get<bool>());
    if (op == "reload") bridge.request_reload();
    if (op == "select") select(value);
    if (op == "lines" && value.is_array()) {
      wanted_lines_.clear();
      for (const auto& name : value) {
        if (name.is_string() && wanted_lines_.size() < kMostLines)
          wanted_lines_.insert(name.get<std::string>());
      }
      if (overlays_) overlays_->want(wanted_lines_);
    }
    if (op == "speed" && value.is_number() && value.get<double>() >= 0)
      bridge.set_speed(value.get<double>());
    if (op == "keys" && value.is_array()) {
      std::vector<int> keys;
      for (const auto& key : value) {
        if (key.is_number_integer() && keys.size() < kMostKeys) keys.push_back(key.get<int>());
      }
      site_.set_keys(this, std::move(keys));
    }
  }

  std::optional<Frame> next() override {
    if (const auto sent = std::exchange(large_sent_, std::nullopt)) {
      const auto took = Clock::now() - *sent;
      if (took > kLongTime) next_large_ = Clock::now() + kRestOfLarge * took;
    }
    const LiveSite::View view = site_.view();
    if (view.world && world_ != view.world && (shown_ || Clock::now() > told_ + kPatience)) {
      world_ = view.world;
      known_.emplace(*world_);
      overlays_.emplace(*world_);
      ink_.emplace(*world_);
      overlays_->want(wanted_lines_);
      selected_ = scene::find_solid(*world_->description, selected_path_);
      panel_.clear();
      step_ = -1;
      shown_ = false;
      told_ = Clock::now();
      site_.offer(world_);
      return text(world_message(*world_));
    }
    if (std::string status = status_message(view); status != status_) {
      status_ = std::move(status);
      return text(status_);
    }
    if (!world_ || !view.state || view.state->load != world_->load) return std::nullopt;
    if (step_ != view.state->step) {
      step_ = view.state->step;
      return binary(known_->moment(*world_, *view.state));
    }
    if (auto lines = overlays_->next(*view.state)) return binary(std::move(*lines));
    if (std::string panel = panel_message(*view.state); panel != panel_) {
      panel_ = std::move(panel);
      return text(panel_);
    }
    if (auto lamps = known_->lamps(*world_, *view.state)) return binary(std::move(*lamps));
    auto large = Clock::now() < next_large_ ? std::nullopt : next_large(*view.state);
    if (!large) return std::nullopt;
    large_sent_ = Clock::now();
    return binary(std::move(*large));
  }

 private:
  std::optional<std::string> next_large(const SceneState& state) {
    if (auto sweep = known_->sweep(*world_, state)) return sweep;
    if (Clock::now() >= next_ink_) {
      if (auto ink = ink_->next(state)) {
        next_ink_ = Clock::now() + kInkTime;
        return ink;
      }
    }
    return site_.wants_pictures(this) ? known_->picture(*world_, state) : std::nullopt;
  }

  static Frame text(std::string bytes) {
    return {true, std::make_shared<const std::string>(std::move(bytes))};
  }
  static Frame binary(std::string bytes) {
    return {false, std::make_shared<const std::string>(std::move(bytes))};
  }

  /// The Solid of a shape, by its number; anything else: none.
  void select(const nlohmann::json& shape) {
    selected_ = -1;
    if (world_ && shape.is_number_unsigned()) {
      const auto* solid =
          shape < world_->shapes.size() ? &world_->shapes[shape.get<std::size_t>()] : nullptr;
      if (solid) selected_ = *solid;
    }
    selected_path_ =
        selected_ < 0 ? scene::SolidPath() : scene::path_of(*world_->description, selected_);
  }

  std::string panel_message(const SceneState& state) const {
    nlohmann::json message{{"op", "panel"}, {"name", nullptr}};
    const SceneDescription& description = *world_->description;
    const auto* solid = find(description.solids, selected_);
    if (solid && find(state.solids, selected_)) {
      message["name"] = solid->name.empty() ? solid->type : solid->name;
      message["rows"] = scene::facts_of(description, state, selected_);
      auto& shapes = message["shapes"] = nlohmann::json::array();
      for (std::size_t i = 0; i < world_->shapes.size(); ++i) {
        if (scene::is_inside(description, world_->shapes[i], selected_)) shapes.push_back(i);
      }
    }
    return message.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  }

  static std::string status_message(const LiveSite::View& view) {
    nlohmann::json message{{"op", "status"},
                           {"paused", view.run.paused},
                           {"speed", view.run.speed},
                           // Two digits: another number is another message.
                           {"factor", fmt::format("{:.2g}", view.run.real_time_factor)},
                           {"can_reload", view.run.can_reload},
                           {"problem", view.run.problem},
                           {"ended", view.run.ended}};
    auto& failed = message["failed"] = nlohmann::json::array();
    auto& labels = message["labels"] = nlohmann::json::array();
    if (view.state) {
      for (const ControllerReport& report : view.state->controllers) {
        if (report.failed)
          failed.push_back(fmt::format("controller '{}' of {}: {}", report.name, report.robot,
                                       report.what_happened));
      }
      for (const render::PictureLabel& label : view.state->labels) {
        labels.push_back({{"text", label.text},
                          {"x", label.x},
                          {"y", label.y},
                          {"size", label.size},
                          {"color", css_color(label.color)},
                          {"opacity", 1 - label.transparency}});
      }
    }
    return message.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  }

  LiveSite& site_;
  std::shared_ptr<const WorldFile> world_;
  std::optional<Known> known_;
  std::optional<Overlays> overlays_;
  std::optional<InkOfPage> ink_;
  Clock::time_point next_ink_, next_large_;
  std::optional<Clock::time_point> large_sent_;  ///< which is sent now, or has just been
  std::set<std::string, std::less<>> wanted_lines_;
  scene::SolidPath selected_path_;
  int selected_ = -1;
  std::string status_, panel_;
  std::int64_t step_ = -1;  ///< that it has
  bool shown_ = true;       ///< the world that it has been told of, or there was none
  Clock::time_point told_;  ///< when that was
};

/// The page of a robot's window that is open.
class WindowGuest : public Guest {
 public:
  WindowGuest(LiveSite& site, std::string robot)
      : site_(site), robot_(std::move(robot)), next_(site.next_text()) {}

  void receive(std::string_view text) override {
    site_.bridge().tell_from_window({robot_, std::string(text)});
  }

  std::optional<Frame> next() override {
    auto text = site_.text_for(robot_, next_);
    if (!text) return std::nullopt;
    return Frame{true, std::make_shared<const std::string>(std::move(*text))};
  }

 private:
  LiveSite& site_;
  std::string robot_;
  std::uint64_t next_;
};

/// Of a world that stays for as long as somebody has it.
std::shared_ptr<const std::string> part_of(const std::shared_ptr<const WorldFile>& world,
                                           const std::string& bytes) {
  return {world, &bytes};
}

std::string live_page() {
  nlohmann::json turbo = nlohmann::json::array();
  for (int i = 0; i < 256; ++i) {
    const render::Color color = render::turbo(static_cast<float>(i) / 255);
    for (const float c : {color.x(), color.y(), color.z()}) turbo.push_back(std::lround(255 * c));
  }
  const nlohmann::json settings{{"turbo", turbo}};
  const auto joined = [](std::initializer_list<std::string_view> parts) {
    std::string out;
    for (const std::string_view part : parts) out += part;
    return out;
  };
  return gltf::PageMaker().page({"Protobeam",
                                 joined({kLiveStyle, kColorStyle, kOverlayStyle}),
                                 kLiveBody,
                                 joined({kColorScript, kInkScript, kOverlayScript, kLiveScript}),
                                 settings.dump(),
                                 {}});
}

}  // namespace

LiveSite::LiveSite(ViewerBridge& bridge)
    : bridge_(bridge),
      page_(std::make_shared<const File>("text/html; charset=utf-8", live_page())) {}

LiveSite::~LiveSite() = default;

void LiveSite::show(View view) {
  const std::lock_guard lock(mutex_);
  view_ = std::move(view);
}

LiveSite::View LiveSite::view() const {
  const std::lock_guard lock(mutex_);
  return view_;
}

void LiveSite::deliver(std::vector<WindowText> texts) {
  const std::lock_guard lock(mutex_);
  for (WindowText& text : texts) texts_.add(std::move(text));
}

std::uint64_t LiveSite::next_text() const {
  const std::lock_guard lock(mutex_);
  return texts_.end();
}

std::optional<std::string> LiveSite::text_for(const std::string& robot, std::uint64_t& next) const {
  const std::lock_guard lock(mutex_);
  for (next = std::max(next, texts_.first()); next < texts_.end(); ++next) {
    if (texts_[next].robot == robot) return texts_[next++].text;
  }
  return std::nullopt;
}

std::shared_ptr<const File> LiveSite::file(std::string_view path) {
  path = path.substr(0, path.find('?'));
  if (path == "/") return page_;
  if (const auto description = bridge_.description()) {
    if (auto file = window_file(*description, path)) return file;
  }
  std::erase_if(offered_, [](const auto& one) { return one.second.expired(); });
  for (const auto& [load, offered] : offered_) {
    const auto world = offered.lock();
    if (!world) continue;
    if (path == fmt::format("/world/{}.glb", load))
      return std::make_shared<const File>("model/gltf-binary", part_of(world, world->glb));
    for (std::size_t i = 0; world->sky && i < world->sky->sides.size(); ++i) {
      if (path == fmt::format("/world/{}/sky{}.jpg", load, i))
        return std::make_shared<const File>("image/jpeg", part_of(world, world->sky->sides[i]));
    }
  }
  return nullptr;
}

std::unique_ptr<Guest> LiveSite::welcome(std::string_view path) {
  if (const auto robot = robot_of_window(path)) return std::make_unique<WindowGuest>(*this, *robot);
  if (path != "/live") return nullptr;
  ++guests_;
  return std::make_unique<LiveGuest>(*this);
}

void LiveSite::set_keys(const Guest* guest, std::vector<int> keys) {
  keys_[guest] = std::move(keys);
  std::vector<int> all;
  for (const auto& [one, held] : keys_) {
    for (const int key : held) {
      if (std::ranges::find(all, key) == all.end()) all.push_back(key);
    }
  }
  bridge_.set_keys(std::move(all));
}

void LiveSite::want_pictures(const Guest* guest, bool wanted) {
  if (wanted) {
    picture_guests_.insert(guest);
  } else {
    picture_guests_.erase(guest);
  }
  bridge_.want_pictures(!picture_guests_.empty());
}

void LiveSite::forget(const Guest* guest) {
  --guests_;
  want_pictures(guest, false);
  set_keys(guest, {});
  keys_.erase(guest);
}

}  // namespace protobeam::web
