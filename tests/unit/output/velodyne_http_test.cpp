// The HTTP interface of Velodynes: each page, what it takes and what it refuses.
#include "output/packets/velodyne_http.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/unit/output/packet_check.h"

namespace protobeam {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class VelodyneOverHttp : public testing::Test {
 protected:
  explicit VelodyneOverHttp(const std::string& returns = "strongest") {
    lidar_.return_mode = returns;
    encoder_ = make_packet_encoder(lidar_.source());
    http_ = encoder_->make_http({.ports = {2368, 8308}});
  }

  HttpResponse post(const std::string& path, const std::string& form) {
    return http_->answer({"POST", "/cgi/" + path, form, {127, 0, 0, 1}});
  }
  json get(const std::string& page) {
    const HttpResponse response = http_->answer({"GET", "/cgi/" + page, "", {127, 0, 0, 1}});
    EXPECT_EQ(response.status, 200) << page;
    return json::parse(response.body);
  }

  RoomLidar lidar_ = vlp16();
  std::unique_ptr<PacketEncoder> encoder_;
  std::unique_ptr<DeviceHttp> http_;
};

class DualVelodyneOverHttp : public VelodyneOverHttp {
 protected:
  DualVelodyneOverHttp() : VelodyneOverHttp("dual") {}
};

TEST_F(VelodyneOverHttp, SaysWhatItIs) {
  const json info = get("info.json");
  EXPECT_EQ(info["model"], "VLP-16");
  EXPECT_EQ(info["mac_addr"], "02-00-00-00-00-c9");
  EXPECT_FALSE(info["serial"].get<std::string>().empty());
  EXPECT_EQ(make_packet_encoder(vlp32c().source())
                ->make_http({.ports = {2368, 8308}})
                ->answer({"GET", "/cgi/info.json", "", {}})
                .body.substr(0, 18),
            R"({"model":"VLP-32C")");
}

// The manual's example response, section 10.2.3.5.
TEST_F(VelodyneOverHttp, SaysHowItIs) {
  const json status = get("status.json");
  EXPECT_EQ(status["motor"], json({{"state", "On"}, {"rpm", 600}, {"lock", "Off"}, {"phase", 0}}));
  EXPECT_EQ(status["laser"]["state"], "On");
  EXPECT_EQ(status["gps"]["pps_state"], "Locked");
  EXPECT_TRUE(status["gps"].contains("position"));
}

// With the manual's conversions, section 10.2.3.3, all values are in the ranges that it gives.
TEST_F(VelodyneOverHttp, ItsDiagnosticsAreThoseOfAHealthySensor) {
  const json all = get("diag.json")["volt_temp"];
  const auto volts = [&](const char* board, const char* name) {
    return all.at(board).at(name).get<int>() * 5.0 / 4096;
  };
  const auto celsius = [](double v) {
    return -1481.96 + std::sqrt(2.1962e6 + (1.8639 - v) / 3.88e-6);
  };
  EXPECT_NEAR(celsius(volts("top", "lm20_temp")), 30, 0.2);
  EXPECT_NEAR(celsius(volts("bot", "lm20_temp")), 30, 0.2);
  EXPECT_NEAR(11 * volts("bot", "pwr_v_in"), 12, 0.01);
  EXPECT_NEAR(10 * (volts("bot", "i_out") - 2.5), 0.67, 0.02);
  EXPECT_NEAR(101 * (volts("top", "hv") - 5), -141, 9);
  EXPECT_NEAR(2 * volts("top", "pwr_5v"), 5, 0.01);
  EXPECT_NEAR(volts("top", "pwr_vccint"), 1.2, 0.01);
}

TEST_F(VelodyneOverHttp, ItsHostCanBeSet) {
  EXPECT_EQ(get("settings.json")["host"],
            json({{"addr", "127.0.0.1"}, {"dport", 2368}, {"tport", 8308}}));
  EXPECT_EQ(post("setting/host", "addr=127.0.0.2&dport=12000&tport=12001").status, 204);
  const auto settings = http_->take_settings();
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->address, (Ipv4{127, 0, 0, 2}));
  EXPECT_EQ(settings->ports, (std::vector<std::uint16_t>{12000, 12001}));
  EXPECT_EQ(get("settings.json")["host"],
            json({{"addr", "127.0.0.2"}, {"dport", 12000}, {"tport", 12001}}));
}

