// Robots that other programs bring in by /spawn_entity: what they publish and take, and that
// nothing of them is left.
#include "publish/spawning.h"

#include <gmock/gmock.h>

#include <set>

#include "message/control_actions.h"
#include "message/sensor_msgs.h"
#include "publish/simulation_control.h"
#include "tests/unit/sim/world_text.h"
#include "urdf/to_webots.h"

namespace protobeam {
namespace {

namespace sim = message::simulation;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using Code = sim::Result::Code;

/// What a peer sees of an output that may lose messages.
struct Seen {
  std::mutex mutex;
  std::set<std::string> topics, taken, services, service_topics;
  std::map<std::string, int> messages;
  std::vector<Received> commands;
  std::vector<ServiceRequest> requests;
  std::map<std::uint64_t, message::Bytes> answers;
};

class SeeingSink final : public MessageSink {
 public:
  explicit SeeingSink(Seen& out) : out_(out) {}
  bool may_lose() const override { return true; }
  void add(const Topic& topic) override {
    const std::lock_guard lock(out_.mutex);
    EXPECT_TRUE(out_.topics.insert(topic.name).second) << topic.name;
  }
  void remove(const Topic& topic) override {
    const std::lock_guard lock(out_.mutex);
    EXPECT_EQ(out_.topics.erase(topic.name), 1u) << topic.name;
  }
  void write(const Publication& one) override {
    const std::lock_guard lock(out_.mutex);
    EXPECT_TRUE(out_.topics.contains(one.topic->name)) << one.topic->name;
    ++out_.messages[one.topic->name];
  }
  void finish() override {}
  std::string text() const override { return ""; }
  void subscribe(const Topic& topic) override {
    EXPECT_TRUE(out_.taken.insert(topic.name).second) << topic.name;
  }
  void unsubscribe(const Topic& topic) override {
    EXPECT_EQ(out_.taken.erase(topic.name), 1u) << topic.name;
  }
  void serve(const Service& service) override {
    EXPECT_TRUE(out_.services.insert(service.name).second) << service.name;
  }
  void unserve(const Service& service) override {
    EXPECT_EQ(out_.services.erase(service.name), 1u) << service.name;
  }
  void serve_topic(const Topic& topic) override {
    EXPECT_TRUE(out_.service_topics.insert(topic.name).second) << topic.name;
  }
  void unserve_topic(const Topic& topic) override {
    EXPECT_EQ(out_.service_topics.erase(topic.name), 1u) << topic.name;
  }
  void publish(const Topic& topic, const message::AnyMessage&) override {
    EXPECT_TRUE(out_.service_topics.contains(topic.name)) << topic.name;
  }
  std::vector<Received> take_received() override { return std::exchange(out_.commands, {}); }
  std::vector<ServiceRequest> take_requests() override { return std::exchange(out_.requests, {}); }
  void answer(const ServiceRequest& request, const message::AnyMessage& response) override {
    out_.answers[request.id] = response.cdr();
  }

 private:
  Seen& out_;
};

/// A joint that no gravity pulls, with an action, a controller and a sensor.
const char* const kSpawnedArm = R"(Robot { name "arm" controller "<none>" children [
  HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } device RotationalMotor { name "turn" }
    endPoint Solid { name "a" physics Physics { density -1 mass 1 } boundingObject Sphere { radius 0.1 } } }
  GPS { samplingPeriod 8 }
  Topic { motors "turn" message "trajectory" name "arm/joint_trajectory" }
  Ros2Controller { name "arm" type "joint_trajectory_controller/JointTrajectoryController"
    commands "turn/position" topics "arm/joint_trajectory" stateRate 10 }
] })";

