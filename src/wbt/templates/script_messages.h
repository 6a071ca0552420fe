// What the simulator and its worker process say to each other about templates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/wire.h"

namespace protobeam::wbt::script {

/// A script to evaluate; `url` names it in error messages and stacks.
struct Script {
  std::string url, text;
};

/// Run these scripts, one after the other, in a fresh JavaScript context.
struct Request {
  std::uint64_t output_limit = 0;  ///< bytes that __emit may collect
  std::string fields_json, context_json;
  std::vector<Script> scripts;
};

struct Emission {
  std::uint32_t piece;  ///< first argument of __emit
  bool has_text;        ///< called with a value
  std::string_view text;
};

struct Message {
  std::string level, text, stack;
};

enum class Status : std::uint8_t { kDone, kException, kOutputLimit };

/// What came of it. An exception has the places that JavaScriptCore gave: `line` 0 for unknown.
struct Exception {
  std::string message, url, stack;
  std::uint32_t line = 0, column = 0;  ///< from 1; columns in UTF-16 units
};

/// Runs a request's bytes: output limit, fields, context, and the scripts' number, names and texts.
/// The reply's bytes: Status; emissions (a text of u32 piece, u8 has_text, and the text when it has
/// one); messages (their number, then level, text, stack); exception.
std::vector<std::byte> run_scripts(std::span<const std::byte> request);

}  // namespace protobeam::wbt::script
