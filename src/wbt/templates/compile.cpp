#include "wbt/templates/compile.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "wbt/templates/javascript.h"

namespace protobeam::wbt {
namespace {

const TemplateModule* find_module(const std::vector<TemplateModule>& modules,
                                  std::string_view name) {
  const auto found =
      std::find_if(modules.begin(), modules.end(),
                   [&](const TemplateModule& module) { return module.name == name; });
  return found == modules.end() ? nullptr : &*found;
}

TemplateError unknown_module(const JavaScriptPart& part, std::uint32_t base) {
  std::vector<std::string> names;
  for (const TemplateModule& module : template_modules(TemplateLanguage::kJavaScript))
    names.emplace_back(module.name);
  TemplateError error{base + part.begin,
                      part.end - part.begin,
                      "unknown template module '" + part.module + "'",
                      {}};
  if (part.module == "wbfile.js") {
    error.hint = "templates have no files";
  } else {
    error.hint = did_you_mean(part.module, names);
  }
  return error;
}

/// `const NAME = __import("x.js");` or `const {a, b: c} = __import("x.js", ["a", "b"]);`
std::string import_statement(const JavaScriptPart& part) {
  std::string pattern = part.name_space, wanted;
  if (pattern.empty()) {
    for (const auto& [name, alias] : part.names) {
      pattern += (pattern.empty() ? "" : ", ") + name + ": " + alias;
      wanted += (wanted.empty() ? "\"" : ", \"") + name + "\"";
    }
    pattern = "{" + pattern + "}";
    wanted = ", [" + wanted + "]";
  }
  return "const " + pattern + " = __import(\"" + part.module + "\"" + wanted + ");";
}

/// Copies code, with its imports and comments in script form.
class CodeCopier {
 public:
  /// Modules that `copy` met, in the order of their needs.
  const std::vector<script::Script>& module_scripts() const { return module_scripts_; }

  bool copy(std::string_view code, std::uint32_t source, ScriptText& script, TemplateError& error) {
    std::uint32_t done = 0;
    for (const JavaScriptPart& part : find_module_parts(code)) {
      if (part.kind == JavaScriptPart::kExport) continue;  // JavaScript's own error is clear
      if (part.kind == JavaScriptPart::kBroken) {
        error = {source + part.begin, part.end - part.begin, part.message, {}};
        return false;
      }
      script.copy(code.substr(done, part.begin - done), source + done);
      done = part.end;
      if (part.kind == JavaScriptPart::kComment) {
        script.insert("//", source + part.begin);
        continue;
      }
      if (!add_module(part.module)) {
        error = unknown_module(part, source);
        return false;
      }
      script.insert(import_statement(part), source + part.begin);
    }
    script.copy(code.substr(done), source + done);
    return true;
  }

 private:
  bool add_module(std::string_view name) {
    static const std::vector<TemplateModule> modules =
        template_modules(TemplateLanguage::kJavaScript);
    const TemplateModule* module = find_module(modules, name);
    if (!module) return false;
    const auto same = [&](const script::Script& script) { return script.url == name; };
    if (std::any_of(module_scripts_.begin(), module_scripts_.end(), same)) return true;

    std::string body, exports;
    std::uint32_t done = 0;
    for (const JavaScriptPart& part : find_module_parts(module->text)) {
      body += module->text.substr(done, part.begin - done);
      done = part.end;
      if (part.kind == JavaScriptPart::kImport) {
        add_module(part.module);
        body += import_statement(part);
      } else if (part.kind == JavaScriptPart::kExport) {
        exports += part.names[0].first + ", ";
      }
    }
    body += module->text.substr(done);
    module_scripts_.push_back(
        {std::string(name), "__modules[\"" + std::string(name) + "\"] = (() => { 'use strict'; " +
                                body + "\nreturn Object.freeze({" + exports + "}); })();"});
    return true;
  }

