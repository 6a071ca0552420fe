// run: the world and its controllers, headless, then a summary.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

#include "app/commands.h"
#include "app/console.h"
#include "app/control_host.h"
#include "app/event_log.h"
#include "app/log.h"
#include "app/movie.h"
#include "app/pose_output.h"
#include "app/run_arguments.h"
#include "app/run_files.h"
#include "app/run_summary.h"
#include "app/silent_sensors.h"
#include "app/standard_streams.h"
#include "app/world_generations.h"
#include "base/stop.h"
#include "base/text.h"
#include "publish/simulation_control.h"
#include "sim/collision_log.h"
#include "sim/supervisor/supervisor.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

bool can_write_into(const std::string& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (!problem && access(folder.c_str(), W_OK) == 0) return true;
  log_error(fmt::format("cannot write into the folder '{}': {}", folder,
                        problem ? problem.message() : "permission denied"));
  return false;
}

/// Everything that a run has; `bridge` leads to the window that shows it, or null.
class WorldRun {
 public:
  WorldRun(const RunArguments& arguments, ViewerBridge* bridge)
      : arguments_(arguments),
        world_{.file = arguments.world, .lenient = arguments.lenient},
        bridge_(bridge),
        console_({arguments.json, arguments.json || endless() ? 0 : arguments.duration}),
        externs_(make_extern_server(arguments.externs, console_,
                                    [bridge] { return bridge && bridge->step_unwanted(); })) {}

  int run() {
    simulation_ = load_simulation(arguments_, nullptr, &asked_);
    if (!simulation_) return kExitData;
    stop::catch_signals();  // before, there is nothing to save
    states_ = std::make_unique<StateFiles>(*simulation_, arguments_.state);
    begin();
    const double step = simulation_->model().basic_time_step;
    const auto steps =
        endless()
            ? std::numeric_limits<std::int64_t>::max()
            : static_cast<std::int64_t>(std::llround(std::ceil(arguments_.duration / step - 1e-9)));
    begin_ = std::chrono::steady_clock::now();
    load_times_ = simulation_->load_times();
    load_total_ = std::chrono::duration<double>(begin_ - made_).count();
    for (std::int64_t i = 0; i < steps && exit_ == kExitGood && make_step(); ++i) {
    }
    return end();
  }

 private:
  bool endless() const { return std::isinf(arguments_.duration); }

  double wall() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  void begin() {
    vehicles_ =
        std::make_unique<VehicleRun>(*simulation_, arguments_.drive, asked_, arguments_.out);
    if (arguments_.outputs.packets.wanted()) {
      packets_ = std::make_unique<PacketOutput>(*simulation_, arguments_.outputs.packets);
    }
    publisher_ = make_publisher(*simulation_, arguments_.outputs, arguments_.drive.log);
    opened_ = outputs_of_world(*simulation_);
    if (arguments_.paused && !publisher_) {
      throw std::invalid_argument("--paused: nobody could let it go on without --publish ros2");
    }
    if (publisher_) control_.emplace(*simulation_, publisher_->table(), arguments_.paused, host());
    if (arguments_.channels.wanted()) {
      channels_ =
          std::make_unique<ChannelOutput>(*simulation_, arguments_.channels, arguments_.out);
    }
    if (!arguments_.out.empty()) {
      events_ = std::make_unique<EventLog>(*simulation_, arguments_.out);
      tracks_ = std::make_unique<LidarTracks>(*simulation_);
    }
    if (arguments_.sweeps.wanted()) {
      sweeps_ = std::make_unique<SweepOutput>(*simulation_, arguments_.sweeps, arguments_.points,
                                              *tracks_, arguments_.out);
    }
    if (!arguments_.animation.empty()) {
      animation_ = std::make_unique<AnimationFile>(*simulation_, arguments_.animation,
                                                   arguments_.animation_rate);
    }
    if (arguments_.poses) poses_ = std::make_unique<PoseOutput>(*simulation_, arguments_.out);
    begin_controllers();
    if (bridge_) bridge_->publish_world(*simulation_);
  }

  ControlHost host() {
    ControlHost out = control_host(arguments_, [this] { return world_.lenient; });
    out.changed = [this] { follow_changes(); };
    out.publisher = publisher_.get();
    return out;
  }

