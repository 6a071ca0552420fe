// Outputs: what a message and a megabyte cost, and what it costs a run that everything is recorded.
#include <fmt/format.h>
#include <time.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>

#include "app/bench_place.h"
#include "app/bench_report.h"
#include "app/output_options.h"
#include "app/temporary_folder.h"
#include "message/sensor_msgs.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Of all threads of the program.
double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Kind {
  const char *name, *node, *ending;  ///< "" for one that writes no file
  const char *field, *value;         ///< and a field of its own
};
constexpr Kind kKinds[] = {{"mcap", "McapRecorder", ".mcap", "compression", "none"},
                           {"mcap-zstd", "McapRecorder", ".mcap", "compression", "zstd"},
                           {"bag", "BagRecorder", ".bag", "compression", "none"},
                           {"ros2", "Ros2Publisher", "", "", ""},
                           {"foxglove", "FoxglovePublisher", "", "address", "127.0.0.1"}};

wbt::Field text_field(const char* name, const std::string& value) {
  wbt::Field field;
  field.name = name;
  field.value.kind = wbt::Value::Kind::kStrings;
  field.value.strings = {value};
  return field;
}

class Sinks {
 public:
  Sinks() { fill_schemas(schemas_, plugins_); }

  /// Null where the build has no such output.
  std::unique_ptr<MessageSink> make(const Kind& kind, const TemporaryFolder& scratch) {
    const auto* plugin = plugins_.find_as<OutputPlugin>(kind.node);
    if (!plugin) return nullptr;
    wbt::Node node;
    node.type = kind.node;
    if (*kind.ending) node.fields.push_back(text_field("file", scratch.file("bench" + std::string(kind.ending))));
    if (*kind.field) node.fields.push_back(text_field(kind.field, kind.value));
    return plugin->make(wbt::NodeView(node, schemas_), {"bench", "protobeam bench"});
  }

 private:
  PluginLoader plugins_;
  SchemaRegistry schemas_;
};

/// Seconds for `count` messages, from making them to the end of the file.
template <class Make>
double time_of(std::unique_ptr<MessageSink> sink, const message::MessageType& type, int count,
               const Make& make) {
  OutputQueue queue(std::move(sink), 256'000'000);
  const auto topic = std::make_shared<const Topic>(Topic{"/bench", &type, false, 0});
  const auto begin = Clock::now();
  for (int i = 0; i < count; ++i) {
    queue.push({topic, (i + 1) * std::int64_t{1'000'000}, message::AnyMessage(make(i))});
  }
  queue.finish();
  return seconds_since(begin);
}

void measure_sinks(BenchReport& report) {
  Sinks sinks;
  const TemporaryFolder scratch("bench");
  const int messages = report.quick() ? 5'000 : 50'000, clouds = report.quick() ? 10 : 100;
  for (const Kind& kind : kKinds) {
    const std::string name = std::string("outputs/") + kind.name;
    if (!report.wants(name)) continue;
    auto sink = sinks.make(kind, scratch);
    if (!sink) continue;
    const double small = time_of(std::move(sink), message::type_of<message::Imu>(), messages, [](int i) {
      message::Imu imu;
      imu.header.frame_id = "imu";
      imu.angular_velocity.x = i;
      return imu;
    });
    const std::size_t bytes = 131'072u * 24;  // an OS1's sweep
    const double large =
        time_of(sinks.make(kind, scratch), message::type_of<message::PointCloud2>(), clouds, [&](int i) {
          message::PointCloud2 cloud;
          cloud.width = 131'072;
          cloud.height = 1;
          cloud.point_step = 24;
          cloud.data.resize(bytes);
          // Ranges repeat as little as those of a sensor do.
          std::uint32_t state = static_cast<std::uint32_t>(i) + 1;
          for (std::size_t at = 0; at < bytes; at += 3) {
            state = state * 1664525 + 1013904223;
            cloud.data[at] = static_cast<std::uint8_t>(state >> 24);
          }
          return cloud;
        });
    const double us = small / messages * 1e6, ms = large / (clouds * static_cast<double>(bytes) / 1e6) * 1e3;
    report.add(name, {{"us_a_message", us}, {"ms_a_megabyte", ms}}, {{"megabytes_a_second", 1e3 / ms}},
               fmt::format("{:.1f} us an Imu, {:.0f} MB of clouds a second", us, 1e3 / ms));
  }
}

/// Two runs of one world side by side, step by step: one records everything.
void measure_run(BenchReport& report, const std::string& world, double seconds) {
  const std::string name = "outputs/recorded/" + world;
  if (!report.wants(name)) return;
  const TemporaryFolder scratch("bench");
  auto plain = load_bench_world(world + ".wbt"), recorded = load_bench_world(world + ".wbt");
  OutputArguments outputs;
  outputs.record = {scratch.file("bench.mcap")};
  auto publisher = make_publisher(*recorded, outputs);
  const auto ignore = [](const std::string&, bool, std::string_view) {};
  plain->start_controllers(ignore);
  recorded->start_controllers(ignore);
  double wall[2] = {0, 0}, processor[2] = {0, 0};
  const auto timed = [&](int which, const auto& action) {
    const auto begin = Clock::now();
    const double used = processor_seconds();
    action();
    wall[which] += seconds_since(begin);
    processor[which] += processor_seconds() - used;
  };
  bool swap = false;
  while (recorded->time() < seconds - 1e-9) {
    const auto one = [&] { timed(0, [&] { plain->step(); }); };
    const auto other = [&] {
      timed(1, [&] {
        recorded->step();
        publisher->after_step();
      });
    };
    // Who comes second finds a warm cache: by turns.
    swap = !swap;
    if (swap) one();
    other();
    if (!swap) one();
  }
  timed(1, [&] { publisher->finish(); });
  plain->finish();
  recorded->finish();
  const double ratio = processor[1] / processor[0];
  report.add(name, {{"ratio", ratio}},
             {{"wall_ratio", wall[1] / wall[0]},
              {"same_state", plain->state_hash() == recorded->state_hash()},
              {"simulated_s", seconds}},
             fmt::format("{:.3f} of the processor time without recording ({:.3f} of the wall time); the same "
                         "state: {}",
                         ratio, wall[1] / wall[0],
                         plain->state_hash() == recorded->state_hash() ? "yes" : "NO"));
}

}  // namespace

void bench_outputs(BenchReport& report) {
  measure_sinks(report);
  measure_run(report, "yard", report.quick() ? 1 : 5);
  measure_run(report, "mapping", report.quick() ? 1 : 5);
  measure_run(report, "campus", report.quick() ? 0.1 : 0.4);
}

}  // namespace protobeam
