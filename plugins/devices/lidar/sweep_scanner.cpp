// Scan laws with firing times: whole sweeps, by the device's own clock.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "base/clones.h"
#include "constants.h"
#include "image_writer.h"
#include "label_store.h"
#include "near_of_beams.h"
#include "scan_law.h"
#include "scanner.h"
#include "signal/signal_store.h"
#include "spherical.h"
#include "step_rays.h"
#include "sweep_clock.h"
#include "throw_invalid.h"

namespace protobeam {
namespace {

constexpr float kNothingFired = -1;

/// Where a beam's first return lies among those of a sweep.
std::size_t cell_of(int layer, int column, int columns) {
  return static_cast<std::size_t>(layer) * static_cast<std::size_t>(columns) +
         static_cast<std::size_t>(column);
}

/// `= {}` is built in another place and read from there while it is still on its way.
const BeamReturn kNothingKnown{};

/// Has a beam in the caches when it is written.
void fetch_beam(const BeamReturn& beam) {
  fetch_ahead(&beam);
  fetch_ahead(&beam + 1);  // its last bytes, or nearly
}

class SweepScanner final : public Scanner {
 public:
  SweepScanner(const Fields& fields, const Receiver& receiver, const Frequencies& frequencies)
      : law_(fields.string("scanLaw") == "risley" ? make_risley_law(fields)
                                                  : make_turning_law(fields)),
        receiver_(receiver),
        motion_(fields.boolean("motionDistortion")),
        frequencies_(frequencies),
        wanted_(frequencies.now),
        rate_(frequencies.now),
        width_(law_->columns(rate_)) {
    reset();
  }

  int layers() const override { return law_->layers(); }
  int width() const override { return width_; }
  int columns() const override { return shown().size() > 0 ? shown().columns : width_; }
  bool every_step() const override { return true; }
  bool frame_complete() const override { return frame_complete_; }
  bool sample_changed() const override { return image_changed_; }
  std::size_t points() const override { return returns_; }
  double head_angle() const override {
    return steps_ == 0 ? 0 : law_->head_angle(rate_, now_ - clock_.begin());
  }
  double period() const override {
    return law_->period(shown().size() > 0 ? layouts_[shown_].rate : rate_);
  }
  void describe(Properties& properties) const override;

  std::string set_frequency(double hz) override;
  void reset() override;
  void visit_state(StateArchive& archive) override;
  void sample(const SampleInput& in, const RangeImage& image) override;
  void write_beams(const float* range, std::vector<BeamReturn>& out) const override;

 private:
  /// What a sweep was laid out for.
  struct Layout {
    double rate = 0;   ///< Hz; 0: it was not yet
    double start = 0;  ///< s since the device was enabled

    void visit_state(StateArchive& archive) { archive(rate, start); }
  };

  const SweepPattern& shown() const { return sweeps_[shown_]; }
  bool can_have(double rate) const;
  void lay_out(int sweep, const Layout& layout);
  void blank(const RangeImage& image);
  void arrange();
  void next_sweep(std::int64_t count);
  void cast_whole(const SampleInput& in);
  void cast_step(const SampleInput& in, double step_begin, bool to_the_end);
  void cast(const SampleInput& in, PulseBatch pulses);
  void publish(const SampleInput& in, double start, const RangeImage& image);
  std::size_t cell_at(const SweepPattern& sweep, std::size_t place) const;
  void add_second_returns(std::vector<BeamReturn>& out) const;

  std::unique_ptr<ScanLaw> law_;
  Receiver receiver_;
  bool motion_;
  Frequencies frequencies_;
  double wanted_;  ///< Hz, from the next sweep on
  double rate_;    ///< Hz, of the current sweep
  int width_;

  // Two, so that what is shown stays known while another one is being fired.
  SweepPattern sweeps_[2];
  Layout layouts_[2];
  int active_ = 0, shown_ = 0;
  double arranged_rate_ = 0;  ///< Hz, that the active one was laid out for; 0: not this sweep
  double shown_start_ = 0;    ///< s of simulated time
  std::vector<float> range_;  ///< m, reported, of the active one by place
  StepRays rays_;
  std::shared_ptr<const BeamTiles> tiles_;  ///< of all beams of the active one
  NearOfBeams near_;                        ///< of these, too
  SignalStore fired_signals_, shown_signals_;
  LabelStore fired_labels_, shown_labels_;

