// The messages of simulation_interfaces: names, definitions and bytes.
#include <gmock/gmock.h>

#include "message/any_message.h"
#include "message/simulation_entity_services.h"
#include "message/simulation_services.h"

namespace protobeam::message::simulation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST(SimulationInterfaces, HaveTheNamesOfServices) {
  const MessageType& request = type_of<StepSimulation::Request>();
  EXPECT_EQ(request.ros2_name, "simulation_interfaces/srv/StepSimulation_Request");
  EXPECT_EQ(request.dds_name, "simulation_interfaces::srv::dds_::StepSimulation_Request_");
  EXPECT_EQ(type_of<SpawnEntityService::Response>().ros2_name,
            "simulation_interfaces/srv/SpawnEntity_Response");
  EXPECT_EQ(type_of<SpawnEntity>().ros2_name, "simulation_interfaces/msg/SpawnEntity");
  EXPECT_EQ(GetEntities::kType, "simulation_interfaces/srv/GetEntities");
}

// From public code that rosidl has generated of the package: get_type_hash() in *__description.c.
TEST(SimulationInterfaces, HaveTheHashesOfRos2) {
  EXPECT_EQ(type_of<Result>().ros2_hash,
            "RIHS01_cf43a306adff3337a0a47143d8f5689933bc70a30478f13b077dc1fe3bc5ad17");
  EXPECT_EQ(type_of<EntityFilters>().ros2_hash,
            "RIHS01_8e7b12e8ea062f14c55de4877221fe1b7cd9749665a7ad8a4ab855fc4b148303");
  EXPECT_EQ(type_of<EntityState>().ros2_hash,
            "RIHS01_2e0464a85eb80a939025075d6c20761eca6a4cb9d6baf2c0ba373467c8b598d0");
  EXPECT_EQ(type_of<TagsFilter>().ros2_hash,
            "RIHS01_5c3efc51e8ed04c266c09cb4691ec95b964cd410558e01d8c83646b038826b45");
  EXPECT_EQ(type_of<WorldResource>().ros2_hash,
            "RIHS01_e3b65ecf904b9b115673e4a343c6aa3d28c19e185a71228faa64b783afcf2403");
  EXPECT_EQ(type_of<SimulationState>().ros2_hash,
            "RIHS01_bb9f87ccdd98fba113052a512d9801e84ce732d0a2b3c2b0cb281828de36e415");
  EXPECT_EQ(type_of<Resource>().ros2_hash,
            "RIHS01_2bb1939cf80f8d2f284afba53cbec60b5ff33759bd39b714128ea8867a34c51a");
  EXPECT_EQ(type_of<Bounds>().ros2_hash,
            "RIHS01_e8624fe51f0f5548197542697d924c5699ac7198f1e4c68e50c3ca2af73f5b3f");
  EXPECT_EQ(type_of<Spawnable>().ros2_hash,
            "RIHS01_8675aa686f0df1ed7874a6ec210fdce1ac1c07f4e49fc26ec7fb6fe729f6772e");
  EXPECT_EQ(type_of<EntityCategory>().ros2_hash,
            "RIHS01_43bdf7933fddf75f6970f7a8fe7078524355d821d390b3954bb46ac36c03dfe1");
  EXPECT_EQ(type_of<ResetSimulation::Request>().ros2_hash,
            "RIHS01_2c766d09c3aa30f01fadc55a42fd760b63db358c7d1d3b6a64ea9978225ffbc7");
  EXPECT_EQ(type_of<ResetSimulation::Response>().ros2_hash,
            "RIHS01_718428121e0f1755720878d3c28f1688da7581ee5a5d56d26d10d941a28a50a0");
  EXPECT_EQ(type_of<GetSpawnables::Request>().ros2_hash,
            "RIHS01_3e1d1577446a80da956db3e82363c2d66364f9802f6e9572d89497933207d921");
  EXPECT_EQ(type_of<GetSpawnables::Response>().ros2_hash,
            "RIHS01_cb61fd741c429d6bc689514b7bfc65bb1518126961317acc6e414a841dc43daa");
}

