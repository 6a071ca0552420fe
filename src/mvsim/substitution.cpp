#include "mvsim/substitution.h"

#include <algorithm>
#include <stdexcept>

#include "mvsim/files.h"
#include "mvsim/shell.h"

namespace protobeam::mvsim {
namespace {

constexpr std::string_view kShellBlanks = " \t\r\n";
constexpr std::size_t kMaxExpression = 10'000;
constexpr std::size_t kMaxNesting = 50;  // of ${} in ${}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kShellBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kShellBlanks) + 1 - first);
}

bool is_entity_name(std::string_view name) { return name == "NAME" || name == "PARENT_NAME"; }

/// The position of the bracket that closes the one before `begin`, or npos.
std::size_t closing(std::string_view text, std::size_t begin, char open, char close) {
  std::size_t depth = 1;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == open) ++depth;
    if (text[i] == close && --depth == 0) return i;
  }
  return std::string_view::npos;
}

/// The '|' that divides name and default, outside of inner ${}.
std::size_t divider(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}') --depth;
    if (text[i] == '|' && depth == 0) return i;
  }
  return std::string_view::npos;
}

/// NAME of `$(ros2 pkg prefix NAME)`, the one command that needs no shell.
std::string_view asked_package(std::string_view command) {
  constexpr std::string_view kWords[] = {"ros2", "pkg", "prefix"};
  for (const auto word : kWords) {
    command = trimmed(command);
    if (command.substr(0, word.size()) != word) return {};
    command.remove_prefix(word.size());
    if (command.empty() || kShellBlanks.find(command[0]) == std::string_view::npos) return {};
  }
  command = trimmed(command);
  const bool plain = std::all_of(command.begin(), command.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-';
  });
  return plain ? command : std::string_view{};
}

}  // namespace

/// The expansion of one text. After the first error it does nothing more.
struct Substitution::Pass {
  Substitution& all;
  const xml::Text& text;
  const Scope& scope;
  Names names;
  bool broken = false;
  bool computed = false;

  /// The piece of the source at [offset, offset + length) of the text.
  Place place(std::size_t offset, std::size_t length) const {
    Place place = text.place;
    if (text.verbatim && offset + length <= text.value.size()) {
      place.offset += static_cast<std::uint32_t>(offset);
      place.length = static_cast<std::uint32_t>(std::max<std::size_t>(1, length));
    }
    return place;
  }

  std::string fail(const Place& place, std::string message, std::string hint = {}) {
    if (!broken) all.diagnostics_.error(place, std::move(message), std::move(hint), scope.chain);
    broken = true;
    return {};
  }

  /// `piece` is at `offset` of the text.
  std::string expand(std::string_view piece, std::size_t offset, std::size_t depth) {
    if (depth > kMaxNesting) {
      return fail(place(offset, piece.size()), "more than 50 ${} in each other");
    }
    std::string out;
    std::size_t i = 0;
    while (i < piece.size() && !broken) {
      const std::size_t dollar = std::min(piece.find('$', i), piece.size());
      out += piece.substr(i, dollar - i);
      i = dollar;
      if (i == piece.size()) break;
      i += one(piece.substr(i), offset + i, depth, out);
      if (out.size() > all.options_.limits.value_bytes) {
        return fail(text.place, "the value grows larger than " +
                                    std::to_string(all.options_.limits.value_bytes >> 10) + " KiB");
      }
    }
    return broken ? std::string{} : out;
  }

  /// Expands what the '$' at the beginning of `piece` begins; returns how much of it that was.
  std::size_t one(std::string_view piece, std::size_t offset, std::size_t depth, std::string& out) {
    struct Form {
      std::string_view begin;
      char open, close;
      std::string (Pass::*expand)(std::string_view, std::size_t, std::size_t, const Place&);
    };
    static constexpr Form kForms[] = {
        {"${", '{', '}', &Pass::variable},
        {"$f{", '{', '}', &Pass::arithmetic},
        {"$env{", '{', '}', &Pass::environment},
        {"$(", '(', ')', &Pass::command},
    };
    for (const Form& form : kForms) {
      const std::size_t begin = form.begin.size();
      if (piece.substr(0, begin) != form.begin) continue;
      const std::size_t end = closing(piece, begin, form.open, form.close);
      if (end == std::string_view::npos) {
        const std::string opened(form.begin);
        fail(place(offset, begin), "'" + opened + "' is not closed by '" + form.close + "'");
        return piece.size();
      }
      computed = true;
      out += (this->*form.expand)(piece.substr(begin, end - begin), offset + begin, depth,
                                  place(offset, end + 1));
      return end + 1;
    }
    out += '$';
    return 1;
  }

  std::string variable(std::string_view inner, std::size_t offset, std::size_t depth,
                       const Place& where) {
    const std::size_t bar = divider(inner);
    const std::string expanded = expand(inner.substr(0, bar), offset, depth + 1);
    const std::string name(trimmed(expanded));
    if (broken) return {};
    if (name.empty()) return fail(where, "a ${} without a name");
    if (names == Names::kKeep && is_entity_name(name)) return "${" + name + "}";
    if (all.world_.is_broken(name)) {
      broken = true;
      return {};
    }
    if (const std::string* value = find_variable(name, scope, all.world_)) {
      return is_entity_name(name) ? *value : with_names(*value, where);
    }
    if (name == "MVSIM_CURRENT_FILE_DIRECTORY") return scope.file->path.parent_path().string();
    if (const auto value = environment_variable(all.options_.environment, name)) return *value;
    if (bar != std::string_view::npos) {
      return expand(inner.substr(bar + 1), offset + bar + 1, depth + 1);
    }
    std::string hint = did_you_mean(name, variable_names(scope, all.world_));
    if (hint.empty()) {
      hint = is_entity_name(name) ? "it has a value inside of vehicles and sensors only"
                                  : "set it with <variable> or write ${" + name + "|default}";
    }
    return fail(where, "undefined variable '" + name + "'", std::move(hint));
  }

