#include "wbt/parser.h"

#include <algorithm>

namespace protobeam::wbt {
namespace {

// A file that is no world at all would otherwise bring one message a line.
constexpr int kMaxErrors = 100;
// Declarations are searched one by one: far more than a person writes is a broken file.
constexpr std::size_t kMaxExterns = 2000;

bool is_literal(TokenKind kind) {
  return kind == TokenKind::kNumber || kind == TokenKind::kString ||
         kind == TokenKind::kBadNumber || kind == TokenKind::kHugeNumber ||
         kind == TokenKind::kOpenString;
}

}  // namespace

bool is_keyword(std::string_view word) {
  return word == "TRUE" || word == "FALSE" || word == "NULL" || word == "IS" || word == "DEF" ||
         word == "USE" || word == "EXTERNPROTO" || word == "PROTO";
}

Parser::Parser(ParseInput input, Diagnostics& diagnostics)
    : input_(std::move(input)),
      lexer_(input_.text, input_.begin, input_.end),
      diagnostics_(diagnostics) {}

const Token& Parser::peek(std::size_t ahead) {
  while (ahead_count_ <= ahead) ahead_[ahead_count_++] = lexer_.next();
  if (gave_up_) {
    ahead_[ahead] = {TokenKind::kEnd, static_cast<std::uint32_t>(input_.text.size()), 0, 0};
  }
  return ahead_[ahead];
}

Token Parser::take() {
  const Token token = peek();
  ahead_[0] = ahead_[1];
  --ahead_count_;
  return token;
}

bool Parser::is_name(const Token& token, std::string_view name) const {
  return token.kind == TokenKind::kName && text(token) == name;
}

std::string Parser::described(const Token& token) const {
  constexpr std::size_t kShown = 40;
  if (token.kind == TokenKind::kEnd) return "the end of the file";
  std::string shown(text(token).substr(0, kShown));
  if (token.length > kShown) shown += "...";
  if (token.kind == TokenKind::kString || token.kind == TokenKind::kOpenString) {
    return "string " + shown;
  }
  return "'" + shown + "'";
}

Place Parser::place(const Token& token) const {
  if (input_.rendered) return {input_.source, input_.rendered->source_offset(token.offset), 1};
  return {input_.source, token.offset, std::max(token.length, 1u)};
}

void Parser::error(const Token& at, std::string message, std::string hint) {
  if (gave_up_) return;
  if (++errors_ > kMaxErrors) {
    gave_up_ = true;
    message = "too many mistakes: the rest of the file is not read";
    hint.clear();
  }
  diagnostics_.error(place(at), std::move(message), std::move(hint), input_.expanded_from);
}

void Parser::unclosed(const Token& open, const std::string& what) {
  if (end_reported_) return;  // the brackets around it are open too: one message is enough
  end_reported_ = true;
  const Place opened = place(open);
  const auto at = opened.source->locate(opened.offset);
  error(peek(), "the " + what + " opened at " + std::to_string(at.line) + ":" +
                    std::to_string(at.column) + " is not closed");
}

// ---- worlds ----

void Parser::world(Document& document) {
  while (peek().kind != TokenKind::kEnd) {
    const Token token = peek();
    if (is_name(token, "EXTERNPROTO") || is_name(token, "IMPORTABLE")) {
      extern_proto(document);
    } else if (is_name(token, "PROTO")) {
      error(token, "a world cannot define a PROTO", "put it into protos/NAME.proto");
      while (peek().kind != TokenKind::kEnd && peek().kind != TokenKind::kOpenBracket) take();
      skip_balanced();
      skip_balanced();
    } else {
      top_level_node(document.nodes);
    }
  }
}

std::vector<NodePtr> Parser::nodes() {
  std::vector<NodePtr> out;
  while (peek().kind != TokenKind::kEnd) top_level_node(out);
  return out;
}

void Parser::top_level_node(std::vector<NodePtr>& out) {
  if (begins_node() && !is_name(peek(), "NULL")) {
    if (NodePtr read = node()) out.push_back(std::move(read));
    return;
  }
  const Token token = take();
  if (token.kind == TokenKind::kCloseBrace || token.kind == TokenKind::kCloseBracket) {
    error(token, described(token) + " closes nothing");
    return;
  }
  if (token.kind == TokenKind::kName && !is_keyword(text(token))) {
    error(token, "expected '{' after " + described(token) + ", found " + described(peek()));
  } else {
    error(token, "expected a node, found " + described(token));
  }
  // The rest of what cannot be understood, up to what looks like a node again.
  while (peek().kind != TokenKind::kEnd && !begins_node() && !is_name(peek(), "EXTERNPROTO") &&
         !is_name(peek(), "IMPORTABLE") && peek().kind != TokenKind::kCloseBrace) {
    if (peek().kind == TokenKind::kOpenBrace || peek().kind == TokenKind::kOpenBracket) {
      skip_balanced();
    } else {
      take();
    }
  }
}

void Parser::extern_proto(Document& document) {
  ExternProto declared;
  if (is_name(peek(), "IMPORTABLE")) {
    take();
    declared.importable = true;
    if (!is_name(peek(), "EXTERNPROTO")) {
      error(peek(), "expected EXTERNPROTO after IMPORTABLE, found " + described(peek()));
      return;
    }
  }
  take();
  const Token url = peek();
  if (url.kind != TokenKind::kString) {
    error(url,
          "expected the address of a PROTO in quotes after EXTERNPROTO, found " + described(url));
    if (url.kind == TokenKind::kName && !begins_node()) take();
    return;
  }
  take();
  declared.url = lexer_.string(url);
  std::replace(declared.url.begin(), declared.url.end(), '\\', '/');
  declared.place = place(url);
  declared.name = declared.url.substr(declared.url.find_last_of('/') + 1);
  const auto dot = declared.name.rfind('.');
  std::string extension = dot == std::string::npos ? "" : declared.name.substr(dot);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension != ".proto") {
    const std::string message =
        "EXTERNPROTO \"" + declared.url + "\" does not name a .proto file";
    // Webots passes over them (WbProtoTreeItem).
    if (diagnostics_.lenient()) {
      diagnostics_.warning(declared.place, message);
    } else {
      error(url, message);
    }
    return;
  }
  declared.name.resize(dot);
  for (const auto& known : document.externs) {
    if (known.name == declared.name && known.url != declared.url) {
      diagnostics_.warning(declared.place, "PROTO '" + declared.name +
                                               "' was declared before with another address; "
                                               "the first one is used");
      return;
    }
  }
  if (document.externs.size() >= kMaxExterns) {
    error(url, "the file has more than " + std::to_string(kMaxExterns) + " EXTERNPROTO");
    return;
  }
  document.externs.push_back(std::move(declared));
}