TEST_F(VelodyneOverHttp, AResetGoesBackToWhatWasSaved) {
  EXPECT_EQ(post("setting/host", "dport=12000").status, 204);
  EXPECT_EQ(post("save", "data=submit").status, 204);
  EXPECT_EQ(post("setting/host", "dport=13000").status, 204);
  EXPECT_EQ(post("reset", "data=reset_system").status, 204);
  EXPECT_EQ(http_->take_settings().value().ports[0], 12000);
  EXPECT_EQ(post("reset", "data=all").status, 400);
}

TEST_F(VelodyneOverHttp, WhatItIsAlreadyCanBeSet) {
  EXPECT_EQ(post("setting", "rpm=600&returns=Strongest&laser=on").status, 204);
  EXPECT_EQ(post("setting/fov", "start=0&end=359").status, 204);
  EXPECT_EQ(post("setting/phaselock", "enabled=off&offset=0&offsetInput=0").status, 204);
  EXPECT_EQ(post("setting/net", "dhcp=off").status, 204);
}

TEST_F(VelodyneOverHttp, RefusesWhatItCannotDo) {
  const struct {
    const char *path, *form, *why;
  } cases[] = {
      {"setting", "rpm=1200", "keeps its speed of 600 rpm"},
      {"setting", "rpm=610", "a multiple of 60"},
      {"setting", "rpm=fast", "a multiple of 60"},
      {"setting", "returns=Dual", "returnMode \"dual\""},
      {"setting", "returns=Weakest", "must be Strongest, Last or Dual"},
      {"setting", "laser=off", "keeps its laser on"},
      {"setting", "colour=red", "no such setting"},
      {"setting", "", "no setting"},
      {"setting/host", "addr=192.168.1.7", "loopback"},
      {"setting/host", "addr=somewhere", "no IPv4 address"},
      {"setting/host", "dport=12000&tport=0", "tport must be 1 to 65535"},
      {"setting/host", "dport=99999999999", "dport must be 1 to 65535"},
      {"setting/fov", "start=90", "field of view"},
      {"setting/net", "addr=192.168.1.9", "keeps its address"},
      {"setting/phaselock", "enabled=on", "keeps its phase free"},
      {"setting/host", "%zz=%&&==&\xff", "no such setting"},
  };
  for (const auto& c : cases) {
    const HttpResponse response = post(c.path, c.form);
    EXPECT_EQ(response.status, 400) << c.form;
    EXPECT_THAT(response.body, HasSubstr(c.why)) << c.form;
  }
  EXPECT_FALSE(http_->take_settings());  // also of forms with one mistake
  EXPECT_EQ(post("status.json", "").status, 404);
  EXPECT_EQ(http_->answer({"GET", "/cgi/setting", "", {}}).status, 404);
  EXPECT_EQ(http_->answer({"PUT", "/cgi/setting", "", {}}).status, 405);
}

// Byte 1204 of a data packet says which returns it has: 0x37, 0x38 or 0x39.
TEST_F(DualVelodyneOverHttp, ReportsTheReturnsThatAreSet) {
  const auto sweeps = room_sweeps(lidar_, 3);
  const struct {
    const char* form;
    unsigned mode;
  } cases[] = {{"returns=Last", 0x38}, {"returns=strongest", 0x37}, {"returns=Dual", 0x39}};
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(post("setting", cases[i].form).status, 204);
    encoder_->apply(http_->take_settings().value());
    KeptPackets packets;
    encoder_->encode(sweeps[i], keep_in(packets));
    const KeptPackets data = of_port(packets, 2368);
    // 1808 firings: 24 in a packet, 12 with both returns.
    EXPECT_EQ(data.size(), cases[i].mode == 0x39 ? 150u : 75u);
    for (const KeptPacket& packet : data) ASSERT_EQ(packet.byte(1204), cases[i].mode);
  }
  EXPECT_EQ(get("settings.json")["returns"], "Dual");
}

TEST(LidarsWithoutHttp, HaveNone) {
  EXPECT_FALSE(make_packet_encoder(hdl64e().source())->make_http({.ports = {2368}}));
  EXPECT_FALSE(make_packet_encoder(helios().source())->make_http({.ports = {6699, 7788}}));
}

}  // namespace
}  // namespace protobeam
