#include "wbt/templates/script_output.h"

namespace protobeam::wbt::script {
namespace {

constexpr std::size_t kMaxMessages = 100;
constexpr std::size_t kMaxMessageBytes = 4096;

}  // namespace

void Output::emit(std::uint32_t piece, std::optional<std::string_view> text) {
  bytes += sizeof(piece) + 1 + (text ? sizeof(std::uint32_t) + text->size() : 0);
  over_limit = over_limit || bytes > limit;
  if (over_limit) return;
  emissions.value(piece);
  emissions.value(static_cast<std::uint8_t>(text.has_value()));
  if (text) emissions.text(*text);
}

bool Output::takes_messages() const { return messages.size() < kMaxMessages; }

void Output::add_message(std::string_view level, std::string_view text, std::string_view stack) {
  if (!takes_messages()) return;
  messages.push_back(
      {std::string(level), std::string(text.substr(0, kMaxMessageBytes)), std::string(stack)});
}

std::vector<std::byte> Output::take() {
  if (over_limit) status = Status::kOutputLimit;
  wire::Writer reply;
  reply.value(status);
  const auto collected = emissions.take();
  reply.text({reinterpret_cast<const char*>(collected.data()), collected.size()});
  reply.count(messages.size());
  for (const Message& message : messages) {
    reply.text(message.level);
    reply.text(message.text);
    reply.text(message.stack);
  }
  reply.text(exception.message);
  reply.text(exception.url);
  reply.text(exception.stack);
  reply.value(exception.line);
  reply.value(exception.column);
  return reply.take();
}

}  // namespace protobeam::wbt::script
