// Episodes as for learning: a supervisor puts the crates of worlds/randomized.wbt somewhere else,
// lets them fall, looks where they came to rest, and resets the world. Its arguments: how many
// episodes, and where the random numbers begin.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <webots/Supervisor.hpp>

namespace {

/// Numbers in 0..1 that are the same everywhere (SplitMix64, S. Vigna).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double operator()(double low, double high) {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return low + (high - low) * (static_cast<double>(z >> 11) * 0x1p-53);
  }

 private:
  std::uint64_t state_;
};

void scatter(webots::Node& crate, Random& random) {
  const double place[3] = {random(-2, 2), random(-2, 2), random(0.5, 2)};
  const double turn[4] = {0, 0, 1, random(-3, 3)};
  const double velocity[6] = {random(-1, 1), random(-1, 1), 0, 0, 0, random(-2, 2)};
  crate.getField("translation")->setSFVec3f(place);
  crate.getField("rotation")->setSFRotation(turn);
  crate.setVelocity(velocity);
}

}  // namespace

int main(int argc, char** argv) {
  webots::Supervisor robot;
  const int episodes = argc > 1 ? std::atoi(argv[1]) : 3;
  Random random(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
  const int step = static_cast<int>(robot.getBasicTimeStep());
  std::vector<webots::Node*> crates;
  for (int i = 1; webots::Node* crate = robot.getFromDef("CRATE" + std::to_string(i)); ++i) {
    crates.push_back(crate);
  }
  webots::Node* paint = robot.getFromDef("PAINT");
  for (int episode = 0; episode < episodes; ++episode) {
    for (webots::Node* crate : crates) scatter(*crate, random);
    if (paint) {
      const double color[3] = {random(0, 1), random(0, 1), random(0, 1)};
      paint->getField("baseColor")->setSFColor(color);
    }
    for (double end = robot.getTime() + 1; robot.getTime() < end;) {
      if (robot.step(step) == -1) return 0;
    }
    std::printf("episode %d:", episode + 1);
    for (webots::Node* crate : crates) {
      const double* p = crate->getPosition();
      std::printf(" %.3f %.3f %.3f", p[0], p[1], p[2]);
    }
    std::printf("\n");
    robot.simulationReset();
    if (robot.step(step) == -1) return 0;
  }
  robot.simulationQuit(0);
  robot.step(step);
}
