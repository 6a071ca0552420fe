// Where the beams of a table point during a sweep, and when each is fired.
#pragma once

#include <memory>
#include <string>

#include "base/device_data.h"
#include "base/fields.h"
#include "beam_table.h"
#include "sweep_pattern.h"

namespace protobeam {

/// Which laser fires into a cell of the image, and when.
struct Shot {
  int beam = 0;
  double time = 0;  ///< s after the start of the sweep
};

/// A rate is in sweeps a second.
class ScanLaw {
 public:
  virtual ~ScanLaw() = default;

  virtual const BeamTable& table() const = 0;
  virtual int layers() const = 0;
  virtual int columns(double rate) const = 0;
  /// s, from the start of a sweep to the start of the next.
  virtual double period(double rate) const = 0;
  /// s after the start of a sweep, of its last shot.
  virtual double last_shot(double rate) const = 0;
  /// Every sweep has the same beams.
  virtual bool repeats() const { return true; }
  /// Why the device cannot work at a rate; "" when it can.
  virtual std::string objection(double rate) const = 0;

  /// The sweep that starts `start` seconds after the device was switched on, for an image of
  /// `width` columns.
  virtual void fill(double rate, double start, int width, SweepPattern& out) const = 0;
  virtual Shot shot(const SweepPattern& sweep, int layer, int column) const = 0;
  /// rad, of a visible head, `since` seconds after the start of a sweep.
  virtual double head_angle(double rate, double since) const { return 0; }
  /// Adds what is special about this law.
  virtual void describe(double rate, Properties& properties) const = 0;
};

std::unique_ptr<ScanLaw> make_turning_law(const Fields& fields);  ///< spinning and oscillating
std::unique_ptr<ScanLaw> make_risley_law(const Fields& fields);

/// Throws std::invalid_argument when one of the fields is written although the scan law has no use
/// for it.
void require_unset(const Fields& fields, std::initializer_list<const char*> names);
/// Also when a sweep has more beams than anyone can want.
void check_size(int layers, int columns);

}  // namespace protobeam
