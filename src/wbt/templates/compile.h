// From a PROTO body with template code to a script that writes it, and back from the script's lines
// and columns to the PROTO's bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wbt/templates/pieces.h"
#include "wbt/templates/script_messages.h"

namespace protobeam::wbt {

/// A module that templates may import; `name` is "wbrandom.js", or "wbrandom" for Lua.
struct TemplateModule {
  std::string_view name, text;
};
/// Our modules, by name (generated from modules/*.js and modules/*.lua at build time).
std::vector<TemplateModule> template_modules(TemplateLanguage language);
/// What each rendering begins with: what a template may call, a fixed clock and random numbers.
std::string_view template_prelude(TemplateLanguage language);

inline constexpr std::string_view kTemplateUrl = "template";

/// A script with the way back to what it was made of.
class ScriptText {
 public:
  /// Appends code that stands at `source` of the original.
  void copy(std::string_view code, std::uint32_t source);
  /// Appends code of ours that has to do with the place `source`.
  void insert(std::string_view code, std::uint32_t source);

  const std::string& text() const { return text_; }
  /// The original's byte for a line and a column (UTF-16 units, both from 1). Column 0 means that
  /// only the line is known: the place is then that of `hint` in the line if it is there just once,
  /// else that of the first code in the line.
  std::uint32_t source_offset(std::uint32_t line, std::uint32_t column,
                              std::string_view hint) const;

 private:
  struct Span {
    std::uint32_t script, source;
    bool copied;
  };
  std::uint32_t source_at(std::size_t offset) const;

  std::string text_;
  std::vector<Span> spans_;  ///< ascending
};

struct TemplateError {
  std::uint32_t offset = 0;  ///< of the body
  std::uint32_t length = 1;
  std::string message, hint;
};

struct CompiledTemplate {
  TemplateLanguage language = TemplateLanguage::kJavaScript;
  std::vector<TemplatePiece> pieces;    ///< emissions name them by their index
  std::vector<script::Script> scripts;  ///< prelude, modules, template
  ScriptText script;                    ///< the template's own, also the last of `scripts`
};

/// Empty with the first error filled in.
std::optional<CompiledTemplate> compile_template(std::string_view body, TemplateLanguage language,
                                                 TemplateError& error);

}  // namespace protobeam::wbt
