// scanLaw "grid": the whole image at one instant, or a head that refreshes it column by column.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "constants.h"
#include "grid.h"
#include "image_writer.h"
#include "label_store.h"
#include "near_of_beams.h"
#include "scan_law.h"
#include "scanner.h"
#include "signal/signal_store.h"
#include "throw_invalid.h"

namespace protobeam {
namespace {

/// Where the head of a rotating lidar is, in columns since the device was enabled.
class Head {
 public:
  explicit Head(int columns) : columns_(columns) { reset(); }

  void reset() {
    turns_ = 0;
    next_ = front();
  }
  struct Sector {
    int first, count;  ///< columns passed; may run over the last column into the first
    bool whole_turn;   ///< a turn was completed
  };
  Sector advance(double turns) {
    turns_ += turns;
    const std::int64_t end = passed();
    const std::int64_t turns_before = (next_ - front()) / columns_;
    const bool whole_turn = (end - front()) / columns_ > turns_before;
    const std::int64_t begin = std::max(next_, end - columns_);
    next_ = end;
    return {static_cast<int>(begin % columns_), static_cast<int>(end - begin), whole_turn};
  }
  void visit_state(StateArchive& archive) {
    archive(turns_, next_);
    archive.expect(turns_ >= 0 && turns_ < kMostTurns && next_ == passed(),
                   "a head at another column than its angle");
  }
  double angle() const { return -2 * kPi * (turns_ - std::floor(turns_)); }

 private:
  static constexpr double kMostTurns = 1e9;

  std::int64_t front() const { return (columns_ + 1) / 2; }
  /// A column belongs to the step in which the head passes it, whatever the last bits say.
  std::int64_t passed() const {
    return static_cast<std::int64_t>(std::ceil(columns_ / 2.0 + turns_ * columns_ - 1e-6));
  }

  int columns_;
  double turns_ = 0;
  std::int64_t next_ = 0;  ///< first column that was not passed yet, counted over all turns
};

class GridScanner final : public Scanner {
 public:
  GridScanner(const Fields& fields, const Receiver& receiver, const Frequencies& frequencies)
      : grid_shared_(Grid::shared(fields)),
        grid_(*grid_shared_),
        receiver_(receiver),
        frequencies_(frequencies),
        frequency_(frequencies.now),
        field_of_view_(fields.number("fieldOfView")),
        vertical_field_of_view_(fields.number("verticalFieldOfView")),
        head_(grid_.columns()) {
    require_unset(
        fields, {"beamElevations_deg", "beamAzimuths_deg", "beamOrigins", "beamTimes", "beamRings",
                 "beamTable", "firingPeriod", "startAzimuth", "rotationSense", "azimuthPerColumn",
                 "pointRate", "prismAngle", "prismIndex", "prismRates", "prismPhases", "prismOrder",
                 "motionDistortion"});
    column_time_.assign(static_cast<std::size_t>(grid_.columns()), 0.0);
    reset();
  }

  int layers() const override { return grid_.layers(); }
  int width() const override { return grid_.columns(); }
  bool every_step() const override { return grid_.rotating(); }
  bool frame_complete() const override { return frame_complete_; }
  bool sample_changed() const override { return frame_complete_; }
  std::size_t points() const override { return returns_in_frame_; }
  double head_angle() const override { return grid_.rotating() ? head_.angle() : 0; }
  double period() const override { return grid_.rotating() ? 1 / frequency_ : 0; }
  void describe(Properties& properties) const override;

  std::string set_frequency(double hz) override {
    frequency_ = hz;
    return "";
  }
  void reset() override;
  void visit_state(StateArchive& archive) override {
    archive(frequency_, frame_complete_, returns_in_frame_);
    archive.fixed(column_time_);
    archive(head_, has_image_, has_points_);
    const std::size_t beams = grid_.pattern().size();
    signals_.visit_state(archive, receiver_.signal() ? &*receiver_.signal() : nullptr, beams);
    archive(labels_);
    archive.expect(!grid_.rotating() || frequencies_.has(frequency_), kWrongFrequency);
    archive.expect(signals_.size() == (receiver_.signal() ? beams : 0) &&
                       (labels_.size() == 0 || labels_.size() == beams),
                   kWrongBeams);
  }
  void sample(const SampleInput& in, const RangeImage& image) override;
  void write_beams(const float* range, std::vector<BeamReturn>& out) const override;

