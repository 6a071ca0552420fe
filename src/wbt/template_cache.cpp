#include "wbt/template_cache.h"

#include <algorithm>

#include "base/wire.h"

namespace protobeam::wbt {
namespace {

std::string_view body_of(const TemplateRequest& request) {
  return request.source->text().substr(request.body_begin, request.body_end - request.body_begin);
}

/// Places in the PROTO file are kept from the beginning of the body on.
std::vector<std::byte> written(const RenderedText& out, std::uint32_t body_begin) {
  wire::Writer writer;
  writer.text(out.text);
  writer.count(out.segments.size());
  for (const RenderedText::Segment& segment : out.segments) {
    writer.value(segment.rendered);
    writer.value(segment.source - body_begin);
    writer.value(static_cast<std::uint8_t>(segment.literal));
  }
  return writer.take();
}

/// Throws wire::BrokenMessage.
RenderedText read(std::string_view bytes, std::uint32_t body_begin, std::size_t body_size) {
  wire::Reader reader(std::as_bytes(std::span(bytes)));
  RenderedText out;
  out.text = reader.text();
  std::uint32_t last = 0;
  for (auto n = reader.count(2 * sizeof(std::uint32_t) + 1); n > 0; --n) {
    RenderedText::Segment segment{};
    segment.rendered = reader.value<std::uint32_t>();
    segment.source = reader.value<std::uint32_t>();
    segment.literal = reader.flag();
    if (segment.rendered < last || segment.rendered > out.text.size() || segment.source > body_size)
      throw wire::BrokenMessage("a segment outside the text");
    last = segment.rendered;
    segment.source += body_begin;
    out.segments.push_back(segment);
  }
  reader.expect_end();
  if (out.segments.empty()) throw wire::BrokenMessage("a text without segments");
  return out;
}

}  // namespace

TemplateCache::TemplateCache() : stamp_(stamp_of_programs()), cache_(DerivedCache::of_user()) {
  if (stamp_.empty()) cache_ = DerivedCache({});
}

std::string TemplateCache::key_of(const TemplateRequest& request, bool individual) const {
  wire::Writer writer;
  writer.text("template");
  writer.text(stamp_);
  writer.value(request.language);
  writer.text(body_of(request));
  writer.text(request.fields_json);
  writer.text(individual ? std::string_view(request.context_json) : std::string_view());
  return std::string(text_of(writer.take()));
}

std::optional<RenderedText> TemplateCache::find(const TemplateRequest& request,
                                                bool individual) const {
  const auto bytes = cache_.find(key_of(request, individual));
  if (!bytes) return {};
  try {
    return read(*bytes, request.body_begin, body_of(request).size());
  } catch (const wire::BrokenMessage&) {
    return {};
  }
}

void TemplateCache::store(const TemplateRequest& request, bool individual,
                          const RenderedText& text) {
  cache_.store(key_of(request, individual), text_of(written(text, request.body_begin)));
}

}  // namespace protobeam::wbt
