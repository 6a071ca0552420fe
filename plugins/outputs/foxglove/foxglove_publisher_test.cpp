// What clients send, turned into messages; what waits for a slow client; what cannot be listened
// on. That Foxglove's own client understands it: tests/interop/foxglove.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "hub.h"
#include "json_cdr.h"
#include "message/sensor_msgs.h"
#include "message/std_msgs.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/plugin.h"

namespace protobeam::foxglove {
namespace {

using message::Bytes;
using message::description_of;
using message::from_cdr;
using message::to_cdr;
using nlohmann::json;
using testing::HasSubstr;
using namespace std::chrono_literals;

template <message::Message M>
Bytes cdr_of(const char* text) {
  return json_to_cdr(parse_json(text), description_of<M>());
}

template <class F>
std::string problem_of(F action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

TEST(JsonToCdr, GivesTheBytesOfTheMessage) {
  message::NavSatFix fix;
  fix.header.stamp = {12, 345};
  fix.header.frame_id = "gps";
  fix.status.status = -1;
  fix.status.service = 65535;
  fix.latitude = 47.25;
  fix.position_covariance[8] = 2;
  fix.position_covariance_type = 3;
  EXPECT_EQ(cdr_of<message::NavSatFix>(R"({
    "header": {"stamp": {"sec": 12, "nsec": 345}, "frame_id": "gps"},
    "status": {"status": -1, "service": 65535}, "latitude": 47.25, "longitude": 0, "altitude": 0,
    "position_covariance": [0, 0, 0, 0, 0, 0, 0, 0, 2], "position_covariance_type": 3})"),
            to_cdr(fix));

  message::JointState state;
  state.name = {"left", "", "right"};
  state.position = {1, -2.5};
  EXPECT_EQ(
      cdr_of<message::JointState>(R"({"name": ["left", "", "right"], "position": [1, -2.5]})"),
      to_cdr(state));

  message::TFMessage tf;
  tf.transforms.resize(2);
  tf.transforms[1].child_frame_id = "wheel";
  tf.transforms[1].transform.translation.y = 3;
  EXPECT_EQ(cdr_of<message::TFMessage>(R"({"transforms": [
    {"transform": {"rotation": {"w": 1}}},
    {"child_frame_id": "wheel", "transform": {"translation": {"y": 3}, "rotation": {"w": 1}}}]})"),
            to_cdr(tf));
}

TEST(JsonToCdr, LeavesOutToZeroAndNullToNaN) {
  const auto twist =
      from_cdr<message::Twist>(cdr_of<message::Twist>(R"({"angular": {"z": null}})"));
  EXPECT_EQ(twist.linear.x, 0);
  EXPECT_TRUE(std::isnan(twist.angular.z));
}

