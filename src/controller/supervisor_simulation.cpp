#include <cstdio>
#include <limits>
#include <string>
#include <utility>

#include "controller/supervisor_access.h"

using namespace protobeam;
using controller::about;
using controller::absolute_path;
using controller::kNaN;
using controller::SupervisedWorld;
using controller::Supervision;
using controller::SupervisorAnswer;
using controller::SupervisorOp;
using controller::SupervisorRequest;

namespace {

SupervisorRequest request_for(SupervisorOp op, std::string text = {}) {
  SupervisorRequest request = about(op, WbNodeRef{});
  request.text = std::move(text);
  return request;
}

void tell(const char* function, SupervisorOp op) {
  Supervision call(function);
  if (call) call.tell(request_for(op));
}

/// Said once by each function that the simulator has nothing behind.
void not_made(const char* function, bool& said, const char* what) {
  const Supervision call(function);
  if (call && !said) call.complain(what);
  if (call) said = true;
}

/// After the end what was recorded is there: programs wait for that.
int movie_status(Supervision& call) {
  const SupervisorAnswer* answer = call.try_ask(request_for(SupervisorOp::kMovieStatus));
  if (!answer || answer->numbers.empty() || controller::Client::get().over())
    return WB_SUPERVISOR_MOVIE_READY;
  return static_cast<int>(answer->numbers.front());
}

}  // namespace

