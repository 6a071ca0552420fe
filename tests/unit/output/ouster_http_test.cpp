// Ouster's HTTP interface: each path, what it takes and what it refuses.
#include "output/packets/ouster_http.h"

#include <gmock/gmock.h>

#include "tests/unit/output/ouster_reader.h"

namespace protobeam {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

/// An OS-1-64 that sends to udp://127.0.0.1.
class OusterOverHttp : public testing::Test {
 protected:
  OusterOverHttp()
      : encoder_(make_packet_encoder(lidar_.source())),
        http_(encoder_->make_http({.ports = {7502}})) {}

  HttpResponse ask(const std::string& method, const std::string& target,
                   const std::string& body = "") {
    return http_->answer({method, "/api/v1/" + target, body, {127, 0, 0, 1}});
  }
  json get(const std::string& target) {
    const HttpResponse response = ask("GET", target);
    EXPECT_EQ(response.status, 200) << target;
    return json::parse(response.body);
  }
  void expect_refused(const HttpResponse& response, int status, const std::string& why) {
    EXPECT_EQ(response.status, status);
    EXPECT_THAT(json::parse(response.body)["error"]["description"].get<std::string>(),
                HasSubstr(why));
  }

  const RoomLidar lidar_ = ouster(1, 64, 1024);
  std::unique_ptr<PacketEncoder> encoder_;
  std::unique_ptr<DeviceHttp> http_;
};

TEST_F(OusterOverHttp, HasTheMetadataThatStandsBesideCaptures) {
  const json all = get("sensor/metadata");
  json beside = json::parse(encoder_->side_files().at(0).text);
  EXPECT_EQ(all["config_params"]["udp_dest"], "127.0.0.1");
  beside["config_params"]["udp_dest"] = "127.0.0.1";
  EXPECT_EQ(all, beside);
  for (const char* part : {"sensor_info", "beam_intrinsics", "lidar_intrinsics", "imu_intrinsics",
                           "lidar_data_format", "calibration_status"}) {
    EXPECT_EQ(get(std::string("sensor/metadata/") + part), all[part]) << part;
    EXPECT_EQ(get(std::string("sensor/cmd/get_") + part), all[part]) << part;
  }
  expect_refused(ask("GET", "sensor/metadata/nothing"), 404, "there is no metadata 'nothing'");
  EXPECT_EQ(get("system/firmware")["fw"], all["sensor_info"]["image_rev"]);
}

TEST_F(OusterOverHttp, TellsTheTimeOfTheSimulation) {
  http_->set_time(12.5);
  EXPECT_EQ(get("time/sensor")["timestamp"]["time"], 12.5);
  EXPECT_EQ(get("time/sensor")["timestamp"]["time_options"]["internal_osc"], 12);
  EXPECT_EQ(get("time/system")["monotonic"], 12.5);
  EXPECT_EQ(get("time")["sensor"], get("time/sensor"));
  EXPECT_EQ(get("sensor/telemetry")["timestamp_ns"], 12'500'000'000);
}

TEST_F(OusterOverHttp, StagesParametersUntilItIsReinitialized) {
  EXPECT_EQ(ask("GET", "sensor/cmd/set_config_param?args=udp_port_lidar+17000").body,
            "\"set_config_param\"");
  EXPECT_EQ(get("sensor/cmd/get_config_param?args=active")["udp_port_lidar"], 7502);
  EXPECT_EQ(get("sensor/cmd/get_config_param?args=staged")["udp_port_lidar"], 17000);
  EXPECT_EQ(get("sensor/cmd/get_config_param?args=staged+udp_port_lidar"), 17000);
  EXPECT_EQ(get("sensor/config?staging=true")["udp_port_lidar"], 17000);
  EXPECT_EQ(get("sensor/config")["udp_port_lidar"], 7502);
  EXPECT_FALSE(http_->take_settings());

  EXPECT_EQ(ask("GET", "sensor/cmd/reinitialize").body, "{}");
  EXPECT_EQ(get("sensor/config")["udp_port_lidar"], 17000);
  // Its packets are the old ones until the simulation has made its next step.
  EXPECT_EQ(get("sensor/metadata/sensor_info")["status"], "INITIALIZING");
  const auto settings = http_->take_settings();
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->ports, std::vector<std::uint16_t>{17000});
  EXPECT_TRUE(settings->sending);
  EXPECT_EQ(get("sensor/metadata/sensor_info")["status"], "RUNNING");
  EXPECT_EQ(get("sensor/metadata/sensor_info")["initialization_id"], settings->initialization);
  EXPECT_EQ(ask("GET", "sensor/cmd/save_config_params").body, "{}");
}

// What set_config() of ouster-sdk sends: all parameters that it knows, in the first line.
TEST_F(OusterOverHttp, TakesAWholeConfiguration) {
  const HttpResponse response =
      ask("GET",
          "sensor/cmd/set_config_param?args=.+%7B%22udp_dest%22%3A%22127.0.0.9%22%2C%22udp_port_imu"
          "%22%3A17001%2C%22auto_start_flag%22%3A1%2C%22lidar_mode%22%3A%221024x10%22%7D");
  EXPECT_EQ(response.body, "\"set_config_param\"");
  const json staged = get("sensor/cmd/get_config_param?args=staged");
  EXPECT_EQ(staged["udp_dest"], "127.0.0.9");
  EXPECT_EQ(staged["udp_port_imu"], 17001);
  EXPECT_FALSE(staged.contains("auto_start_flag"));
}

TEST_F(OusterOverHttp, SendsToItsClientWhenAsked) {
  EXPECT_EQ(http_->answer({"GET", "/api/v1/sensor/cmd/set_udp_dest_auto", "", {127, 0, 0, 7}}).body,
            "{}");
  EXPECT_EQ(get("sensor/config?source=staged")["udp_dest"], "127.0.0.7");
  const HttpResponse post =
      ask("POST", "sensor/config?reinit=False&persist=False", R"({"udp_dest": "@auto"})");
  EXPECT_EQ(post.status, 204);
  EXPECT_EQ(get("sensor/config?staging=true")["udp_dest"], "127.0.0.1");
  EXPECT_FALSE(http_->take_settings());
}

TEST_F(OusterOverHttp, APostedConfigurationIsActiveAtOnce) {
  EXPECT_EQ(
      ask("POST", "sensor/config", R"({"udp_port_lidar": 18000, "udp_dest": "127.0.0.1"})").status,
      204);
  EXPECT_EQ(http_->take_settings().value().ports[0], 18000);
  EXPECT_EQ(ask("POST", "sensor/config", R"({"operating_mode": "STANDBY"})").status, 204);
  EXPECT_FALSE(http_->take_settings().value().sending);
  EXPECT_EQ(get("sensor/metadata/sensor_info")["status"], "STANDBY");
  EXPECT_EQ(ask("DELETE", "sensor/config").status, 204);
  const auto factory = http_->take_settings();
  EXPECT_EQ(factory.value().ports[0], 7502);
  EXPECT_TRUE(factory->sending);
}

TEST_F(OusterOverHttp, RefusesAllOfAConfigurationWithOneMistake) {
  const auto post = [this](const char* body) { return ask("POST", "sensor/config", body); };
  const json before = get("sensor/config?staging=true");
  const struct {
    const char *body, *why;
  } cases[] = {
      {R"({"udp_port_lidar": 1, "udp_dest": "8.8.8.8"})", "sent to loopback (127.0.0.1)"},
      {R"({"udp_port_lidar": 1, "udp_dest": "sensor.local"})", "no IPv4 address"},
      {R"({"udp_dest": 7})", "must be an address"},
      {R"({"udp_port_imu": 70000})", "must be 1 to 65535"},
      {R"({"udp_port_lidar": "7502"})", "must be 1 to 65535"},
      {R"({"udp_port_lidar": 7502.5})", "must be 1 to 65535"},
      {R"({"lidar_mode": "2048x10"})", "the simulated sensor keeps \"1024x10\""},
      {R"({"timestamp_mode": "TIME_FROM_PTP_1588"})", "keeps \"TIME_FROM_INTERNAL_OSC\""},
      {R"({"azimuth_window": [0, 90000]})", "keeps [0,360000]"},
      {R"({"operating_mode": "FAST"})", "must be NORMAL or STANDBY"},
      {R"({"udp_profile_lidar": "RNG15_RFL8_NIR8"})", "must be LEGACY or RNG19"},
      {R"({"no_such_thing": 1})", "parameter 'no_such_thing': there is no such parameter"},
      {"[1, 2]", "no JSON object"},
      {"{", "no JSON object"},
      {"", "no JSON object"},
  };
  for (const auto& c : cases) expect_refused(post(c.body), 400, c.why);
  expect_refused(ask("GET", "sensor/cmd/set_config_param?args=lidar_mode+1"), 400,
                 "set_config_param");
  expect_refused(ask("GET", "sensor/cmd/set_config_param?args=udp_dest"), 400, "and its value");
  expect_refused(ask("GET", "sensor/cmd/set_config_param?args=.+7"), 400, "no JSON object");
  expect_refused(ask("GET", "sensor/cmd/set_config_param"), 400, "and its value");
  expect_refused(ask("GET", "sensor/cmd/get_config_param?args=all"), 400, "active or staged");
  EXPECT_EQ(get("sensor/config?staging=true"), before);
  EXPECT_FALSE(http_->take_settings());
}

TEST_F(OusterOverHttp, KeepsUserData) {
  EXPECT_EQ(ask("GET", "user/data").body, "\"\"");
  EXPECT_EQ(ask("PUT", "user/data?policy=keep_on_config_delete", "\"left \\u00e9\"").status, 204);
  EXPECT_EQ(get("user/data"), "left \u00e9");
  EXPECT_EQ(ask("DELETE", "sensor/config").status, 204);
  EXPECT_EQ(get("user/data?include_metadata=true"),
            json({{"policy", "keep_on_config_delete"}, {"value", "left \u00e9"}}));
  expect_refused(ask("PUT", "user/data", "7"), 400, "JSON string");
  expect_refused(ask("PUT", "user/data", '"' + std::string(40000, 'a') + '"'), 400,
                 "at most 32768");
  EXPECT_EQ(ask("DELETE", "user/data").status, 204);
  EXPECT_EQ(get("user/data"), "");
}

TEST_F(OusterOverHttp, WhatItHasNotIsRefused) {
  expect_refused(ask("GET", "sensor/nothing"), 404, "there is no /api/v1/sensor/nothing");
  expect_refused(ask("GET", "sensor/cmd/explode"), 404, "command 'explode'");
  expect_refused(ask("PUT", "sensor/config"), 405, "GET, POST and DELETE");
  expect_refused(ask("POST", "sensor/metadata"), 405, "only GET");
  EXPECT_EQ(http_->answer({"GET", "/", "", {}}).status, 404);
  EXPECT_EQ(http_->answer({"", "", "", {}}).status, 404);
}

// Bytes that are no UTF-8, and lists in lists, come back in no answer as they were.
TEST_F(OusterOverHttp, SurvivesGarbage) {
  EXPECT_EQ(ask("GET", "sensor/\xff\xfe%ff%0").status, 404);
  EXPECT_EQ(ask("GET", "sensor/cmd/set_config_param?args=%ff%fe+%ff").status, 400);
  EXPECT_EQ(ask("GET", "sensor/cmd/set_config_param?args=udp_dest+%ff%fe").status, 400);
  EXPECT_EQ(ask("GET", "sensor/cmd/get_config_param?args=active+%ff").status, 400);
  const std::string deep(60000, '[');
  EXPECT_EQ(ask("POST", "sensor/config", deep).status, 400);
  const std::string closed = deep + std::string(60000, ']');
  expect_refused(ask("POST", "sensor/config", R"({"udp_port_lidar": )" + closed + "}"), 400,
                 "a list");
  expect_refused(ask("POST", "sensor/config", R"({"azimuth_window": )" + closed + "}"), 400,
                 "a list");
  EXPECT_EQ(ask("PUT", "user/data", "\"\xff\"").status, 400);
}

TEST_F(OusterOverHttp, PacketsFollowTheMetadata) {
  const auto sweeps = room_sweeps(lidar_, 3);
  KeptPackets packets;
  encoder_->encode(sweeps[0], keep_in(packets));
  EXPECT_EQ(packets.back().bytes.size(), 12544u);
  EXPECT_EQ(packets.back().little64(4) & 0xffffff,
            Metadata(ask("GET", "sensor/metadata").body).initialization);
  ASSERT_EQ(ask("POST", "sensor/config", R"({"udp_profile_lidar": "LEGACY"})").status, 204);
  encoder_->apply(http_->take_settings().value());
  EXPECT_TRUE(Metadata(ask("GET", "sensor/metadata").body).legacy);
  packets.clear();
  encoder_->encode(sweeps[1], keep_in(packets));
  ASSERT_GE(packets.size(), 63u);
  EXPECT_EQ(packets.back().bytes.size(), 12608u);

  ASSERT_EQ(
      ask("POST", "sensor/config", R"({"udp_profile_lidar": "RNG19_RFL8_SIG16_NIR16"})").status,
      204);
  encoder_->apply(http_->take_settings().value());
  packets.clear();
  encoder_->encode(sweeps[2], keep_in(packets));
  const Metadata now(ask("GET", "sensor/metadata").body);
  EXPECT_FALSE(now.legacy);
  EXPECT_EQ(now.initialization, 3u);
  EXPECT_EQ(packets.back().little64(4) & 0xffffff, 3u);
}

}  // namespace
}  // namespace protobeam
