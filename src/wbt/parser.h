// Tokens to the untyped tree. Knows no node types: checks come later, so that one run reports all.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "wbt/document.h"
#include "wbt/lexer.h"
#include "wbt/node.h"
#include "wbt/template.h"

namespace protobeam::wbt {

/// Nesting that no hand-made world comes near; bounds every recursion over a tree of one file.
inline constexpr int kMaxDepth = 200;

/// Fields of a node, parameters of a PROTO: bounds the search for one of them.
inline constexpr std::size_t kMaxFields = 500;

/// Words that cannot name nodes, fields or parameters.
bool is_keyword(std::string_view word);

/// What a parser reads: a piece of a file, or a rendered PROTO body with its map to the file.
struct ParseInput {
  std::shared_ptr<const SourceText> source;
  std::string_view text;
  std::uint32_t begin = 0, end = 0;
  const RenderedText* rendered = nullptr;
  std::shared_ptr<const Instantiation> expanded_from;
};

class Parser {
 public:
  Parser(ParseInput input, Diagnostics& diagnostics);

  /// Nodes up to the end of the text.
  std::vector<NodePtr> nodes();
  /// EXTERNPROTO lines and nodes (a world), or EXTERNPROTO lines, interface and body (a PROTO).
  void world(Document& document);
  void proto(Document& document);
  Value single_value();
  /// A value, and an error when anything comes after it.
  Value only_value();

  bool failed() const { return errors_ > 0; }
  std::vector<std::string> take_def_names() { return std::move(def_names_); }

 private:
  const Token& peek(std::size_t ahead = 0);
  Token take();
  std::string_view text(const Token& token) const { return lexer_.text(token); }
  bool is_name(const Token& token, std::string_view name) const;
  /// "'}'", "string \"abc\"", "the end of the file".
  std::string described(const Token& token) const;
  Place place(const Token& token) const;
  void error(const Token& at, std::string message, std::string hint = {});
  void unclosed(const Token& open, const std::string& what);

  void top_level_node(std::vector<NodePtr>& out);
  NodePtr node();
  void node_body(Node& node, const Token& open);
  void field(Node& node, bool hidden);
  bool value(const Token& name, Value& out);
  void list(Value& out);
  bool element(Value& out);
  bool begins_node();
  void skip_balanced();
  void skip_values();
  void extern_proto(Document& document);
  void interface(Document& document);
  bool parameter(ProtoInterface& interface);
  bool allowed_values(Parameter& parameter);
  void proto_body(Document& document);

  ParseInput input_;
  Lexer lexer_;
  Diagnostics& diagnostics_;
  std::array<Token, 2> ahead_{};
  std::size_t ahead_count_ = 0;
  int depth_ = 0;
  int open_lists_ = 0;
  int errors_ = 0;
  bool end_reported_ = false;
  bool gave_up_ = false;
  std::vector<std::string> def_names_;
};

/// A value by itself, as field tables write defaults ("0 0 1 0", "[ ]", "\"lidar\"", "NULL").
Value parse_value(std::string_view text);

}  // namespace protobeam::wbt
