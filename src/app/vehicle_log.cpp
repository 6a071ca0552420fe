#include "app/vehicle_log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace protobeam {
namespace fs = std::filesystem;
namespace {

template <class Row>
std::string header(const Row& row) {
  std::vector<const char*> names;
  for (const NamedNumber& one : row) names.push_back(one.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

template <class Row>
std::string line(const Row& row) {
  std::vector<double> values;
  for (const NamedNumber& one : row) values.push_back(one.value);
  return fmt::format("{}\n", fmt::join(values, ", "));
}

}  // namespace

VehicleLog::VehicleLog(const Simulation& simulation, fs::path folder, VehicleLogWishes wishes)
    : simulation_(simulation), folder_(std::move(folder)), wishes_(std::move(wishes)) {
  for (const auto& vehicle : simulation.model().vehicles) {
    Track track;
    track.vehicle = vehicle;
    const std::string name = names_.of(vehicle->name());
    const auto& logged = wishes_.logged;
    if (wishes_.all || std::find(logged.begin(), logged.end(), vehicle->name()) != logged.end()) {
      track.pose.emplace(open("mvsim_" + name + "_pose.csv", header(pose_row(*vehicle, track.path, 0))));
      for (std::size_t i = 0; i < vehicle->wheels().size(); ++i) {
        track.wheels.push_back(
            open(fmt::format("mvsim_{}_wheel_{}.csv", name, i + 1), header(wheel_row(*vehicle, i, 0))));
      }
    }
    if (wishes_.all || wishes_.trajectories) track.trajectory.emplace(open(name + ".txt", {}));
    if (track.trajectory) trajectory_row(track);
    tracks_.push_back(std::move(track));
  }
  next_trajectory_ = 1 / wishes_.trajectory_rate;
}

WholeFile VehicleLog::open(const std::string& name, const std::string& header) {
  WholeFile file(folder_ / name);
  if (!header.empty()) file.add(header + "\n");
  ++count_;
  return file;
}

void VehicleLog::after_step() {
  const bool trajectory_due = simulation_.time() >= next_trajectory_ - 1e-9;
  for (Track& track : tracks_) {
    if (track.pose) {
      const double time = simulation_.time();
      track.path.advance(track.vehicle->odometry(), simulation_.model().basic_time_step);
      track.pose->add(line(pose_row(*track.vehicle, track.path, time)));
      for (std::size_t i = 0; i < track.wheels.size(); ++i) {
        track.wheels[i].add(line(wheel_row(*track.vehicle, i, time)));
      }
    }
    if (track.trajectory && trajectory_due) trajectory_row(track);
  }
  if (trajectory_due) next_trajectory_ += 1 / wishes_.trajectory_rate;
}

void VehicleLog::trajectory_row(Track& track) {
  const Pose X = track.vehicle->X_WV();
  track.trajectory->add(fmt::format("{} {} {} {} {} {} {} {}\n", simulation_.time(), X.p.x(),
             X.p.y(), X.p.z(), X.R.x(), X.R.y(), X.R.z(), X.R.w()));
}

void VehicleLog::finish() {
  for (Track& track : tracks_) {
    if (track.pose) track.pose->finish();
    if (track.trajectory) track.trajectory->finish();
    for (WholeFile& file : track.wheels) file.finish();
  }
}

}  // namespace protobeam
