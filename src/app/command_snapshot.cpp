// snapshot: a picture, or a film, of a world that runs; no display is needed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "app/commands.h"
#include "app/console.h"
#include "app/log.h"
#include "app/photographer.h"
#include "app/standard_streams.h"
#include "app/window.h"
#include "app/world_options.h"
#include "base/stop.h"
#include "geometry/files.h"
#include "output/video_file.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

struct SnapshotArguments : WorldArguments {
  std::string out, video, size = "1280x720", camera = "viewpoint";
  std::optional<double> time;
  double duration = 5, fps = 25;
  PhotographerSettings photo;
};

/// Lidars that no controller has enabled deliver as well: their points are to be drawn.
void enable_lidars(Simulation& simulation) {
  const double step = simulation.model().basic_time_step;
  for (RobotInfo& robot : simulation.model().robots) {
    for (Device& device : robot.devices) {
      const auto* lidar = dynamic_cast<const BeamSensor*>(device.model.get());
      if (!lidar || device.period != 0) continue;
      const auto rate = device.model->facts().find("defaultFrequency");
      const double hz = rate == device.model->facts().end() ? 10 : std::get<double>(rate->second);
      simulation.enable(device, lidar->every_step() ? step : std::max(step, 1 / hz));
    }
  }
}

bool writable_place(const fs::path& file) {
  const fs::path folder = file.parent_path();
  std::error_code ignored;
  if (folder.empty() || fs::is_directory(folder, ignored)) return true;
  log_error(
      fmt::format("cannot write {}: there is no folder '{}'", file.string(), folder.string()));
  return false;
}

int snapshot(SnapshotArguments arguments) {
  if (arguments.out.empty() && arguments.video.empty()) {
    log_error("snapshot needs --out FILE.png, --video FILE.mp4 or both");
    return kExitUsage;
  }
  for (const std::string& file : {arguments.out, arguments.video}) {
    if (!file.empty() && !writable_place(file)) return kExitData;
  }
  parse_size(arguments.size, arguments.photo.width, arguments.photo.height);
  std::optional<VideoFile> video;
  if (!arguments.video.empty()) {
    video.emplace(arguments.video, arguments.photo.width, arguments.photo.height, arguments.fps);
  }
  auto simulation = load_simulation(arguments);
  if (!simulation) return kExitData;
  stop::catch_signals();
  std::optional<Photographer> still, filming;
  if (!arguments.out.empty()) still.emplace(*simulation, arguments.photo);
  if (video) {
    PhotographerSettings settings = arguments.photo;
    settings.film = true;
    filming.emplace(*simulation, settings);
  }
  (still ? still : filming)->check_camera(arguments.camera);  // before a long run

  Console console({.lines_to_stderr = false, .duration = video ? arguments.duration : 0});
  const auto begin = std::chrono::steady_clock::now();
  simulation->start_controllers(console.controller_lines());
  const double step = simulation->model().basic_time_step;
  const bool sees_clouds = arguments.photo.draw.clouds || arguments.photo.draw.beams;
  // A cloud needs a sweep; lidars take 0.1 s for one, most of them.
  const double time = arguments.time.value_or(sees_clouds && !video ? 1 : 0);
  const double end = video ? time + arguments.duration : time;
  const auto steps = static_cast<std::int64_t>(std::ceil(end / step - 1e-9));
  const auto first = static_cast<std::int64_t>(std::ceil(time / step - 1e-9));
  std::int64_t shots = 0;
  const auto all_shots =
      static_cast<std::int64_t>(std::ceil(arguments.duration * arguments.fps - 1e-9));
  const auto film = [&] {
    if (!video || simulation->step_number() < first) return;
    // Each film frame shows the first step at or after its own time.
    const double into = simulation->time() - time;
    while (!stop::requested() && static_cast<double>(shots) / arguments.fps <= into + 1e-9 &&
           static_cast<double>(shots) / arguments.fps < arguments.duration - 1e-9) {
      video->add(filming->take(arguments.camera).pixels);
      ++shots;
      const auto wall = std::chrono::steady_clock::now() - begin;
      console.show_pictures(shots, all_shots, std::chrono::duration<double>(wall).count());
    }
  };
  film();
  while (simulation->step_number() < steps && !stop::requested()) {
    if (sees_clouds && simulation->step_number() == 1) enable_lidars(*simulation);
    if (!simulation->step()) break;
    if (still) still->note();
    if (filming) filming->note();
    if (!console.check_bodies(*simulation)) return kExitData;
    console.report_failures(*simulation);
    film();
  }
  simulation->finish();
  console.clear_progress();
  if (stop::requested() && shots == 0) return kExitInterrupted;
  if (!arguments.out.empty() && !stop::requested()) {
    save_png(still->take(arguments.camera), arguments.out);
    print_out("wrote {}: {} at {:.3f} s, {}\n", arguments.out, arguments.size, simulation->time(),
              still->how());
  }
  if (video) {
    video->finish();
    print_out("wrote {}: {} pictures, {:.3f} s to {:.3f} s, {}\n", arguments.video, shots, time,
              simulation->time(), filming->how());
  }
  if (stop::requested()) return kExitInterrupted;
  for (const ControllerReport& report : simulation->controllers()) {
    if (report.failed) return kExitController;
  }
  return kExitGood;
}

}  // namespace