  void begin_controllers() {
    if (packets_ || channels_) simulation_->keep_devices();
    collisions_ = std::make_unique<CollisionLog>(*simulation_);
    Supervisor& supervisor = simulation_->supervisor();
    if (arguments_.realtime) supervisor.set_mode(Supervisor::Mode::kRealTime);
    followed_at_ = followed_position(*simulation_);
    supervisor.set_photographer([this](const std::string& file, int quality) {
      return export_picture(*simulation_, file, quality, followed_at_);
    });
    // A window has OpenGL to itself.
    movie_ = std::make_unique<Movie>(*simulation_, bridge_ == nullptr, followed_at_);
    supervisor.set_movie_maker(movie_.get());
    supervised_animation_ = std::make_unique<SupervisedAnimation>(*simulation_);
    supervisor.set_animation_maker(supervised_animation_.get());
    if (arguments_.performance.wanted())
      performance_ = std::make_unique<PerformanceLog>(*simulation_, arguments_.performance);
    known_ = WorldGenerations::of(*simulation_);
    simulation_->accept_programs(*externs_, extern_limit(arguments_));
    if (bridge_ && bridge_->shows_windows()) simulation_->open_windows();
    simulation_->start_controllers(console_.controller_lines());
    if (arguments_.print_urls) print_urls();
  }

  void print_urls() const {
    for (const RobotInfo& robot : simulation_->model().robots) {
      if (robot.controller == "<extern>") print_out("{}\n", externs_->url_for(robot.name));
    }
    flush(stdout);  // somebody waits for them
  }

  /// What a supervisor has brought in, taken out or made anew.
  void follow_changes() {
    const auto now = WorldGenerations::of(*simulation_);
    const auto before = std::exchange(known_, now);
    if (now == before) return;
    if (bridge_) bridge_->publish_world(*simulation_);
    if (now.robots != before.robots && publisher_) publisher_->restart(*simulation_);
    if (now.world != before.world && control_) control_->follow(*simulation_);
  }

  /// False when it is the end.
  bool grant_wish() {
    if (!simulation_->wish()) return true;
    const Simulation::Wish wish = *simulation_->wish();
    if (wish.kind == Simulation::Wish::Kind::kQuit) {
      status_ = wish.status & 0xff;
      return false;
    }
    const bool load = wish.kind == Simulation::Wish::Kind::kLoad;
    WorldChoice choice = world_;
    if (load) choice.file = wish.file;
    Diagnostics problems;
    const std::string why = begin_again(choice, problems);
    if (why.empty()) return true;
    console_.clear_progress();
    log_error(fmt::format("a supervisor wants {}: {}",
                          load ? "the world '" + printable(wish.file.string()) + "'"
                               : std::string("the world to be loaded again"),
                          why));
    exit_ = kExitData;
    return false;
  }

  /// False when it is the end.
  bool make_step() {
    if (bridge_ && bridge_->wait_for_step(*simulation_) == ViewerBridge::Command::kEnd) {
      closed_ = true;
      return false;
    }
    if (control_ && !let_others_control()) return false;
    if (vehicles_) vehicles_->before_step();
    if (publisher_) publisher_->before_step();
    if (stop::requested() || !simulation_->step()) {
      // The window may be closed while a program is awaited.
      closed_ = !stop::requested();
      if (!closed_) exit_ = kExitInterrupted;
      return false;
    }
    begin_ += externs_->take_waited();  // the user's time
    follow_changes();
    write_to(vehicles_, &VehicleRun::after_step);
    if (bridge_) bridge_->publish_state(*simulation_);
    movie_->after_step();
    supervised_animation_->after_step();
    write_to(animation_, &AnimationFile::after_step);
    collisions_->after_step();
    broken_ = !console_.check_bodies(*simulation_);
    write_to(packets_, &PacketOutput::after_step);
    write_to(publisher_, &Publisher::after_step);
    write_to(channels_, &ChannelOutput::after_step);
    write_to(events_, &EventLog::after_step);
    if (tracks_) tracks_->after_step();
    write_to(sweeps_, &SweepOutput::after_step);
    write_to(poses_, &PoseOutput::after_step);
    write_to(states_, &StateFiles::after_step);
    write_to(performance_, &PerformanceLog::after_step);
    if (control_) control_->after_step();
    console_.report_failures(*simulation_);
    console_.show_progress(simulation_->time(), wall());
    const bool realtime = simulation_->supervisor().mode() == Supervisor::Mode::kRealTime;
    if (realtime && !bridge_) wait_for_the_clock();
    return grant_wish();
  }

