#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "base/worker_process.h"
#include "wbt/template.h"
#include "wbt/templates/compile.h"
#include "wbt/templates/script_errors.h"
#include "wbt/templates/script_messages.h"

namespace protobeam::wbt {
namespace {

std::string megabytes(std::size_t bytes) {
  return bytes >= (1u << 20) ? std::to_string(bytes >> 20) + " MB"
                             : std::to_string(bytes >> 10) + " kB";
}

std::string seconds(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " s";
}

/// The worker's reply, checked against what a sane worker can say.
struct Reply {
  script::Status status = script::Status::kDone;
  std::vector<script::Emission> emissions;
  std::vector<script::Message> messages;
  script::Exception exception;
};

/// Throws wire::BrokenMessage. The emissions' texts lie in `bytes`.
Reply parse_reply(std::span<const std::byte> bytes, const std::vector<TemplatePiece>& pieces) {
  Reply reply;
  wire::Reader reader(bytes);
  reply.status = reader.value<script::Status>();
  const std::string_view collected = reader.view();
  wire::Reader emissions(std::as_bytes(std::span(collected)));
  while (!emissions.at_end()) {
    script::Emission emission{};
    emission.piece = emissions.value<std::uint32_t>();
    emission.has_text = emissions.flag();
    if (emission.has_text) emission.text = emissions.view();
    if (emission.piece >= pieces.size() ||
        (!emission.has_text && pieces[emission.piece].kind != TemplatePiece::kText)) {
      throw wire::BrokenMessage("an emission of no piece");
    }
    reply.emissions.push_back(emission);
  }
  for (auto n = reader.count(3 * sizeof(std::uint32_t)); n > 0; --n) {
    script::Message message;
    message.level = reader.text();
    message.text = reader.text();
    message.stack = reader.text();
    reply.messages.push_back(std::move(message));
  }
  reply.exception.message = reader.text();
  reply.exception.url = reader.text();
  reply.exception.stack = reader.text();
  reply.exception.line = reader.value<std::uint32_t>();
  reply.exception.column = reader.value<std::uint32_t>();
  reader.expect_end();
  return reply;
}

/// Text and segments; false when the text would be longer than `limit`.
bool compose(const TemplateRequest& request, std::string_view body,
             const std::vector<TemplatePiece>& pieces,
             const std::vector<script::Emission>& emissions, std::size_t limit, RenderedText& out) {
  out.text.clear();
  out.segments.clear();
  for (const script::Emission& emission : emissions) {
    const TemplatePiece& piece = pieces[emission.piece];
    const std::string_view text =
        emission.has_text ? emission.text : body.substr(piece.begin, piece.end - piece.begin);
    if (text.size() > limit - out.text.size()) return false;
    out.segments.push_back({static_cast<std::uint32_t>(out.text.size()),
                            request.body_begin + piece.tag, !emission.has_text});
    out.text += text;
  }
  if (out.segments.empty()) out.segments.push_back({0, request.body_begin, true});
  return true;
}

WorkerProcess::Bytes request_bytes(const TemplateRequest& request, const CompiledTemplate& compiled,
                                   const TemplateLimits& limits) {
  wire::Writer writer;
  writer.value(compiled.language);
  writer.value(static_cast<std::uint64_t>(limits.output_bytes));
  writer.value(static_cast<std::uint64_t>(limits.bytes));
  writer.text(request.fields_json);
  writer.text(request.context_json);
  writer.count(compiled.scripts.size());
  for (const script::Script& script : compiled.scripts) {
    writer.text(script.url);
    writer.text(script.text);
  }
  return writer.take();
}

}  // namespace

std::uint32_t RenderedText::source_offset(std::uint32_t rendered_offset) const {
  const auto after = std::upper_bound(
      segments.begin(), segments.end(), rendered_offset,
      [](std::uint32_t value, const Segment& segment) { return value < segment.rendered; });
  if (after == segments.begin()) return 0;
  const Segment& segment = *std::prev(after);
  return segment.literal ? segment.source + (rendered_offset - segment.rendered) : segment.source;
}

class TemplateEngine::Impl {
 public:
  explicit Impl(TemplateLimits limits) : limits_(limits) {
    constexpr std::size_t kOffsets = std::numeric_limits<std::uint32_t>::max();
    limits_.output_bytes = std::min(limits_.output_bytes, kOffsets);
  }

