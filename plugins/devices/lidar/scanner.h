// How a lidar turns its beams into samples over time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/device_data.h"
#include "base/fields.h"
#include "base/state_archive.h"
#include "receiver.h"
#include "device/device_model.h"

namespace protobeam {

/// Where a sample goes; both are [layer][width].
struct RangeImage {
  float* range = nullptr;
  LidarPoint* points = nullptr;  ///< null: nobody wants the point cloud
};

/// Rates in Hz that a lidar may turn at.
struct Frequencies {
  double now, min, max;
  bool has(double hz) const { return hz >= min && hz <= max; }
};

class Scanner {
 public:
  virtual ~Scanner() = default;

  virtual int layers() const = 0;
  /// Columns of the image.
  virtual int width() const = 0;
  /// Columns of the sweep that is in the image: width() or fewer.
  virtual int columns() const { return width(); }
  virtual bool every_step() const = 0;
  virtual bool frame_complete() const = 0;
  virtual bool sample_changed() const { return true; }
  virtual std::size_t points() const = 0;
  virtual double head_angle() const { return 0; }
  /// s from one image to the next, of the one that is shown; 0: each sample is one.
  virtual double period() const = 0;
  virtual void describe(Properties& properties) const = 0;

  /// A message when the device cannot; "" when it will.
  virtual std::string set_frequency(double hz) = 0;
  virtual void reset() = 0;
  virtual void visit_state(StateArchive& archive) = 0;
  virtual void sample(const SampleInput& in, const RangeImage& image) = 0;
  virtual void write_beams(const float* range, std::vector<BeamReturn>& out) const = 0;
};

/// scanLaw "grid": Webots' lidars.
std::unique_ptr<Scanner> make_grid_scanner(const Fields& fields, const Receiver& receiver,
                                           const Frequencies& frequencies);
/// All other laws.
std::unique_ptr<Scanner> make_sweep_scanner(const Fields& fields, const Receiver& receiver,
                                            const Frequencies& frequencies);

}  // namespace protobeam