  /// False when they want the end.
  bool let_others_control() {
    while (control_) {
      const auto before = std::chrono::steady_clock::now();
      const SimulationControl::Next next = control_->before_step();
      // The time of a pause is nobody's.
      begin_ += std::chrono::steady_clock::now() - before;
      if (next == SimulationControl::Next::kQuit) {
        closed_ = true;
        return false;
      }
      if (next == SimulationControl::Next::kStep) return true;
      reset();
    }
    return true;
  }

  void reset() {
    const bool another = control_->wanted_world() != nullptr;
    Diagnostics problems;
    const std::string why = begin_again(another ? *control_->wanted_world() : world_, problems);
    if (why.empty())
      control_->after_reset(*simulation_, another ? problems.to_string() : "");
    else if (another && problems.has_errors())
      control_->reset_failed(problems.to_string(), load_world_code(problems));
    else
      control_->reset_failed(why);
  }

  /// The world, or another one, from its file. "" or why it cannot be: then all goes on.
  std::string begin_again(const WorldChoice& world, Diagnostics& problems) {
    const bool files = packets_ || channels_ || animation_ || !arguments_.out.empty() ||
                       (publisher_ && publisher_->table().records());  // --log is one
    if (files || bridge_)
      return "not with --out, --record, --log, --channels, --animation, packets, a window or --web";
    if (!arguments_.state.save.empty() || !arguments_.state.from.empty())
      return "not with --save-state or --from-state";
    RunArguments chosen = arguments_;
    chosen.json = false;  // the summary is the one object on stdout
    chosen.world = world.file.string();
    chosen.lenient = world.lenient;
    auto fresh = load_simulation(chosen, &problems, &asked_);
    if (!fresh) return "it cannot be loaded";
    if (const std::string why = publisher_ ? publisher_->problem_with(*fresh) : ""; !why.empty()) {
      problems.error({}, why);
      return why;
    }
    Diagnostics of_outputs;
    warn_of_other_outputs(opened_, *fresh, of_outputs);
    print_err("{}", of_outputs.to_string(color_stderr()));
    for (const Diagnostic& one : of_outputs.all()) problems.add(one);
    world_ = world;
    write_to(performance_, &PerformanceLog::finish);
    simulation_->finish();
    movie_->finish();
    supervised_animation_->finish();
    vehicles_ = std::make_unique<VehicleRun>(*fresh, arguments_.drive, asked_, arguments_.out);
    if (publisher_) publisher_->restart(*fresh);
    simulation_ = std::move(fresh);
    if (control_) control_->follow(*simulation_);
    begin_controllers();
    begin_ = std::chrono::steady_clock::now();
    return "";
  }

  void wait_for_the_clock() const {
    const double ahead = simulation_->time() - wall();
    if (ahead > 0) std::this_thread::sleep_for(std::chrono::duration<double>(ahead));
  }

  /// A file that cannot be written any more ends the run; no part of it is left.
  template <class Output>
  void write_to(std::unique_ptr<Output>& output, void (Output::*what)()) {
    if (!output) return;
    try {
      (output.get()->*what)();
    } catch (const std::exception& error) {
      console_.clear_progress();
      log_error(error.what());
      // It has services in the publisher's table.
      if constexpr (std::is_same_v<Output, Publisher>) control_.reset();
      output.reset();
      if (exit_ == kExitGood) exit_ = kExitData;
    }
  }

