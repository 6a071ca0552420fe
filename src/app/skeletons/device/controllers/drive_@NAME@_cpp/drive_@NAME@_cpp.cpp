// The same as drive_@NAME@, in C++.
#include <cstdint>
#include <cstdio>
#include <protobeam/Device.hpp>
#include <webots/Robot.hpp>

int main() {
  webots::Robot robot;
  auto* device = dynamic_cast<protobeam::Device*>(robot.getDevice("@NAME@"));
  if (!device) return 1;
  const int time_step = static_cast<int>(robot.getBasicTimeStep());
  device->enable(time_step);
  device->command("lag", {0.1});
  device->command("thrust", {0.5 * device->getNumber("maxThrust")});

  for (int step = 1; robot.step(time_step) != -1; ++step) {
    if (step * time_step % 500 >= time_step) continue;
    const auto ranges = device->getChannel<float>("ranges");
    std::printf("%.3f s: %.2f N, %d contacts, ahead:", robot.getTime(),
                device->getChannel<double>("thrust")[0],
                static_cast<int>(device->getChannel<std::int32_t>("contacts")[0]));
    for (std::size_t i = 0; i < ranges.shape()[1]; ++i) {
      std::printf(" %.3f", static_cast<double>(ranges(ranges.shape()[0] / 2, i)));
    }
    std::printf("\n");
  }
}
