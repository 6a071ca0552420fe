#include "output/packets/firing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace protobeam {
namespace {

/// Microseconds of it still fit into 53 bits.
constexpr double kLatestTime = 1e9;
/// No device measures less; m.
constexpr float kShortestRange = 0.001f;
/// Firings that are farther apart do not give the rate.
constexpr double kLongestPause = 3;

double wrapped(double angle) {
  angle = std::fmod(angle, kTurn);
  if (angle < 0) angle += kTurn;
  return angle < kTurn ? angle : 0;
}

bool returned(const BeamReturn& beam) {
  return beam.range >= kShortestRange && std::isfinite(beam.range);
}

auto strength(const BeamReturn& beam) {
  return std::tuple(beam.signal, beam.intensity, -beam.range);
}

/// The one that `better` prefers to all others; `but` does not count.
template <typename Better>
const BeamReturn* best(BeamReturns returns, Better better, const BeamReturn* but = nullptr) {
  const BeamReturn* chosen = nullptr;
  for (const BeamReturn* beam : returns) {
    if (beam == but || !returned(*beam)) continue;
    if (!chosen || better(*beam, *chosen)) chosen = beam;
  }
  return chosen;
}

bool stronger(const BeamReturn& a, const BeamReturn& b) { return strength(a) > strength(b); }
bool farther(const BeamReturn& a, const BeamReturn& b) { return a.range > b.range; }
bool nearer(const BeamReturn& a, const BeamReturn& b) { return a.range < b.range; }

PacketEcho echo(const BeamReturn* beam) {
  if (!beam) return {std::numeric_limits<double>::infinity(), 0, 0};
  return {beam->range, beam->intensity, beam->signal};
}

}  // namespace

FiringOrder::FiringOrder(const LaserTable& table, int columns)
    : table_(table),
      columns_(static_cast<std::size_t>(std::max(columns, 0))),
      lasers_(static_cast<std::size_t>(table.lasers())),
      rate_(table.frequency),
      last_time_(-std::numeric_limits<double>::infinity()) {}

/// By counting: column by column, laser by laser, returns as they came.
void FiringOrder::sort_beams(const TimedSweep& sweep) {
  constexpr auto kNone = std::numeric_limits<std::size_t>::max();
  const auto cell = [&](const BeamReturn& beam) {
    const auto column = static_cast<std::size_t>(beam.column);  // negative ones become huge
    const auto laser = static_cast<std::size_t>(beam.beam);
    return column < columns_ && laser < lasers_ ? column * lasers_ + laser : kNone;
  };
  starts_.assign(columns_ * lasers_ + 1, 0);
  for (const BeamReturn& beam : sweep.beams) {
    if (const std::size_t c = cell(beam); c != kNone) ++starts_[c + 1];
  }
  for (std::size_t c = 1; c < starts_.size(); ++c) starts_[c] += starts_[c - 1];
  sorted_.resize(starts_.back());
  next_.assign(starts_.begin(), starts_.end() - 1);
  for (const BeamReturn& beam : sweep.beams) {
    if (const std::size_t c = cell(beam); c != kNone) sorted_[next_[c]++] = &beam;
  }
  returns_.resize(next_.size());
  for (std::size_t c = 0; c < returns_.size(); ++c) {
    returns_[c] = {sorted_.data() + starts_[c], starts_[c + 1] - starts_[c]};
  }
}

void FiringOrder::add_column(std::size_t column) {
  Firing firing;
  firing.lasers = std::span(returns_).subspan(column * lasers_, lasers_);
  const BeamReturn* earliest = nullptr;
  for (std::size_t laser = 0; laser < lasers_; ++laser) {
    const BeamReturns returns = firing.lasers[laser];
    if (returns.empty()) continue;
    const BeamReturn& beam = *returns[0];
    if (!std::isfinite(beam.azimuth) || !(std::abs(beam.time) < kLatestTime)) continue;
    // The one that says most about the start.
    if (!earliest || table_.times[laser] < table_.times[static_cast<std::size_t>(earliest->beam)]) {
      earliest = &beam;
    }
  }
  if (!earliest) return;
  const auto laser = static_cast<std::size_t>(earliest->beam);
  const double since_start = table_.times[laser];
  firing.time = earliest->time - since_start;
  firing.azimuth = wrapped(table_.azimuths_deg[laser] * kPi / 180 - earliest->azimuth -
                           kTurn * rate_ * since_start);
  if (firing.time > last_time_) firings_.push_back(firing);
}

void FiringOrder::measure_rate() {
  double angle = 0, time = 0;
  for (std::size_t i = 1; i < firings_.size(); ++i) {
    const double step = firings_[i].time - firings_[i - 1].time;
    if (step > kLongestPause * table_.firing_period) continue;
    angle += wrapped(firings_[i].azimuth - firings_[i - 1].azimuth);
    time += step;
  }
  if (time > 0 && angle > 0) rate_ = angle / kTurn / time;
}

const std::vector<Firing>& FiringOrder::firings(const TimedSweep& sweep) {
  sort_beams(sweep);
  firings_.clear();
  for (std::size_t column = 0; column < columns_; ++column) add_column(column);
  std::ranges::stable_sort(firings_, {}, &Firing::time);
  // clang 14, with which the fuzzers are built, does not take std::ranges::unique of Debian's library.
  const auto same_time = [](const Firing& a, const Firing& b) { return a.time == b.time; };
  firings_.erase(std::unique(firings_.begin(), firings_.end(), same_time), firings_.end());
  if (!firings_.empty()) last_time_ = firings_.back().time;
  measure_rate();
  return firings_;
}

PacketEcho strongest_echo(BeamReturns returns) { return echo(best(returns, stronger)); }
PacketEcho last_echo(BeamReturns returns) { return echo(best(returns, farther)); }
PacketEcho first_echo(BeamReturns returns) { return echo(best(returns, nearer)); }

PacketEcho strongest_echo_but_last(BeamReturns returns) {
  const BeamReturn* last = best(returns, farther);
  const BeamReturn* other = best(returns, stronger, last);
  return echo(other ? other : last);
}

PacketEcho last_echo_but_first(BeamReturns returns) {
  const BeamReturn* first = best(returns, nearer);
  const BeamReturn* other = best(returns, farther, first);
  return echo(other ? other : first);
}

std::uint8_t intensity_byte(float intensity) {
  if (!(intensity > 0)) return 0;
  return static_cast<std::uint8_t>(double{255 * std::min(intensity, 1.0f)} + 0.5);
}

}  // namespace protobeam