  int end() {
    const double wall_time = wall();
    if (control_) control_->finish();
    simulation_->finish();
    console_.report_failures(*simulation_);
    console_.clear_progress();
    movie_->finish();
    supervised_animation_->finish();
    write_to(animation_, &AnimationFile::finish);
    if (animation_) log_note(animation_->text());
    write_to(packets_, &PacketOutput::finish);
    write_to(publisher_, &Publisher::finish);
    write_to(channels_, &ChannelOutput::finish);
    write_to(events_, &EventLog::finish);
    write_to(sweeps_, &SweepOutput::finish);
    write_to(poses_, &PoseOutput::finish);
    write_to(vehicles_, &VehicleRun::finish);
    write_to(performance_, &PerformanceLog::finish);
    if (exit_ == kExitInterrupted || closed_) {
      log_note(fmt::format("{} at {:.3f} s", exit_ == kExitInterrupted ? "interrupted" : "closed",
                           simulation_->time()));
    }
    if (broken_ && exit_ == kExitGood) exit_ = kExitData;
    if (status_ && exit_ == kExitGood) exit_ = *status_;
    for (const ControllerReport& report : simulation_->controllers()) {
      const bool counts = report.failed && arguments_.failures_count;
      if (counts && exit_ == kExitGood && !status_) exit_ = kExitController;
    }
    bool wrote = false;  // a full disk must not take the summary with it
    try {
      if (!arguments_.out.empty()) {
        console_.show_stage(arguments_.pictures ? "writing clouds and pictures" : "writing clouds");
        write_run_files(*simulation_, arguments_.out, arguments_.points, *tracks_,
                        arguments_.pictures, followed_at_);
      }
      console_.clear_progress();
      wrote = !arguments_.out.empty();
    } catch (const std::exception& error) {
      console_.clear_progress();
      log_error(error.what());
      if (exit_ != kExitInterrupted) exit_ = kExitData;
    }
    if (publisher_) {
      const std::string missing = arguments_.drive.log.empty()
                                      ? silent_sensors(*simulation_, publisher_->table())
                                      : why_log_is_empty(publisher_->table());
      if (!missing.empty()) log_note(missing);
    }
    if (const std::string missed = states_ ? states_->missed() : ""; !missed.empty()) {
      log_error(missed);
      if (exit_ == kExitGood) exit_ = kExitData;
    }
    summarise(wall_time, wrote);
    return exit_;
  }

  void summarise(double wall_time, bool wrote) {
    if (arguments_.json) {
      nlohmann::json out = summary_json(*simulation_, *collisions_, wall_time);
      const auto& [read, build, begin] = load_times_;
      out["load_s"] = {{"total", load_total_},
                       {"read", read},
                       {"build", build},
                       {"begin", begin},
                       {"outputs_and_controllers", load_total_ - read - build - begin}};
      if (publisher_) out["outputs"] = outputs_json(*publisher_);
      if (packets_) out["packets"] = packets_->json();
      if (sweeps_) out["sweeps"] = sweeps_->json();
      print_out("{}\n", out.dump());
      return;
    }
    print_summary(*simulation_, *collisions_, wall_time);
    const std::string files =
        wrote ? run_files_text(*simulation_, arguments_.out, arguments_.pictures) : "";
    if (!files.empty()) print_out("wrote {}\n", files);
    if (packets_) print_out("{}\n", packets_->text());
    if (publisher_) print_out("{}\n", publisher_->text());
    if (channels_) print_out("{}\n", channels_->text());
    if (sweeps_) print_out("{}\n", sweeps_->text());
    if (poses_) print_out("{}\n", poses_->text());
    if (vehicles_ && !vehicles_->text().empty()) print_out("{}\n", vehicles_->text());
  }

