// Topics of Ros2Publisher, read and written by a program with Fast DDS, the other open
// implementation that ROS 2 uses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <tuple>

#include "discovered_endpoints.h"
#include "message/controller_manager_services.h"
#include "message/sensor_msgs.h"
#include "message/simulation_services.h"
#include "message/vendor_msgs.h"
#include "message/visualization_msgs.h"
#include "test_support.h"

namespace protobeam {
namespace {

using namespace message;
using namespace ros2_test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;
using std::chrono::steady_clock;

/// Both ends in a domain of their own.
class Ros2Publisher : public testing::Test {
 protected:
  void start(std::map<std::string, std::string> fields = {}) {
    fields["domainId"] = domain_.text();
    sink_ = make_publisher(std::move(fields));
    discovered_ = std::make_unique<DiscoveredEndpoints>(domain_);
    peer_ = std::make_unique<Program>("fastdds_peer", std::vector<std::string>{domain_.text()});
  }
  // What is sent before both ends know each other does not arrive: topics are volatile.

  /// Waits until the peer's reader and our writer know each other.
  void read(const std::string& topic_and_type, const std::string& quality = "reliable volatile") {
    const std::string topic = topic_and_type.substr(0, topic_and_type.find(' '));
    const std::size_t matched = peer_->count("matched " + topic);
    const auto before = discovered_->readers(topic);
    peer_->tell("read " + topic_and_type + " " + quality);
    ASSERT_TRUE(peer_->wait_for("matched " + topic, matched + 1)) << topic;
    ASSERT_TRUE(becomes_true([&] { return discovered_->readers(topic) > before; })) << topic;
    std::this_thread::sleep_for(milliseconds(20));  // from its discovery to its match
  }
  /// Waits until the peer's writer and our reader know each other.
  void open(const std::string& topic_and_type) {
    const std::string topic = topic_and_type.substr(0, topic_and_type.find(' '));
    peer_->tell("open " + topic_and_type);
    ASSERT_TRUE(peer_->wait_for("open " + topic)) << topic;
    ASSERT_TRUE(becomes_true([&] { return discovered_->writers(topic) > 0; })) << topic;
    std::this_thread::sleep_for(milliseconds(20));
  }
  /// Within 20 s.
  static bool becomes_true(const std::function<bool()>& condition) {
    const auto end = steady_clock::now() + seconds(20);
    while (!condition()) {
      if (steady_clock::now() > end) return false;
      std::this_thread::sleep_for(milliseconds(5));
    }
    return true;
  }

  OwnDomain domain_;
  std::unique_ptr<MessageSink> sink_;
  std::unique_ptr<DiscoveredEndpoints> discovered_;
  std::unique_ptr<Program> peer_;
};

// --- Messages with something in each field.

class Fill {
 public:
  template <class T>
  void operator()(FieldName, T& value) {
    if constexpr (Message<T>) {
      T::each(value, *this);
    } else if constexpr (std::is_same_v<T, bool>) {
      value = true;
    } else if constexpr (std::is_arithmetic_v<T>) {
      value = static_cast<T>(++last_);
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = "text " + std::to_string(++last_);
    } else if constexpr (std::is_same_v<T, Time> || std::is_same_v<T, Duration>) {
      value = {++last_, 5};
    } else {
      if constexpr (ExtentOf<T>::kExtent == Extent::kSequence) value.resize(3);
      for (auto& element : value) (*this)({""}, element);
    }
  }