// ---- nodes ----

// The next tokens are DEF, USE, NULL or a type name with its brace.
bool Parser::begins_node() {
  if (peek().kind != TokenKind::kName) return false;
  const auto word = text(peek());
  if (word == "DEF" || word == "USE" || word == "NULL") return true;
  return !is_keyword(word) && peek(1).kind == TokenKind::kOpenBrace;
}

/// DEF X Type {...}, USE X or Type {...}; null after errors that leave nothing.
NodePtr Parser::node() {
  auto out = std::make_shared<Node>();
  out->expanded_from = input_.expanded_from;
  if (is_name(peek(), "USE")) {
    take();
    if (peek().kind != TokenKind::kName || is_keyword(text(peek()))) {
      error(peek(), "expected a name after USE, found " + described(peek()));
      skip_values();
      return nullptr;
    }
    const Token name = take();
    out->use = text(name);
    out->place = place(name);
    return out;
  }
  if (is_name(peek(), "DEF")) {
    take();
    if (peek().kind != TokenKind::kName || is_keyword(text(peek())) ||
        peek(1).kind == TokenKind::kOpenBrace) {
      error(peek(), "expected a name after DEF, found " + described(peek()));
      if (peek(1).kind != TokenKind::kOpenBrace) return nullptr;
    } else {
      out->def = text(take());
      def_names_.push_back(out->def);
    }
  }
  const Token type = peek();
  if (type.kind != TokenKind::kName || is_keyword(text(type))) {
    error(type, "expected a node type after DEF " + out->def + ", found " + described(type));
    skip_values();
    return nullptr;
  }
  take();
  out->type = text(type);
  out->place = place(type);
  if (peek().kind != TokenKind::kOpenBrace) {
    error(peek(), "expected '{' after '" + out->type + "', found " + described(peek()));
    return out;
  }
  const Token open = peek();
  if (depth_ >= kMaxDepth) {
    error(open, "nodes are nested deeper than " + std::to_string(kMaxDepth) + " levels");
    skip_balanced();
    return out;
  }
  take();
  ++depth_;
  node_body(*out, open);
  --depth_;
  return out;
}

