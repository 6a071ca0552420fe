// Values of elements and attributes as numbers. Each reader says at the value's place what is wrong
// with it and what was expected; nothing is returned then, nor for a value whose mistake is
// reported already. Angles are given in degrees and returned in radians.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/diagnostics.h"
#include "base/math.h"
#include "mvsim/element.h"
#include "mvsim/vocabulary.h"

namespace protobeam::mvsim {

struct Pose2d {
  double x = 0, y = 0, yaw = 0;
};
struct Pose3d {
  double x = 0, y = 0, z = 0, yaw = 0, pitch = 0, roll = 0;
};
struct Color {
  std::uint8_t red = 0, green = 0, blue = 0, alpha = 255;
};
/// Rows of equal length.
using Matrix = std::vector<std::vector<double>>;

class ValueReader {
 public:
  /// `subject` names the value in messages: "<mass> of <block>".
  ValueReader(std::string subject, std::shared_ptr<const Instantiation> chain,
              Diagnostics& diagnostics)
      : subject_(std::move(subject)), chain_(std::move(chain)), diagnostics_(diagnostics) {}

  std::optional<double> number(const Text& text) const;
  /// A fraction is cut off, as MVSim does; without a warning only when it was computed.
  std::optional<int> integer(const Text& text) const;
  std::optional<double> degrees(const Text& text) const;
  std::optional<bool> boolean(const Text& text) const;                 ///< true false 1 0
  std::optional<Color> color(const Text& text) const;                  ///< #RRGGBB or #RRGGBBAA
  std::optional<Pose2d> pose2d(const Text& text) const;                ///< X Y YAW
  std::optional<Pose3d> pose3d(const Text& text) const;                ///< X Y Z YAW PITCH ROLL
  std::optional<Vec3> point3d(const Text& text) const;                 ///< X Y [Z]
  std::optional<std::vector<double>> numbers(const Text& text) const;  ///< one or more
  std::optional<Matrix> matrix(const Text& text) const;                ///< [1 2; 3 4]
  /// The `<pt>x y</pt>` of a `<shape>`: at least `least` of them.
  std::optional<std::vector<Vec2>> shape(const Element& shape, std::size_t least = 3) const;

  /// Whether the text is one of that kind.
  bool check(ValueKind kind, const Text& text) const;

 private:
  std::nullopt_t wants(const Text& text, const char* what, std::string hint = {}) const;
  void ignored(const Text& text, std::size_t end, const char* what) const;
  /// `least` to `most` numbers with blanks between; more is a warning.
  std::optional<std::vector<double>> counted(const Text& text, std::size_t least, std::size_t most,
                                             const char* what) const;

  std::string subject_;
  std::shared_ptr<const Instantiation> chain_;
  Diagnostics& diagnostics_;
};

}  // namespace protobeam::mvsim
