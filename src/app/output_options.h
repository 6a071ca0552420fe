// `run --record`, `--publish` and `--outputs`: where messages go.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/packet_output.h"
#include "base/diagnostics.h"
#include "publish/publisher.h"

namespace protobeam {

struct OutputArguments {
  std::vector<std::string> record;   ///< files; their endings say what they are
  std::vector<std::string> publish;  ///< "ros2", "foxglove", "udp://..."
  std::string settings;              ///< a .yaml file; "": none
  int domain = -1;                   ///< of ROS 2; -1: from the environment
  PacketArguments packets;           ///< those of --record FILE.pcap and --publish udp://
};

/// --record, --publish, --outputs, --device, --ros-domain-id.
void add_output_arguments(CLI::App& command, OutputArguments& arguments);

/// What of --record and --publish is about packets goes into `packets`. Throws std::invalid_argument.
void split_packet_arguments(OutputArguments& arguments);

/// The outputs of the arguments, of the file of settings and of the world, and tables of sensors in the
/// folder `log` ("": none). Null when there are none.
/// Throws std::invalid_argument and std::runtime_error.
std::unique_ptr<Publisher> make_publisher(Simulation& simulation, const OutputArguments& arguments,
                                          const std::string& log = "");

/// An output that a world names.
struct WorldOutput {
  std::string type, text;  ///< the text of the node with all of its fields
  Place place;
};
std::vector<WorldOutput> outputs_of_world(const Simulation& simulation);
/// Of a world that is loaded into a run: warns of outputs that are not among those that the run has
/// opened for its first world.
void warn_of_other_outputs(const std::vector<WorldOutput>& opened, const Simulation& simulation,
                           Diagnostics& diagnostics);

}  // namespace protobeam