  bool render(const TemplateRequest& request, RenderedText& out, Diagnostics& diagnostics) {
    const std::string_view body =
        request.source->text().substr(request.body_begin, request.body_end - request.body_begin);
    const auto error = [&](std::uint32_t offset, std::uint32_t length, std::string message,
                           std::string hint = {}) {
      diagnostics.error({request.source, request.body_begin + offset, length}, std::move(message),
                        std::move(hint), request.expanded_from);
      return false;
    };

    // What a script does wrong leaves out its node in Webots, and all else is read
    // (WbProtoModel::generateRoot). What depends on the machine is never passed over.
    const auto script_error = [&](const TemplateError& what) {
      if (!diagnostics.lenient()) return error(what.offset, what.length, what.message, what.hint);
      const std::string without = "--lenient goes on without the node";
      diagnostics.warning({request.source, request.body_begin + what.offset, what.length},
                          what.message, what.hint.empty() ? without : what.hint + "; " + without,
                          request.expanded_from);
      return false;
    };

    TemplateError mistake;
    const CompiledTemplate* const compiled = this->compiled(request, body, mistake);
    if (!compiled) return script_error(mistake);

    const WorkerProcess::Outcome outcome =
        worker_.exchange(request_bytes(request, *compiled, limits_),
                         {.seconds = limits_.seconds,
                          .memory_bytes = limits_.bytes,
                          .reply_bytes = limits_.output_bytes + kReplyOverhead});
    const std::uint32_t start = first_code(*compiled);
    const std::string too_long_output =
        "the template writes more than " + megabytes(limits_.output_bytes);
    const std::string too_much_memory =
        "the template needs more than " + megabytes(limits_.bytes) + " of memory";
    switch (outcome) {
      case WorkerProcess::Outcome::kReply:
        break;
      case WorkerProcess::Outcome::kNotStarted:
        return error(start, 2, "cannot start the template engine: " + worker_.start_error(),
                     "set PROTOBEAM_WORKER to the program protobeam-worker");
      case WorkerProcess::Outcome::kTooLong:
        return error(start, 2, "the template runs longer than " + seconds(limits_.seconds),
                     "look for a loop without an end");
      case WorkerProcess::Outcome::kTooMuchMemory:
        return error(start, 2, too_much_memory);
      case WorkerProcess::Outcome::kTooMuchOutput:
        return error(start, 2, too_long_output);
      case WorkerProcess::Outcome::kDied:
        return error(start, 2, "the template engine died while it ran this template",
                     "it may have run out of memory");
    }

    Reply reply;
    try {
      reply = parse_reply(worker_.reply(), compiled->pieces);
    } catch (const wire::BrokenMessage&) {
      return error(start, 2, "the template engine gave no sensible answer for this template");
    }
    for (const script::Message& message : reply.messages) {
      const std::uint32_t offset =
          offset_from_stack(message.stack, compiled->script).value_or(start);
      diagnostics.warning({request.source, request.body_begin + offset, 1},
                          message.level + ": " + message.text, {}, request.expanded_from);
    }
    if (reply.status == script::Status::kException) {
      return script_error(describe_exception(reply.exception, *compiled, *request.source,
                                             request.body_begin, body));
    }
    if (reply.status == script::Status::kMemoryLimit) return error(start, 2, too_much_memory);
    if (reply.status == script::Status::kOutputLimit ||
        !compose(request, body, compiled->pieces, reply.emissions, limits_.output_bytes, out)) {
      return error(start, 2, too_long_output);
    }
    return true;
  }

 private:
  /// Of each body once. Null with `mistake` filled in.
  const CompiledTemplate* compiled(const TemplateRequest& request, std::string_view body,
                                   TemplateError& mistake) {
    const auto key = std::make_tuple(request.source.get(), request.body_begin, request.body_end,
                                     request.language);
    const auto known = compiled_.find(key);
    if (known != compiled_.end()) return &known->second.compiled;
    std::optional<CompiledTemplate> made = compile_template(body, request.language, mistake);
    if (!made) return nullptr;
    if (compiled_.size() >= kMaxCompiled) compiled_.clear();
    return &compiled_.emplace(key, Known{request.source, std::move(*made)}).first->second.compiled;
  }

  struct Known {
    std::shared_ptr<const SourceText> source;  // so that nothing else gets its address
    CompiledTemplate compiled;
  };
  static constexpr std::size_t kMaxCompiled = 1000;
  std::map<std::tuple<const SourceText*, std::uint32_t, std::uint32_t, TemplateLanguage>, Known>
      compiled_;

  /// For messages and an exception beside the output.
  static constexpr std::size_t kReplyOverhead = 16u << 20;

  TemplateLimits limits_;
  WorkerProcess worker_{"templates"};
};

TemplateEngine::TemplateEngine(TemplateLimits limits) : impl_(std::make_unique<Impl>(limits)) {}
TemplateEngine::~TemplateEngine() = default;

bool TemplateEngine::render(const TemplateRequest& request, RenderedText& out,
                            Diagnostics& diagnostics) {
  return impl_->render(request, out, diagnostics);
}

}  // namespace protobeam::wbt
