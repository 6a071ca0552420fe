// Templates in PROTO bodies: JavaScript in `%< statements >%` and `%<= expression >%`, Lua in
// `%{ statements }%` and `%{= expression }%`. They run in a process of their own (protobeam-worker)
// that has no files, no network, and bounded time and memory: nothing that a template does can hurt
// the simulator.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace protobeam::wbt {

enum class TemplateLanguage : std::uint8_t { kJavaScript, kLua };

struct TemplateRequest {
  TemplateLanguage language = TemplateLanguage::kJavaScript;
  std::shared_ptr<const SourceText> source;    ///< the PROTO file
  std::uint32_t body_begin = 0, body_end = 0;  ///< byte offsets of the text to render
  /// JSON object: field name -> {"value": ..., "defaultValue": ...}, values mapped as in Webots'
  /// templates ({x,y,z}, {x,y,z,a}, {r,g,b}, {node_name, fields}, null, arrays).
  std::string fields_json;
  std::string context_json;  ///< JSON object: world, proto, project_path, webots_version, id, ...
  std::shared_ptr<const Instantiation> expanded_from;
};

/// Rendered text and where each piece of it was written.
struct RenderedText {
  std::string text;
  struct Segment {
    std::uint32_t rendered;  ///< from this byte of `text` on ...
    std::uint32_t source;    ///< ... it stands at this byte of the PROTO file
    bool literal;            ///< copied byte by byte; otherwise the output of an expression there
  };
  std::vector<Segment> segments;  ///< ascending; the first begins at 0
  std::uint32_t source_offset(std::uint32_t rendered_offset) const;
};

struct TemplateLimits {
  double seconds = 5;  ///< of computing
  std::size_t bytes = 512u << 20;
  std::size_t output_bytes = 256u << 20;
};

/// The language of the body's template code outside comments; none without such code. `declared` is
/// what the header says ("template language: javascript"), or empty: then the first tag decides.
std::optional<TemplateLanguage> template_language(std::string_view body,
                                                  std::string_view declared = {});

/// Renders templates; starts the worker process at the first use and keeps it for the next ones.
class TemplateEngine {
 public:
  explicit TemplateEngine(TemplateLimits limits = {});
  ~TemplateEngine();
  /// False with an error at the line and column of the PROTO where it went wrong: an error of
  /// JavaScript or Lua, too long, too much memory, an unknown module. A body is compiled once. An
  /// error of the script is a warning where one goes on without (Diagnostics::set_lenient).
  bool render(const TemplateRequest& request, RenderedText& out, Diagnostics& diagnostics);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace protobeam::wbt
