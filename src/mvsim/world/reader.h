// Values of one element by name, with MVSim's defaults where nothing is written, and with what is
// wrong with them reported in the words of the XML.
#pragma once

#include <optional>
#include <string>

#include "mvsim/values.h"

namespace protobeam::mvsim {

/// A value and where it was written; the element's place when it was not.
template <class T>
struct Given {
  T value{};
  Place place;
  bool written = false;

  operator const T&() const { return value; }  // NOLINT(google-explicit-constructor)
};

class Reader {
 public:
  /// Where MVSim looks for the values of that element.
  enum class Form { kChildren, kAttributes };

  Reader(const Element& element, Form form, Diagnostics& diagnostics)
      : element_(element), form_(form), diagnostics_(diagnostics) {}

  Given<double> number(const char* name, double fallback) const;
  Given<int> integer(const char* name, int fallback) const;
  /// Of a text in degrees, in radians.
  Given<double> degrees(const char* name, double fallback) const;
  Given<bool> boolean(const char* name, bool fallback) const;
  Given<Color> color(const char* name, Color fallback) const;
  Given<std::string> text(const char* name, std::string fallback = {}) const;
  std::optional<Given<std::vector<double>>> numbers(const char* name) const;
  std::optional<Given<Pose2d>> pose2d(const char* name) const;
  std::optional<Given<Pose3d>> pose3d(const char* name) const;
  Given<Vec3> point(const char* name, const Vec3& fallback) const;
  std::optional<Given<Matrix>> matrix(const char* name) const;

  // The same with a limit; one error, and the fallback, when it does not hold.
  Given<double> positive(const char* name, double fallback) const;
  Given<double> at_least(const char* name, double least, double fallback) const;
  Given<double> between(const char* name, double least, double most, double fallback) const;

  const Text* find(const char* name) const;
  /// "<mass> of <block>", "'mass' of <l_wheel>"
  std::string subject(const char* name) const;
  void error(const Place& place, std::string message, std::string hint = {}) const;
  void warning(const Place& place, std::string message, std::string hint = {}) const;
  const Element& element() const { return element_; }

 private:
  template <class T, class Read>
  Given<T> read(const char* name, T fallback, Read read) const;
  Given<double> limited(const char* name, double fallback, bool (*good)(double, double, double),
                        double least, double most, const std::string& wanted) const;

  const Element& element_;
  Form form_;
  Diagnostics& diagnostics_;
};

}  // namespace protobeam::mvsim
