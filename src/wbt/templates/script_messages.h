// What the simulator and its worker process say to each other about templates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/wire.h"
#include "wbt/template.h"

namespace protobeam::wbt::script {

/// A script to evaluate; `url` names it in error messages and stacks.
struct Script {
  std::string url, text;
};

/// JavaScript: run these scripts, one after the other, in a fresh context. Lua: run the first and
/// the last one in a fresh state; those between are modules.
struct Request {
  TemplateLanguage language = TemplateLanguage::kJavaScript;
  std::uint64_t output_limit = 0;  ///< bytes of emissions
  std::uint64_t memory_limit = 0;  ///< bytes that Lua may allocate
  std::string fields_json, context_json;
  std::vector<Script> scripts;
};

struct Emission {
  std::uint32_t piece;  ///< index into CompiledTemplate::pieces
  bool has_text;        ///< the value of an expression; otherwise the piece's own text
  std::string_view text;
};

/// What a template said, by which function, and a stack of `function@url:line:column` lines.
struct Message {
  std::string level, text, stack;
};

enum class Status : std::uint8_t { kDone, kException, kOutputLimit, kMemoryLimit };

/// Where it went wrong: `line` 0 for unknown, `column` 0 for somewhere in the line.
struct Exception {
  std::string message, url, stack;
  std::uint32_t line = 0, column = 0;  ///< from 1; columns in UTF-16 units
};

/// Runs a request's bytes: language, limits of output and memory, fields, context, and the scripts'
/// number, names and texts. The reply's bytes: Status; emissions (a text of u32 piece, u8 has_text,
/// and the text when it has one); messages (their number, then level, text, stack); exception.
std::vector<std::byte> run_scripts(std::span<const std::byte> request);

}  // namespace protobeam::wbt::script