class SpawningTest : public testing::Test {
 protected:
  void load(const std::string& text = "") {
    simulation_ = &world_.load(text);
    std::vector<OutputChoice> outputs;
    outputs.push_back(
        {std::make_unique<SeeingSink>(seen_), [](const std::string&) { return true; }});
    publisher_ = std::make_unique<Publisher>(*simulation_, simulation_->model().publishing,
                                             std::move(outputs));
    Spawning::Host host;
    host.changed = [this] {
      publisher_->restart(*simulation_);
      control_->follow(*simulation_);
    };
    host.publisher = publisher_.get();
    host.read = [](const sim::Resource& resource, Simulation&) {
      SpawnModel out;
      Diagnostics diagnostics;
      const urdf::Options options;
      const auto robot =
          urdf::read_robot_text(resource.resource_string, "resource.urdf", options, diagnostics);
      auto model = robot ? urdf::to_model(*robot, options, diagnostics) : std::nullopt;
      if (!model) return SpawnModel{kResourceParseError, diagnostics.to_string(), {}, {}};
      out.document = std::move(model->document);
      out.contact_properties = std::move(model->contact_properties);
      return out;
    };
    control_ = std::make_unique<SimulationControl>(*simulation_, publisher_->table(), false, host);
  }
  void TearDown() override {
    if (publisher_) publisher_->finish();
  }

