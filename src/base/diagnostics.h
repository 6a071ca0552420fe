// Messages for the person at the text editor: collected, never thrown, printed in one run.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/place.h"

namespace protobeam {

enum class Severity { kWarning, kError };

struct Diagnostic {
  Severity severity = Severity::kError;
  Place place;          ///< may be invalid: a message about no text (a missing file)
  std::string message;  ///< one sentence, lower case, no full stop; names node, field and values
  std::string hint;     ///< "did you mean 'maxRange'?" or another cure; may be empty
  std::shared_ptr<const Instantiation> expanded_from;  ///< PROTO chain; null outside PROTOs
  std::string missing;  ///< the file or address that is not there, when that is what is wrong
  std::vector<std::string> notes{};  ///< what helps beside the hint, a line each: what there is
};

/// A list of diagnostics, passed in by the caller: there is no global one.
/// The same message at the same place counts once. Not thread-safe.
class Diagnostics {
 public:
  void error(Place place, std::string message, std::string hint = {},
             std::shared_ptr<const Instantiation> expanded_from = nullptr);
  void warning(Place place, std::string message, std::string hint = {},
               std::shared_ptr<const Instantiation> expanded_from = nullptr);
  void add(Diagnostic diagnostic);
  /// A file or address that the text names and that is not there: an error, and a warning when one goes
  /// on without (set_lenient).
  void missing(Place place, std::string file, std::string message, std::string hint = {},
               std::shared_ptr<const Instantiation> expanded_from = nullptr);
  /// What can be left out: an error, and a warning when one goes on without (set_lenient).
  void left_out(Place place, std::string message, std::string hint = {},
                std::shared_ptr<const Instantiation> expanded_from = nullptr);
  /// As missing(), but a warning always: a picture without which all else is as it was.
  void missing_picture(Place place, std::string file, std::string message,
                       std::shared_ptr<const Instantiation> expanded_from = nullptr);
  void set_lenient(bool lenient) { lenient_ = lenient; }
  bool lenient() const { return lenient_; }
  /// All that is missing, once each, in the order in which it was missed.
  std::vector<std::string> missing_files() const;

  bool has_errors() const { return errors_ > 0; }
  int error_count() const { return errors_; }
  int warning_count() const { return warnings_; }
  const std::vector<Diagnostic>& all() const { return all_; }
  /// All messages, in the order of file, line and column of their first mention.
  std::string to_string(bool colour = false) const;

 private:
  std::vector<Diagnostic> all_;
  std::unordered_set<std::string> known_;  ///< place and message of each
  int errors_ = 0;
  int warnings_ = 0;
  int not_kept_ = 0;  ///< warnings beyond those that are listed
  bool lenient_ = false;
};

/// `worlds/yard.wbt:12:7: error: message; did you mean 'x'?`, the source line, a caret line, the notes,
/// wrapped, and one `expanded from` line for each PROTO instantiation, innermost first. A message about
/// no text begins with the program's name: `protobeam: error: message`.
std::string format(const Diagnostic& diagnostic, bool colour = false);

/// The candidate nearest to `word` by edit distance (case-insensitive; at most a third of its
/// length), or "" when none is near.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// "did you mean 'x'?" for the nearest candidate, or "".
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace protobeam
