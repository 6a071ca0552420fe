// The part of the parser that reads PROTO files: their interface and where their body lies.
#include <algorithm>
#include <utility>

#include "wbt/parser.h"

namespace protobeam::wbt {
namespace {

constexpr std::pair<std::string_view, Parameter::Kind> kKinds[] = {
    {"field", Parameter::Kind::kField},
    {"vrmlField", Parameter::Kind::kW3dField},
    {"w3dField", Parameter::Kind::kW3dField},
    {"hiddenField", Parameter::Kind::kHidden},
    {"deprecatedField", Parameter::Kind::kDeprecated},
    {"unconnectedField", Parameter::Kind::kUnconnected},
};

const std::vector<std::string> kFieldTypes = {
    "SFBool",  "SFInt32",  "SFFloat",    "SFVec2f", "SFVec3f",  "SFRotation",
    "SFColor", "SFString", "SFNode",     "MFBool",  "MFInt32",  "MFFloat",
    "MFVec2f", "MFVec3f",  "MFRotation", "MFColor", "MFString", "MFNode"};

bool find_kind(std::string_view word, Parameter::Kind& kind) {
  for (const auto& [name, value] : kKinds) {
    if (name == word) {
      kind = value;
      return true;
    }
  }
  return false;
}

/// The brace that ends the body: templates may leave the ones inside unbalanced.
std::uint32_t last_brace(std::string_view text, std::uint32_t begin) {
  for (auto at = text.rfind('}'); at != std::string_view::npos && at >= begin;
       at = at > 0 ? text.rfind('}', at - 1) : std::string_view::npos) {
    const auto line = text.rfind('\n', at);
    const std::size_t from = line == std::string_view::npos ? 0 : line + 1;
    if (text.substr(from, at - from).find('#') == std::string_view::npos) {
      return static_cast<std::uint32_t>(at);
    }
  }
  return static_cast<std::uint32_t>(text.size());
}

/// "javascript" for a header with `# template language: javascript`.
std::string_view declared_language(const Document& document) {
  constexpr std::string_view kKey = "template language:";
  for (const std::string& line : document.info) {
    if (!line.starts_with(kKey)) continue;
    const std::size_t value = line.find_first_not_of(" \t", kKey.size());
    if (value != std::string::npos) return std::string_view(line).substr(value);
  }
  return {};
}

}  // namespace

const Parameter* ProtoInterface::find(std::string_view parameter) const {
  for (const auto& known : parameters) {
    if (known.name == parameter) return &known;
  }
  return nullptr;
}

void Parser::proto(Document& document) {
  while (is_name(peek(), "EXTERNPROTO") || is_name(peek(), "IMPORTABLE")) extern_proto(document);
  if (!is_name(peek(), "PROTO")) {
    error(peek(), "expected PROTO NAME [ ... ] { ... }, found " + described(peek()));
    return;
  }
  take();
  const Token name = peek();
  if (name.kind != TokenKind::kName || is_keyword(text(name))) {
    error(name, "expected the name of the PROTO, found " + described(name));
    return;
  }
  take();
  document.proto = std::make_unique<ProtoInterface>();
  document.proto->name = text(name);
  document.proto->place = place(name);
  interface(document);
  proto_body(document);
}

void Parser::interface(Document& document) {
  const Token open = peek();
  if (open.kind != TokenKind::kOpenBracket) {
    error(open, "expected '[' before the parameters of PROTO " + document.proto->name + ", found " +
                    described(open));
    return;
  }
  take();
  ++open_lists_;
  while (peek().kind != TokenKind::kCloseBracket) {
    if (peek().kind == TokenKind::kEnd) {
      unclosed(open, "'['");
      break;
    }
    if (peek().kind == TokenKind::kOpenBrace || !parameter(*document.proto)) {
      if (peek().kind == TokenKind::kOpenBrace) {
        error(peek(), "expected ']' after the parameters, found '{'");
        break;
      }
      // Up to the next line of the interface.
      Parameter::Kind kind;
      while (peek().kind != TokenKind::kEnd && peek().kind != TokenKind::kCloseBracket &&
             !(peek().kind == TokenKind::kName && find_kind(text(peek()), kind))) {
        if (peek().kind == TokenKind::kOpenBrace || peek().kind == TokenKind::kOpenBracket) {
          skip_balanced();
        } else {
          take();
        }
      }
    }
  }
  --open_lists_;
  if (peek().kind == TokenKind::kCloseBracket) take();
}

bool Parser::parameter(ProtoInterface& interface) {
  Parameter out;
  const Token kind = peek();
  if (kind.kind != TokenKind::kName || !find_kind(text(kind), out.kind)) {
    std::vector<std::string> names;
    for (const auto& [name, value] : kKinds) names.emplace_back(name);
    error(kind,
          "expected field, hiddenField, deprecatedField, unconnectedField or ']', found " +
              described(kind),
          kind.kind == TokenKind::kName ? did_you_mean(text(kind), names) : "");
    if (kind.kind != TokenKind::kEnd) take();
    return false;
  }
  take();
  const Token type = peek();
  if (type.kind != TokenKind::kName || !parse_field_type(text(type), out.type)) {
    error(type, described(type) + " is no field type",
          type.kind == TokenKind::kName ? did_you_mean(text(type), kFieldTypes) : "");
    return false;
  }
  take();
  if (peek().kind == TokenKind::kOpenBrace && !allowed_values(out)) return false;
  const Token name = peek();
  Parameter::Kind next;
  if (name.kind != TokenKind::kName || is_keyword(text(name)) || find_kind(text(name), next)) {
    error(name, "expected the name of a parameter, found " + described(name));
    return false;
  }
  take();
  out.name = text(name);
  out.place = place(name);
  // In `field SFBool a  field SFBool b TRUE` the second `field` is no value.
  const bool missing = peek().kind == TokenKind::kCloseBracket ||
                       (peek().kind == TokenKind::kName && find_kind(text(peek()), next));
  if (missing || is_name(peek(), "IS")) {
    error(name, "parameter '" + out.name + "' has no default value");
    return missing;
  }
  if (!value(name, out.default_value)) return false;
  if (interface.find(out.name)) {
    error(name, "parameter '" + out.name + "' is declared twice");
    return true;
  }
  if (interface.parameters.size() >= kMaxFields) {
    error(name, "the PROTO has more than " + std::to_string(kMaxFields) + " parameters");
    return false;
  }
  interface.parameters.push_back(std::move(out));
  return true;
}

/// `{ "a" "b" }` after the type of a parameter.
bool Parser::allowed_values(Parameter& parameter) {
  const Token open = take();
  Value values;
  values.bracketed = true;
  values.place = place(open);
  while (peek().kind != TokenKind::kCloseBrace) {
    if (peek().kind == TokenKind::kEnd) {
      unclosed(open, "'{'");
      return false;
    }
    if (!element(values)) {
      error(peek(), "expected an allowed value or '}', found " + described(peek()));
      return false;
    }
  }
  take();
  parameter.allowed = std::move(values);
  return true;
}

void Parser::proto_body(Document& document) {
  const Token open = peek();
  if (open.kind != TokenKind::kOpenBrace) {
    if (!end_reported_) {
      error(open, "expected '{' before the body of PROTO " + document.proto->name + ", found " +
                      described(open));
    }
    return;
  }
  auto& interface = *document.proto;
  interface.body_begin = open.offset + 1;
  interface.body_end = last_brace(input_.text, interface.body_begin);
  const auto body =
      input_.text.substr(interface.body_begin, interface.body_end - interface.body_begin);
  const auto language = template_language(body, declared_language(document));
  interface.javascript = language == TemplateLanguage::kJavaScript;
  interface.lua = language == TemplateLanguage::kLua;
  if (interface.javascript || interface.lua) {
    if (interface.body_end == input_.text.size()) unclosed(open, "'{' of PROTO " + interface.name);
    return;
  }
  take();
  while (peek().kind != TokenKind::kCloseBrace && peek().kind != TokenKind::kEnd) {
    const Token at = peek();
    const std::size_t before = document.nodes.size();
    top_level_node(document.nodes);
    if (before == 1 && document.nodes.size() == 2) {
      error(at, "the body of a PROTO has one root node, found another one");
    }
  }
  if (peek().kind == TokenKind::kEnd) {
    unclosed(open, "'{' of PROTO " + interface.name);
  } else {
    take();
    if (peek().kind != TokenKind::kEnd) {
      error(peek(), "expected nothing after the body of the PROTO, found " + described(peek()));
    }
  }
  if (document.nodes.empty() && errors_ == 0) {
    error(open, "the body of PROTO " + interface.name + " is empty");
  }
}

}  // namespace protobeam::wbt
