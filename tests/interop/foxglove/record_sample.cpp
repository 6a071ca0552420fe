// Records sample messages by the plugin McapRecorder: write_samples mcap FILE COMPRESSION WHAT, where
// WHAT is
//   all          200 of each topic
//   forever      of each topic until it is killed; says "chunk" when the file has grown
//   full BYTES   of each topic until the file may not grow any more; says the error
//   bench        300 MB of point clouds of 1.6 MB; says how fast
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>

#include "sample_messages.h"
#include "tests/interop/write_samples.h"
#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

std::unique_ptr<MessageSink> recorder(const std::string& file, const std::string& compression,
                                      const char* chunk_size) {
  const auto& plugin = load_plugin<OutputPlugin>("McapRecorder");
  return plugin.make(TestFields(plugin.schema, {{"file", quoted(file)},
                                                {"compression", quoted(compression)},
                                                {"chunkSize", chunk_size}}),
                     {"sample.wbt", "protobeam sample"});
}

void record_all(const std::string& file, const std::string& compression) {
  auto sink = recorder(file, compression, "0.1");
  const auto topics = sample_topics();
  for (const SampleTopic& one : topics) sink->add(*one.topic);
  for (std::uint32_t i = 0; i < 200; ++i) {
    for (const SampleTopic& one : topics) {
      if (!one.topic->latched || i == 0) sink->write({one.topic, i * 10'000'000LL, one.make(i)});
    }
  }
  sink->finish();
  std::puts(sink->text().c_str());
}

void record_forever(const std::string& file, const std::string& compression) {
  auto sink = recorder(file, compression, "0.1");
  const auto topics = sample_topics();
  for (const SampleTopic& one : topics) sink->add(*one.topic);
  std::uintmax_t size = 0;
  for (std::uint32_t i = 0;; ++i) {
    for (const SampleTopic& one : topics) sink->write({one.topic, i * 10'000'000LL, one.make(i)});
    const std::uintmax_t now = std::filesystem::file_size(file);
    if (now > size) {
      std::puts("chunk");
      std::fflush(stdout);
    }
    size = now;
  }
}

void record_full(const std::string& file, const std::string& compression, rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  if (bytes > 0) {  // 0: until the disk is full
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  auto sink = recorder(file, compression, "0.1");
  const auto topics = sample_topics();
  for (const SampleTopic& one : topics) sink->add(*one.topic);
  try {
    for (std::uint32_t i = 0;; ++i) {
      for (const SampleTopic& one : topics) sink->write({one.topic, i * 10'000'000LL, one.make(i)});
    }
  } catch (const std::runtime_error& error) {
    std::puts(error.what());
  }
  sink->finish();
  std::puts(sink->text().c_str());
}

void bench(const std::string& file, const std::string& compression) {
  const SampleTopic topic = sample_topic<message::PointCloud2>("/points", {});
  std::vector<message::AnyMessage> clouds;
  for (std::uint32_t i = 0; i < 188; ++i) {
    clouds.emplace_back(sample_cloud(i, 100'000));
    clouds.back().cdr();
  }
  auto sink = recorder(file, compression, "4");
  const auto start = std::chrono::steady_clock::now();
  sink->add(*topic.topic);
  for (std::uint32_t i = 0; i < clouds.size(); ++i) {
    sink->write({topic.topic, i * 100'000'000LL, clouds[i]});
  }
  sink->finish();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  std::printf("%s in %.3f s: %.0f MB of messages a second\n", sink->text().c_str(), time.count(),
              188 * 1.6 / time.count());
}

}  // namespace

int write_mcap(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::string what = argv[3];
  if (what == "all") record_all(argv[1], argv[2]);
  if (what == "forever") record_forever(argv[1], argv[2]);
  if (what == "full" && argc > 4) record_full(argv[1], argv[2], std::stoul(argv[4]));
  if (what == "bench") bench(argv[1], argv[2]);
  return 0;
}

}  // namespace protobeam
