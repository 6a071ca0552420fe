// Ouster's HTTP interface, as firmware 2.5 has it: metadata, configuration with its staged and its
// active half, time, telemetry ("HTTP API Reference Guide", static.ouster.dev/sensor-docs; what
// drivers ask for: ouster-sdk, sensor_http_imp.cpp and client.cpp). The commands of the older
// interface
// (/api/v1/sensor/cmd/...) are the ones that ouster-sdk uses with this firmware.
#pragma once

#include <nlohmann/json.hpp>

#include "output/packets/device_http.h"

namespace protobeam {

class OusterHttp : public DeviceHttp {
 public:
  /// `metadata` is the whole, as it stands beside captures; its configuration says where packets
  /// go.
  OusterHttp(nlohmann::ordered_json metadata, DeviceSettings settings);

  HttpResponse answer(const HttpRequest& request) override;

 private:
  using Json = nlohmann::ordered_json;

  HttpResponse metadata(const std::string& part) const;
  HttpResponse config(const HttpRequest& request);
  HttpResponse set_config(const HttpRequest& request);
  HttpResponse command(const HttpRequest& request, const std::string& name);
  HttpResponse get_config_param(const std::string& arguments) const;
  HttpResponse set_config_param(const std::string& arguments, const Ipv4& client);
  HttpResponse user_data(const HttpRequest& request);
  Json time_of_sensor() const;
  Json time_of_system() const;
  /// All of `parameters` or, with the reason, none of them. Commands leave out names that firmware
  /// does not know: ouster-sdk sends all that it knows.
  std::string stage(const Json& parameters, bool only_known, const Ipv4& client);
  void reinitialize();

  Json metadata_, factory_, active_, staged_;
  std::string user_data_;
  bool keep_user_data_ = false;
};

}  // namespace protobeam
