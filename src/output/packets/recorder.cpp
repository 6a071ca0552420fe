#include "output/packets/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/whole_file.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;

/// s: a device that has been silent for so long does not hold up the others' packets.
constexpr double kLongestSilence = 2;
constexpr double kForever = std::numeric_limits<double>::infinity();

}  // namespace

PacketEncoder& PacketEncoders::of(const SweepSource& source) {
  const auto [entry, is_new] = by_device_.try_emplace({source.robot, source.device}, nullptr);
  if (is_new) {
    try {
      auto encoder = make_packet_encoder(source);
      int& seen = seen_[encoder->usual_data_port()];
      if (seen > 0) encoder = make_packet_encoder(source, seen);
      ++seen;
      entry->second = encoders_.emplace_back(std::move(encoder)).get();
    } catch (...) {
      by_device_.erase(entry);
      throw;
    }
  }
  return *entry->second;
}

PacketRecorder::PacketRecorder(const fs::path& path) : path_(path), file_(path) {}

PacketRecorder::~PacketRecorder() = default;

PacketSink PacketRecorder::keep(const PacketEncoder& encoder) {
  return [this, &encoder](const UdpPacket& packet) {
    waiting_.push_back(
        {packet.time, &encoder, packet.port, {packet.payload.begin(), packet.payload.end()}});
  };
}

void PacketRecorder::add(const SweepSource& source, const TimedSweep& sweep) {
  PacketEncoder& encoder = encoders_.of(source);
  encoder.encode(sweep, keep(encoder));
  if (!std::isfinite(sweep.end_time)) return;
  // What a device sends later is not earlier than the end of its last sweep.
  ends_[&encoder] = sweep.end_time;
  double safe = kForever;
  for (const auto& [other, end] : ends_) {
    if (end >= sweep.end_time - kLongestSilence) safe = std::min(safe, end);
  }
  write_until(safe);
}

void PacketRecorder::write_until(double time) {
  std::ranges::stable_sort(waiting_, {}, &Waiting::time);
  std::size_t written = 0;
  for (; written < waiting_.size() && waiting_[written].time <= time; ++written) {
    const Waiting& packet = waiting_[written];
    file_.add(packet.encoder->address(), {packet.time, packet.port, packet.payload});
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(written));
}

void PacketRecorder::finish() {
  for (const auto& encoder : encoders_.all()) encoder->finish(keep(*encoder));
  write_until(kForever);
  file_.finish();
  std::error_code ignored;
  if (!fs::is_regular_file(path_, ignored)) return;
  std::map<std::string, int> numbers;
  for (const auto& encoder : encoders_.all()) {
    for (const SideFile& file : encoder->side_files()) {
      const int number = ++numbers[file.extension];
      const std::string ending =
          number == 1 ? "." + file.extension : fmt::format(".{}.{}", number, file.extension);
      write_whole_file(fs::path(path_).replace_extension(ending), file.text);
    }
  }
}

PacketSink PacketPublisher::send(const PacketEncoder& encoder) const {
  return [this, &encoder](const UdpPacket& packet) {
    int port = packet.port;
    if (target_.port() != 0) port += target_.port() - encoder.usual_data_port();
    if (port < 1 || port > 65535) {
      throw std::runtime_error(
          fmt::format("port {} of the device would become {}; take another port than {}",
                      packet.port, port, target_.port()));
    }
    target_.send(static_cast<std::uint16_t>(port), packet.payload);
  };
}

void PacketPublisher::add(const SweepSource& source, const TimedSweep& sweep) {
  PacketEncoder& encoder = encoders_.of(source);
  encoder.encode(sweep, send(encoder));
}

void PacketPublisher::finish() {
  for (const auto& encoder : encoders_.all()) encoder->finish(send(*encoder));
}

}  // namespace protobeam