  SweepClock clock_;
  std::int64_t steps_ = 0;             ///< since the device was enabled
  double now_ = 0;                     ///< s since the device was enabled
  float fired_until_ = kNothingFired;  ///< s after the start of the sweep
  std::uint64_t sweep_number_ = 0;     ///< over the device's life: no two share their noise
  RangeImage home_;                    ///< where the last sample went
  bool finds_image_ = false, finds_points_ = false;  ///< there, after the state was restored
  bool frame_complete_ = false, image_changed_ = false;
  std::size_t returns_ = 0;
};

void SweepScanner::describe(Properties& properties) const {
  law_->describe(frequencies_.now, properties);
  const BeamTable& table = law_->table();
  std::vector<double> elevations, azimuths, origins, times, rings;
  for (const Beam& beam : table.beams) {
    elevations.push_back(beam.elevation * 180 / kPi);
    azimuths.push_back(beam.azimuth * 180 / kPi);
    for (int axis = 0; axis < 3; ++axis) origins.push_back(beam.origin[axis]);
    times.push_back(beam.time);
    rings.push_back(beam.ring);
  }
  properties["beamElevations_deg"] = elevations;
  properties["beamAzimuths_deg"] = azimuths;
  properties["beamOrigins"] = origins;
  properties["beamTimes"] = times;
  properties["beamRings"] = rings;
  properties["tiltAngle"] = 0.0;
  properties["projection"] = std::string("cylindrical");
  // Slower sweeps may have more columns than the image.
  if (law_->columns(frequencies_.min) > width_) properties["minFrequency"] = frequencies_.now;
}

std::string SweepScanner::set_frequency(double hz) {
  if (std::string problem = law_->objection(hz); !problem.empty()) return problem;
  if (const int columns = law_->columns(hz); columns > width_) {
    return joined("a sweep at ", hz, " Hz has ", columns, " columns and the image only ", width_,
                  ": set defaultFrequency to the lowest frequency that you need");
  }
  wanted_ = hz;
  return "";
}

void SweepScanner::reset() {
  if (!law_->repeats() || rate_ != wanted_) arranged_rate_ = 0;
  rate_ = wanted_;
  clock_.restart(law_->period(rate_));
  steps_ = 0;
  now_ = 0;
  fired_until_ = kNothingFired;
  ++sweep_number_;
  home_ = {};
  finds_image_ = false;
  frame_complete_ = false;
  returns_ = 0;
}

void SweepScanner::visit_state(StateArchive& archive) {
  // As they were restored, until the next sample.
  bool image = home_.range || finds_image_,
       points = home_.points || (finds_image_ && finds_points_);
  archive(wanted_, rate_);
  archive.expect(can_have(wanted_) && can_have(rate_), kWrongFrequency);
  for (int sweep : {0, 1}) {
    Layout layout = layouts_[sweep];
    archive(layout);
    archive.expect(layout.rate == 0 || can_have(layout.rate), kWrongFrequency);
    archive.expect(layout.start >= 0 && layout.start < kMostSeconds, kWrongTime);
    if (archive.restores()) lay_out(sweep, layout);
  }
  archive(active_, shown_, arranged_rate_, shown_start_);
  const auto is_sweep = [](int number) { return number == 0 || number == 1; };
  archive.expect(is_sweep(active_) && is_sweep(shown_), "a broken number of a sweep");
  archive.expect(arranged_rate_ == 0 || arranged_rate_ == layouts_[active_].rate, kWrongFrequency);
  range_.resize(sweeps_[active_].size());
  archive.fixed(range_);
  const SignalModel* signal = receiver_.signal() ? &*receiver_.signal() : nullptr;
  const auto most = static_cast<std::size_t>(layers()) * static_cast<std::size_t>(width_);
  fired_signals_.visit_state(archive, signal, most);
  shown_signals_.visit_state(archive, signal, most);
  archive(fired_labels_, shown_labels_);
  const auto is_shown = [this](std::size_t beams) { return beams == 0 || beams == shown().size(); };
  archive.expect(is_shown(shown_signals_.size()) && is_shown(shown_labels_.size()), kWrongBeams);
  archive(clock_, steps_, now_, fired_until_, sweep_number_, frame_complete_, image_changed_,
          returns_, image, points);
  archive.expect(steps_ >= 0 && steps_ < kMostSteps && now_ >= 0 && now_ < kMostSeconds &&
                     clock_.begin() >= 0 && clock_.begin() < kMostSeconds,
                 kWrongTime);
  archive.expect(clock_.period() == law_->period(rate_), kWrongFrequency);
  if (!archive.restores()) return;
  // Where the sample goes is told with the next one; what is there was restored, too.
  tiles_ = nullptr;
  near_.forget();
  home_ = {};
  finds_image_ = image;
  finds_points_ = points;
}

/// An image that shows no sweep yet.
void SweepScanner::blank(const RangeImage& image) {
  const std::size_t cells = static_cast<std::size_t>(layers()) * static_cast<std::size_t>(width_);
  const bool moved = image.range != home_.range;
  if (moved) std::fill_n(image.range, cells, kInfinity);
  if (image.points && (moved || !home_.points)) write_no_points(cells, width_, image.points);
  home_ = image;
}

bool SweepScanner::can_have(double rate) const {
  return frequencies_.has(rate) && law_->objection(rate).empty() && law_->columns(rate) <= width_;
}

void SweepScanner::lay_out(int sweep, const Layout& layout) {
  layouts_[sweep] = layout;
  if (layout.rate == 0) {
    sweeps_[sweep] = {};
  } else {
    law_->fill(layout.rate, layout.start, width_, sweeps_[sweep]);
  }
}

/// Lays out the beams of the current sweep.
void SweepScanner::arrange() {
  if (arranged_rate_ == rate_) return;
  if (shown().size() > 0) active_ = 1 - shown_;
  lay_out(active_, {rate_, clock_.begin()});
  tiles_ = nullptr;
  near_.forget();
  range_.resize(sweeps_[active_].size());
  arranged_rate_ = rate_;
}

void SweepScanner::next_sweep(std::int64_t count) {
  if (!law_->repeats() || rate_ != wanted_) arranged_rate_ = 0;
  rate_ = wanted_;
  clock_.advance(count, law_->period(rate_));
  sweep_number_ += static_cast<std::uint64_t>(count);
  fired_until_ = kNothingFired;
}

void SweepScanner::sample(const SampleInput& in, const RangeImage& image) {
  if (std::exchange(finds_image_, false)) {
    home_ = {image.range, finds_points_ ? image.points : nullptr};
  }
  near_.look(in);
  image_changed_ = image.range != home_.range || (image.points && !home_.points);
  blank(image);
  const double step_begin = static_cast<double>(steps_) * in.step;
  now_ = static_cast<double>(++steps_) * in.step;
  const double slack = kLastBits * in.step;
  frame_complete_ = false;
  while (clock_.begin() < now_ - slack) {
    const double last_shot = law_->last_shot(rate_);
    const double over = now_ + slack - (clock_.begin() + last_shot);  // s since the last shot
    // A sweep that another one replaces within the step is never seen.
    if (over >= clock_.period() && rate_ == wanted_) {
      next_sweep(static_cast<std::int64_t>(over / clock_.period()));
      continue;
    }
    if (motion_) {
      cast_step(in, step_begin, over >= 0);
    } else if (over >= 0) {
      cast_whole(in);
    }
    if (over < 0) break;
    publish(in, motion_ ? in.time - (now_ - clock_.begin()) : in.time - last_shot, image);
    next_sweep(1);
  }
}

void SweepScanner::cast_whole(const SampleInput& in) {
  arrange();
  const SweepPattern& sweep = sweeps_[active_];
  RayBatch batch = receiver_.batch(in);
  batch.dx = sweep.dx.data();
  batch.dy = sweep.dy.data();
  batch.dz = sweep.dz.data();
  if (!sweep.ox.empty()) {
    batch.ox = sweep.ox.data();
    batch.oy = sweep.oy.data();
    batch.oz = sweep.oz.data();
  }
  batch.count = sweep.size();
  if (!tiles_) tiles_ = sweep.arrange(*in.visible);
  batch.tiles = tiles_.get();
  near_.fill(sweep, batch.t_near);
  if (!near_.limits().empty()) near_.give(batch, near_.limits().data());
  cast(in, {batch, in.noise});
}

/// What is fired in this step, each beam at its own instant.
void SweepScanner::cast_step(const SampleInput& in, double step_begin, bool to_the_end) {
  arrange();
  const auto since = [&](double time) { return static_cast<float>(time - clock_.begin()); };
  const float until = to_the_end ? kInfinity : std::nextafter(since(now_), kInfinity);
  const StepRays::Window window{fired_until_, until, since(step_begin),
                                static_cast<float>(in.step)};
  fired_until_ = until;
  near_.fill(sweeps_[active_], receiver_.batch(in).t_near);
  for (const auto bands : {StepRays::Bands::kWhole, StepRays::Bands::kCut}) {
    rays_.gather(sweeps_[active_], window, bands);
    if (rays_.size() == 0) continue;
    if (!near_.limits().empty()) rays_.gather_near(near_.limits(), near_.drift());
    RayBatch batch = receiver_.batch(in);
    batch.X_WS_before = in.X_WS_before;
    rays_.fill(batch);
    if (bands == StepRays::Bands::kWhole && rays_.in_one_piece()) {
      if (!tiles_) tiles_ = sweeps_[active_].arrange(*in.visible);
      batch.tiles = tiles_.get();
      batch.tiles_first = rays_.first_place();
    }
    near_.give(batch, rays_.near());
    cast(in, {batch, in.noise, rays_.places(), rays_.first_place()});
  }
}

void SweepScanner::cast(const SampleInput& in, PulseBatch pulses) {
  pulses.batch.packet = sweeps_[active_].packet;
  pulses.noise.frame = sweep_number_;
  pulses.housing = near_.housing();
  if (pulses.batch.time) pulses.drift = near_.drift();
  if (const auto& model = receiver_.signal()) fired_signals_.fit(sweeps_[active_].size(), *model);
  fired_labels_.fit(sweeps_[active_].size(), in.labels != nullptr);
  const auto take = [&](const Returns& returns) {
    for (std::size_t i = 0; returns.label && i < returns.count; ++i) {
      fired_labels_.keep(pulses.place(returns.first + i), returns, i);
    }
    const std::size_t first = pulses.place(returns.first);
    const bool run = pulses.place(returns.first + returns.count - 1) - first + 1 == returns.count;
    if (run) {
      std::copy_n(returns.range, returns.count, range_.data() + first);
      if (returns.signal) fired_signals_.keep_run(first, *returns.signal, returns.count);
      return;
    }
    for (std::size_t i = 0; i < returns.count; ++i) {
      const std::size_t place = pulses.place(returns.first + i);
      range_[place] = returns.range[i];
      if (returns.signal) fired_signals_.keep(place, *returns.signal, i);
    }
  };
  receiver_.detect(in, pulses, [&take](const Returns& returns) { take(returns); });
}

void SweepScanner::publish(const SampleInput& in, double start, const RangeImage& image) {
  shown_ = active_;
  std::swap(fired_signals_, shown_signals_);
  std::swap(fired_labels_, shown_labels_);
  shown_start_ = start;
  const SweepPattern& sweep = shown();
  if (sweep.columns < width_) {
    home_ = {};
    blank(image);
  }
  // On one thread this takes a tenth as long as the scan.
  constexpr std::size_t kPiece = 8192;
  std::atomic<std::size_t> returns{0};
  in.visible->share((sweep.size() + kPiece - 1) / kPiece, [&](std::size_t piece) {
    const std::size_t first = piece * kPiece, n = std::min(kPiece, sweep.size() - first);
    const float* range = range_.data() + first;
    write({&sweep, first, n, range, sweep.cell.data() + first, start}, image);
    returns += static_cast<std::size_t>(
        std::count_if(range, range + n, [](float r) { return r < kInfinity; }));
  });
  returns_ = returns;
  frame_complete_ = image_changed_ = true;
}

void SweepScanner::add_second_returns(std::vector<BeamReturn>& out) const {
  const SweepPattern& sweep = shown();
  for (std::size_t place = 0; place < sweep.size(); ++place) {
    const int layer = sweep.layer[place];
    const int column = static_cast<int>(sweep.cell[place]) - layer * width_;
    const Vec3 origin =
        sweep.ox.empty() ? Vec3::Zero() : Vec3(sweep.ox[place], sweep.oy[place], sweep.oz[place]);
    const Vec3 direction(sweep.dx[place], sweep.dy[place], sweep.dz[place]);
    const std::size_t before = out.size();
    shown_signals_.report_second(place, out[cell_of(layer, column, sweep.columns)], origin,
                                 direction, out);
    if (out.size() > before) out.back().label = shown_labels_.second(place);
  }
}

std::size_t SweepScanner::cell_at(const SweepPattern& sweep, std::size_t place) const {
  const int layer = sweep.layer[place];
  return cell_of(layer, static_cast<int>(sweep.cell[place]) - layer * width_, sweep.columns);
}

void SweepScanner::write_beams(const float* range, std::vector<BeamReturn>& out) const {
  SweepPattern laid_out;  // when nothing was fired yet
  if (shown().size() == 0) law_->fill(rate_, 0, width_, laid_out);
  const SweepPattern& sweep = shown().size() > 0 ? shown() : laid_out;
  const auto& rings = law_->table().beams;
  out.resize(sweep.size());
  constexpr std::size_t kChunk = 256, kAhead = 24;
  float own_azimuth[kChunk], own_elevation[kChunk];
  for (std::size_t first = 0; first < sweep.size(); first += kChunk) {
    const std::size_t n = std::min(kChunk, sweep.size() - first);
    const float *azimuth = own_azimuth, *elevation = own_elevation;
    if (sweep.azimuth.empty()) {
      spherical(sweep.dx.data() + first, sweep.dy.data() + first, sweep.dz.data() + first, n,
                own_azimuth, own_elevation);
    } else {
      azimuth = sweep.azimuth.data() + first;
      elevation = sweep.elevation.data() + first;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t place = first + i;
      // Neighbours are far apart in what is written.
      if (place + kAhead < sweep.size()) fetch_beam(out[cell_at(sweep, place + kAhead)]);
      const int layer = sweep.layer[place];
      const int column = static_cast<int>(sweep.cell[place]) - layer * width_;
      const Shot shot = law_->shot(sweep, layer, column);
      const std::size_t cell = cell_of(layer, column, sweep.columns);
      BeamReturn& beam = out[cell];
      beam = kNothingKnown;
      const float r = range[sweep.cell[place]];
      const bool hit = r < kInfinity, at_origin = sweep.ox.empty();
      beam.layer = layer;
      beam.column = column;
      beam.azimuth = azimuth[i];
      beam.elevation = elevation[i];
      beam.range = r;
      beam.x = hit ? (at_origin ? 0 : sweep.ox[place]) + r * sweep.dx[place] : kInfinity;
      beam.y = hit ? (at_origin ? 0 : sweep.oy[place]) + r * sweep.dy[place] : kInfinity;
      beam.z = hit ? (at_origin ? 0 : sweep.oz[place]) + r * sweep.dz[place] : kInfinity;
      beam.time = shown_start_ + shot.time;
      beam.beam = shot.beam;
      beam.ring = rings[static_cast<std::size_t>(shot.beam)].ring;
      shown_signals_.report(place, beam);
      shown_labels_.write(place, beam);
    }
  }
  if (shown_signals_.dual()) add_second_returns(out);
}

}  // namespace

std::unique_ptr<Scanner> make_sweep_scanner(const Fields& fields, const Receiver& receiver,
                                            const Frequencies& frequencies) {
  return std::make_unique<SweepScanner>(fields, receiver, frequencies);
}

}  // namespace protobeam
