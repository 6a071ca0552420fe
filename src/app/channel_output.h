// `run --out DIR --channels ...`: channels of devices as files.
#pragma once

#include <CLI/App.hpp>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/log.h"
#include "base/file_names.h"
#include "output/channel_file.h"
#include "sim/simulation.h"

namespace protobeam {

struct ChannelArguments {
  std::vector<std::string> channels;  ///< ROBOT/DEVICE:CHANNEL, ROBOT/DEVICE or "all"
  bool csv = false;
  bool wanted() const { return !channels.empty(); }
};

/// --channels, --csv; both need `out`.
void add_channel_arguments(CLI::App& command, ChannelArguments& arguments, CLI::Option* out);

class ChannelOutput {
 public:
  /// Throws std::invalid_argument for what is not there and std::runtime_error for files that
  /// cannot be written. A device that nobody has enabled is recorded once somebody does.
  ChannelOutput(Simulation& simulation, const ChannelArguments& arguments,
                std::filesystem::path folder);

  /// Takes the frames that this step has completed. Throws std::runtime_error.
  void after_step();
  /// The files get their names.
  void finish();
  /// "wrote 3 channels of 2 devices into out"; after finish().
  std::string text() const;

 private:
  struct Recorded {
    const Device* device;
    const ChannelLayout* channel;
    std::unique_ptr<NpyChannelFile> npy, times;
    std::unique_ptr<CsvChannelFile> csv;
    std::uint64_t frames = 0;  ///< taken so far
  };
  void choose(const std::string& what);
  void add(const std::string& path, const Device& device, const ChannelLayout& channel);
  std::filesystem::path file_for(const std::string& name);

  Simulation& simulation_;
  bool csv_;
  std::filesystem::path folder_;
  std::deque<Recorded> recorded_;
  FileNames names_{log_note};
};

}  // namespace protobeam
