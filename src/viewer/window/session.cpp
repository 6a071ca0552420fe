#include "viewer/window/session.h"

#include <algorithm>
#include <cmath>
#include <osg/GL>

#include "viewer/offscreen/offscreen.h"
#include "viewer/offscreen/osg_util.h"
#include "viewer/settings.h"
#include "viewer/window/status_line.h"

namespace protobeam::viewer {
namespace {

constexpr auto kFrameTime = std::chrono::microseconds(16'600);
/// When nothing moves: often enough for what windows show when they are uncovered.
constexpr auto kIdleTime = std::chrono::milliseconds(500);
constexpr auto kNoteTime = std::chrono::seconds(2);

double seconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

/// The pixels of a frame that was drawn and is not shown yet.
class ReadPixels : public osg::Camera::DrawCallback {
 public:
  void operator()(osg::RenderInfo& info) const override {
    const osg::Viewport& area = *info.getCurrentCamera()->getViewport();
    image.width = static_cast<int>(area.width());
    image.height = static_cast<int>(area.height());
    image.channels = 3;
    const auto row = static_cast<std::size_t>(image.width) * 3;
    std::vector<std::uint8_t> upward(row * static_cast<std::size_t>(image.height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, image.width, image.height, GL_RGB, GL_UNSIGNED_BYTE, upward.data());
    image.pixels.resize(upward.size());
    for (std::size_t from = 0, to = upward.size(); from < upward.size(); from += row) {
      to -= row;
      std::copy_n(upward.data() + from, row, image.pixels.data() + to);
    }
  }
  mutable Image image;
};

/// However the window ends, by an exception too, the run does not wait for it.
class DetachOnExit {
 public:
  DetachOnExit(ViewerBridge& bridge, bool keep_running)
      : bridge_(bridge), keep_running_(keep_running) {}
  ~DetachOnExit() {
    if (keep_running_) {
      bridge_.detach();
    } else {
      bridge_.request_end();
    }
  }
  DetachOnExit(const DetachOnExit&) = delete;
  DetachOnExit& operator=(const DetachOnExit&) = delete;

 private:
  ViewerBridge& bridge_;
  bool keep_running_;
};

/// "" when pictures can be drawn without a display.
std::string why_no_pictures() {
  try {
    const Offscreen probe(1, 1, 1);
    return "";
  } catch (const NoGraphics& trouble) {
    return trouble.what();
  }
}

}  // namespace

Session::Session(ViewerBridge& bridge, const WindowSettings& settings)
    : bridge_(bridge),
      settings_(settings),
      drawn_(settings.draw),
      window_("Protobeam", settings.width, settings.height),
      world_(settings.draw),
      overlay_(settings.width, settings.height),
      width_(settings.width),
      height_(settings.height) {
  viewer_.setThreadingModel(osgViewer::ViewerBase::SingleThreaded);
  viewer_.setReleaseContextAtEndOfFrameHint(false);
  viewer_.setKeyEventSetsDone(0);
  viewer_.setQuitEventSetsDone(false);
  viewer_.setLightingMode(osg::View::NO_LIGHT);  // the scene has the world's
  root_->addChild(world_.root());
  root_->addChild(overlay_.root());
  viewer_.setSceneData(root_);
  osg::Camera* camera = viewer_.getCamera();
  camera->setGraphicsContext(window_.graphics());
  camera->setClearColor({0, 0, 0, 1});
  camera->setComputeNearFarMode(osg::CullSettings::COMPUTE_NEAR_FAR_USING_BOUNDING_VOLUMES);
  camera->setNearFarRatio(1e-9);
  camera->setClampProjectionMatrixCallback(clip_planes_);
  camera->setCullingMode(osg::CullSettings::VIEW_FRUSTUM_SIDES_CULLING);
  const auto* traits = window_.graphics()->getTraits();
  resize(traits->width, traits->height);
  viewer_.realize();
  if (!viewer_.isRealized()) throw NoGraphics("no window opens: X has no OpenGL for it");
}

WindowReport Session::run() {
  const DetachOnExit detach_on_exit(bridge_, settings_.keep_running);
  const auto start = Clock::now();
  auto drawn = start - kIdleTime;
  while (true) {
    take_events();
    take_world();
    if (window_.lost())
      throw NoGraphics("the connection to the X display is lost, and the window with it");
    if (done_ || status_.ended || (settings_.interrupted && settings_.interrupted())) break;
    const auto now = Clock::now();
    if (note_ends_ && now >= *note_ends_) {
      note_ends_.reset();
      overlay_.set_note("");
      stale_ = true;
    }
    const auto due = drawn + (stale_ ? Clock::duration(kFrameTime) : Clock::duration(kIdleTime));
    if (now >= due && window_.visible()) {
      drawn = now;
      draw();
      continue;
    }
    // New frames of the world do not wake us, so that we look for them.
    window_.wait(std::clamp(seconds(due - now), 0.001, seconds(kFrameTime)));
  }
  return {frames_, seconds(Clock::now() - start)};
}

void Session::take_events() {
  window_.take_events();
  osgGA::EventQueue::Events events;
  window_.graphics()->getEventQueue()->takeEvents(events);
  for (const auto& event : events) {
    if (const auto* input = event->asGUIEventAdapter()) handle(*input);
  }
  if (!window_.graphics()->isRealized()) done_ = true;
}

void Session::take_world() {
  const RunStatus before = std::exchange(status_, bridge_.status());
  stale_ |= before.paused != status_.paused || before.settled != status_.settled ||
            before.speed != status_.speed || before.problem != status_.problem;
  if (status_.problem.empty()) hidden_problem_.clear();
  const auto state = bridge_.state();
  const int load = world_.description() ? world_.description()->load : 0;
  if (!world_.update(bridge_.description(), state)) return;
  stale_ = true;
  if (world_.description()->load != load) open_world(load != 0);
  follow();
}

void Session::open_world(bool again) {
  const SceneDescription& description = *world_.description();
  window_.set_title("Protobeam - " + description.file.filename().string());
  // What is selected or followed keeps its name: a later world may have it again.
  selected_ = scene::find_solid(description, selected_path_);
  world_.highlight(selected_);
  if (again) {
    note("loaded again");
    set_following(followed_path_);
    resize(width_, height_);  // the new world may have another lens
    return;
  }
  resize(width_, height_);
  aim_at_start();
  if (description.viewpoint && !description.viewpoint->follow.empty()) {
    const int solid = scene::find_solid(description, description.viewpoint->follow);
    if (solid >= 0) set_following(scene::path_of(description, solid));
  }
}

void Session::aim_at_start() {
  if (!world_.state()) return;
  const SceneDescription& description = *world_.description();
  const render::Camera camera =
      choose_camera("viewpoint", description, *world_.state(), control_->aspect());
  // Turns about what is in the middle of the picture.
  double distance = 10;
  const Vec3 ahead = camera.X_WC.R * Vec3::UnitX();
  if (const auto hit = world_.hit({camera.X_WC.p, ahead})) {
    distance = (hit->point - camera.X_WC.p).norm();
  } else if (!description.bounds.empty()) {
    const double to_middle =
        ahead.dot((description.bounds.min + description.bounds.max) / 2 - camera.X_WC.p);
    if (to_middle > 0) distance = to_middle;
  }
  control_->look_from(camera.X_WC, distance);
  if (followed_ >= 0) {
    followed_at_ = world_.state()->solids[static_cast<std::size_t>(followed_)].X_WS.p;
  }
}

void Session::follow() {
  if (followed_ < 0) return;
  const Vec3 now = world_.state()->solids[static_cast<std::size_t>(followed_)].X_WS.p;
  if (!now.allFinite()) return;
  control_->move(now - followed_at_);
  followed_at_ = now;
}

void Session::resize(int width, int height) {
  width_ = width;
  height_ = height;
  overlay_.resize(width, height);
  stale_ = true;
  if (width < 1 || height < 1) return;
  viewer_.getCamera()->setViewport(0, 0, width, height);
  const double aspect = static_cast<double>(width) / height;
  const double fov =
      world_.state()
          ? choose_camera("viewpoint", *world_.description(), *world_.state(), aspect).vertical_fov
          : control_->vertical_fov();
  control_->set_lens(fov, aspect);
}

void Session::note(const std::string& text) {
  overlay_.set_note(text);
  note_ends_ = Clock::now() + kNoteTime;
  stale_ = true;
}

StatusFacts Session::status_facts() const {
  StatusFacts facts;
  facts.run = status_;
  facts.points = drawn_.clouds ? world_.points() : 0;
  facts.keys_to_controllers = keys_to_controllers_;
  if (followed_ >= 0) facts.following = followed_path_.front();
  if (drawn_at_.size() > 1) {
    const double time = seconds(drawn_at_.back() - drawn_at_.front());
    if (time > 0) facts.fps = static_cast<double>(drawn_at_.size() - 1) / time;
  }
  if (world_.state()) {
    facts.time = world_.state()->time;
    facts.controllers = world_.state()->controllers;
  }
  return facts;
}

void Session::refresh_overlay() {
  overlay_.set_status(world_.state() ? status_line(status_facts()) : "loading the world");
  overlay_.set_problem(status_.problem == hidden_problem_ ? "" : status_.problem);
  overlay_.set_legend(world_.legend());
  overlay_.set_labels(world_.state() ? world_.state()->labels
                                     : std::vector<render::PictureLabel>());
  overlay_.set_help(help_);
  if (selected_ >= 0) {
    overlay_.set_panel(selected_path_.front().empty() ? "(no name)" : selected_path_.front(),
                       scene::facts_of(*world_.description(), *world_.state(), selected_));
  } else {
    overlay_.set_panel("", {});
  }
}

void Session::draw() {
  stale_ = false;
  const auto now = Clock::now();
  drawn_at_.push_back(now);
  while (drawn_at_.size() > 2 && seconds(now - drawn_at_.front()) > 1) drawn_at_.pop_front();
  refresh_overlay();

  osg::Camera* camera = viewer_.getCamera();
  camera->setViewMatrix(view_matrix(control_->pose()));
  camera->setProjectionMatrixAsPerspective(control_->vertical_fov() * 180 / kPi, control_->aspect(),
                                           0.1, 100);
  const SceneDescription* description = world_.description();
  const bool own_lens = description && description->viewpoint;
  clip_planes_->set(control_->getDistance(), own_lens ? description->viewpoint->near : 0.05,
                    own_lens ? description->viewpoint->far : 0);
  osg::ref_ptr<ReadPixels> picture;
  if (std::exchange(wants_picture_, false)) picture = new ReadPixels;
  camera->setFinalDrawCallback(picture);
  viewer_.advance();
  viewer_.updateTraversal();
  viewer_.renderingTraversals();
  ++frames_;
  if (picture && !window_.lost()) save_picture(picture->image);
}

std::string why_no_window() {
  const std::string no_display = why_no_display();
  if (no_display.empty()) return "";
  const std::string start = "no window opens: no X display (" + no_display + ")";
  const std::string no_pictures = why_no_pictures();
  if (!no_pictures.empty()) return start + ", and no EGL either (" + no_pictures + ")";
  return start + "; EGL cannot open one, but `snapshot` makes pictures with it";
}

WindowReport show(ViewerBridge& bridge, const WindowSettings& settings) {
  return Session(bridge, settings).run();
}

}  // namespace protobeam::viewer
