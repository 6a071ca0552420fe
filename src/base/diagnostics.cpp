#include "base/diagnostics.h"

#include <algorithm>
#include <numeric>

#include "base/edit_distance.h"
#include "base/text.h"

namespace protobeam {
namespace {

// A line of data can be megabytes long; what is shown around the caret is not.
constexpr std::size_t kShownLine = 160;
constexpr int kMostWarnings = 1000;  ///< nobody reads more

/// Equal for equal messages at one place.
std::string identity(const Diagnostic& diagnostic) {
  const auto source = reinterpret_cast<std::uintptr_t>(diagnostic.place.source.get());
  return std::to_string(source) + ':' + std::to_string(diagnostic.place.offset) + ':' +
         diagnostic.message;
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](unsigned char c) {
    return (c & 0xc0) != 0x80;
  }));
}

void append_source_line(const Diagnostic& diagnostic, std::string& out) {
  const auto& source = *diagnostic.place.source;
  const auto at = source.locate(diagnostic.place.offset);
  std::string_view line = source.line(at.line);
  // Bytes of the line before the place.
  std::size_t before = 0;
  for (int column = 1; before < line.size() && column < at.column; ++column) {
    do ++before;
    while (before < line.size() && (static_cast<unsigned char>(line[before]) & 0xc0) == 0x80);
  }
  std::size_t skip = before > kShownLine / 2 ? before - kShownLine / 2 : 0;
  while (skip > 0 && (static_cast<unsigned char>(line[skip]) & 0xc0) == 0x80) --skip;
  std::string_view shown = line.substr(skip, kShownLine);
  const std::size_t length = std::clamp<std::size_t>(diagnostic.place.length, 1,
                                                      std::max<std::size_t>(1, line.size() - before));
  const std::size_t caret_bytes = std::min(length, kShownLine);
  out += "\n    ";
  for (char c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    out += (byte < 0x20 || byte == 0x7f) ? (c == '\t' ? '\t' : '?') : c;
  }
  out += "\n    ";
  for (char c : line.substr(skip, before - skip)) {
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) out += c == '\t' ? '\t' : ' ';
  }
  out += '^';
  const std::size_t marked = characters(line.substr(before, caret_bytes));
  if (marked > 1) out.append(marked - 1, '~');
}

/// "note: TEXT", broken between words.
void append_note(const std::string& note, std::string& out) {
  constexpr std::size_t kWidth = 100;
  const std::string text = "note: " + printable(note, true);
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::size_t length = characters(std::string_view(text).substr(at, end - at));
    const bool begins = at == 0;
    if (begins || column + 1 + length > kWidth) {
      out += begins ? "\n    " : "\n          ";
      column = begins ? 4 : 10;
    } else {
      out += ' ';
      ++column;
    }
    out.append(text, at, end - at);
    column += length;
    at = end + 1;
  }
}

}  // namespace

void Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::kWarning && warnings_ >= kMostWarnings) {
    ++not_kept_;
    return;
  }
  if (!known_.insert(identity(diagnostic)).second) return;
  (diagnostic.severity == Severity::kError ? errors_ : warnings_) += 1;
  all_.push_back(std::move(diagnostic));
}

void Diagnostics::error(Place place, std::string message, std::string hint,
                        std::shared_ptr<const Instantiation> expanded_from) {
  add({Severity::kError, std::move(place), std::move(message), std::move(hint),
       std::move(expanded_from)});
}

void Diagnostics::warning(Place place, std::string message, std::string hint,
                          std::shared_ptr<const Instantiation> expanded_from) {
  add({Severity::kWarning, std::move(place), std::move(message), std::move(hint),
       std::move(expanded_from)});
}

void Diagnostics::missing(Place place, std::string file, std::string message, std::string hint,
                          std::shared_ptr<const Instantiation> expanded_from) {
  add({lenient_ ? Severity::kWarning : Severity::kError, std::move(place), std::move(message),
       std::move(hint), std::move(expanded_from), std::move(file)});
}

void Diagnostics::left_out(Place place, std::string message, std::string hint,
                           std::shared_ptr<const Instantiation> expanded_from) {
  add({lenient_ ? Severity::kWarning : Severity::kError, std::move(place), std::move(message),
       std::move(hint), std::move(expanded_from)});
}

void Diagnostics::missing_picture(Place place, std::string file, std::string message,
                                  std::shared_ptr<const Instantiation> expanded_from) {
  add({Severity::kWarning, std::move(place), std::move(message), {}, std::move(expanded_from),
       std::move(file)});
}

std::vector<std::string> Diagnostics::missing_files() const {
  std::vector<std::string> out;
  for (const auto& d : all_) {
    const bool counts = !d.missing.empty() && std::find(out.begin(), out.end(), d.missing) == out.end();
    if (counts) out.push_back(d.missing);
  }
  return out;
}

std::string Diagnostics::to_string(bool colour) const {
  // Files in the order of their first message, places in the order of the text.
  std::vector<const SourceText*> files;
  for (const auto& d : all_) {
    if (std::find(files.begin(), files.end(), d.place.source.get()) == files.end()) {
      files.push_back(d.place.source.get());
    }
  }
  std::vector<const Diagnostic*> sorted;
  for (const auto& d : all_) sorted.push_back(&d);
  const auto rank = [&](const Diagnostic* d) {
    return std::find(files.begin(), files.end(), d->place.source.get()) - files.begin();
  };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Diagnostic* a, const Diagnostic* b) {
    const auto ra = rank(a), rb = rank(b);
    return ra != rb ? ra < rb : a->place.offset < b->place.offset;
  });
  std::string out;
  for (const auto* d : sorted) out += format(*d, colour) + "\n";
  if (not_kept_ > 0) out += std::to_string(not_kept_) + " more warnings are not shown\n";
  return out;
}

std::string format(const Diagnostic& d, bool colour) {
  std::string out;
  out += d.place.valid() ? d.place.to_string() + ": " : "protobeam: ";
  const bool error = d.severity == Severity::kError;
  if (colour) out += error ? "\033[1;31m" : "\033[1;35m";
  out += error ? "error: " : "warning: ";
  if (colour) out += "\033[0m";
  out += printable(d.message, true);
  if (!d.hint.empty()) out += "; " + printable(d.hint, true);
  if (d.place.valid()) append_source_line(d, out);
  for (const std::string& note : d.notes) append_note(note, out);
  for (const auto* step = d.expanded_from.get(); step; step = step->parent.get()) {
    out += "\n    expanded from " + step->proto + " at " + step->place.to_string();
  }
  return out;
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    const std::size_t n = word.size(), m = candidate.size();
    if (m == 0 || (n > m ? n - m : m - n) >= best_distance) continue;
    const auto distance = static_cast<std::size_t>(edit_distance(word, candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string best = nearest(word, candidates);
  return best.empty() ? std::string{} : "did you mean '" + best + "'?";
}

}  // namespace protobeam
