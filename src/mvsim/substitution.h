// What stands for something else in a value: ${name|default}, $env{NAME}, $(command),
// $f{arithmetic}.
#pragma once

#include <string>
#include <string_view>

#include "mvsim/element.h"
#include "mvsim/expression.h"
#include "mvsim/scope.h"

namespace protobeam::mvsim {

class Substitution {
 public:
  Substitution(const LoadOptions& options, const WorldVariables& world, RandomSource& random,
               Diagnostics& diagnostics);

  enum class Names {
    kResolve,
    /// ${NAME} and ${PARENT_NAME} stay as they are: an argument of an include means the names of
    /// where it is used at last.
    kKeep,
  };
  /// The text with everything put in, left to right, each thing once. `broken` after an error.
  Text expand(const xml::Text& text, const Scope& scope, Names names = Names::kResolve);

 private:
  struct Pass;

  const LoadOptions& options_;
  const WorldVariables& world_;
  Diagnostics& diagnostics_;
  Calculator calculator_;
  std::size_t total_bytes_ = 0;
};

}  // namespace protobeam::mvsim
