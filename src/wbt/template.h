// JavaScript templates in PROTO bodies: `%< statements >%` and `%<= expression >%`. They run in a
// process of their own (protobeam-worker) that has no files, no network, and bounded time and
// memory: nothing that a template does can hurt the simulator.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace protobeam::wbt {

struct TemplateRequest {
  std::shared_ptr<const SourceText> source;    ///< the PROTO file
  std::uint32_t body_begin = 0, body_end = 0;  ///< byte offsets of the text to render
  /// JSON object: field name -> {"value": ..., "defaultValue": ...}, values mapped as in Webots'
  /// JavaScript templates ({x,y,z}, {x,y,z,a}, {r,g,b}, {node_name, fields}, null, arrays).
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

/// True when the text holds template code of that kind outside comments.
bool has_javascript(std::string_view body);
bool has_lua(std::string_view body);

/// Renders templates; starts the worker process at the first use and keeps it for the next ones.
class TemplateEngine {
 public:
  explicit TemplateEngine(TemplateLimits limits = {});
  ~TemplateEngine();
  /// False with an error at the line and column of the PROTO where it went wrong: a JavaScript
  /// error, too long, too much memory, an unknown module.
  bool render(const TemplateRequest& request, RenderedText& out, Diagnostics& diagnostics);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace protobeam::wbt
