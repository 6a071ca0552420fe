// What `run` is told, by its own options or by those of Webots.
#pragma once

#include <string>

#include "app/animation_file.h"
#include "app/channel_output.h"
#include "app/drive_options.h"
#include "app/extern_options.h"
#include "app/output_options.h"
#include "app/performance_log.h"
#include "app/point_options.h"
#include "app/state_files.h"
#include "app/sweep_output.h"
#include "app/window.h"
#include "app/world_options.h"

namespace protobeam {

struct RunArguments : WorldArguments {
  double duration = 10;  ///< s; infinite: until somebody ends it
  std::string out;
  bool pictures = true;  ///< in the folder `out`
  PointOptions points;
  bool realtime = false;
  bool paused = false;  ///< until a service lets it go on
  bool view = false;
  bool view_paused = false;  ///< the window begins so
  WindowArguments window;
  ExternArguments externs;
  bool print_urls = false;  ///< of the robots that wait for programs, on stdout
  OutputArguments outputs;
  ChannelArguments channels;
  SweepArguments sweeps;
  bool poses = false;
  std::string animation;
  double animation_rate = AnimationFile::kRate;
  StateArguments state;
  DriveArguments drive;
  PerformanceArguments performance;
  bool failures_count = true;  ///< a controller that failed is an exit code other than 0
};

/// Runs it to its end; the exit code.
int run(RunArguments arguments);

}  // namespace protobeam