  /// An argument of an include with its ${NAME} and ${PARENT_NAME}, which mean those of here.
  std::string with_names(const std::string& value, const Place& where) {
    std::string out = value;
    for (const std::string name : {"NAME", "PARENT_NAME"}) {
      const std::string written = "${" + name + "}";
      std::size_t at = out.find(written);
      if (at == std::string::npos || names == Names::kKeep) continue;
      const std::string* found = find_variable(name, scope, all.world_);
      if (!found) {
        return fail(where, "undefined variable '" + name + "' in '" + value + "'",
                    "it has a value inside of vehicles and sensors only");
      }
      for (; at != std::string::npos; at = out.find(written, at + found->size())) {
        out.replace(at, written.size(), *found);
        if (out.size() > all.options_.limits.value_bytes) {
          return fail(where, "the value grows too large");
        }
      }
    }
    return out;
  }

  std::string arithmetic(std::string_view inner, std::size_t offset, std::size_t depth,
                         const Place& where) {
    const bool was_kept = names == Names::kKeep;
    names = Names::kResolve;  // a number has no names to keep
    const std::string expression = expand(inner, offset, depth + 1);
    if (was_kept) names = Names::kKeep;
    if (broken) return {};
    if (expression.size() > kMaxExpression)
      return fail(where, "a $f{} of more than 10000 characters");
    ExpressionError error;
    const auto lookup = [&](const std::string& name) -> std::optional<std::string> {
      const std::string* value = find_variable(name, scope, all.world_);
      return value ? std::optional<std::string>(*value) : std::nullopt;
    };
    const auto value = all.calculator_.evaluate(expression, lookup, error);
    if (value) return to_text(*value);
    const bool as_written = expression == inner && error.length > 0;
    if (!error.unknown.empty()) {
      auto known = variable_names(scope, all.world_);
      known.insert(known.end(), all.calculator_.names().begin(), all.calculator_.names().end());
      error.hint = did_you_mean(error.unknown, known);
    }
    constexpr std::size_t kShown = 100;
    const bool long_one = expression.size() > kShown;
    return fail(as_written ? place(offset + error.offset, error.length) : where,
                "cannot evaluate $f{" + expression.substr(0, kShown) + (long_one ? "..." : "") +
                    "}: " + error.message,
                error.hint);
  }

  std::string environment(std::string_view inner, std::size_t offset, std::size_t depth,
                          const Place& where) {
    const std::string name = expand(inner, offset, depth + 1);
    if (broken) return {};
    if (const auto value =
            environment_variable(all.options_.environment, std::string(trimmed(name)))) {
      return *value;
    }
    return fail(where, "the environment variable '" + std::string(trimmed(name)) + "' is not set");
  }

  std::string command(std::string_view inner, std::size_t offset, std::size_t depth,
                      const Place& where) {
    const std::string command = expand(inner, offset, depth + 1);
    if (broken) return {};
    const std::string package(asked_package(command));
    if (!package.empty()) {
      const auto prefix = package_prefix(all.options_, package);
      if (!prefix.empty()) return prefix.string();
      if (!all.options_.allow_shell) {
        return fail(where, "there is no package '" + package + "'",
                    "AMENT_PREFIX_PATH names the folders that packages are installed in");
      }
    }
    if (!all.options_.allow_shell) {
      return fail(where, "the world wants to run the command '" + command + "'",
                  "allow it with --allow-shell if you trust the file");
    }
    try {
      std::string out = run_shell_command(command, all.options_.shell_seconds);
      std::erase_if(out, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
      return std::string(trimmed(out));
    } catch (const std::runtime_error& error) {
      return fail(where, "the command '" + command + "' failed: " + error.what());
    }
  }
};

Substitution::Substitution(const LoadOptions& options, const WorldVariables& world,
                           RandomSource& random, Diagnostics& diagnostics)
    : options_(options), world_(world), diagnostics_(diagnostics), calculator_(random) {}

Text Substitution::expand(const xml::Text& text, const Scope& scope, Names names) {
  Text out;
  out.place = text.place;
  if (text.value.find('$') == std::string::npos) {
    out.value = text.value;
  } else {
    Pass pass{*this, text, scope, names};
    out.value = trimmed(pass.expand(text.value, 0, 0));
    out.computed = pass.computed;
    out.broken = pass.broken;
  }
  total_bytes_ += out.value.size();
  if (total_bytes_ > options_.limits.total_bytes && !out.broken) {
    diagnostics_.error(text.place,
                       "the values of the world are larger than " +
                           std::to_string(options_.limits.total_bytes >> 20) + " MiB together",
                       {}, scope.chain);
    out.value.clear();
    out.broken = true;
  }
  return out;
}

}  // namespace protobeam::mvsim
