// Bags for read_bags.py, by the plugin BagRecorder:
//   write_samples bag types FILE COMPRESSION         a message of every type; their values as JSON
//   write_samples bag many FILE COMPRESSION COUNT END  images of 100 kB; END is finish, kill or the most
//                                                     bytes that the file may have
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include <sys/resource.h>

#include "message/sensor_msgs.h"
#include "tests/interop/write_samples.h"
#include "tests/support/every_message.h"
#include "tests/unit/support/output_plugin.h"

namespace protobeam {
namespace {

constexpr std::int64_t kStep = 10'000'000;

void write_types(MessageSink& sink) {
  Feeder feed(sink);
  nlohmann::json all;
  int first = 1;
  message::for_each_message_type([&]<class M>() {
    const M message = message::filled<M>(first);
    const message::MessageType& type = message::type_of<M>();
    // Two packages have a Pose2D.
    const std::string topic =
        "/" + std::string(M::kName.ros1_package) + "/" + std::string(M::kName.name);
    const bool latched = first % 2 == 0;
    feed.write(topic, (first - 1) * kStep, message, latched);
    all[topic] = {{"type", type.ros1_name},
                  {"md5", type.ros1_md5},
                  {"latched", latched},
                  {"time_ns", (first - 1) * kStep},
                  {"value", message::json_of(message)}};
    ++first;
  });
  sink.finish();
  std::cout << all << "\n";
}

/// Images that can hardly be compressed; their first bytes are the number.
message::Image noise(int number) {
  message::Image image;
  image.data.resize(100'000);
  std::uint32_t state = 12345u + static_cast<std::uint32_t>(number);
  for (auto& byte : image.data) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<std::uint8_t>(state >> 24);
  }
  image.header.seq = static_cast<std::uint32_t>(number);
  return image;
}

int write_many(MessageSink& sink, int count, std::string_view end) {
  Feeder feed(sink);
  int problem = 0;
  try {
    for (int i = 0; i < count; ++i) feed.write("/camera", (i + 1) * kStep, noise(i));
  } catch (const std::runtime_error& error) {
    std::cout << error.what() << "\n";
    problem = 1;
  }
  if (end == "kill") ::raise(SIGKILL);
  sink.finish();
  std::cout << sink.text() << "\n";
  return problem;
}

}  // namespace

int write_bag(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::string_view what = argv[1];
  const auto sink = make_sink("BagRecorder", {{"file", quoted(argv[2])},
                                              {"compression", quoted(argv[3])},
                                              {"chunkSize", "1"}});
  if (what == "types") {
    write_types(*sink);
    return 0;
  }
  if (argc < 6) return 2;
  const std::string_view end = argv[5];
  if (end != "kill" && end != "finish") {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlim_t bytes = std::strtoull(argv[5], nullptr, 10);
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  return write_many(*sink, std::atoi(argv[4]), end);
}

}  // namespace protobeam