  std::vector<script::Script> module_scripts_;
};

/// An expression may end in ';', as in a statement.
std::string_view without_semicolon(std::string_view expression) {
  const std::size_t last = expression.find_last_not_of(" \t\r\n");
  if (last != std::string_view::npos && expression[last] == ';') return expression.substr(0, last);
  return expression;
}

std::size_t utf16_units(unsigned char first_byte) {
  if ((first_byte & 0xc0) == 0x80) return 0;  // counted with the first byte
  return first_byte >= 0xf0 ? 2 : 1;
}

/// An error for code that nothing closes.
bool closed(const TemplatePiece& piece, std::string_view body, TemplateLanguage language,
            TemplateError& error) {
  if (piece.closed) return true;
  const std::string_view close = tags_of(language).close;
  // The tag of other template languages, or of another order.
  const std::string wrong = language == TemplateLanguage::kLua ? "%}" : "%>";
  error = {piece.tag, 2, "template code without an end", fmt::format("close it with '{}'", close)};
  if (body.find(wrong, piece.begin) < body.size()) error.hint += ", not '" + wrong + "'";
  return false;
}

bool compile_javascript(std::string_view body, CompiledTemplate& result, TemplateError& error) {
  CodeCopier copier;
  ScriptText& script = result.script;
  script.insert("'use strict';\n", 0);
  // Each piece begins a line: JavaScriptCore's syntax errors come with a line only.
  for (std::size_t i = 0; i < result.pieces.size(); ++i) {
    const TemplatePiece& piece = result.pieces[i];
    const std::string emit = "__emit(" + std::to_string(i);
    if (piece.kind == TemplatePiece::kText) {
      script.insert(emit + ");\n", piece.begin);
      continue;
    }
    if (!closed(piece, body, result.language, error)) return false;
    std::string_view code = body.substr(piece.begin, piece.end - piece.begin);
    const bool expression = piece.kind == TemplatePiece::kExpression;
    if (expression) {
      code = without_semicolon(code);
      if (code.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        error = {piece.tag, piece.end + 2 - piece.tag, "empty template expression", {}};
        return false;
      }
      script.insert(emit + ", (", piece.tag);
    }
    if (!copier.copy(code, piece.begin, script, error)) return false;
    script.insert(expression ? "\n));\n" : "\n", piece.end);
  }
  result.scripts.push_back({"prelude", std::string(template_prelude(result.language))});
  result.scripts.insert(result.scripts.end(), copier.module_scripts().begin(),
                        copier.module_scripts().end());
  result.scripts.push_back({std::string(kTemplateUrl), script.text()});
  return true;
}

/// An end of a line between two pieces of statements. Webots leaves it out, so that a statement may
/// begin in the one and end in the other.
bool joins_code(std::string_view body, const std::vector<TemplatePiece>& pieces, std::size_t i) {
  const auto is_code = [&](std::size_t at) {
    return at < pieces.size() && pieces[at].kind == TemplatePiece::kStatements;
  };
  if (!is_code(i - 1) || !is_code(i + 1)) return false;
  std::string_view text = body.substr(pieces[i].begin, pieces[i].end - pieces[i].begin);
  if (text.starts_with('\r')) text.remove_prefix(1);
  return text.starts_with('\n') && text.find_first_not_of(" \t\r", 1) == std::string_view::npos;
}

/// Lua's errors come with a line only, so each piece begins one.
bool compile_lua(std::string_view body, CompiledTemplate& result, TemplateError& error) {
  ScriptText& script = result.script;
  for (std::size_t i = 0; i < result.pieces.size(); ++i) {
    const TemplatePiece& piece = result.pieces[i];
    if (piece.kind == TemplatePiece::kText) {
      // The ';' so that code with an end missing does not go on with our call.
      if (!joins_code(body, result.pieces, i)) {
        script.insert(fmt::format(";__text({})\n", i), piece.begin);
      }
      continue;
    }
    if (!closed(piece, body, result.language, error)) return false;
    const std::string_view code = body.substr(piece.begin, piece.end - piece.begin);
    if (code.starts_with("include:")) {
      error = {piece.begin, 8, "a template cannot include files", {}};
      return false;
    }
    const bool expression = piece.kind == TemplatePiece::kExpression;
    // In Webots, an empty expression writes nothing.
    if (expression && code.find_first_not_of(" \t\r\n") == std::string_view::npos) continue;
    if (expression) script.insert(fmt::format("__value({}, ", i), piece.tag);
    script.copy(code, piece.begin);
    script.insert(expression ? "\n)\n" : "\n", piece.end);
  }
  result.scripts.push_back({"prelude", std::string(template_prelude(result.language))});
  // All of them: the name that require() gets may be computed.
  for (const TemplateModule& module : template_modules(result.language)) {
    result.scripts.push_back({std::string(module.name), std::string(module.text)});
  }
  result.scripts.push_back({std::string(kTemplateUrl), script.text()});
  return true;
}

}  // namespace

void ScriptText::copy(std::string_view code, std::uint32_t source) {
  if (code.empty()) return;
  spans_.push_back({static_cast<std::uint32_t>(text_.size()), source, true});
  text_ += code;
}

void ScriptText::insert(std::string_view code, std::uint32_t source) {
  spans_.push_back({static_cast<std::uint32_t>(text_.size()), source, false});
  text_ += code;
}

std::uint32_t ScriptText::source_at(std::size_t offset) const {
  const auto after =
      std::upper_bound(spans_.begin(), spans_.end(), offset,
                       [](std::size_t value, const Span& span) { return value < span.script; });
  if (after == spans_.begin()) return 0;
  const Span& span = *std::prev(after);
  return span.copied ? span.source + static_cast<std::uint32_t>(offset - span.script) : span.source;
}

std::uint32_t ScriptText::source_offset(std::uint32_t line, std::uint32_t column,
                                        std::string_view hint) const {
  std::size_t begin = 0;
  for (std::uint32_t i = 1; i < line; ++i) {
    const std::size_t end = text_.find('\n', begin);
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  const std::size_t end = std::min(text_.find('\n', begin), text_.size());
  if (column > 0) {
    std::size_t at = begin, units = 1;
    while (at < end && units < column) {
      units += utf16_units(static_cast<unsigned char>(text_[at]));
      ++at;
    }
    while (at < end && (static_cast<unsigned char>(text_[at]) & 0xc0) == 0x80) ++at;
    return source_at(at);
  }
  const std::string_view whole(text_);
  const std::string_view code = whole.substr(begin, end - begin);
  if (!hint.empty()) {
    const std::size_t first = code.find(hint);
    if (first != std::string_view::npos && code.find(hint, first + 1) == std::string_view::npos) {
      return source_at(begin + first);
    }
  }
  for (const Span& span : spans_) {
    if (!span.copied || span.script >= end) continue;
    const std::size_t from = std::max<std::size_t>(begin, span.script);
    const std::size_t next = &span == &spans_.back() ? text_.size() : (&span + 1)->script;
    const std::size_t mark = whole.find_first_not_of(" \t\r\n", from);
    if (mark < std::min(next, end)) return source_at(mark);
  }
  return source_at(begin);
}

std::optional<CompiledTemplate> compile_template(std::string_view body, TemplateLanguage language,
                                                 TemplateError& error) {
  CompiledTemplate result;
  result.language = language;
  result.pieces = split_template(body, language);
  const bool compiled = language == TemplateLanguage::kLua
                            ? compile_lua(body, result, error)
                            : compile_javascript(body, result, error);
  if (!compiled) return std::nullopt;
  return result;
}

}  // namespace protobeam::wbt
