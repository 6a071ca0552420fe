#include "wbt/templates/script_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace protobeam::wbt {
namespace {

/// The number in front of `end`, after a ':'; moves `end` to that ':'.
std::uint32_t take_number_before(std::string_view text, std::size_t& end) {
  const std::size_t colon = text.substr(0, end).rfind(':');
  if (colon == std::string_view::npos) return 0;
  std::uint32_t number = 0;
  for (const char digit : text.substr(colon + 1, end - colon - 1)) {
    if (digit < '0' || digit > '9' || number > 100'000'000) return 0;
    number = number * 10 + static_cast<std::uint32_t>(digit - '0');
  }
  end = colon;
  return number;
}

/// What a syntax error names: "Unexpected token ';'".
std::string_view quoted_part(std::string_view message) {
  const std::size_t open = message.find('\'');
  const std::size_t close = message.rfind('\'');
  return open < close ? message.substr(open + 1, close - open - 1) : std::string_view();
}

/// The offset is the end of an expression's code.
bool ends_expression(std::uint32_t offset, const std::vector<TemplatePiece>& pieces) {
  return std::any_of(pieces.begin(), pieces.end(), [&](const TemplatePiece& piece) {
    return piece.kind == TemplatePiece::kExpression && piece.end == offset;
  });
}

/// The offset is one of statements or an expression.
bool in_code(std::uint32_t offset, const std::vector<TemplatePiece>& pieces) {
  return std::any_of(pieces.begin(), pieces.end(), [&](const TemplatePiece& piece) {
    return piece.kind != TemplatePiece::kText && piece.begin <= offset && offset < piece.end;
  });
}

std::uint32_t place_in_javascript(const script::Exception& exception,
                                  const CompiledTemplate& compiled, std::string_view body) {
  if (exception.url != kTemplateUrl || exception.line == 0) {
    return offset_from_stack(exception.stack, compiled.script).value_or(first_code(compiled));
  }
  const std::uint32_t offset = compiled.script.source_offset(exception.line, exception.column,
                                                             quoted_part(exception.message));
  // JavaScriptCore points behind an unknown name.
  constexpr std::string_view kUnknown = "ReferenceError: Can't find variable: ";
  const std::string_view message = exception.message;
  if (message.starts_with(kUnknown)) {
    const std::string_view name = message.substr(kUnknown.size());
    if (body.substr(0, offset).ends_with(name))
      return offset - static_cast<std::uint32_t>(name.size());
  }
  return offset;
}

/// The message as a diagnostic: our own errors without JavaScript's generic name, no full stop.
std::string javascript_wording(std::string_view message, std::uint32_t offset,
                               const std::vector<TemplatePiece>& pieces) {
  // Maybe the one that we write behind it.
  if (message == "SyntaxError: Unexpected token ')'" && ends_expression(offset, pieces)) {
    return "JavaScript: SyntaxError: Unexpected end of the expression";
  }
  if (message.starts_with("Error: ")) message.remove_prefix(7);
  while (message.ends_with('.')) message.remove_suffix(1);
  return "JavaScript: " + std::string(message);
}

/// What Lua's messages say of a block without an end.
struct Unclosed {
  std::string_view before;  ///< the message up to it
  std::string_view word;    ///< that opens the block
  std::uint32_t line = 0;   ///< of `word`, in the script
  std::string_view after;   ///< the rest of the message
};
/// Of "'end' expected (to close 'if' at line 12) near <eof>": all but "(to close 'if' at line 12)
/// near".
std::optional<Unclosed> unclosed_in_lua(std::string_view message) {
  constexpr std::string_view kOpen = "(to close '", kAt = "' at line ", kClose = ") near";
  const std::size_t open = message.find(kOpen);
  if (open == std::string_view::npos) return {};
  Unclosed found{message.substr(0, open), message.substr(open + kOpen.size()), 0, {}};
  const std::size_t at = found.word.find('\'');
  if (at == std::string_view::npos || !found.word.substr(at).starts_with(kAt)) return {};
  const std::string_view number = found.word.substr(at + kAt.size());
  found.word = found.word.substr(0, at);
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), found.line);
  if (error != std::errc{}) return {};
  found.after = number.substr(static_cast<std::size_t>(end - number.data()));
  if (!found.after.starts_with(kClose)) return {};
  found.after.remove_prefix(kClose.size());
  return found;
}