extern "C" {

void wb_supervisor_world_load(const char* filename) {
  Supervision call(__func__);
  if (!call || !call.good("filename", filename)) return;
  call.tell(request_for(SupervisorOp::kLoadWorld, absolute_path(filename)));
}

bool wb_supervisor_world_save(const char* filename) {
  Supervision call(__func__);
  if (!call) return false;
  return call.ask(request_for(SupervisorOp::kSaveWorld, absolute_path(filename))) != nullptr;
}

void wb_supervisor_world_reload() { tell(__func__, SupervisorOp::kReload); }

void wb_supervisor_simulation_quit(int status) {
  Supervision call(__func__);
  if (!call) return;
  SupervisorRequest request = request_for(SupervisorOp::kQuit);
  request.index = status;
  // At once: many programs end without another step.
  call.ask(std::move(request));
}

void wb_supervisor_simulation_reset() { tell(__func__, SupervisorOp::kReset); }
void wb_supervisor_simulation_reset_physics() { tell(__func__, SupervisorOp::kResetAllPhysics); }

WbSimulationMode wb_supervisor_simulation_get_mode() {
  Supervision call(__func__);
  const double* mode = call ? call.ask_numbers(request_for(SupervisorOp::kGetMode), 1) : nullptr;
  return mode ? static_cast<WbSimulationMode>(static_cast<int>(*mode))
              : WB_SUPERVISOR_SIMULATION_MODE_FAST;
}

void wb_supervisor_simulation_set_mode(WbSimulationMode mode) {
  Supervision call(__func__);
  if (!call) return;
  SupervisorRequest request = request_for(SupervisorOp::kSetMode);
  request.index = static_cast<int>(mode);
  call.tell(std::move(request));
}

void wb_supervisor_set_label(int id, const char* text, double x, double y, double size, int color,
                             double transparency, const char* font) {
  Supervision call(__func__);
  if (!call || !call.good("text", text) || !call.good("font", font)) return;
  const std::pair<const char*, double> shares[] = {
      {"x", x}, {"y", y}, {"size", size}, {"transparency", transparency}};
  for (const auto& [name, share] : shares) {
    if (share >= 0 && share <= 1) continue;
    char value[32];
    std::snprintf(value, sizeof value, "%g", share);
    return call.complain("called with " + std::string(value) + " for '" + name +
                         "'; it must be in [0, 1]");
  }
  const auto part = [color](int shift) { return ((color >> shift) & 0xff) / 255.0; };
  const double numbers[] = {x, y, size, part(16), part(8), part(0), transparency};
  if (!call.good(numbers, 7)) return;
  SupervisorRequest request = request_for(SupervisorOp::kSetLabel, text);
  request.index = id;
  request.numbers.assign(numbers, numbers + 7);
  call.tell(std::move(request));
}

void wb_supervisor_export_image(const char* filename, int quality) {
  Supervision call(__func__);
  if (!call || !call.good("filename", filename)) return;
  if (!*filename) return call.complain("called with an empty 'filename' argument");
  if (quality < 1 || quality > 100) return call.complain("called with a quality outside 1..100");
  SupervisorRequest request = request_for(SupervisorOp::kExportImage, absolute_path(filename));
  request.index = quality;
  call.tell(std::move(request));
}

void wb_supervisor_movie_start_recording(const char* filename, int width, int height, int,
                                         int quality, int acceleration, bool caption) {
  Supervision call(__func__);
  if (!call) return;
  if (movie_status(call) == WB_SUPERVISOR_MOVIE_RECORDING)
    return call.complain("called while a movie is being recorded");
  if (!call.good("filename", filename)) return;
  if (!*filename) return call.complain("called with an empty 'filename' argument");
  if (width <= 0 || height <= 0)
    return call.complain("called with a 'width' or 'height' that is not positive");
  if (quality < 1 || quality > 100) return call.complain("called with a quality outside 1..100");
  if (acceleration < 1) return call.complain("called with an acceleration below 1");
  SupervisorRequest request = request_for(SupervisorOp::kStartMovie, absolute_path(filename));
  request.numbers = {static_cast<double>(width), static_cast<double>(height),
                     static_cast<double>(quality), static_cast<double>(acceleration),
                     caption ? 1.0 : 0.0};
  call.tell(std::move(request));
}
void wb_supervisor_movie_stop_recording() { tell(__func__, SupervisorOp::kStopMovie); }
bool wb_supervisor_movie_is_ready() {
  Supervision call(__func__);
  return call && movie_status(call) != WB_SUPERVISOR_MOVIE_RECORDING;
}
bool wb_supervisor_movie_failed() {
  Supervision call(__func__);
  return !call || movie_status(call) > WB_SUPERVISOR_MOVIE_SAVING;
}
int wb_supervisor_movie_get_status() {
  Supervision call(__func__);
  return call ? movie_status(call) : WB_SUPERVISOR_MOVIE_SIMULATION_ERROR;
}
int wb_supervisor_get_movie_status() { return wb_supervisor_movie_get_status(); }
void wb_supervisor_start_movie(const char* filename, int width, int height, int codec, int quality,
                               int acceleration, bool caption) {
  wb_supervisor_movie_start_recording(filename, width, height, codec, quality, acceleration,
                                      caption);
}
void wb_supervisor_stop_movie() { wb_supervisor_movie_stop_recording(); }

bool wb_supervisor_animation_start_recording(const char* filename) {
  Supervision call(__func__);
  if (!call || !call.good("filename", filename)) return false;
  if (!*filename) {
    call.complain("called with an empty 'filename' argument");
    return false;
  }
  return call.ask(request_for(SupervisorOp::kStartAnimation, absolute_path(filename))) != nullptr;
}
bool wb_supervisor_animation_stop_recording() {
  Supervision call(__func__);
  return call && call.ask(request_for(SupervisorOp::kStopAnimation)) != nullptr;
}

bool wb_supervisor_virtual_reality_headset_is_used() { return false; }
const double* wb_supervisor_virtual_reality_headset_get_position() {
  static bool said = false;
  not_made(__func__, said, "gives no numbers: there is no headset");
  static const double nowhere[3] = {kNaN, kNaN, kNaN};
  return nowhere;
}
const double* wb_supervisor_virtual_reality_headset_get_orientation() {
  static bool said = false;
  not_made(__func__, said, "gives no numbers: there is no headset");
  static const double nowhere[9] = {kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN};
  return nowhere;
}

void wb_supervisor_simulation_revert() { wb_supervisor_world_reload(); }
void wb_supervisor_simulation_physics_reset() { wb_supervisor_simulation_reset_physics(); }
void wb_supervisor_load_world(const char* filename) { wb_supervisor_world_load(filename); }
bool wb_supervisor_save_world(const char* filename) { return wb_supervisor_world_save(filename); }

}  // extern "C"
