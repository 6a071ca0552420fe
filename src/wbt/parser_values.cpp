// The part of the parser that reads what stands behind a field's name.
#include <cassert>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "wbt/parser.h"

namespace protobeam::wbt {
namespace {

bool is_number(TokenKind kind) {
  return kind == TokenKind::kNumber || kind == TokenKind::kBadNumber ||
         kind == TokenKind::kHugeNumber;
}

bool is_truth_value(std::string_view word) {
  std::string small(word);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return small == "true" || small == "false";
}

/// Is a word before `next` no field either? That has a value or a node type behind it.
bool begins_no_field(const Token& next, std::string_view text) {
  return next.kind == TokenKind::kCloseBrace ||
         (next.kind == TokenKind::kName && !is_keyword(text) &&
          !(text[0] >= 'A' && text[0] <= 'Z'));
}

const char* kind_name(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::kBools:
      return "TRUE/FALSE";
    case Value::Kind::kNumbers:
      return "numbers";
    case Value::Kind::kStrings:
      return "strings";
    case Value::Kind::kNodes:
      return "nodes";
    default:
      return "values";
  }
}

}  // namespace

bool Parser::value(const Token& name, Value& out) {
  const Token first = peek();
  out.place = place(first);
  if (first.kind == TokenKind::kOpenBracket) {
    list(out);
    return true;
  }
  if (is_name(first, "IS")) {
    take();
    const Token parameter = peek();
    if (parameter.kind != TokenKind::kName || is_keyword(text(parameter))) {
      error(parameter, "expected the name of a parameter after IS, found " + described(parameter));
      return false;
    }
    take();
    out.kind = Value::Kind::kIs;
    out.strings.emplace_back(text(parameter));
    out.offsets.push_back(place(parameter).offset);
    return true;
  }
  if (!element(out)) {
    std::string field("'");
    field.append(text(name)).append("'");
    // On one line it is a value that is spelt wrong; the next line may well be another field.
    const bool in_line = input_.text.substr(name.offset, first.offset - name.offset).find('\n') ==
                         std::string_view::npos;
    if (in_line && first.kind == TokenKind::kName && is_truth_value(text(first))) {
      error(first,
            "field " + field + " must be TRUE or FALSE, in capitals, got " + described(first));
      take();
      skip_values();
    } else if (first.kind == TokenKind::kName && !text(first).empty() && text(first)[0] >= 'A' &&
               text(first)[0] <= 'Z' && !is_keyword(text(first))) {
      error(first, "field " + field + " has no value: " + described(first) + " is followed by " +
                       described(peek(1)) + ", not by '{'");
      take();
      skip_values();
    } else if (first.kind == TokenKind::kBadCharacter) {
      error(first, "field " + field + " has no value: found " + described(first),
            text(first) == "'" ? "a text stands in double quotes" : "");
      skip_values();
      // 'abc' is no field of the name abc.
      if (text(first) == "'" && peek().kind == TokenKind::kName &&
          peek(1).kind == TokenKind::kBadCharacter) {
        take();
        skip_values();
      }
    } else if (in_line && first.kind == TokenKind::kName && !is_keyword(text(first)) &&
               begins_no_field(peek(1), text(peek(1)))) {
      // A word that begins with no letter may have the quotes of a word processor around it.
      const bool plain = text(first)[0] >= 'a' && text(first)[0] <= 'z';
      error(first, "field " + field + " has no value: found " + described(first),
            "a text stands in double quotes" +
                (plain ? ": \"" + std::string(text(first)) + "\"" : std::string()));
      take();
      skip_values();
    } else {
      error(name, "field " + field + " has no value");
    }
    return false;
  }
  // Components of a vector, or values that ought to stand in brackets: the type check knows.
  while (out.kind != Value::Kind::kNodes) {
    const Token& next = peek();
    const bool same = out.kind == Value::Kind::kNumbers
                          ? is_number(next.kind) ||
                                (next.kind == TokenKind::kName && is_not_finite_word(text(next)))
                      : out.kind == Value::Kind::kStrings
                          ? next.kind == TokenKind::kString || next.kind == TokenKind::kOpenString
                          : is_name(next, "TRUE") || is_name(next, "FALSE");
    if (next.kind == TokenKind::kBadCharacter) {
      error(next, "expected a value, found " + described(next));
      skip_values();
      return false;
    }
    if (!same) break;
    element(out);
  }
  return true;
}

