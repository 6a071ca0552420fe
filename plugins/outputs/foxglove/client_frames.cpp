#include "client_frames.h"

namespace protobeam::foxglove {

using nlohmann::json;

std::uint32_t number_in(const json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (!object.is_object() || found == object.end() || !found->is_number_unsigned() ||
      found->get<std::uint64_t>() > UINT32_MAX) {
    throw std::runtime_error(std::string("'") + name + "' is not a number of 32 bits");
  }
  return found->get<std::uint32_t>();
}

std::string text_in(const json& object, const char* name, std::size_t most) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (!object.is_object() || found == object.end() || !found->is_string()) {
    throw std::runtime_error(std::string("'") + name + "' is not a text");
  }
  auto text = found->get<std::string>();
  if (text.size() > most) throw std::runtime_error(std::string("'") + name + "' is too long");
  return text;
}

const json& array_in(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_array()) {
    throw std::runtime_error(std::string("'") + name + "' is not an array");
  }
  return *found;
}

std::string asset_response(std::uint32_t request, const std::string& problem,
                           std::string_view bytes) {
  std::string out;
  append(out, kAsset);
  append(out, request);
  append(out, static_cast<std::uint8_t>(problem.empty() ? 0 : 1));
  append(out, static_cast<std::uint32_t>(problem.size()));
  out += problem;
  return out.append(bytes);
}

}  // namespace protobeam::foxglove