TEST(JsonToCdr, SaysWhatIsWrong) {
  const auto problem = [](const char* text) {
    return problem_of([&] { cdr_of<message::NavSatFix>(text); });
  };
  EXPECT_EQ(problem("[]"), "the message: not an object");
  EXPECT_EQ(problem(R"({"latitude": "x"})"), "latitude: not a number");
  EXPECT_EQ(problem(R"({"lattitude": 1})"), "lattitude: there is no such field");
  EXPECT_EQ(problem(R"({"header": {"seq": 1}})"), "header.seq: there is no such field");
  EXPECT_EQ(problem(R"({"": 1})"), "the message: there is no such field");
  EXPECT_EQ(problem(R"({"header": {"stamp": {"sec": 2147483648}}})"),
            "header.stamp.sec: too large");
  EXPECT_EQ(problem(R"({"header": {"stamp": 5}})"), "header.stamp: not an object");
  EXPECT_EQ(problem(R"({"header": {"frame_id": 5}})"), "header.frame_id: not a text");
  EXPECT_EQ(problem(R"({"status": {"status": -129}})"), "status.status: too small");
  EXPECT_EQ(problem(R"({"status": {"service": -1}})"), "status.service: too small");
  EXPECT_EQ(problem(R"({"status": {"service": 1.5}})"), "status.service: not a whole number");
  EXPECT_EQ(problem(R"({"position_covariance": [1]})"), "position_covariance: not 9 values");
  EXPECT_EQ(problem(R"({"position_covariance": 1})"), "position_covariance: not an array");
  EXPECT_EQ(problem("{"), "not JSON");
  EXPECT_EQ(problem(std::string(100'000, '[').c_str()), "JSON that is nested too deep");
  EXPECT_EQ(problem(('"' + std::string(kMostJson, 'a') + '"').c_str()), "JSON of more than 1 MB");
}

TEST(CheckCdr, TakesWholeMessagesOnly) {
  message::CameraInfo info;
  info.header.frame_id = "camera";
  info.d = {1, 2, 3, 4, 5};
  const Bytes whole = to_cdr(info);
  EXPECT_NO_THROW(check_cdr(whole, description_of<message::CameraInfo>()));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(check_cdr(std::span(whole).first(size), description_of<message::CameraInfo>()),
                 std::runtime_error)
        << size;
  }
  const Bytes many{0, 1, 0, 0, 0xff, 0xff, 0xff, 0xff};  // four billion transforms
  EXPECT_THROW(check_cdr(many, description_of<message::TFMessage>()), std::runtime_error);
}

class HubTest : public testing::Test {
 protected:
  HubTest() {
    hub_.add(*text_);
    hub_.add(*map_);
    client_ = hub_.connect([this] { ++woken_; });
    take_all();
  }
  /// What waits; times only when they are asked for.
  std::vector<Frame> take_all(bool times = false) {
    std::vector<Frame> frames;
    while (auto frame = hub_.next(client_)) {
      if (times || frame->kind != Frame::Kind::kTime) frames.push_back(std::move(*frame));
    }
    return frames;
  }
  void receive(std::string_view text) {
    hub_.receive(client_, true, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  }
  void receive(const Bytes& bytes) { hub_.receive(client_, false, bytes); }
  static Publication text(const std::shared_ptr<const Topic>& topic, std::string data) {
    message::String message;
    message.data = std::move(data);
    return {topic, 7, message};
  }
  static std::string data_of(const Frame& frame) {
    return frame.message ? frame.message->as<message::String>()->data : frame.head;
  }

  Hub hub_{"test", 10'000};
  std::shared_ptr<const Topic> text_ =
      std::make_shared<Topic>(Topic{"/text", &message::type_of<message::String>(), false, 0});
  std::shared_ptr<const Topic> map_ =
      std::make_shared<Topic>(Topic{"/map", &message::type_of<message::String>(), true, 1});
  int woken_ = 0;
  Hub::ClientId client_ = 0;
};

TEST_F(HubTest, SendsToSubscribersOnly) {
  hub_.publish(text(text_, "before"));
  EXPECT_TRUE(take_all().empty());
  receive(R"({"op": "subscribe", "subscriptions": [{"id": 258, "channelId": 1}]})");
  hub_.publish(text(text_, "a"));
  const auto frames = take_all();
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].head, std::string("\1\2\1\0\0\7\0\0\0\0\0\0\0", 13));
  EXPECT_FALSE(frames[0].text);
  EXPECT_EQ(frames[0].message->cdr(), to_cdr(message::String{"a"}));
}

TEST_F(HubTest, TellsThatTopicsAndServicesAreGone) {
  receive(R"({"op": "subscribe", "subscriptions": [{"id": 5, "channelId": 1}]})");
  const Service service{"/look", "test/srv/Look", &message::type_of<message::String>(),
                        &message::type_of<message::String>()};
  hub_.serve(service);
  hub_.subscribe({"/cmd", &message::type_of<message::Float64>()});
  take_all();
  hub_.remove(*text_);
  hub_.remove(*text_);
  hub_.unserve(service);
  const auto frames = take_all();
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(nlohmann::json::parse(frames[0].head),
            nlohmann::json::parse(R"({"op": "unadvertise", "channelIds": [1]})"));
  EXPECT_EQ(nlohmann::json::parse(frames[1].head),
            nlohmann::json::parse(R"({"op": "unadvertiseServices", "serviceIds": [1]})"));
  hub_.publish(text(text_, "late"));
  EXPECT_TRUE(take_all().empty());
  hub_.add(*text_);
  hub_.publish(text(text_, "again"));
  EXPECT_EQ(take_all().size(), 1u) << "only that it is there: nobody has subscribed";
}

std::string answer_to(std::uint32_t request, const std::string& problem, const std::string& bytes) {
  std::string out("\4", 1);
  const auto number = [&](std::uint32_t n) { out.append(reinterpret_cast<const char*>(&n), 4); };
  number(request);
  out += problem.empty() ? '\0' : '\1';
  number(static_cast<std::uint32_t>(problem.size()));
  return out + problem + bytes;
}

TEST_F(HubTest, GivesTheFilesThatADescriptionNamesAndNoOthers) {
  const TemporaryFolder folder;
  const auto file = folder.write("a b/cone.stl", "solid");
  const std::string address = "file://" + folder.path().string() + "/a%20b/cone.stl";
  const std::string urdf = "<robot><mesh filename=\"" + address + "\"/><mesh filename=\"" +
                           address + "\"/><mesh filename=\"package://other/x.stl\"/></robot>";
  hub_.publish(text(map_, urdf));
  hub_.publish(text(map_, urdf));
  receive(R"({"op": "subscribe", "subscriptions": [{"id": 0, "channelId": 2}]})");
  const auto frames = take_all();
  ASSERT_EQ(frames.size(), 1u);
  const std::string ours = "package://protobeam/0/cone.stl";
  EXPECT_EQ(data_of(frames[0]), "<robot><mesh filename=\"" + ours + "\"/><mesh filename=\"" + ours +
                                    "\"/><mesh filename=\"package://other/x.stl\"/></robot>");
  const auto answer = [&](const std::string& uri) {
    receive(R"({"op": "fetchAsset", "requestId": 7, "uri": ")" + uri + "\"}");
    const auto answers = take_all();
    return answers.size() == 1 ? answers[0].head : "";
  };
  EXPECT_EQ(answer(ours), answer_to(7, "", "solid"));
  for (const std::string& other : std::vector<std::string>{
           address, "file:///etc/passwd", "package://protobeam/1/cone.stl", "",
           "package://protobeam/0/../0/cone.stl", "package://protobeam/0/%63one.stl",
           "package://protobeam/0/cone.stl%00", std::string(4096, '%')}) {
    EXPECT_EQ(answer(other), answer_to(7, "no message names " + other, ""));
  }
  EXPECT_THAT(answer(std::string(4097, 'x')), HasSubstr("'uri' is too long"));
  std::filesystem::remove(file);
  EXPECT_THAT(answer(ours), HasSubstr("cannot read"));
  // Other texts stay as they are.
  hub_.publish(text(map_, "filename=\"" + address + "\""));
  EXPECT_EQ(data_of(take_all().at(0)), "filename=\"" + address + "\"");
}

TEST_F(HubTest, WakesOnceUntilNothingWaits) {
  receive(R"({"op": "subscribe", "subscriptions": [{"id": 0, "channelId": 1}]})");
  woken_ = 0;
  hub_.publish(text(text_, "a"));
  hub_.publish(text(text_, "b"));
  EXPECT_EQ(woken_, 1);
  take_all();
  hub_.publish(text(text_, "c"));
  EXPECT_EQ(woken_, 2);
}

TEST_F(HubTest, SendsTheLastOfALatchedTopic) {
  hub_.publish(text(map_, "old"));
  hub_.publish(text(map_, "new"));
  receive(R"({"op": "subscribe", "subscriptions": [{"id": 0, "channelId": 2}]})");
  const auto frames = take_all();
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(data_of(frames[0]), "new");
}

TEST_F(HubTest, LosesTheOldestOfASlowClientButNotWhatIsLatched) {
  const Hub::ClientId other = hub_.connect([] {});
  while (hub_.next(other)) {
  }
  receive(
      R"({"op": "subscribe", "subscriptions": [{"id": 0, "channelId": 1}, {"id": 1, "channelId": 2}]})");
  const std::string both = R"({"op": "subscribe", "subscriptions": [{"id": 4, "channelId": 1}]})";
  hub_.receive(other, true, {reinterpret_cast<const std::uint8_t*>(both.data()), both.size()});
  hub_.publish(text(map_, "map"));
  int taken = 0;
  for (char c = 'a'; c < 'k'; ++c) {
    hub_.publish(text(text_, std::string(3000, c)));
    while (const auto frame = hub_.next(other)) taken += frame->kind == Frame::Kind::kMessage;
  }
  EXPECT_EQ(taken, 10);
  const auto frames = take_all();
  ASSERT_EQ(frames.size(), 5u);
  EXPECT_EQ(data_of(frames[0]), "map");
  EXPECT_THAT(data_of(frames[1]), HasSubstr("Send buffer limit reached"));
  EXPECT_EQ(data_of(frames[2])[0], 'h');
  EXPECT_EQ(data_of(frames[4])[0], 'j');
  EXPECT_EQ(hub_.lost(), 7u);

  hub_.publish(text(text_, std::string(50'000, 'x')));  // one may always
  EXPECT_EQ(take_all().size(), 1u);
}

TEST_F(HubTest, KeepsLittleForAClientThatTakesNothing) {
  const auto clock =
      std::make_shared<const Topic>(Topic{"/clock", &message::type_of<message::Clock>(), false, 2});
  hub_.add(*clock);
  receive(R"({"op": "subscribe", "subscriptions": [{"id": 0, "channelId": 1}]})");
  for (std::uint32_t i = 0; i < 1000; ++i) {
    hub_.publish({clock, 0, message::Clock{{0, i}}});
    hub_.publish(text(text_, "a"));
  }
  EXPECT_LT(take_all(true).size(), 10'000 / sizeof(Frame));
}

TEST_F(HubTest, ForgetsWhatWaitsForASubscriptionThatEnded) {
  receive(R"({"op": "subscribe", "subscriptions": [{"id": 0, "channelId": 1}]})");
  hub_.publish(text(text_, "a"));
  receive(R"({"op": "unsubscribe", "subscriptionIds": [0]})");
  EXPECT_TRUE(take_all().empty());
}

// Clients wait for a time when it was promised.
TEST_F(HubTest, TakesTheTimeFromMessagesWhereThereIsNoClock) {
  Publication one = text(text_, "a");
  one.time_ns = 5;
  for (const std::int64_t ns : {5, 6, 9'999'999, 10'000'005, 10'000'006}) {
    one.time_ns = ns;
    hub_.publish(one);
    const auto frames = take_all(true);
    EXPECT_EQ(frames.size(), ns == 5 || ns == 10'000'005 ? 1u : 0u) << ns;
  }
}

TEST_F(HubTest, SendsTheTimeOnce) {
  const auto clock =
      std::make_shared<const Topic>(Topic{"/clock", &message::type_of<message::Clock>(), false, 2});
  hub_.add(*clock);
  take_all();
  for (std::uint32_t i = 1; i < 4; ++i) hub_.publish({clock, 0, message::Clock{{0, i}}});
  hub_.publish(text(text_, "later"));  // no time of its own
  const auto frames = take_all(true);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].head, std::string("\2\3\0\0\0\0\0\0\0", 9));
}

TEST_F(HubTest, GivesUpAClientThatAsksWithoutReading) {
  const std::string question = R"({"op": ")" + std::string(200, 'a') + "\"}";
  for (int i = 0; i < 100'000 && !hub_.overrun(client_); ++i) receive(question);
  EXPECT_TRUE(hub_.overrun(client_));
}

TEST_F(HubTest, WaitsUntilSomethingComes) {
  hub_.subscribe({"/cmd", &message::type_of<message::Float64>()});
  receive(R"({"op": "advertise", "channels": [
    {"id": 1, "topic": "/cmd", "encoding": "json", "schemaName": "std_msgs/msg/Float64"}]})");
  const auto start = std::chrono::steady_clock::now();
  hub_.wait(50ms);
  EXPECT_GE(std::chrono::steady_clock::now() - start, 50ms);
  std::thread sender([&] {
    std::this_thread::sleep_for(50ms);
    Bytes frame{1, 1, 0, 0, 0};
    for (const char c : std::string_view(R"({"data": 4.5})"))
      frame.push_back(static_cast<std::uint8_t>(c));
    receive(frame);
  });
  hub_.wait(20s);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  sender.join();
  const auto received = hub_.take_received();
  ASSERT_EQ(received.size(), 1u);
  EXPECT_EQ(received[0].topic, "/cmd");
  EXPECT_EQ(from_cdr<message::Float64>(received[0].cdr).data, 4.5);
  EXPECT_TRUE(hub_.take_received().empty());
}

TEST_F(HubTest, KeepsTheLastOfWhatNobodyFetches) {
  hub_.subscribe({"/cmd", &message::type_of<message::String>()});
  receive(R"({"op": "advertise", "channels": [
    {"id": 1, "topic": "/cmd", "encoding": "cdr", "schemaName": "std_msgs/msg/String"}]})");
  for (int i = 0; i < 50; ++i) {
    Bytes frame{1, 1, 0, 0, 0};
    const Bytes cdr = to_cdr(message::String{std::string(1'000'000, static_cast<char>('A' + i))});
    frame.insert(frame.end(), cdr.begin(), cdr.end());
    receive(frame);
  }
  const auto received = hub_.take_received();
  ASSERT_EQ(received.size(), 15u);
  EXPECT_EQ(from_cdr<message::String>(received.back().cdr).data[0], 'A' + 49);
}