 private:
  int last_ = 0;
};

template <Message M>
M filled() {
  M message;
  Fill fill;
  M::each(message, fill);
  return message;
}

using AllTypes =
    std::tuple<Header, Bool, Float64, String, MultiArrayDimension, MultiArrayLayout,
               Float64MultiArray, ColorRGBA, Clock, Vector3, Point, Point32, Quaternion, Polygon,
               message::Pose, PoseStamped, PoseArray, PoseWithCovariance, PoseWithCovarianceStamped,
               Twist, TwistStamped, TwistWithCovariance, Accel, Transform, TransformStamped,
               TFMessage, Odometry, MapMetaData, OccupancyGrid, LaserScan, PointField, PointCloud2,
               ChannelFloat32, PointCloud, message::Image, CompressedImage, RegionOfInterest,
               CameraInfo, Imu, NavSatStatus, NavSatFix, MagneticField, message::Range, Illuminance,
               JointState, CustomPoint, CustomMsg, LinktrackNode2, LinktrackNodeframe3,
               ConeWithCovariance, ConeArrayWithCovariance, ConesCartesian, UVCoordinate, MeshFile,
               Marker, MarkerArray, simulation::SimulatorFeatures, simulation::EntityState,
               simulation::EntityFilters, simulation::NamedPose, simulation::SpawnEntity,
               simulation::SpawnResult, simulation::Spawnable, simulation::WorldResource,
               simulation::EntityInfo>;

/// How the peer writes down a message: its size, FNV-1a of its bytes and the encapsulation. In a packet
/// of its own it ends with zeros up to a multiple of four; in fragments its size is told.
std::string digest(Bytes bytes) {
  if (bytes.size() < 65'000) bytes.resize((bytes.size() + 3) / 4 * 4);
  std::uint64_t hash = 14695981039346656037u;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  char text[64];
  std::snprintf(text, sizeof text, "%zu %016llx 0001", bytes.size(),
                static_cast<unsigned long long>(hash));
  return text;
}

template <class Use>
void for_all_types(const Use& use) {
  std::uint32_t number = 0;
  [&]<class... M>(std::tuple<M...>*) { (use.template operator()<M>(number++), ...); }(
      static_cast<AllTypes*>(nullptr));
}

TEST_F(Ros2Publisher, SendsEveryTypeOfMessageByNameWithHash) {
  start();
  const auto name = [](std::uint32_t number) { return "/type" + std::to_string(number); };
  for_all_types([&]<Message M>(std::uint32_t number) {
    Sender<M>(*sink_, name(number), number, true).send(filled<M>());
    peer_->tell("read " + dds_topic<M>(name(number)) + " reliable transient_local");
  });
  for_all_types([&]<Message M>(std::uint32_t number) {
    if (HasFailure()) return;  // one wait is enough
    const std::string topic = "data rt" + name(number) + " ";
    ASSERT_TRUE(peer_->wait_for(topic)) << type_of<M>().ros2_name;
    EXPECT_THAT(peer_->all(topic), ElementsAre(StartsWith(digest(to_cdr(filled<M>())))))
        << type_of<M>().ros2_name;
    // A reader that is not told the type would match, too; so the name in the description counts.
    EXPECT_THAT(peer_->all("writer " + dds_topic<M>(name(number)) + " "),
                ElementsAre("typehash=" + type_of<M>().ros2_hash + ";"));
  });
}

TEST_F(Ros2Publisher, ValuesAreThoseThatFastCdrReads) {
  start();
  Imu imu;
  imu.header.stamp = {12, 500};
  imu.header.frame_id = "imu_link";
  imu.orientation = {0.5, -0.5, 0.5, 0.25};
  imu.orientation_covariance[8] = 3;
  imu.angular_velocity = {1, 2, 3};
  imu.linear_acceleration = {0, 0, 9.81};
  imu.linear_acceleration_covariance[0] = -1;
  TFMessage tf;
  tf.transforms.resize(2);
  tf.transforms[0].header.frame_id = "odom";
  tf.transforms[0].child_frame_id = "base_link";
  tf.transforms[0].transform.translation.x = 1.5;
  tf.transforms[1].header.frame_id = "base_link";
  tf.transforms[1].child_frame_id = "lidar";
  PointCloud2 cloud;
  cloud.header.frame_id = "lidar";
  cloud.height = 2;
  cloud.width = 3;
  cloud.fields = {{"x", 0, 7, 1}, {"intensity", 16, 7, 1}};
  cloud.data.resize(77);
  cloud.is_dense = true;

  Sender<Imu>(*sink_, "/imu", 0, true).send(imu);
  Sender<TFMessage>(*sink_, "/tf_static", 1, true).send(tf);
  Sender<PointCloud2>(*sink_, "/points", 2, true).send(cloud);
  Sender<String>(*sink_, "/text", 3, true).send({"hello, world"});
  for (const std::string& topic : {dds_topic<Imu>("/imu"), dds_topic<TFMessage>("/tf_static"),
                                   dds_topic<PointCloud2>("/points"), dds_topic<String>("/text")}) {
    read(topic, "reliable transient_local");
  }
  const auto values = [&](const std::string& topic) {
    EXPECT_TRUE(peer_->wait_for("data rt" + topic));
    const auto lines = peer_->all("data rt" + topic + " ");
    return lines.empty() ? "" : lines[0].substr(lines[0].find(" 0001 ") + 6);
  };
  EXPECT_EQ(values("/imu"), "12.500 imu_link 0.5 -0.5 0.5 0.25 0 0 0 0 0 0 0 0 3 1 2 3 0 0 0 0 0 0 0 0 0 "
                            "0 0 9.81 -1 0 0 0 0 0 0 0 0");
  EXPECT_EQ(values("/tf_static"), "0.0 odom base_link 1.5 0 0 0 0 0 1;0.0 base_link lidar 0 0 0 0 0 0 1;");
  EXPECT_EQ(values("/points"), "0.0 lidar 2x3 x@0 intensity@16 77 bytes dense 1");
  EXPECT_EQ(values("/text"), "hello, world");
}

// --- Qualities of service.

TEST_F(Ros2Publisher, ReliableTopicsReachReadersOfBothKinds) {
  start();
  Sender<String> reliable(*sink_, "/to_reliable", 0), best_effort(*sink_, "/to_best_effort", 1);
  read(dds_topic<String>("/to_reliable"), "reliable volatile");
  read(dds_topic<String>("/to_best_effort"), "best_effort volatile");
  for (int i = 0; i < 50; ++i) {
    reliable.send({std::to_string(i)});
    best_effort.send({std::to_string(i)});
    std::this_thread::sleep_for(milliseconds(2));
  }
  EXPECT_TRUE(peer_->wait_for("data rt/to_reliable", 50));
  EXPECT_TRUE(peer_->wait_for("data rt/to_best_effort", 50));
  sink_->finish();
  EXPECT_EQ(sink_->text(), "published 100 messages on 2 topics in ROS domain " + domain_.text());
  EXPECT_EQ(sink_->lost(), 0u);
}

TEST_F(Ros2Publisher, BestEffortTopicsReachBestEffortReadersOnly) {
  start({{"bestEffortTopics", "[ \"*/points*\" \"/imu\" ]"}});
  Sender<String> points(*sink_, "/car/points_raw", 0), strict(*sink_, "/car/points", 1);
  Sender<String> other(*sink_, "/imu2", 2);
  peer_->tell("read " + dds_topic<String>("/car/points") + " reliable volatile");
  read(dds_topic<String>("/car/points_raw"), "best_effort volatile");
  read(dds_topic<String>("/imu2"), "reliable volatile");
  for (Sender<String>* sender : {&points, &strict, &other}) sender->send({"here"});
  EXPECT_TRUE(peer_->wait_for("data rt/car/points_raw"));
  EXPECT_TRUE(peer_->wait_for("data rt/imu2"));
  EXPECT_EQ(peer_->count("data rt/car/points "), 0u);
}

TEST_F(Ros2Publisher, ReliabilityCanBeSetForAll) {
  start({{"reliability", "\"best_effort\""}});
  Sender<String> strict(*sink_, "/strict", 0), lax(*sink_, "/lax", 1), latched(*sink_, "/latched", 2, true);
  latched.send({"kept"});
  peer_->tell("read " + dds_topic<String>("/strict") + " reliable volatile");
  read(dds_topic<String>("/lax"), "best_effort volatile");
  read(dds_topic<String>("/latched"), "reliable transient_local");
  strict.send({"here"});
  lax.send({"here"});
  EXPECT_TRUE(peer_->wait_for("data rt/lax"));
  EXPECT_TRUE(peer_->wait_for("data rt/latched"));
  EXPECT_EQ(peer_->count("data rt/strict"), 0u);
}

TEST_F(Ros2Publisher, LatchedTopicsGiveTheLastMessageToThoseWhoComeLater) {
  start();
  Sender<String> latched(*sink_, "/latched", 0, true), passing(*sink_, "/passing", 1);
  for (const char* text : {"first", "last"}) {
    latched.send({text});
    passing.send({text});
  }
  std::this_thread::sleep_for(seconds(1));
  read(dds_topic<String>("/latched"), "reliable transient_local");
  read(dds_topic<String>("/passing"), "reliable volatile");
  ASSERT_TRUE(peer_->wait_for("data rt/latched"));
  EXPECT_THAT(peer_->all("data rt/latched"), ElementsAre(HasSubstr(" last")));
  EXPECT_EQ(peer_->count("data rt/passing"), 0u);
}

TEST_F(Ros2Publisher, TellsTheToolsOfRosItsNode) {
  start({{"nodeName", "\"simulator\""}});
  read("ros_discovery_info rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_",
       "reliable transient_local");
  Sender<String> one(*sink_, "/one", 0), two(*sink_, "/two", 1);
  sink_->subscribe({"/cmd_vel", &type_of<Twist>()});
  const std::string start = "data ros_discovery_info ";
  for (int i = 0; i < 100; ++i) {
    const auto lines = peer_->all(start);
    if (!lines.empty() && lines.back().ends_with("/simulator readers 1 writers 2")) break;
    std::this_thread::sleep_for(milliseconds(50));
  }
  ASSERT_FALSE(peer_->all(start).empty());
  EXPECT_THAT(peer_->all(start).back(), HasSubstr(" 0001 /simulator readers 1 writers 2"));
  // Services of a node of their own.
  using Load = message::control::LoadController;
  sink_->serve({"/r1/manager/load_controller", std::string(Load::kType), &type_of<Load::Request>(),
                &type_of<Load::Response>(), "/r1/manager"});
  const std::string both = "/r1/manager readers 1 writers 1 /simulator readers 1 writers 2";
  for (int i = 0; i < 100 && !peer_->all(start).back().ends_with(both); ++i)
    std::this_thread::sleep_for(milliseconds(50));
  EXPECT_THAT(peer_->all(start).back(), testing::EndsWith(both));
}

// --- Load.

TEST_F(Ros2Publisher, LosesNoCloudOfThreeMegabytes) {
  // tests/long_checks.sh asks for a minute.
  const char* wanted = std::getenv("PROTOBEAM_ROS2_SECONDS");
  const int count = 10 * (wanted ? std::max(1, std::atoi(wanted)) : 5);
  start();
  Sender<PointCloud2> sender(*sink_, "/points", 0);
  read(dds_topic<PointCloud2>("/points"));
  auto next = steady_clock::now();
  std::vector<std::string> sent;
  for (int i = 0; i < count; ++i) {
    PointCloud2 cloud;
    cloud.data.assign(3'000'000, static_cast<std::uint8_t>(i));
    cloud.header.stamp.sec = i;
    sent.push_back(digest(to_cdr(cloud)));
    sender.send(std::move(cloud));
    std::this_thread::sleep_until(next += milliseconds(100));
  }
  sink_->finish();
  EXPECT_EQ(sink_->lost(), 0u);
  peer_->wait_for("data rt/points", sent.size());
  std::vector<std::string> received = peer_->all("data rt/points ");
  for (std::string& line : received) line.resize(line.find(" 0001 ") + 5);
  EXPECT_EQ(received, sent);
}

TEST_F(Ros2Publisher, IsNotHeldUpByAReaderThatStalls) {
  start();
  Sender<PointCloud2> sender(*sink_, "/points", 0);
  Sender<String> last(*sink_, "/last", 1);
  read(dds_topic<PointCloud2>("/points"));
  read(dds_topic<String>("/last"));
  peer_->signal(SIGSTOP);
  PointCloud2 cloud;
  cloud.data.resize(3'000'000);
  auto longest = steady_clock::duration::zero();
  for (int i = 0; i < 50; ++i) {
    const auto before = steady_clock::now();
    sender.send(cloud);
    longest = std::max(longest, steady_clock::now() - before);
  }
  EXPECT_LT(longest, seconds(1));
  EXPECT_TRUE(sink_->may_lose());
  peer_->signal(SIGCONT);
  last.send({"over"});
  EXPECT_TRUE(peer_->wait_for("data rt/last"));
  EXPECT_TRUE(peer_->wait_for("data rt/points"));
}

// --- From outside.

std::string hex(const Bytes& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::vector<Received> receive(MessageSink& sink, std::size_t count) {
  std::vector<Received> all;
  const auto end = steady_clock::now() + seconds(20);
  while (all.size() < count && steady_clock::now() < end) {
    sink.wait(milliseconds(100));
    for (Received& one : sink.take_received()) all.push_back(std::move(one));
  }
  return all;
}

Twist forward(double speed) {
  Twist twist;
  twist.linear.x = speed;
  return twist;
}

TEST_F(Ros2Publisher, TakesCommands) {
  start();
  sink_->subscribe({"/cmd_vel", &type_of<Twist>()});
  sink_->subscribe({"/other", &type_of<String>()});
  open(dds_topic<Twist>("/cmd_vel"));
  for (int i = 1; i <= 5; ++i) {
    peer_->tell("write " + dds_topic<Twist>("/cmd_vel") + " " + hex(to_cdr(forward(i))));
  }
  const std::vector<Received> received = receive(*sink_, 5);
  ASSERT_THAT(received, SizeIs(5));
  for (int i = 1; i <= 5; ++i) {
    EXPECT_EQ(received[i - 1].topic, "/cmd_vel");
    EXPECT_EQ(from_cdr<Twist>(received[i - 1].cdr).linear.x, i);
  }
  EXPECT_THAT(sink_->take_received(), IsEmpty());
}

TEST_F(Ros2Publisher, WaitsForCommandsNoLongerThanItIsTold) {
  start();
  sink_->subscribe({"/cmd_vel", &type_of<Twist>()});
  const auto before = steady_clock::now();
  sink_->wait(milliseconds(200));
  EXPECT_GE(steady_clock::now() - before, milliseconds(190));
  open(dds_topic<Twist>("/cmd_vel"));
  peer_->tell("write " + dds_topic<Twist>("/cmd_vel") + " " + hex(to_cdr(forward(1))));
  ASSERT_TRUE(peer_->wait_for("sent rt/cmd_vel"));
  const auto start = steady_clock::now();
  sink_->wait(seconds(15));
  EXPECT_LT(steady_clock::now() - start, seconds(10));
  EXPECT_THAT(sink_->take_received(), SizeIs(1));
}

TEST_F(Ros2Publisher, SurvivesMessagesOfRandomBytes) {
  using Step = simulation::StepSimulation;
  start({{"depth", "1000"}});
  sink_->subscribe({"/cmd_vel", &type_of<Twist>()});
  sink_->serve({"/step_simulation", std::string(Step::kType), &type_of<Step::Request>(),
                &type_of<Step::Response>()});
  const std::string requests = "rq/step_simulationRequest " + type_of<Step::Request>().dds_name;
  open(requests);
  open(dds_topic<Twist>("/cmd_vel"));
  peer_->tell("noise " + requests + " 500 1 tame");
  peer_->tell("noise " + requests + " 100 2 wild");
  peer_->tell("noise " + dds_topic<Twist>("/cmd_vel") + " 500 3 wild");
  peer_->tell("write " + dds_topic<Twist>("/cmd_vel") + " " + hex(to_cdr(forward(0.125))));
  int commands = 0, refused = 0, answered = 0;
  bool arrived = false;
  const auto serve = [&] {
    sink_->wait(milliseconds(20));
    for (const Received& one : sink_->take_received()) {
      try {
        arrived = arrived || from_cdr<Twist>(one.cdr).linear.x == 0.125;
        ++commands;
      } catch (const std::runtime_error&) {
        ++refused;
      }
    }
    for (const ServiceRequest& request : sink_->take_requests()) {
      Step::Response response;
      response.result.result = simulation::Result::kOk;
      try {
        response.result.error_message = std::to_string(from_cdr<Step::Request>(request.cdr).steps);
      } catch (const std::runtime_error&) {
        response.result.result = simulation::Result::kFailed;
      }
      // To the noise, too, though nobody listens to the answer.
      sink_->answer(request, response);
      ++answered;
    }
  };
  const auto end = steady_clock::now() + seconds(20);
  while (!arrived && steady_clock::now() < end) serve();
  EXPECT_TRUE(arrived);
  EXPECT_GT(refused, 20);
  EXPECT_GT(commands, 100);
  EXPECT_GT(answered, 300);
  // Others are served as before.
  Program client("service_client", {domain_.text(), "calls", "5"});
  while (!client.ended_within(milliseconds(0))) serve();
  EXPECT_TRUE(client.wait_for("5 of 5"));
}

// --- What the user may get wrong.

std::string problem(std::map<std::string, std::string> fields) {
  try {
    make_publisher(std::move(fields));
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

TEST(Ros2Settings, SayWhatIsWrong) {
  const OwnDomain domain;
  const std::string id = domain.text();
  EXPECT_EQ(problem({{"domainId", id}, {"networkInterface", "\"<lo>\""}}),
            "networkInterface \"<lo>\" is neither a name nor an address of an interface");
  EXPECT_THAT(problem({{"domainId", id}, {"networkInterface", "\"nowhere0\""}}),
              AllOf(StartsWith("cannot join ROS domain " + id + ": "), HasSubstr("nowhere0")));
  EXPECT_EQ(problem({{"domainId", id}, {"nodeName", "\"my robot\""}}),
            "nodeName \"my robot\" must consist of letters, digits and _, and not begin with a digit");
  const auto first = make_publisher({{"domainId", id}});
  EXPECT_EQ(problem({{"domainId", id}}),
            "cannot join ROS domain " + id + ": another output of this run has joined it");
  const Topic spaces{"/my imu", &type_of<Imu>()};
  try {
    first->add(spaces);
    ADD_FAILURE() << "took a name with a space";
  } catch (const std::runtime_error& e) {
    EXPECT_THAT(e.what(), StartsWith("\"/my imu\" cannot be the name of a topic in ROS 2"));
  }
}

TEST(Ros2Settings, DomainComesFromTheEnvironment) {
  const OwnDomain domain;
  setenv("ROS_DOMAIN_ID", domain.text().c_str(), 1);
  const auto sink = make_publisher({});
  sink->finish();
  EXPECT_EQ(sink->text(), "published 0 messages on 0 topics in ROS domain " + domain.text());
  for (const char* wrong : {"-1", "233", "ten", "99999999999999999999"}) {
    setenv("ROS_DOMAIN_ID", wrong, 1);
    EXPECT_EQ(problem({}), "the environment's ROS_DOMAIN_ID is \"" + std::string(wrong) +
                               "\", not a number from 0 to 232");
  }
  unsetenv("ROS_DOMAIN_ID");
}

TEST(Ros2Settings, TheLastDomainWorks) {
  EXPECT_EQ(problem({{"domainId", "232"}}), "");
}

}  // namespace
}  // namespace protobeam
