// The arithmetic of $f{...}.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mvsim/random.h"

namespace protobeam::mvsim {

/// What is wrong with an expression, and at which of its characters.
struct ExpressionError {
  std::string message, hint;
  std::size_t offset = 0, length = 0;  ///< length 0: the expression as a whole
  std::string unknown;                 ///< the name that nothing has
};

/// Evaluates expressions with the functions and constants that MVSim's documentation lists, by
/// muParser. Not thread-safe.
class Calculator {
 public:
  explicit Calculator(RandomSource& random);
  ~Calculator();
  Calculator(const Calculator&) = delete;
  Calculator& operator=(const Calculator&) = delete;

  /// The text of a variable of that name, or nothing.
  using Lookup = std::function<std::optional<std::string>(const std::string&)>;
  /// A finite number, or nothing with `error`.
  std::optional<double> evaluate(std::string_view expression, const Lookup& variables,
                                 ExpressionError& error);

  /// Of functions and constants.
  const std::vector<std::string>& names() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// As short as it reads back exactly; whole numbers without an exponent.
std::string to_text(double number);

/// The finite number that the text begins with, after blanks; `end` is where it ends.
std::optional<double> scan_number(std::string_view text, std::size_t& end);

}  // namespace protobeam::mvsim