 private:
  void sample_rotating(const SampleInput& in, const RangeImage& image);
  /// Casts columns [first, first + count), all of them within the image.
  std::size_t cast(const SampleInput& in, int first, int count, const RangeImage& image);

  const std::shared_ptr<const Grid> grid_shared_;  ///< by lidars of all worlds
  const Grid& grid_;
  Receiver receiver_;
  Frequencies frequencies_;
  double frequency_, field_of_view_, vertical_field_of_view_;
  bool frame_complete_ = true;
  std::size_t returns_in_frame_ = 0;
  std::vector<double> column_time_;  ///< s, of the pose that each column was taken from

  Head head_;
  std::shared_ptr<const BeamTiles> tiles_;  ///< of all beams
  NearOfBeams near_;
  // Of a rotating head: the columns that it has not passed in a step stay as they are in the
  // sample.
  bool has_image_ = false, has_points_ = false;  ///< the sample has them, at least empty ones
  SignalStore signals_;
  LabelStore labels_;
};

void GridScanner::describe(Properties& properties) const {
  properties["fieldOfView"] = field_of_view_;
  properties["verticalFieldOfView"] = vertical_field_of_view_;
  properties["tiltAngle"] = grid_.tilt();
  properties["type"] = std::string(grid_.rotating() ? "rotating" : "fixed");
  properties["projection"] = std::string(grid_.planar() ? "planar" : "cylindrical");
  std::vector<double> elevations;
  for (const double angle : grid_.elevations()) {
    elevations.push_back((angle + grid_.tilt()) * 180 / kPi);
  }
  properties["beamElevations_deg"] = elevations;
}

void GridScanner::reset() {
  head_.reset();
  returns_in_frame_ = 0;
  frame_complete_ = !grid_.rotating();
  signals_ = {};
  labels_ = {};
  if (receiver_.signal()) signals_.fit(grid_.pattern().size(), *receiver_.signal());
  has_image_ = has_points_ = false;
}

void GridScanner::sample(const SampleInput& in, const RangeImage& image) {
  if (grid_.rotating()) {
    sample_rotating(in, image);
  } else {
    returns_in_frame_ = cast(in, 0, grid_.columns(), image);
  }
}

void GridScanner::sample_rotating(const SampleInput& in, const RangeImage& image) {
  const Head::Sector sector = head_.advance(frequency_ * in.step);
  const std::size_t cells = grid_.pattern().size();
  if (!std::exchange(has_image_, true)) std::fill_n(image.range, cells, kInfinity);
  if (image.points && !std::exchange(has_points_, true)) {
    write_no_points(cells, grid_.columns(), image.points);
  }
  const int before_wrap = std::min(sector.count, grid_.columns() - sector.first);
  cast(in, sector.first, before_wrap, image);
  cast(in, 0, sector.count - before_wrap, image);
  frame_complete_ = sector.whole_turn;
  if (frame_complete_) {
    returns_in_frame_ = static_cast<std::size_t>(
        std::count_if(image.range, image.range + cells, [](float r) { return r < kInfinity; }));
  }
}

std::size_t GridScanner::cast(const SampleInput& in, int first, int count,
                              const RangeImage& image) {
  if (count == 0) return 0;
  const SweepPattern& pattern = grid_.pattern();
  const Grid::Run run = grid_.bands(first, first + count);
  PulseBatch pulses{receiver_.batch(in), in.noise};
  pulses.first_place = run.first;
  RayBatch& batch = pulses.batch;
  batch.dx = pattern.dx.data() + run.first;
  batch.dy = pattern.dy.data() + run.first;
  batch.dz = pattern.dz.data() + run.first;
  batch.count = run.count;
  batch.packet = pattern.packet;
  if (!tiles_) tiles_ = grid_.tiles(*in.visible);
  batch.tiles = tiles_.get();
  batch.tiles_first = run.first;
  near_.look(in);
  near_.fill(pattern, batch.t_near);
  if (!near_.limits().empty()) near_.give(batch, near_.limits().data() + run.first);
  pulses.housing = near_.housing();
  const bool sector = count < grid_.columns();
  labels_.fit(pattern.size(), in.labels != nullptr);
  std::atomic<std::size_t> returned{0};  // of the cast, in columns that are not wanted too
  const auto take = [&](const Returns& returns) {
    const std::size_t place = run.first + returns.first;
    returned.fetch_add(returns.returned, std::memory_order_relaxed);
    const std::uint32_t* cell = pattern.cell.data() + place;
    std::uint32_t wanted[Returns::kMost];
    if (sector) {
      const std::int32_t* layer = pattern.layer.data() + place;
      for (std::size_t i = 0; i < returns.count; ++i) {
        const auto column = static_cast<std::int32_t>(cell[i]) - layer[i] * grid_.columns();
        wanted[i] = column >= first && column < first + count ? cell[i] : kNoCell;
      }
      cell = wanted;
    }
    write({&pattern, place, returns.count, returns.range, cell, in.time}, image);
    for (std::size_t i = 0; returns.label && i < returns.count; ++i) {
      if (cell[i] != kNoCell) labels_.keep(place + i, returns, i);
    }
    if (!returns.signal) return;
    if (!sector) return signals_.keep_run(place, *returns.signal, returns.count);
    for (std::size_t i = 0; i < returns.count; ++i) {
      if (cell[i] != kNoCell) signals_.keep(place + i, *returns.signal, i);
    }
  };
  receiver_.detect(in, pulses, [&take](const Returns& returns) { take(returns); });
  std::fill_n(column_time_.begin() + first, count, in.time);
  return returned;
}

void GridScanner::write_beams(const float* range, std::vector<BeamReturn>& out) const {
  const SweepPattern& pattern = grid_.pattern();
  out.resize(pattern.size());
  for (std::size_t place = 0; place < pattern.size(); ++place) {
    const std::uint32_t cell = pattern.cell[place];
    const int layer = pattern.layer[place];
    const int column = static_cast<int>(cell) - layer * grid_.columns();
    const float r = range[cell];
    const Vec3 p =
        r < kInfinity ? Vec3(r * grid_.direction(layer, column)) : Vec3::Constant(kInfinity);
    BeamReturn& beam = out[cell] = {};
    beam.layer = layer;
    beam.column = column;
    beam.azimuth = pattern.azimuth[place];
    beam.elevation = pattern.elevation[place];
    beam.range = r;
    beam.x = static_cast<float>(p.x());
    beam.y = static_cast<float>(p.y());
    beam.z = static_cast<float>(p.z());
    beam.time = column_time_[static_cast<std::size_t>(column)];
    beam.beam = layer;
    beam.ring = grid_.layers() - 1 - layer;
    signals_.report(place, beam);
    labels_.write(place, beam);
  }
  for (std::size_t place = 0; place < pattern.size() && signals_.dual(); ++place) {
    const Vec3 d = grid_.direction(pattern.layer[place], out[pattern.cell[place]].column);
    const std::size_t before = out.size();
    signals_.report_second(place, out[pattern.cell[place]], Vec3::Zero(), d, out);
    if (out.size() > before) out.back().label = labels_.second(place);
  }
}

}  // namespace

std::unique_ptr<Scanner> make_grid_scanner(const Fields& fields, const Receiver& receiver,
                                           const Frequencies& frequencies) {
  return std::make_unique<GridScanner>(fields, receiver, frequencies);
}

}  // namespace protobeam