// The .srv files of releases 1.5.1 (ROS 2 Jazzy) and 2.1.0: strings in a message of their own are
// the same bytes, and a Spawnable of 1.x has no text.
TEST(SimulationInterfaces, HaveOlderReleases) {
  GetSpawnables::Response response;
  response.spawnables.resize(1);
  response.spawnables[0].entity_resource = {"a", "text"};
  response.spawnables[0].description = "b";
  const Bytes older = to_cdr(GetSpawnables::Older::older(response));
  EXPECT_THAT(older, ElementsAre(0, 1, 0, 0,                          //
                                 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,  // result, its text, gap
                                 1, 0, 0, 0,                          // one
                                 2, 0, 0, 0, 'a', 0, 0, 0,            //
                                 2, 0, 0, 0, 'b', 0,                  //
                                 0, 0, 0, 0, 0, 0));                  // bounds
  SetEntityState::Older::Request set;
  set.entity = "cart";
  set.state.twist.angular.z = 2;
  const Bytes bytes = to_cdr(set);
  EXPECT_TRUE(SetEntityState::Older::asked_by(bytes));
  const auto newer = SetEntityState::Older::newer(from_cdr<SetEntityState::Older::Request>(bytes));
  EXPECT_EQ(newer.entity, "cart");
  EXPECT_EQ(newer.state.twist.angular.z, 2);
  EXPECT_TRUE(newer.set_pose && newer.set_twist && !newer.set_acceleration);
  EXPECT_FALSE(SetEntityState::Older::asked_by(to_cdr(newer)));
}

TEST(SimulationInterfaces, HaveDefinitions) {
  EXPECT_THAT(type_of<SetSimulationState::Request>().ros2_definition,
              StartsWith("simulation_interfaces/SimulationState state\n"));
  EXPECT_THAT(type_of<SetSimulationState::Request>().ros2_definition,
              HasSubstr("MSG: simulation_interfaces/SimulationState\nuint8 STATE_STOPPED=0\n"));
  EXPECT_THAT(type_of<EntityState>().ros2_definition,
              StartsWith("std_msgs/Header header\ngeometry_msgs/Pose pose\n"
                         "geometry_msgs/Twist twist\ngeometry_msgs/Accel acceleration\n"));
}

// By hand: 1 byte, then text with its length, aligned to 4.
TEST(SimulationInterfaces, AreEncodedAsTheyAreDefined) {
  StepSimulation::Response response;
  response.result = {Result::kIncorrectState, "no"};
  EXPECT_THAT(to_cdr(response), ElementsAre(0, 1, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 'n', 'o', 0));
  EXPECT_THAT(to_cdr(GetEntities::Request{}), ElementsAre(0, 1, 0, 0,              //
                                                          1, 0, 0, 0, 0, 0, 0, 0,  // filter, gap
                                                          0, 0, 0, 0,              // categories
                                                          0, 0, 0, 0, 0,           // tags, filter_mode
                                                          0, 0, 0,                 // type, gap
                                                          0, 0, 0, 0));            // points
  // A request without fields is a byte.
  EXPECT_THAT(to_cdr(GetSimulationState::Request{}), ElementsAre(0, 1, 0, 0, 0));
}

TEST(SimulationInterfaces, AreReadBack) {
  GetEntitiesStates::Response response;
  response.result.result = Result::kOk;
  response.entities = {"car", "cone 1"};
  response.states.resize(2);
  response.states[1].pose.position.z = 2.5;
  response.states[1].acceleration.angular.z = -1;
  const auto read = from_cdr<GetEntitiesStates::Response>(to_cdr(response));
  EXPECT_EQ(read.entities, response.entities);
  ASSERT_EQ(read.states.size(), 2u);
  EXPECT_EQ(read.states[1].pose.position.z, 2.5);
  EXPECT_EQ(read.states[1].acceleration.angular.z, -1);
}

}  // namespace
}  // namespace protobeam::message::simulation
