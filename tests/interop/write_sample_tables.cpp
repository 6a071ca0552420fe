// write_samples tables FOLDER: files of the recorders CsvRecorder, TumRecorder and CloudRecorder for
// read_tables.py. Writes what went into the tables as JSON, and the text of CsvRecorder behind it.
#include <cmath>
#include <filesystem>
#include <iostream>

#include "message/sensor_msgs.h"
#include "tests/interop/write_samples.h"
#include "tests/support/every_message.h"
#include "tests/unit/support/output_plugin.h"

namespace protobeam {
namespace {

void write_messages(const std::filesystem::path& folder) {
  const auto sink = make_sink("CsvRecorder", {{"folder", quoted(folder / "tables")}});
  Feeder feed(*sink);
  nlohmann::json all;
  int first = 1;
  message::for_each_message_type([&]<class M>() {
    const M message = message::filled<M>(first++);
    // Two packages have a Pose2D.
    const std::string name = std::string(M::kName.ros2_package) + "_" + std::string(M::kName.name);
    feed.write("/" + name, 1'500'000'000, message);
    all[name] = message::json_of(message, true);
  });
  sink->finish();
  std::cout << all << "\n" << sink->text() << "\n";
}

void write_trajectory(const std::filesystem::path& folder) {
  const auto sink = make_sink("TumRecorder", {{"folder", quoted(folder / "trajectories")}});
  Feeder feed(*sink);
  for (int i = 0; i < 2000; ++i) {
    message::Odometry odometry;
    odometry.header.stamp = message::time_of(i * std::int64_t{10'000'000});
    odometry.pose.pose.position.x = std::sin(0.01 * i);
    odometry.pose.pose.orientation = {0, 0, std::sin(0.005 * i), std::cos(0.005 * i)};
    feed.write("/odom", i * std::int64_t{10'000'000}, odometry);
  }
  sink->finish();
}

/// 3 x 5 points of every type of number, with gaps between them.
void write_point_clouds(const std::filesystem::path& folder) {
  message::PointCloud2 cloud;
  cloud.header.stamp = {12, 345'678'900};
  cloud.width = 5;
  cloud.height = 3;
  cloud.fields = {{"x", 0, 7, 1},    {"y", 4, 7, 1},    {"z", 8, 7, 1},    {"t", 16, 8, 1}, {"i8", 24, 1, 1},
                  {"u8", 25, 2, 1}, {"i16", 26, 3, 1}, {"u16", 28, 4, 1}, {"i32", 32, 5, 1}, {"u32", 36, 6, 1}};
  cloud.point_step = 48;
  cloud.row_step = 5 * 48;
  cloud.data.resize(std::size_t{3} * cloud.row_step, 0xab);
  for (int i = 0; i < 15; ++i) {
    const auto put = [&]<class T>(std::size_t offset, T value) {
      std::memcpy(cloud.data.data() + 48 * static_cast<std::size_t>(i) + offset, &value, sizeof value);
    };
    put(0, i == 7 ? NAN : 0.1f * static_cast<float>(i));
    put(4, -static_cast<float>(i));
    put(8, 1.0f / 3.0f);
    put(16, 1e9 + 1e-6 * i);
    put(24, static_cast<std::int8_t>(-i));
    put(25, static_cast<std::uint8_t>(255 - i));
    put(26, static_cast<std::int16_t>(-1000 * i));
    put(28, static_cast<std::uint16_t>(65535 - i));
    put(32, -100'000'000 * i);
    put(36, 4'000'000'000u + static_cast<std::uint32_t>(i));
  }
  for (const char* format : {"pcd", "pcd-ascii", "ply"}) {
    const auto sink =
        make_sink("CloudRecorder", {{"folder", quoted(folder / format)}, {"format", quoted(format)}});
    Feeder(*sink).write("/points", 0, cloud);
    sink->finish();
  }
}

}  // namespace

int write_tables(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  write_messages(folder);
  write_trajectory(folder);
  write_point_clouds(folder);
  return 0;
}

}  // namespace protobeam