std::unique_ptr<MessageSink> publisher(std::map<std::string, std::string> fields) {
  const auto& plugin = load_plugin<OutputPlugin>("FoxglovePublisher");
  return plugin.make(TestFields(plugin.schema, std::move(fields)), {"some.wbt", "protobeam 1.2.3"});
}

TEST(FoxglovePublisher, SaysWhereItCannotListen) {
  const auto first = publisher({{"port", "0"}});
  EXPECT_TRUE(first->may_lose());
  const std::string text = first->text();
  EXPECT_THAT(text, HasSubstr("served 127.0.0.1:"));
  EXPECT_THAT(text, HasSubstr(": 0 messages to 0 clients"));
  const std::string port = text.substr(17, text.find(": ") - 17);
  EXPECT_EQ(problem_of([&] {
              publisher({{"port", port}});
            }),
            "cannot listen on 127.0.0.1:" + port + ": Address already in use");
  EXPECT_THAT(problem_of([] {
                publisher({{"address", "\"192.0.2.1\""}});
              }),
              HasSubstr("cannot listen on 192.0.2.1:8765: "));
  EXPECT_THROW(publisher({{"address", "\"nowhere\""}}), std::invalid_argument);
}

TEST(FoxglovePublisher, EndsAtOnceWithoutClients) {
  const auto start = std::chrono::steady_clock::now();
  const auto sink = publisher({{"port", "0"}});
  sink->finish();
  sink->finish();
  publisher({{"port", "0"}});  // and without finish()
  EXPECT_LT(std::chrono::steady_clock::now() - start, 900ms);
}

}  // namespace
}  // namespace protobeam::foxglove
