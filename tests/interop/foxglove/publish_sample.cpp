// Publishes sample messages by the plugin FoxglovePublisher: write_samples live CLIENT_MEMORY. Says
// each on a line of JSON: where it serves, what it receives and answers, its summary. Obeys lines
// of standard input:
//   burst N   N point clouds of 1.6 MB on /car/big, 5 ms apart; says how long that took, ms
//   topic     a topic that was not there before, /late, with one message
// and ends with it.
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "message/std_msgs.h"
#include "sample_messages.h"
#include "tests/interop/write_samples.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

void say(const json& line) {
  std::puts(line.dump().c_str());
  std::fflush(stdout);
}

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// The address out of "served 127.0.0.1:8765: ...".
std::string address_of(const MessageSink& sink) {
  const std::string text = sink.text();
  return text.substr(7, text.find(": ") - 7);
}

void answer(MessageSink& sink) {
  for (const Received& received : sink.take_received()) {
    const auto twist = message::from_cdr<message::Twist>(received.cdr);
    say({{"topic", received.topic}, {"x", twist.linear.x}, {"turn", twist.angular.z}});
  }
  for (const ServiceRequest& request : sink.take_requests()) {
    message::String text = message::from_cdr<message::String>(request.cdr);
    say({{"service", request.service}, {"asked", text.data}});
    text.data += text.data;
    sink.answer(request, text);
  }
}

}  // namespace

int write_live(int argc, char** argv) {
  const auto& plugin = load_plugin<OutputPlugin>("FoxglovePublisher");
  const auto sink = plugin.make(
      TestFields(plugin.schema, {{"port", "0"}, {"clientMemory", argc > 1 ? argv[1] : "64"}}),
      {"sample.wbt", "protobeam sample"});
  auto topics = sample_topics();
  topics.push_back(sample_topic<message::PointCloud2>("/car/big", {}));
  topics.push_back(sample_topic<message::Clock>("/clock", [](std::uint32_t i) {
    return message::Clock{message::time_of(i * 10'000'000LL)};
  }));
  const TemporaryFolder folder;
  const std::string mesh = folder.write("part.stl", "a mesh").string();
  topics.push_back(sample_topic<message::String>(
      "/robot_description",
      [&](std::uint32_t) {
        return message::String{"<robot><mesh filename=\"file://" + mesh + "\"/></robot>"};
      },
      true));
  topics.push_back(sample_topic<message::String>("/late", {}));
  std::uint32_t number = 0;
  for (SampleTopic& one : topics) {
    Topic topic = *one.topic;
    topic.number = number++;
    one.topic = std::make_shared<Topic>(topic);
    if (topic.name != "/late") sink->add(topic);
  }
  const SampleTopic& big = topics[topics.size() - 4];
  const SampleTopic& late = topics.back();
  sink->subscribe({"/cmd_vel", &message::type_of<message::Twist>()});
  sink->serve({"/twice", "test_msgs/srv/Twice", &message::type_of<message::String>(),
               &message::type_of<message::String>()});
  const message::AnyMessage cloud = sample_cloud(0, 100'000);
  // Not before: who asks at once shall find everything.
  say({{"address", address_of(*sink)}});

  ::fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
  std::string input;
  for (std::uint32_t i = 0;; ++i) {
    for (const SampleTopic& one : topics) {
      if (!one.make || (one.topic->latched && i > 0)) continue;
      sink->write({one.topic, i * 10'000'000LL, one.make(i)});
    }
    sink->wait(std::chrono::milliseconds(10));
    answer(*sink);
    char bytes[1000];
    const ssize_t got = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (got == 0) break;
    if (got > 0) input.append(bytes, static_cast<std::size_t>(got));
    const std::size_t end = input.find('\n');
    if (end == std::string::npos) continue;
    const std::string line = input.substr(0, end);
    input.erase(0, end + 1);
    if (line.starts_with("burst ")) {
      const auto start = Clock::now();
      for (int k = std::stoi(line.substr(6)); k > 0; --k) {
        sink->write({big.topic, i * 10'000'000LL, cloud});
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      say({{"burst", ms_since(start)}});
    } else if (line == "topic") {
      sink->add(*late.topic);
      message::String text;
      text.data = "late";
      sink->write({late.topic, i * 10'000'000LL, text});
    }
  }
  const auto start = Clock::now();
  sink->finish();
  say({{"text", sink->text()}, {"lost", sink->lost()}, {"finish", ms_since(start)}});
  return 0;
}

}  // namespace protobeam
