// The HTTP interface behind the web page of Velodynes: the VLP-16's, which the HDL-32E and the
// VLP-32C share ("VLP-16 User Manual" 63-9243, section 10.2; the contents of settings.json, which
// it does not print, as nebula's and velodyne_monitor's drivers read them).
//
//   GET  /cgi/info.json, /cgi/status.json, /cgi/settings.json, /cgi/diag.json
//   POST /cgi/setting           rpm, returns, laser
//        /cgi/setting/host      addr, dport, tport
//        /cgi/setting/fov       start, end
//        /cgi/setting/net       addr, mask, gateway, dhcp
//        /cgi/setting/phaselock enabled, offset
//        /cgi/save              data=submit: what has been set outlives a reset
//        /cgi/reset             data=reset_system: back to what was saved
#pragma once

#include "output/packets/device_http.h"

namespace protobeam {

struct VelodyneHttpFacts {
  std::string model;  ///< "VLP-16"
  std::string serial;
  std::array<std::uint8_t, 6> mac{};
  int rpm = 600;
  bool any_returns = false;  ///< its beams have two returns: it may report either or both
};

class VelodyneHttp : public DeviceHttp {
 public:
  /// `settings` has the ports of data and position packets, and the returns.
  VelodyneHttp(VelodyneHttpFacts facts, DeviceSettings settings);

  HttpResponse answer(const HttpRequest& request) override;

 private:
  using Form = std::map<std::string, std::string>;

  HttpResponse post(const std::string& path, const Form& form);
  /// "" or why the setting is refused. A group is "", "host", ...
  std::string set(const std::string& group, const std::string& name, const std::string& value,
                  DeviceSettings& next) const;
  std::string status() const;
  std::string all_settings() const;

  VelodyneHttpFacts facts_;
  DeviceSettings saved_;
};

}  // namespace protobeam