void Parser::node_body(Node& node, const Token& open) {
  const int lists_outside = open_lists_;
  open_lists_ = 0;
  for (;;) {
    const Token token = peek();
    if (token.kind == TokenKind::kCloseBrace) {
      take();
      break;
    }
    if (token.kind == TokenKind::kEnd) {
      unclosed(open, "'{' of " + node.type);
      break;
    }
    if (token.kind == TokenKind::kCloseBracket) {
      if (lists_outside > 0) {
        const auto at = place(open).source->locate(place(open).offset);
        error(token, "expected '}' before ']': the '{' of " + node.type + " opened at " +
                         std::to_string(at.line) + ":" + std::to_string(at.column) +
                         " is not closed");
        break;
      }
      take();
      error(token, "']' closes nothing");
      continue;
    }
    if (token.kind == TokenKind::kName && !is_keyword(text(token))) {
      if (peek(1).kind == TokenKind::kOpenBrace) {
        error(token,
              "expected a field of " + node.type + ", found the node '" + std::string(text(token)) +
                  "'",
              "is a '}' or a field name missing before it?");
        this->node();
        continue;
      }
      const bool hidden =
          text(token) == "hidden" && peek(1).kind == TokenKind::kName && !is_keyword(text(peek(1)));
      if (hidden) take();
      field(node, hidden);
      continue;
    }
    error(token, "expected a field of " + node.type + ", found " + described(token));
    if (token.kind == TokenKind::kOpenBrace || token.kind == TokenKind::kOpenBracket) {
      skip_balanced();
    } else if (begins_node()) {
      this->node();
    } else {
      take();
      skip_values();
    }
  }
  open_lists_ = lists_outside;
}

/// After a mistake: what still belongs to it is not worth a message of its own.
void Parser::skip_values() {
  for (;;) {
    const Token& token = peek();
    if (is_literal(token.kind) || token.kind == TokenKind::kBadCharacter ||
        is_name(token, "TRUE") || is_name(token, "FALSE") || is_name(token, "NULL")) {
      take();
    } else if (token.kind == TokenKind::kOpenBrace || token.kind == TokenKind::kOpenBracket) {
      skip_balanced();
    } else {
      return;
    }
  }
}

/// The next bracket, all it holds, and the one that closes it.
void Parser::skip_balanced() {
  int open = 0;
  do {
    const Token& token = peek();
    if (token.kind == TokenKind::kEnd) return;
    if (token.kind == TokenKind::kOpenBrace || token.kind == TokenKind::kOpenBracket) ++open;
    if (token.kind == TokenKind::kCloseBrace || token.kind == TokenKind::kCloseBracket) --open;
    take();
  } while (open > 0);
}

void Parser::field(Node& node, bool hidden) {
  const Token name = take();
  Field out;
  out.name = text(name);
  out.place = place(name);
  out.hidden = hidden;
  if (!value(name, out.value)) return;
  if (node.fields.size() < kMaxFields) {
    node.fields.push_back(std::move(out));
  } else {
    error(name, node.type + " has more than " + std::to_string(kMaxFields) + " fields");
  }
}

}  // namespace protobeam::wbt
