#include "output/packets/velodyne_http.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace protobeam {
namespace {

using Json = nlohmann::ordered_json;

HttpResponse page(const Json& value) { return {200, "application/json", value.dump()}; }
HttpResponse refuse(int status, std::string why) {
  return {status, "text/plain", std::move(why) + "\n"};
}

bool same_word(const std::string& a, const char* b) {
  return std::ranges::equal(a, std::string_view(b), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

std::optional<int> whole_number(const std::string& value) {
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) return std::nullopt;
  return number;
}

/// The converters' counts, 4096 of 5 V (section 10.2.3.2).
int counts(double volts) { return static_cast<int>(std::lround(volts * 4096 / 5)); }
/// Of an LM20 at this temperature (deg C).
int lm20(double temperature) {
  const double t = temperature + 1481.96;
  return counts(1.8639 - 3.88e-6 * (t * t - 2.1962e6));
}

/// A sensor at 12 V that takes 8 W, at 30 deg C.
Json diagnostics() {
  constexpr double kCurrent = 8.0 / 12, kHighVoltage = -140;
  return {{"volt_temp",
           {{"top",
             {{"hv", counts(kHighVoltage / 101 + 5)},
              {"lm20_temp", lm20(30)},
              {"pwr_5v", counts(5.0 / 2)},
              {"pwr_2_5v", counts(2.5)},
              {"pwr_3_3v", counts(3.3)},
              {"pwr_5v_raw", counts(5.0 / 2)},
              {"pwr_vccint", counts(1.2)}}},
            {"bot",
             {{"i_out", counts(2.5 + kCurrent / 10)},
              {"lm20_temp", lm20(30)},
              {"pwr_1_2v", counts(1.2)},
              {"pwr_1_25v", counts(1.25)},
              {"pwr_2_5v", counts(2.5)},
              {"pwr_3_3v", counts(3.3)},
              {"pwr_5v", counts(5.0 / 2)},
              {"pwr_v_in", counts(12.0 / 11)}}}}}};
}

}  // namespace

VelodyneHttp::VelodyneHttp(VelodyneHttpFacts facts, DeviceSettings settings)
    : DeviceHttp(settings), facts_(std::move(facts)), saved_(std::move(settings)) {}

HttpResponse VelodyneHttp::answer(const HttpRequest& request) {
  const std::string path = request.path();
  if (request.method == "POST") return post(path, decode_form(request.body));
  if (request.method != "GET" && request.method != "HEAD") return refuse(405, "Only GET and POST.");
  if (path == "/cgi/info.json") {
    const auto& m = facts_.mac;
    return page({{"model", facts_.model},
                 {"serial", facts_.serial},
                 {"mac_addr", fmt::format("{:02x}-{:02x}-{:02x}-{:02x}-{:02x}-{:02x}", m[0], m[1],
                                          m[2], m[3], m[4], m[5])}});
  }
  if (path == "/cgi/status.json") return {200, "application/json", status()};
  if (path == "/cgi/settings.json") return {200, "application/json", all_settings()};
  if (path == "/cgi/diag.json") return page(diagnostics());
  return refuse(404, "There is no such page.");
}

std::string VelodyneHttp::status() const {
  // Locked, as its position packets say, which have the position, too.
  return Json{{"gps", {{"pps_state", "Locked"}, {"position", ""}}},
              {"motor", {{"state", "On"}, {"rpm", facts_.rpm}, {"lock", "Off"}, {"phase", 0}}},
              {"laser", {{"state", "On"}}}}
      .dump();
}

std::string VelodyneHttp::all_settings() const {
  const DeviceSettings& now = settings();
  return Json{
      {"returns", now.returns},
      {"rpm", facts_.rpm},
      {"laser", "On"},
      {"fov", {{"start", 0}, {"end", 359}}},
      {"phaselock", {{"enabled", "Off"}, {"offset", 0}}},
      {"host", {{"addr", to_text(now.address)}, {"dport", now.ports[0]}, {"tport", now.ports[1]}}},
      {"net",
       {{"addr", "127.0.0.1"}, {"mask", "255.0.0.0"}, {"gateway", "0.0.0.0"}, {"dhcp", "Off"}}}}
      .dump();
}

HttpResponse VelodyneHttp::post(const std::string& path, const Form& form) {
  if (path == "/cgi/save") {
    saved_ = settings();
    return {204, "", ""};
  }
  if (path == "/cgi/reset") {
    const auto data = form.find("data");
    if (data == form.end() || data->second != "reset_system")
      return refuse(400, "data must be reset_system.");
    hand_over(saved_);
    return {204, "", ""};
  }
  constexpr std::string_view kSetting = "/cgi/setting";
  if (!path.starts_with(kSetting)) return refuse(404, "There is no such page.");
  std::string group = path.substr(kSetting.size());
  if (group.starts_with('/')) group.erase(0, 1);
  if (form.empty()) return refuse(400, "There is no setting.");
  DeviceSettings next = settings();
  for (const auto& [name, value] : form) {
    const std::string why = set(group, name, value, next);
    if (!why.empty()) return refuse(400, why);
  }
  hand_over(std::move(next));
  return {204, "", ""};
}

std::string VelodyneHttp::set(const std::string& group, const std::string& name,
                              const std::string& value, DeviceSettings& next) const {
  const auto kept = [&](const char* what, bool is_now) {
    return is_now ? std::string() : fmt::format("The simulated sensor keeps its {}.", what);
  };
  const std::string place = group.empty() ? name : group + "/" + name;
  if (place == "rpm") {
    const auto rpm = whole_number(value);
    if (!rpm || *rpm < 300 || *rpm > 1200 || *rpm % 60 != 0) {
      return "rpm must be 300 to 1200, a multiple of 60.";
    }
    return kept(fmt::format("speed of {} rpm", facts_.rpm).c_str(), *rpm == facts_.rpm);
  }
  if (place == "returns") {
    for (const char* known : {"Strongest", "Last", "Dual"}) {
      if (!same_word(value, known)) continue;
      if (!facts_.any_returns && next.returns != known) {
        return fmt::format("Its beams have the {} return only: give the lidar returnMode \"dual\".",
                           next.returns == "Last" ? "last" : "strongest");
      }
      next.returns = known;
      return "";
    }
    return "returns must be Strongest, Last or Dual.";
  }
  if (place == "laser") return kept("laser on", same_word(value, "On"));
  if (place == "host/addr") {
    const std::string why = check_destination(value);
    if (!why.empty()) return fmt::format("addr: {}.", why);
    next.address = *ipv4_of(value);
    return "";
  }
  if (place == "host/dport" || place == "host/tport") {
    const auto port = whole_number(value);
    if (!port || *port < 1 || *port > 65535) return name + " must be 1 to 65535.";
    next.ports[place == "host/dport" ? 0 : 1] = static_cast<std::uint16_t>(*port);
    return "";
  }
  if (place == "fov/start") return kept("field of view of 0 to 359", value == "0");
  if (place == "fov/end")
    return kept("field of view of 0 to 359", value == "359" || value == "360");
  if (place == "phaselock/enabled") return kept("phase free", same_word(value, "Off"));
  if (place == "phaselock/offset" || place == "phaselock/offsetInput") return "";  // off
  if (place == "net/dhcp") return kept("address", same_word(value, "Off"));
  if (place == "net/addr") return kept("address", value == "127.0.0.1");
  if (place == "net/mask") return kept("address", value == "255.0.0.0");
  if (place == "net/gateway") return kept("address", value == "0.0.0.0");
  return "There is no such setting.";
}

}  // namespace protobeam