  const RunArguments& arguments_;
  WorldChoice world_;  ///< the one that there is
  ViewerBridge* bridge_;
  Console console_;
  std::unique_ptr<link::ExternServer> externs_;
  mvsim::Recordings asked_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<CollisionLog> collisions_;
  std::unique_ptr<Movie> movie_;
  std::optional<Vec3> followed_at_;  ///< what the Viewpoint follows, at the start
  std::unique_ptr<VehicleRun> vehicles_;
  std::unique_ptr<PacketOutput> packets_;
  std::unique_ptr<Publisher> publisher_;
  std::vector<WorldOutput> opened_;  ///< of the first world
  std::unique_ptr<ChannelOutput> channels_;
  std::unique_ptr<EventLog> events_;
  std::unique_ptr<LidarTracks> tracks_;
  std::unique_ptr<SweepOutput> sweeps_;
  std::unique_ptr<PoseOutput> poses_;
  std::unique_ptr<AnimationFile> animation_;
  std::unique_ptr<SupervisedAnimation> supervised_animation_;
  std::unique_ptr<StateFiles> states_;
  std::unique_ptr<PerformanceLog> performance_;
  std::optional<SimulationControl> control_;
  std::chrono::steady_clock::time_point made_ = std::chrono::steady_clock::now(), begin_;
  LoadTimes load_times_;  ///< of the first world; a later one replaces it while it runs
  double load_total_ = 0;
  WorldGenerations known_;
  std::optional<int> status_;  ///< that a supervisor wants it to end with
  int exit_ = kExitGood;
  bool closed_ = false;  ///< the window, and with it the run, or by a service
  bool broken_ = false;  ///< a body: the others go on
};

/// The whole run on the calling thread.
int run_world(const RunArguments& arguments, ViewerBridge* bridge) {
  return WorldRun(arguments, bridge).run();
}

}  // namespace

int run(RunArguments arguments) {
  arguments.points.shape();
  split_packet_arguments(arguments.outputs);
  for (const std::string& folder : {arguments.out, arguments.drive.log}) {
    if (!folder.empty() && !can_write_into(folder)) return kExitData;
  }
  if (!arguments.view && arguments.window.web.empty()) return run_world(arguments, nullptr);
  const double speed = arguments.realtime ? 1 : 0;
  return show_while(arguments.window, {arguments.view_paused, speed, false},
                    [&](ViewerBridge& bridge) { return run_world(arguments, &bridge); });
}

void add_run(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "Run a world and its controllers, headless");
  add_world_arguments(*command, *arguments);
  add_run_arguments(*command, *arguments);
  command->add_option("--duration", arguments->duration, "Simulated seconds (default 10)")
      ->check(seconds_argument());
  CLI::Option* out = command->add_option("--out", arguments->out,
                                         "Folder for cloud.pcd, ranges.png and scene.png");
  const auto point_options = add_point_options(*command, arguments->points);
  for (CLI::Option* option : point_options) option->needs(out);
  command
      ->add_flag_callback(
          "--no-pictures", [arguments] { arguments->pictures = false; },
          "Without ranges.png, scene.png and those of devices in the --out folder")
      ->needs(out);
  add_output_arguments(*command, arguments->outputs);
  add_channel_arguments(*command, arguments->channels, out);
  add_sweep_arguments(*command, arguments->sweeps, out);
  command
      ->add_flag("--poses", arguments->poses,
                 "Record the poses of all robots and their sensors into the folder of --out, as TUM and KITTI")
      ->needs(out);
  CLI::Option* animation = command->add_option(
      "--animation", arguments->animation,
      "How the world looks and moves, as FILE.glb, or as FILE.html for a browser");
  command
      ->add_option("--animation-rate", arguments->animation_rate,
                   "Poses in a simulated second of --animation (default 25)")
      ->check(range_argument(0.1, 1000))
      ->needs(animation);
  add_drive_arguments(*command, arguments->drive);
  add_state_arguments(*command, arguments->state);
  command->add_flag(
      "--paused", arguments->paused,
      "Wait for services of simulation_interfaces before the first step (--publish ros2)");
  command->add_flag("--realtime", arguments->realtime, "Not faster than the clock on the wall");
  CLI::Option* view =
      command->add_flag("--view", arguments->view, "Show it in a window meanwhile (see `view`)");
  CLI::Option* web = add_window_arguments(*command, arguments->window);
  web->excludes(view);
  add_extern_arguments(*command, arguments->externs);
  command
      ->add_flag("--keep-running", arguments->window.keep_running,
                 "Closing the window does not end the run")
      ->needs(view);
  command->callback([&chosen, arguments, point_options] {
    arguments->sweeps.points_given =
        std::ranges::any_of(point_options, [](const CLI::Option* o) { return o->count() > 0; });
    chosen = [arguments] { return run(*arguments); };
  });
}

}  // namespace protobeam
