#include "app/channel_output.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/diagnostics.h"

namespace protobeam {
namespace {

/// The simulated time of each frame: a channel of its own.
ChannelLayout time_channel() {
  ChannelLayout time;
  time.name = "time";
  time.unit = "s";
  return time;
}

}  // namespace

void add_channel_arguments(CLI::App& command, ChannelArguments& arguments, CLI::Option* out) {
  CLI::Option* channels =
      command
          .add_option("--channels", arguments.channels,
                      "Record channels of devices (`info types`) into the folder of --out: "
                      "ROBOT/DEVICE:CHANNEL, ROBOT/DEVICE or all")
          ->delimiter(',')
          ->allow_extra_args(false)
          ->needs(out);
  command.add_flag("--csv", arguments.csv, "Channels as .csv, not as .npy")->needs(channels);
}

ChannelOutput::ChannelOutput(Simulation& simulation, const ChannelArguments& arguments,
                             std::filesystem::path folder)
    : simulation_(simulation), csv_(arguments.csv), folder_(std::move(folder)) {
  for (const std::string& what : arguments.channels) choose(what);
}

void ChannelOutput::choose(const std::string& what) {
  const auto& robots = simulation_.model().robots;
  if (what == "all") {
    for (const RobotInfo& robot : robots) {
      for (const Device& device : robot.devices) {
        for (const ChannelLayout& channel : device.model->layout().channels) {
          add(robot.name + "/" + device.name, device, channel);
        }
      }
    }
    return;
  }
  // A device's name may have a colon in it ("arm::left"): the channel's has none.
  const Device* device = simulation_.find_device(what);
  std::string path = what, wanted;
  if (!device) {
    const std::size_t colon = what.rfind(':');
    path = what.substr(0, colon);
    if (colon != std::string::npos) wanted = what.substr(colon + 1);
    device = simulation_.find_device(path);
  }
  if (!device) {
    throw std::invalid_argument(fmt::format("--channels: no device '{}'; {}", path,
                                            did_you_mean(path, simulation_.device_paths())));
  }
  const auto& channels = device->model->layout().channels;
  bool found = false;
  std::vector<std::string> names;
  for (const ChannelLayout& channel : channels) {
    names.push_back(channel.name);
    if (!wanted.empty() && channel.name != wanted) continue;
    found = true;
    const RobotInfo& robot = robots[static_cast<std::size_t>(device->robot)];
    add(robot.name + "/" + device->name, *device, channel);
  }
  if (found) return;
  throw std::invalid_argument(
      names.empty() ? fmt::format("--channels: {} has no channels", path)
                    : fmt::format("--channels: {} has no channel '{}'; its channels: {}", path,
                                  wanted, fmt::join(names, ", ")));
}

/// A name of the recording as a file name that no other has.
std::filesystem::path ChannelOutput::file_for(const std::string& name) {
  return folder_ / names_.of(name);
}

void ChannelOutput::add(const std::string& path, const Device& device,
                        const ChannelLayout& channel) {
  for (const Recorded& other : recorded_) {
    if (other.channel == &channel) return;
  }
  const std::string file = file_for(path + "." + channel.name).string();
  Recorded& recorded = recorded_.emplace_back();
  recorded.device = &device;
  recorded.channel = &channel;
  if (csv_) {
    recorded.csv = std::make_unique<CsvChannelFile>(file + ".csv", channel);
  } else {
    recorded.npy = std::make_unique<NpyChannelFile>(file + ".npy", channel);
    recorded.times = std::make_unique<NpyChannelFile>(file + ".time.npy", time_channel());
  }
}

void ChannelOutput::after_step() {
  const double time = simulation_.time();
  for (Recorded& recorded : recorded_) {
    if (recorded.device->frames == recorded.frames) continue;
    recorded.frames = recorded.device->frames;
    const auto elements =
        recorded.device->data.subspan(recorded.channel->offset, recorded.channel->bytes());
    if (recorded.csv) {
      recorded.csv->add(time, elements);
    } else {
      recorded.npy->add(elements);
      recorded.times->add(std::as_bytes(std::span(&time, 1)));
    }
  }
}

void ChannelOutput::finish() {
  for (Recorded& recorded : recorded_) {
    if (recorded.csv) {
      recorded.csv->finish();
    } else {
      recorded.npy->finish();
      recorded.times->finish();
    }
  }
}

std::string ChannelOutput::text() const {
  std::uint64_t frames = 0;
  for (const Recorded& recorded : recorded_) frames += recorded.frames;
  return fmt::format("wrote {} channels with {} frames into {}", recorded_.size(), frames,
                     folder_.string());
}

}  // namespace protobeam