std::uint32_t place_in_lua(const script::Exception& exception, const CompiledTemplate& compiled) {
  const ScriptText& script = compiled.script;
  const std::string& message = exception.message;
  if (exception.line == 0) return first_code(compiled);
  if (const auto unclosed = unclosed_in_lua(message)) {
    return script.source_offset(unclosed->line, 0, unclosed->word);
  }
  const std::string_view hint = quoted_part(message);
  const std::uint32_t offset = script.source_offset(exception.line, exception.column, hint);
  // What ends an expression stands in a line of its own, and Lua often means the one before.
  if (exception.line > 1 && exception.column == 0 && !message.ends_with("near ')'") &&
      ends_expression(offset, compiled.pieces)) {
    return script.source_offset(exception.line - 1, 0, hint);
  }
  return offset;
}

/// Lua's message in terms of the PROTO: its lines, and none of the words that we put around the
/// code.
std::string lua_wording(std::string message, std::uint32_t offset, const CompiledTemplate& compiled,
                        const SourceText& source, std::uint32_t body_begin) {
  if (const auto unclosed = unclosed_in_lua(message)) {
    message = fmt::format("{}(to close '{}' at line {}) near{}", unclosed->before, unclosed->word,
                          source.locate(body_begin + offset).line, unclosed->after);
  }
  // "near" the separator that we write before text, or the end of an expression.
  const bool ends_code = message.ends_with(" near ';'") && !in_code(offset, compiled.pieces);
  if (ends_code || (message.ends_with(" near ')'") && ends_expression(offset, compiled.pieces))) {
    message.resize(message.size() - 9);
    message += ends_code ? " at the end of the code" : " at the end of the expression";
  }
  while (message.ends_with('.') || message.ends_with('\n')) message.pop_back();
  return "Lua: " + message;
}

}  // namespace

std::uint32_t first_code(const CompiledTemplate& compiled) {
  for (const TemplatePiece& piece : compiled.pieces) {
    if (piece.kind != TemplatePiece::kText) return piece.tag;
  }
  return 0;
}

std::optional<std::uint32_t> offset_from_stack(std::string_view stack, const ScriptText& script) {
  while (!stack.empty()) {
    const std::size_t newline = std::min(stack.find('\n'), stack.size());
    const std::string_view frame = stack.substr(0, newline);
    stack.remove_prefix(std::min(newline + 1, stack.size()));
    std::size_t end = frame.size();
    const std::uint32_t column = take_number_before(frame, end);
    const std::uint32_t line = take_number_before(frame, end);
    const std::size_t name_end = frame.find('@');
    const std::size_t begin = name_end == std::string_view::npos ? 0 : name_end + 1;
    const std::string_view url =
        begin < end ? frame.substr(begin, end - begin) : std::string_view();
    if (url == kTemplateUrl && line > 0) return script.source_offset(line, column, {});
  }
  return std::nullopt;
}

TemplateError describe_exception(const script::Exception& exception,
                                 const CompiledTemplate& compiled, const SourceText& source,
                                 std::uint32_t body_begin, std::string_view body) {
  TemplateError error;
  if (compiled.language == TemplateLanguage::kLua) {
    error.offset = place_in_lua(exception, compiled);
    error.message = lua_wording(exception.message, error.offset, compiled, source, body_begin);
  } else {
    error.offset = place_in_javascript(exception, compiled, body);
    error.message = javascript_wording(exception.message, error.offset, compiled.pieces);
  }
  return error;
}

}  // namespace protobeam::wbt
