// What a script leaves behind in the worker process, in whatever language it is written.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "wbt/templates/script_messages.h"

namespace protobeam::wbt::script {

struct Output {
  std::uint64_t limit = 0;  ///< bytes of emissions
  bool over_limit = false;  ///< once it is, nothing is added
  wire::Writer emissions;
  std::uint64_t bytes = 0;
  std::vector<Message> messages;  ///< the first ones, each cut at some length
  Status status = Status::kDone;
  Exception exception;

  /// The text of a piece itself, or that of its value.
  void emit(std::uint32_t piece, std::optional<std::string_view> text = std::nullopt);
  bool takes_messages() const;
  void add_message(std::string_view level, std::string_view text, std::string_view stack);
  /// The reply to the simulator.
  std::vector<std::byte> take();
};

}  // namespace protobeam::wbt::script
