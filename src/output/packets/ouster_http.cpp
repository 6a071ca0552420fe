#include "output/packets/ouster_http.h"

#include <fmt/format.h>

#include <chrono>
#include <string_view>
#include <utility>

#include "output/packets/ouster_config.h"

namespace protobeam {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kApi = "/api/v1/";
constexpr std::size_t kMostUserData = 32768;  // bytes

HttpResponse json(const Json& value) {
  // Names and texts of clients may stand in it.
  return {200, "application/json", value.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

/// As sensors explain themselves (ouster-sdk's issue 437 has one).
HttpResponse ouster_error(int status, const char* title, const std::string& description) {
  HttpResponse response = json(
      {{"error", {{"title", fmt::format("{} {}", status, title)}, {"description", description}}}});
  response.status = status;
  return response;
}
HttpResponse bad_request(const std::string& why) { return ouster_error(400, "Bad Request", why); }
HttpResponse not_found(const std::string& path) {
  return ouster_error(404, "Not Found", "there is no " + path.substr(0, 200));
}
HttpResponse wrong_method(const std::string& allowed) {
  return ouster_error(405, "Method Not Allowed", "only " + allowed);
}

/// Python's clients write True and False.
bool flag(const std::map<std::string, std::string>& query, const char* name, bool otherwise) {
  const auto it = query.find(name);
  if (it == query.end()) return otherwise;
  return it->second == "true" || it->second == "True" || it->second == "1";
}

}  // namespace

OusterHttp::OusterHttp(Json metadata, DeviceSettings settings)
    : DeviceHttp(std::move(settings)), metadata_(std::move(metadata)) {
  active_ = metadata_.at("config_params");
  factory_ = staged_ = active_;
}

HttpResponse OusterHttp::answer(const HttpRequest& request) {
  std::string path = request.path();
  if (path.size() > kApi.size() && path.ends_with('/')) path.pop_back();
  if (!path.starts_with(kApi)) return not_found(path);
  const std::string name = path.substr(kApi.size());
  if (name == "sensor/config") return config(request);
  if (name == "user/data") return user_data(request);
  constexpr std::string_view kCommand = "sensor/cmd/";
  if (name.starts_with(kCommand)) return command(request, name.substr(kCommand.size()));
  if (request.method != "GET" && request.method != "HEAD") return wrong_method("GET");
  constexpr std::string_view kMetadata = "sensor/metadata";
  if (name == kMetadata) return metadata("");
  if (name.starts_with("sensor/metadata/")) return metadata(name.substr(kMetadata.size() + 1));
  if (name == "sensor/telemetry") {
    return json({{"input_current_ma", 680},
                 {"input_voltage_mv", 24000},
                 {"internal_temperature_deg_c", 45},
                 {"phase_lock_status", "DISABLED"},
                 {"timestamp_ns", static_cast<std::int64_t>(time() * 1e9)}});
  }
  if (name == "system/firmware") return json({{"fw", metadata_["sensor_info"]["image_rev"]}});
  if (name == "time") return json({{"sensor", time_of_sensor()}, {"system", time_of_system()}});
  if (name == "time/sensor") return json(time_of_sensor());
  if (name == "time/system") return json(time_of_system());
  return not_found(path);
}

HttpResponse OusterHttp::metadata(const std::string& part) const {
  Json all = metadata_;
  all["config_params"] = active_;
  all["lidar_data_format"]["udp_profile_lidar"] = active_["udp_profile_lidar"];
  Json& info = all["sensor_info"];
  info["initialization_id"] = settings().initialization;
  // Until the simulation's next step, packets are those of the old configuration.
  if (is_waiting()) {
    info["status"] = "INITIALIZING";
  } else if (active_["operating_mode"] == "STANDBY") {
    info["status"] = "STANDBY";
  }
  if (part.empty()) return json(all);
  const auto it = all.find(part);
  return it == all.end() ? not_found("metadata '" + part + "'") : json(*it);
}

HttpResponse OusterHttp::config(const HttpRequest& request) {
  if (request.method == "POST") return set_config(request);
  if (request.method == "DELETE") {
    staged_ = factory_;
    reinitialize();
    if (!keep_user_data_) user_data_.clear();
    return {204, "", ""};
  }
  if (request.method != "GET" && request.method != "HEAD")
    return wrong_method("GET, POST and DELETE");
  const auto query = request.query();
  const auto source = query.find("source");
  const bool staged =
      flag(query, "staging", false) || (source != query.end() && source->second == "staged");
  return json(staged ? staged_ : active_);
}

HttpResponse OusterHttp::set_config(const HttpRequest& request) {
  const Json parameters = Json::parse(request.body, nullptr, false);
  if (!parameters.is_object()) return bad_request("the body is no JSON object");
  const auto query = request.query();
  if (const std::string why = stage(parameters, false, request.client); !why.empty()) {
    return bad_request(why);
  }
  if (flag(query, "reinit", true)) reinitialize();
  return {204, "", ""};
}

HttpResponse OusterHttp::command(const HttpRequest& request, const std::string& name) {
  if (request.method != "GET" && request.method != "POST") return wrong_method("GET and POST");
  const auto query = request.query();
  const auto found = query.find("args");
  const std::string arguments = found == query.end() ? "" : found->second;
  if (name == "get_config_param") return get_config_param(arguments);
  if (name == "set_config_param") return set_config_param(arguments, request.client);
  if (name == "set_udp_dest_auto") {
    const std::string why = stage({{"udp_dest", "@auto"}}, false, request.client);
    return why.empty() ? json(Json::object()) : bad_request(why);
  }
  if (name == "reinitialize") {
    reinitialize();
    return json(Json::object());
  }
  // A run is one life of the sensor: there is nothing that it could forget.
  if (name == "save_config_params") return json(Json::object());
  if (name == "get_time_info") return json(time_of_sensor());
  constexpr std::string_view kGet = "get_";
  if (name.starts_with(kGet) && metadata_.contains(name.substr(kGet.size()))) {
    return metadata(name.substr(kGet.size()));
  }
  return not_found("command '" + name + "'");
}

HttpResponse OusterHttp::get_config_param(const std::string& arguments) const {
  const std::string which = arguments.substr(0, arguments.find(' '));
  if (which != "active" && which != "staged") return bad_request("args must be active or staged");
  const Json& all = which == "active" ? active_ : staged_;
  if (which.size() == arguments.size()) return json(all);
  const auto it = all.find(arguments.substr(which.size() + 1));
  return it == all.end() ? bad_request("there is no such parameter") : json(*it);
}

HttpResponse OusterHttp::set_config_param(const std::string& arguments, const Ipv4& client) {
  const std::size_t space = arguments.find(' ');
  if (space == std::string::npos) return bad_request("args must be a parameter and its value");
  const std::string name = arguments.substr(0, space), text = arguments.substr(space + 1);
  Json value = Json::parse(text, nullptr, false);
  if (value.is_discarded()) value = text;  // 1024x10
  std::string why;
  if (name != ".") {
    why = stage({{name, value}}, false, client);
  } else if (value.is_object()) {
    why = stage(value, true, client);
  } else {
    why = "the value of '.' is no JSON object";
  }
  if (why.empty()) return json("set_config_param");
  return bad_request(fmt::format("Command \"set_config_param\" failed: error: {}", why));
}

HttpResponse OusterHttp::user_data(const HttpRequest& request) {
  const auto query = request.query();
  const char* policy = keep_user_data_ ? "keep_on_config_delete" : "clear_on_config_delete";
  if (request.method == "GET") {
    if (flag(query, "include_metadata", false)) {
      return json({{"policy", policy}, {"value", user_data_}});
    }
    return json(user_data_);
  }
  if (request.method == "DELETE") {
    user_data_.clear();
    return {204, "", ""};
  }
  if (request.method != "PUT") return wrong_method("GET, PUT and DELETE");
  const Json value = Json::parse(request.body, nullptr, false);
  if (!value.is_string() || value.get_ref<const std::string&>().size() > kMostUserData) {
    return bad_request(
        fmt::format("user data are a JSON string of at most {} bytes", kMostUserData));
  }
  user_data_ = value.get<std::string>();
  const auto wanted = query.find("policy");
  keep_user_data_ = wanted != query.end() && wanted->second == "keep_on_config_delete";
  return {204, "", ""};
}

nlohmann::ordered_json OusterHttp::time_of_sensor() const {
  return {{"multipurpose_io",
           {{"mode", active_["multipurpose_io_mode"]},
            {"nmea",
             {{"baud_rate", active_["nmea_baud_rate"]},
              {"ignore_valid_char", active_["nmea_ignore_valid_char"]},
              {"leap_seconds", active_["nmea_leap_seconds"]},
              {"locked", 0},
              {"polarity", active_["nmea_in_polarity"]}}},
            {"sync_pulse_out",
             {{"angle_deg", active_["sync_pulse_out_angle"]},
              {"frequency_hz", active_["sync_pulse_out_frequency"]},
              {"polarity", active_["sync_pulse_out_polarity"]},
              {"pulse_width_ms", active_["sync_pulse_out_pulse_width"]}}}}},
          {"sync_pulse_in", {{"locked", 0}, {"polarity", active_["sync_pulse_in_polarity"]}}},
          {"timestamp",
           {{"mode", active_["timestamp_mode"]},
            {"time", time()},
            {"time_options",
             {{"internal_osc", static_cast<std::int64_t>(time())},
              {"ptp_1588", 0},
              {"sync_pulse_in", 0}}}}}};
}

nlohmann::ordered_json OusterHttp::time_of_system() const {
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  return {{"monotonic", time()}, {"realtime", now.count()}};
}

std::string OusterHttp::stage(const Json& parameters, bool only_known, const Ipv4& client) {
  Json next = staged_;
  const Json sender = to_text(client);
  for (const auto& [name, sent] : parameters.items()) {
    if (only_known && !next.contains(name)) continue;
    const bool automatic = name == "udp_dest" && sent == "@auto";
    const Json& value = automatic ? sender : sent;  // no copy: it may be deep
    const std::string why = check_ouster_parameter(
        active_, name, value,
        [this](const std::string& address) { return check_destination(address); });
    if (!why.empty()) return fmt::format("parameter '{}': {}", name.substr(0, 100), why);
    next[name] = value;
  }
  staged_ = std::move(next);
  return "";
}

void OusterHttp::reinitialize() {
  active_ = staged_;
  DeviceSettings next = settings();
  next.address = ipv4_of(active_["udp_dest"].get<std::string>()).value_or(next.address);
  next.ports = {active_["udp_port_lidar"].get<std::uint16_t>()};
  next.sending = active_["operating_mode"] == "NORMAL";
  next.profile = active_["udp_profile_lidar"].get<std::string>();
  ++next.initialization;
  hand_over(std::move(next));
}

}  // namespace protobeam
