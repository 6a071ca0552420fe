#include "output/packets/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/whole_file.h"
#include "output/packets/laser_table.h"

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
  written_ += written;
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

int PacketPublisher::port_of(const PacketEncoder& encoder, std::uint16_t port) const {
  return target_.port() == 0 ? port : port + target_.port() - encoder.usual_data_port();
}

void PacketPublisher::add_device(const SweepSource& source) {
  const PacketEncoder& encoder = encoders_.of(source);
  if (settings_.contains(&encoder)) return;
  DeviceSettings settings;
  settings.address = target_.address();
  for (const std::uint16_t port : encoder.ports()) {
    const int moved = port_of(encoder, port);
    settings.ports.push_back(static_cast<std::uint16_t>(moved));
    if (moved >= 1 && moved <= 65535) continue;
    throw std::invalid_argument(
        description_of(source) +
        fmt::format("its port {} would become {}; take another port than {}", port, moved,
                    target_.port()));
  }
  settings_[&encoder] = std::move(settings);
}

std::unique_ptr<DeviceHttp> PacketPublisher::make_http(const SweepSource& source) {
  add_device(source);
  const PacketEncoder& encoder = encoders_.of(source);
  return encoder.make_http(settings_.at(&encoder));
}

void PacketPublisher::apply(const SweepSource& source, const DeviceSettings& settings) {
  PacketEncoder& encoder = encoders_.of(source);
  std::erase_if(waiting_, [&](const Waiting& packet) { return packet.encoder == &encoder; });
  encoder.apply(settings);
  settings_[&encoder] = settings;
}

PacketSink PacketPublisher::keep(const PacketEncoder& encoder) {
  return [this, &encoder](const UdpPacket& packet) {
    const std::vector<std::uint16_t> ports = encoder.ports();
    const auto place = std::ranges::find(ports, packet.port) - ports.begin();
    waiting_.push_back({packet.time,
                        &encoder,
                        static_cast<std::size_t>(place),
                        {packet.payload.begin(), packet.payload.end()}});
  };
}

void PacketPublisher::add(const SweepSource& source, const TimedSweep& sweep, double now) {
  add_device(source);
  PacketEncoder& encoder = encoders_.of(source);
  encoder.encode(sweep, keep(encoder));
  if (std::isfinite(sweep.start_time)) delay_ = std::max(delay_, now - sweep.start_time);
  std::ranges::stable_sort(waiting_, {}, &Waiting::time);
}

void PacketPublisher::send_until(double now) {
  std::size_t due = 0;
  for (; due < waiting_.size() && waiting_[due].time + delay_ <= now; ++due) {
    const Waiting& packet = waiting_[due];
    const DeviceSettings& settings = settings_.at(packet.encoder);
    if (!settings.sending) continue;
    target_.send(settings.address, settings.ports.at(packet.place), packet.payload);
    ++sent_;
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(due));
}

void PacketPublisher::finish() {
  for (const auto& encoder : encoders_.all()) encoder->finish(keep(*encoder));
  std::ranges::stable_sort(waiting_, {}, &Waiting::time);
  send_until(kForever);
}

}  // namespace protobeam