void Parser::list(Value& out) {
  const Token open = take();
  out.bracketed = true;
  ++open_lists_;
  for (;;) {
    const Token token = peek();
    if (token.kind == TokenKind::kCloseBracket) {
      take();
      break;
    }
    if (token.kind == TokenKind::kEnd) {
      unclosed(open, "'['");
      break;
    }
    if (element(out)) continue;
    const Place opened = place(open);
    const auto at = opened.source->locate(opened.offset);
    const std::string where = "the '[' opened at " + std::to_string(at.line) + ":" +
                              std::to_string(at.column) + " is not closed";
    if (token.kind == TokenKind::kCloseBrace) {
      error(token, "expected ']' before '}': " + where);
      break;
    }
    const bool type_without_brace =
        token.kind == TokenKind::kName && !is_keyword(text(token)) &&
        (peek(1).kind == TokenKind::kCloseBracket || peek(1).kind == TokenKind::kCloseBrace);
    if (token.kind == TokenKind::kName && !is_keyword(text(token)) && !type_without_brace) {
      error(token, "expected a value or ']', found " + described(token), where);
      break;
    }
    error(token, "expected a value or ']', found " + described(token));
    if (token.kind == TokenKind::kOpenBrace || token.kind == TokenKind::kOpenBracket) {
      skip_balanced();
    } else {
      take();
    }
  }
  --open_lists_;
  out.numbers.share();
  out.offsets.share();
}

/// One number, string, truth value or node; false without a message when there is none.
bool Parser::element(Value& out) {
  const Token token = peek();
  Value::Kind kind;
  double number = token.number;
  if (is_number(token.kind)) {
    kind = Value::Kind::kNumbers;
  } else if (token.kind == TokenKind::kString || token.kind == TokenKind::kOpenString) {
    kind = Value::Kind::kStrings;
  } else if (is_name(token, "TRUE") || is_name(token, "FALSE")) {
    kind = Value::Kind::kBools;
    number = text(token) == "TRUE" ? 1 : 0;
  } else if (begins_node()) {
    kind = Value::Kind::kNodes;
  } else if (token.kind == TokenKind::kName && is_not_finite_word(text(token))) {
    kind = Value::Kind::kNumbers;
  } else {
    return false;
  }
  const bool fits = out.kind == Value::Kind::kEmpty || out.kind == kind;
  if (!fits) {
    error(token, std::string("expected ") + kind_name(out.kind) + ", found " + described(token) +
                     ": a list holds values of one kind");
  }
  if (fits) out.kind = kind;
  if (kind == Value::Kind::kNodes) {
    NodePtr read;
    if (is_name(token, "NULL")) {
      take();
    } else if (!(read = node())) {
      return true;
    }
    if (fits) {
      out.offsets.push_back(read ? read->place.offset : place(token).offset);
      out.nodes.push_back(std::move(read));
    }
    return true;
  }
  take();
  // What is no number is not judged again by its size.
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  if (token.kind == TokenKind::kBadNumber) {
    number = unknown;
    error(token, described(token) + " is not a number");
  } else if (token.kind == TokenKind::kHugeNumber) {
    number = unknown;
    error(token, described(token) + " is too large for a number");
  } else if (token.kind == TokenKind::kName && kind == Value::Kind::kNumbers) {
    number = unknown;
    error(token, described(token) + " is not a finite number");
  } else if (token.kind == TokenKind::kOpenString) {
    // Webots says so, too, and closes it there (WbTokenizer::readWord).
    const std::string message = "the string is not closed on its line";
    if (diagnostics_.lenient()) {
      diagnostics_.warning(place(token), message);
    } else {
      error(token, message);
    }
  }
  if (!fits) return true;
  out.offsets.push_back(place(token).offset);
  if (kind == Value::Kind::kStrings) {
    out.strings.push_back(lexer_.string(token));
  } else {
    out.numbers.push_back(number);
  }
  return true;
}

Value Parser::single_value() {
  Value out;
  value(peek(), out);
  return out;
}

Value Parser::only_value() {
  Value out = single_value();
  const Token rest = peek();
  if (!failed() && rest.kind != TokenKind::kEnd) {
    error(rest, "expected the end of the value, found " + described(rest));
  }
  return out;
}

Value parse_value(std::string_view text) {
  ParseInput input;
  input.source = std::make_shared<SourceText>("default", std::string(text));
  input.text = input.source->text();
  input.end = static_cast<std::uint32_t>(text.size());
  Diagnostics diagnostics;
  Value out = Parser(std::move(input), diagnostics).single_value();
  assert(!diagnostics.has_errors() && "a field table's default is no value");
  return out;
}

}  // namespace protobeam::wbt