  template <class S>
  typename S::Response call(const std::string& service, const typename S::Request& request) {
    seen_.requests.push_back({service, ++id_, message::to_cdr(request)});
    step();
    return message::from_cdr<typename S::Response>(seen_.answers.at(id_));
  }
  sim::SpawnEntityService::Response spawn(const std::string& name, const std::string& text,
                                          const std::string& space = "", double x = 0) {
    sim::SpawnEntityService::Request request;
    request.name = name;
    request.entity_resource.resource_string = text;
    request.entity_namespace = space;
    request.initial_pose.pose.position = {x, 0, 0};
    return call<sim::SpawnEntityService>("/spawn_entity", request);
  }
  std::uint8_t remove(const std::string& name) {
    return call<sim::DeleteEntity>("/delete_entity", {name}).result.result;
  }
  void step(int steps = 1) {
    for (int i = 0; i < steps; ++i) {
      ASSERT_EQ(control_->before_step(), SimulationControl::Next::kStep);
      publisher_->before_step();
      ASSERT_TRUE(simulation_->step());
      publisher_->after_step();
      control_->after_step();
    }
  }
  /// Once the output's thread has told all.
  std::set<std::string> topics(std::size_t expected) {
    for (int i = 0; i < 2000; ++i) {
      {
        const std::lock_guard lock(seen_.mutex);
        if (seen_.topics.size() == expected) return seen_.topics;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const std::lock_guard lock(seen_.mutex);
    return seen_.topics;
  }

  WorldText world_;
  Seen seen_;
  Simulation* simulation_ = nullptr;
  std::unique_ptr<Publisher> publisher_;
  std::unique_ptr<SimulationControl> control_;
  std::uint64_t id_ = 0;
};

TEST_F(SpawningTest, PublishesARobotUnderItsNamespaceUntilItIsDeleted) {
  load();
  step(10);
  EXPECT_THAT(topics(1), ElementsAre("/clock"));
  const auto services = seen_.services;
  const auto answer = spawn("one", kSpawnedArm, "fleet/r1", 3);
  ASSERT_EQ(answer.result.result, Code::kOk) << answer.result.error_message;
  EXPECT_EQ(answer.entity_name, "one");
  step(20);
  EXPECT_THAT(topics(8),
              IsSupersetOf({"/fleet/r1/gps", "/fleet/r1/joint_states", "/fleet/r1/tf",
                            "/fleet/r1/arm/controller_state", "/fleet/r1/robot_description"}));
  EXPECT_THAT(seen_.taken,
              IsSupersetOf({"/fleet/r1/joint_commands", "/fleet/r1/arm/joint_trajectory"}));
  EXPECT_THAT(seen_.services,
              IsSupersetOf({"/fleet/r1/controller_manager/list_controllers",
                            "/fleet/r1/arm/follow_joint_trajectory/_action/send_goal"}));
  EXPECT_THAT(seen_.service_topics,
              Contains("/fleet/r1/arm/follow_joint_trajectory/_action/feedback"));
  EXPECT_NEAR(call<sim::GetEntityState>("/get_entity_state", {"one"}).state.pose.position.x, 3,
              1e-9);
  message::JointState command;
  command.name = {"turn"};
  command.velocity = {1};
  seen_.commands.push_back({"/fleet/r1/joint_commands", message::to_cdr(command)});
  step(50);
  EXPECT_GT(simulation_->model().physics->joint_position(0, 0), 0.2);

  EXPECT_EQ(remove("one"), Code::kOk);
  EXPECT_THAT(seen_.taken, IsEmpty());
  EXPECT_EQ(seen_.services, services);
  EXPECT_THAT(seen_.service_topics, Not(Contains(HasSubstr("/fleet"))));
  // What comes for it meanwhile is nobody's.
  seen_.commands.push_back({"/fleet/r1/joint_commands", message::to_cdr(command)});
  seen_.requests.push_back({"/fleet/r1/controller_manager/list_controllers", 999, {0, 1, 0, 0}});
  step(5);
  EXPECT_THAT(topics(1), ElementsAre("/clock"));
  EXPECT_FALSE(seen_.answers.contains(999));
}

TEST_F(SpawningTest, LeavesNothingOfRobotsThatComeAndGo) {
  load("Robot { name \"stays\" controller \"<none>\" }");
  const auto sizes = [this] {
    const auto& model = simulation_->model();
    return std::array{model.solids.size(),
                      model.robots.size(),
                      model.joints.size(),
                      model.visuals.size(),
                      model.collisions.size(),
                      static_cast<std::size_t>(model.physics->body_count()),
                      publisher_->table().streams().size(),
                      publisher_->table().subscriptions().size()};
  };
  const auto round = [this](const std::string& name, const std::string& space) {
    ASSERT_EQ(spawn(name, kSpawnedArm, space).result.result, Code::kOk);
    step(3);
    ASSERT_EQ(remove(name), Code::kOk);
  };
  round("first", "");
  const auto before = sizes();
  for (int i = 0; i < 30; ++i)
    round(fmt::format("robot {}", i), i % 2 ? fmt::format("ns{}", i) : "");
  EXPECT_EQ(sizes(), before);
  EXPECT_THAT(topics(5), ElementsAre("/base_pose_ground_truth", "/clock", "/robot_description",
                                     "/tf", "/tf_static"));
}

TEST_F(SpawningTest, TheOnlyRobotHasNothingInFront) {
  load();
  ASSERT_EQ(spawn("a", kSpawnedArm).result.result, Code::kOk);
  EXPECT_THAT(seen_.taken, Contains("/joint_commands"));
  ASSERT_EQ(spawn("b", kSpawnedArm).result.result, Code::kOk);
  EXPECT_THAT(seen_.taken, IsSupersetOf({"/joint_commands", "/b/joint_commands"}));
}

/// As Nav2's bringup of several robots has them: texts with their namespaces in them, frames that
/// all have, and tf of each under its namespace.
TEST_F(SpawningTest, ANamespaceThatIsInTheTextIsNotRepeated) {
  load();
  const auto text = [](const std::string& space) {
    return fmt::format(
        "Robot {{ controller \"<none>\" children [ GPS {{ samplingPeriod 8 }} Topic {{ device "
        "\"gps\" name \"{0}/fix\" }} Topic {{ message \"base_pose_ground_truth\" name "
        "\"{0}/odom\" frame \"odom\" }} ] }}",
        space);
  };
  ASSERT_EQ(spawn("robot1", text("robot1"), "robot1").result.result, Code::kOk);
  ASSERT_EQ(spawn("robot2", text("robot2")).result.result, Code::kOk);
  ASSERT_EQ(spawn("robot3", text("robot33")).result.result, Code::kOk);
  step(20);
  EXPECT_THAT(topics(16),
              IsSupersetOf({"/robot1/fix", "/robot1/odom", "/robot1/tf", "/robot2/fix",
                            "/robot2/odom", "/robot2/tf_static", "/robot3/robot33/fix"}));
}

TEST_F(SpawningTest, ATopicThatCannotBeIsTold) {
  load(kSpawnedArm);
  const std::string broken =
      "Robot { controller \"<none>\" children [\n  Topic { motors \"tur\" message \"position\" "
      "name "
      "\"x\" } ] }";
  const auto before = seen_.taken;
  const auto answer = spawn("broken", broken);
  EXPECT_EQ(answer.result.result, kResourceParseError);
  EXPECT_THAT(answer.result.error_message, HasSubstr("there is no motor 'tur'"));
  EXPECT_THAT(answer.result.error_message, HasSubstr(":2:"));
  step(3);
  EXPECT_EQ(seen_.taken, before);
  EXPECT_EQ(spawn("broken", kSpawnedArm).result.result, Code::kOk) << "the name is free";
  const auto device =
      spawn("other", "Robot { children [ Topic { device \"lidar\" name \"x\" } ] }");
  EXPECT_THAT(device.result.error_message, HasSubstr("a Topic is of no device 'lidar'"));
}

TEST_F(SpawningTest, RefusesNamespacesThatAreNoneOrTaken) {
  load();
  for (const char* wrong : {"1a", "a b", "a//b", "a/", "a-b", "/2/x"}) {
    const auto answer = spawn("x", kSpawnedArm, wrong);
    EXPECT_EQ(answer.result.result, kNamespaceInvalid) << wrong;
    EXPECT_THAT(answer.result.error_message, HasSubstr(wrong));
  }
  EXPECT_EQ(spawn("a", kSpawnedArm, "/r1").result.result, Code::kOk);
  const auto second = spawn("b", kSpawnedArm, "r1");
  EXPECT_EQ(second.result.result, kNamespaceInvalid);
  EXPECT_THAT(second.result.error_message, HasSubstr("another robot has the namespace '/r1'"));
  EXPECT_EQ(remove("a"), Code::kOk);
  EXPECT_EQ(spawn("b", kSpawnedArm, "r1").result.result, Code::kOk);
}

TEST_F(SpawningTest, RefusesNamesThatCannotBePrinted) {
  load();
  for (const std::string& name : {std::string("a\nb"), std::string("a\0b", 3), std::string("\x7f")})
    EXPECT_EQ(spawn(name, kSpawnedArm).result.result, kNameInvalid);
  EXPECT_EQ(spawn("K\xc3\xbcka 1", kSpawnedArm).result.result, Code::kOk);
}

TEST_F(SpawningTest, StaysInTheWorldInTheFrameOfAnEntity) {
  load();
  ASSERT_EQ(spawn("far", kSpawnedArm, "", 9e7).result.result, Code::kOk);
  sim::SpawnEntityService::Request request;
  request.name = "farther";
  request.entity_resource.resource_string = kSpawnedArm;
  request.initial_pose.header.frame_id = "far";
  request.initial_pose.pose.position = {9e7, 0, 0};
  EXPECT_EQ(call<sim::SpawnEntityService>("/spawn_entity", request).result.result, kInvalidPose);
}

TEST_F(SpawningTest, TakesTheNameOfTheResourceAndTheFrameOfAnEntity) {
  load();
  ASSERT_EQ(spawn("", kSpawnedArm, "", 2).entity_name, "arm");
  EXPECT_EQ(spawn("", kSpawnedArm).result.result, kNameNotUnique);
  sim::SpawnEntityService::Request request;
  request.allow_renaming = true;
  request.entity_resource.resource_string = kSpawnedArm;
  request.initial_pose.header.frame_id = "arm";
  request.initial_pose.pose.position = {1, 0, 0};
  EXPECT_EQ(call<sim::SpawnEntityService>("/spawn_entity", request).entity_name, "arm_2");
  const auto state = call<sim::GetEntityState>("/get_entity_state", {"arm_2"}).state;
  EXPECT_NEAR(state.pose.position.x, 3, 1e-9);
  request.initial_pose.header.frame_id = "amr";
  const auto lost = call<sim::SpawnEntityService>("/spawn_entity", request);
  EXPECT_EQ(lost.result.result, kInvalidPose);
  EXPECT_THAT(lost.result.error_message, HasSubstr("no frame 'amr'"));
  // What a uri names comes before the text.
  request.initial_pose.header.frame_id = "";
  request.entity_resource = {"Nothing", kSpawnedArm};
  const auto nothing = call<sim::SpawnEntityService>("/spawn_entity", request).result;
  EXPECT_EQ(nothing.result, Code::kNotFound);
  EXPECT_THAT(nothing.error_message, HasSubstr("'Nothing'"));
}

// simulation_interfaces, srv/SpawnEntity.srv
TEST_F(SpawningTest, TellsByItsCodeWhatIsWrongWithAResource) {
  load();
  const std::string mesh = "Solid { children Shape { geometry Mesh { url \"none.obj\" } } }";
  for (const auto& [text, code] : std::vector<std::pair<std::string, int>>{
           {"", kNoResource},
           {"Solid { children", kResourceParseError},
           {"Solid { translation a }", kResourceParseError},
           {"Nothing { }", kResourceParseError},
           {"Solid { children Nothing { } }", kResourceParseError},
           {"Shape { }", kResourceParseError},
           {mesh, kMissingAssets}}) {
    const auto answer = spawn("x", text);
    EXPECT_EQ(answer.result.result, code) << text << "\n" << answer.result.error_message;
    EXPECT_NE(answer.result.error_message, "") << text;
  }
  sim::SpawnEntityService::Request request;
  request.name = "x";
  const auto by_uri = [&](const char* uri) {
    request.entity_resource.uri = uri;
    return call<sim::SpawnEntityService>("/spawn_entity", request).result.result;
  };
  EXPECT_EQ(by_uri("Nothing"), Code::kNotFound);
  world_.folder().write(
      "protos/Half.proto",
      "#VRML_SIM R2025a utf8\nPROTO Half [ ] { Solid { children Nothing { } } }\n");
  EXPECT_EQ(by_uri("Half"), kResourceParseError);
  request.entity_resource.uri = "Crate";
  const auto crate = call<sim::SpawnEntityService>("/spawn_entity", request);
  EXPECT_EQ(crate.result.result, Code::kOk);
  EXPECT_EQ(crate.result.error_message, "") << "a name needs no EXTERNPROTO";
  EXPECT_EQ(remove("x"), Code::kOk);
  EXPECT_EQ(spawn("x", kSpawnedArm).result.result, Code::kOk) << "the name is free";
}

TEST_F(SpawningTest, WarningsReachWhoAsked) {
  load();
  EXPECT_EQ(spawn("quiet", kSpawnedArm).result.error_message, "");
  const auto lone = spawn("lone", "\nLidar { }");
  EXPECT_EQ(lone.result.result, Code::kOk);
  EXPECT_THAT(
      lone.result.error_message,
      HasSubstr(":2:1: warning: a Lidar outside a Robot is a body only: nobody can read it"));
  WorldText as_world;
  as_world.load("Lidar { }");
  EXPECT_THAT(
      as_world.diagnostics().to_string(),
      HasSubstr(":3:1: warning: a Lidar outside a Robot is a body only: nobody can read it"));
  const auto field = spawn("field", "Solid { unheard 1 }");
  EXPECT_EQ(field.result.result, Code::kOk);
  EXPECT_THAT(field.result.error_message, HasSubstr("unknown field 'unheard' in Solid"));
  const auto urdf = spawn("urdf", "<robot name=\"x\"><link name=\"a\"/><nothing/></robot>");
  EXPECT_EQ(urdf.result.result, Code::kOk);
}

/// It stands there, as the robots of a world whose controllers are not there.
TEST_F(SpawningTest, ARobotWithoutItsControllerIsThereAndTold) {
  load();
  simulation_->start_controllers([](const std::string&, bool, std::string_view) {});
  const auto robot = [](const char* controller) {
    return fmt::format("Solid {{ children Robot {{ name \"r\" controller \"{}\" }} }}", controller);
  };
  const auto missing = spawn("one", robot("nowhere"));
  EXPECT_EQ(missing.result.result, Code::kOk);
  EXPECT_EQ(missing.entity_name, "one");
  EXPECT_THAT(missing.result.error_message,
              HasSubstr("warning: robot 'r': there is no controller 'nowhere'; tried"));
  EXPECT_EQ(remove("one"), Code::kOk);
  EXPECT_EQ(spawn("one", robot("<none>")).result.error_message, "");
}

// simulation_interfaces, srv/SpawnEntities.srv
TEST_F(SpawningTest, BringsInSeveralAtOnce) {
  load();
  sim::SpawnEntities::Request request;
  const auto add = [&](const std::string& name, const std::string& text, double x,
                       const std::string& frame) {
    sim::SpawnEntity& one = request.spawn_requests.emplace_back();
    one.name = name;
    one.entity_resource.resource_string = text;
    one.entity_namespace = name;
    one.initial_pose.header.frame_id = frame;
    one.initial_pose.pose.position = {x, 0, 0};
  };
  add("a", kSpawnedArm, 2, "");
  add("a", kSpawnedArm, 4, "");
  add("c", "Robot { nmae \"c\" }", 6, "");
  add("b", kSpawnedArm, 3, "a");
  const auto answer = call<sim::SpawnEntities>("/spawn_entities", request);
  EXPECT_EQ(answer.result.result, kSpawnFailed);
  EXPECT_THAT(answer.result.error_message,
              HasSubstr("2 of 4 were not spawned: request 1 ('a'): there is an entity 'a'; request "
                        "2 ('c'): "));
  ASSERT_EQ(answer.results.size(), 4u);
  EXPECT_EQ(answer.results[0].result.result, Code::kOk);
  EXPECT_EQ(answer.results[0].entity_name, "a");
  EXPECT_EQ(answer.results[1].result.result, kNameNotUnique);
  EXPECT_EQ(answer.results[2].result.result, kResourceParseError);
  EXPECT_THAT(answer.results[2].result.error_message, HasSubstr("did you mean 'name'?"));
  EXPECT_EQ(answer.results[3].entity_name, "b");
  const auto state = call<sim::GetEntityState>("/get_entity_state", {"b"}).state;
  EXPECT_NEAR(state.pose.position.x, 5, 1e-9) << "in the frame of one that came just before";
  EXPECT_THAT(seen_.taken, IsSupersetOf({"/a/joint_commands", "/b/joint_commands"}));
  request.spawn_requests.clear();
  add("d", kSpawnedArm, 7, "");
  EXPECT_EQ(call<sim::SpawnEntities>("/spawn_entities", request).result.result, Code::kOk);
  EXPECT_THAT(call<sim::GetSimulatorFeatures>("/get_simulator_features", {}).features.features,
              Contains(50));
}

/// A controller that was switched off is as in a run that begins, once its robot comes again.
TEST_F(SpawningTest, ControllersBeginAfresh) {
  load();
  namespace control = message::control;
  const auto state = [this] {
    return call<control::ListControllers>("/r/controller_manager/list_controllers", {})
        .controller.at(0)
        .state;
  };
  ASSERT_EQ(spawn("a", kSpawnedArm, "r").result.result, Code::kOk);
  call<control::SwitchController>("/r/controller_manager/switch_controller",
                                  {{}, {"arm"}, control::SwitchController::kStrict, true, {}});
  EXPECT_EQ(state(), "inactive");
  ASSERT_EQ(remove("a"), Code::kOk);
  ASSERT_EQ(spawn("a", kSpawnedArm, "r").result.result, Code::kOk);
  EXPECT_EQ(state(), "active");
}

/// Frictions of links are rules of the world.
TEST_F(SpawningTest, ARobotInUrdfBringsItsFrictions) {
  load("Solid { name \"floor\" boundingObject Plane { size 50 50 } }");
  const auto sled = [](const char* mu) {
    return fmt::format(R"(<robot name="sled"><link name="body">
  <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><box size="1 1 0.2"/></geometry></collision></link>
  <gazebo reference="body"><mu1>{}</mu1></gazebo></robot>)",
                       mu);
  };
  simulation_->model().physics->set_gravity(Vec3(0, 0, -9.81));
  const auto way = [&](const char* name, const char* mu) {
    const auto answer = spawn(name, sled(mu));
    EXPECT_EQ(answer.result.result, Code::kOk) << answer.result.error_message;
    sim::SetEntityState::Request push;
    push.entity = name;
    push.set_pose = push.set_twist = true;
    push.state.pose.position = {0, 0, 0.1};
    push.state.twist.linear = {1, 0, 0};
    EXPECT_EQ(call<sim::SetEntityState>("/set_entity_state", push).result.result, Code::kOk);
    step(125);
    const double x = call<sim::GetEntityState>("/get_entity_state", {name}).state.pose.position.x;
    EXPECT_EQ(remove(name), Code::kOk);
    return x;
  };
  // v^2 / (2 mu g), or all the way of a second.
  EXPECT_NEAR(way("rough", "0.5"), 1 / (2 * 0.5 * 9.81), 0.01);
  EXPECT_NEAR(way("smooth", "0"), 1.008, 0.01);
  EXPECT_NEAR(way("rough again", "0.5"), 1 / (2 * 0.5 * 9.81), 0.01);
  EXPECT_THAT(spawn("x", "<robot name=\"x\">\n<lnk/></robot>").result.error_message,
              HasSubstr("resource.urdf:"));
}

}  // namespace
}  // namespace protobeam
