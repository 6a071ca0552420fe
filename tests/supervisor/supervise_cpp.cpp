// The C++ classes of a supervisor.
#include <cmath>
#include <cstdio>
#include <string>
#include <webots/Supervisor.hpp>

namespace {

int failures = 0;

void expect(bool good, const char* what, int line) {
  if (good) return;
  std::fprintf(stderr, "supervise_cpp.cpp:%d: %s\n", line, what);
  failures = 1;
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)

}  // namespace

int main() {
  webots::Supervisor robot;
  const int step = static_cast<int>(robot.getBasicTimeStep());
  EXPECT(webots::Supervisor::internalGetInstance() == &robot);
  webots::Node* ball = robot.getFromDef("BALL");
  EXPECT(ball && ball == robot.getFromDef("BALL") && ball->getType() == webots::Node::SOLID);
  EXPECT(robot.getSelf()->getParentNode() == robot.getRoot());
  webots::Field* translation = ball->getField("translation");
  EXPECT(translation->getType() == webots::Field::SF_VEC3F &&
         translation->getName() == "translation");
  const double place[3] = {1, 2, 3};
  translation->setSFVec3f(place);
  EXPECT(ball->getPosition()[1] == 2);
  webots::Node* crate = robot.getFromDef("CRATE");
  EXPECT(crate->isProto() && crate->getProto()->getParent()->getTypeName() == "TestCrate");
  EXPECT(crate->getFromProtoDef("LOOK")->getField("baseColor")->getSFColor()[2] == 0.75);
  webots::Field* children = robot.getRoot()->getField("children");
  const int count = children->getCount();
  children->importMFNodeFromString(
      0, "DEF NEW Pose { translation 1 0 0 children [ Solid { name \"new\" } ] }");
  EXPECT(children->getCount() == count + 1 && children->getMFNode(0)->getDef() == "NEW");
  ball->enablePoseTracking(step);
  for (int i = 0; i < 10; ++i) robot.step(step);
  EXPECT(std::abs(ball->getPose()[11] - 3) > 0.01);
  robot.getFromDef("NEW")->remove();
  EXPECT(children->getCount() == count);
  const double large[3] = {2, 2, 2};
  crate->getField("size")->setSFVec3f(large);
  webots::Field* inside = crate->getBaseNodeField("boundingObject")->getSFNode()->getField("size");
  EXPECT(inside->getSFVec3f()[0] == 2 && inside->getActualField() == crate->getField("size"));
  robot.step(step);
  robot.simulationQuit(failures);
  robot.step(step);
  return failures;
}