void add_snapshot(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<SnapshotArguments>();
  CLI::App* command =
      app.add_subcommand("snapshot", "A picture of a world, or a film; needs no display");
  add_world_arguments(*command, *arguments, false);
  add_run_arguments(*command, *arguments);
  command->add_option("--out", arguments->out, "The picture to write (.png)")
      ->check(ending_argument({".png"}));
  command
      ->add_option("--time", arguments->time,
                   "Simulated seconds before it (default 0; 1 with --cloud or --beams)")
      ->check(moment_argument());
  command->add_option("--size", arguments->size, "Pixels (default 1280x720)")
      ->check([](const std::string& text) {
        int width = 0, height = 0;
        return parse_size(text, width, height)
                   ? std::string{}
                   : "'" + text + "' is no size from 1x1 to 8192x8192, as 1280x720";
      });
  command->add_option("--camera", arguments->camera,
                      "viewpoint (default), top, follow:ROBOT, device:ROBOT/DEVICE or "
                      "\"x y z tx ty tz\": its position and that of its target");
  auto& draw = arguments->photo.draw;
  draw = viewer::DrawSettings{};
  draw.clouds = false;
  command
      ->add_option_function<std::string>(
          "--cloud",
          [&draw](const std::string& name) {
            draw.clouds = true;
            draw.color = *viewer::cloud_color(name);
          },
          "Lidars' points, coloured by range, height, ring, intensity or return")
      ->check(CLI::IsMember({"range", "height", "ring", "intensity", "return"}));
  command->add_option("--point-size", draw.point_size, "Pixels (default 2)")
      ->check(range_argument(1, 20));
  command->add_option("--past-sweeps", draw.past_sweeps, "Sweeps beside the newest (default 0)")
      ->check(CLI::Range(0, 1000));
  command->add_flag("--beams", draw.beams, "A line from each lidar to its returns");
  command->add_flag("--wireframe", draw.wireframe, "boundingObjects");
  command->add_flag("--frames", draw.frames, "Axes of bodies and devices: x red, y green, z blue");
  command->add_flag("--frusta", draw.frusta, "What cameras see");
  command->add_flag("--joints", draw.joints, "Axes of joints");
  command->add_flag("--contacts", draw.contacts, "Contact points");
  command->add_flag("--trails", draw.trails, "Where robots have been");
  command->add_option("--video", arguments->video, "A film to write (.mp4 or .gif; needs ffmpeg)")
      ->check(ending_argument({".mp4", ".gif"}));
  command
      ->add_option("--duration", arguments->duration,
                   "Simulated seconds of the film, from --time on (default 5)")
      ->check(seconds_argument());
  command->add_option("--fps", arguments->fps, "Pictures a second of the film (default 25)")
      ->check(range_argument(1, 240));
  command->callback(
      [&chosen, arguments] { chosen = [arguments] { return snapshot(*arguments); }; });
}

}  // namespace protobeam
