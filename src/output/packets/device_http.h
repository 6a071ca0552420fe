// What real lidars answer over HTTP: settings and what drivers need to know of the device. Requests
// come from the thread of a server (device_server.h), what they have set is taken by the
// simulation's thread between two steps.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace protobeam {

using Ipv4 = std::array<std::uint8_t, 4>;

/// "127.0.0.1", and back: nothing for text that is no address.
std::string to_text(const Ipv4& address);
std::optional<Ipv4> ipv4_of(const std::string& text);

struct HttpRequest {
  std::string method;  ///< "GET"
  std::string target;  ///< as it was sent: "/api/v1/sensor/config?staging=true"
  std::string body;
  Ipv4 client{};  ///< the sender's address

  std::string path() const { return target.substr(0, target.find('?')); }
  /// What stands behind '?', decoded.
  std::map<std::string, std::string> query() const;
};

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body;
};

/// "a=1&b=x%20y" as forms are sent: a and b. Of a name that stands twice, the last one.
std::map<std::string, std::string> decode_form(std::string_view text);

/// What drivers may change in a running device.
struct DeviceSettings {
  Ipv4 address{127, 0, 0, 1};        ///< where packets go, ...
  std::vector<std::uint16_t> ports;  ///< ... by their places in PacketEncoder::ports()
  bool sending = true;
  std::string profile;               ///< Ouster: layout of the lidar packets; "": as it was
  std::uint32_t initialization = 1;  ///< Ouster: one more each time that the device starts again
  std::string returns;               ///< Velodyne: "Strongest", "Last" or "Dual"; "": as it was
};

class DeviceHttp {
 public:
  /// Packets may be sent to other addresses of loopback than that of `settings`, not to others.
  explicit DeviceHttp(DeviceSettings settings);
  virtual ~DeviceHttp() = default;

  /// Never throws for what clients send. One call at a time.
  virtual HttpResponse answer(const HttpRequest& request) = 0;

  /// By the simulation's thread: what has been set since the last call.
  std::optional<DeviceSettings> take_settings();
  /// s of simulated time.
  void set_time(double time) { time_ = time; }

 protected:
  const DeviceSettings& settings() const { return settings_; }
  /// For take_settings().
  void hand_over(DeviceSettings settings);
  /// What was handed over is not yet taken.
  bool is_waiting() const;
  double time() const { return time_; }
  /// "" or why packets cannot be sent there.
  std::string check_destination(const std::string& address) const;

 private:
  DeviceSettings settings_;  ///< of the thread that answers
  Ipv4 named_;               ///< by the person who started the run
  mutable std::mutex mutex_;
  std::optional<DeviceSettings> waiting_;
  std::atomic<double> time_{0};
};

}  // namespace protobeam
