#include <gtest/gtest.h>

#include <atomic>
#include <semaphore>
#include <stdexcept>

#include "message/std_msgs.h"
#include "output/output_queue.h"

namespace protobeam {
namespace {

struct Seen {
  std::vector<std::string> topics;
  std::vector<double> values;
  int finished = 0;
};

/// Writes when the test lets it, or at once.
class TestSink : public MessageSink {
 public:
  explicit TestSink(Seen& seen) : seen_(seen) {}
  void add(const Topic& topic) override { seen_.topics.push_back(topic.name); }
  void remove(const Topic& topic) override { seen_.topics.push_back("no " + topic.name); }
  void write(const Publication& publication) override {
    if (gate) gate->acquire();
    if (fails) throw std::runtime_error("cannot write x: No space left on device");
    seen_.values.push_back(publication.message.as<message::Float64>()->data);
  }
  void finish() override { ++seen_.finished; }
  std::string text() const override { return ""; }
  bool may_lose() const override { return loses; }

  std::counting_semaphore<1000>* gate = nullptr;
  bool fails = false, loses = false;

 private:
  Seen& seen_;
};

std::shared_ptr<const Topic> topic(const char* name, std::uint32_t number, bool latched = false) {
  return std::make_shared<const Topic>(
      Topic{name, &message::type_of<message::Float64>(), latched, number});
}

Publication number(const std::shared_ptr<const Topic>& topic, double value) {
  message::Float64 message;
  message.data = value;
  return {topic, 0, message};
}

TEST(OutputQueue, WritesEverythingInOrderAndNamesEachTopicOnce) {
  Seen seen;
  OutputQueue queue(std::make_unique<TestSink>(seen), 100);
  const auto a = topic("/a", 0), b = topic("/b", 1);
  for (int i = 0; i < 1000; ++i) queue.push(number(i % 3 ? a : b, i));
  queue.finish();
  EXPECT_EQ(seen.topics, (std::vector<std::string>{"/b", "/a"}));
  ASSERT_EQ(seen.values.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(seen.values[static_cast<std::size_t>(i)], i);
  EXPECT_EQ(seen.finished, 1);
  EXPECT_EQ(queue.written(), 1000u);
  EXPECT_EQ(queue.lost(), 0u);
  EXPECT_LE(queue.most_waiting(), 100u);
}

TEST(OutputQueue, WaitsForARecorderThatIsSlow) {
  Seen seen;
  std::counting_semaphore<1000> gate(0);
  auto sink = std::make_unique<TestSink>(seen);
  sink->gate = &gate;
  OutputQueue queue(std::move(sink), 1);
  const auto a = topic("/a", 0);
  std::atomic<int> pushed = 0;
  std::thread simulation([&] {
    for (int i = 0; i < 5; ++i) {
      queue.push(number(a, i));
      ++pushed;
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_LE(pushed, 2);  // one is being written, one waits at most
  gate.release(5);
  simulation.join();
  queue.finish();
  EXPECT_EQ(seen.values, (std::vector<double>{0, 1, 2, 3, 4}));
}

/// A sink that loses messages, with room for three, which takes one for each release of the gate.
class FullPublisher : public testing::Test {
 protected:
  std::unique_ptr<TestSink> sink() {
    auto out = std::make_unique<TestSink>(seen);
    out->gate = &gate;
    out->loses = true;
    return out;
  }
  Seen seen;
  std::counting_semaphore<1000> gate{0};
  OutputQueue queue{sink(), 3 * number(topic("/a", 0), 0).message.size()};
};

TEST_F(FullPublisher, LosesTheOldestButNotWhatIsLatched) {
  const auto a = topic("/a", 0), fixed = topic("/fixed", 1, true);
  queue.push(number(fixed, -1));
  for (int i = 0; i < 100; ++i) queue.push(number(a, i));
  gate.release(101);
  queue.finish();
  EXPECT_EQ(seen.values.front(), -1);
  EXPECT_EQ(seen.values.back(), 99);
  EXPECT_LE(seen.values.size(), 4u);
  EXPECT_EQ(queue.lost() + queue.written(), 101u);
}

TEST_F(FullPublisher, ForgetsATopicAfterWhatWaitedOfIt) {
  const auto a = topic("/a", 0), b = topic("/b", 1), never = topic("/never", 2);
  queue.push(number(a, 1));
  gate.release(1);
  while (queue.written() < 1) std::this_thread::yield();
  queue.remove(a);
  queue.remove(never);  // it was told of nothing of this
  // What is full loses messages, not the ends of topics.
  for (int i = 0; i < 10; ++i) queue.push(number(b, 10 + i));
  queue.push(number(a, 2));
  gate.release(20);
  queue.finish();
  EXPECT_EQ(seen.topics, (std::vector<std::string>{"/a", "no /a", "/b", "/a"}));
  EXPECT_EQ(seen.values.back(), 2);
  EXPECT_EQ(queue.lost() + queue.written(), 12u);
}

TEST(OutputQueue, ARecorderKeepsItsTopics) {
  Seen seen;
  OutputQueue queue(std::make_unique<TestSink>(seen), 1000);
  const auto a = topic("/a", 0);
  queue.push(number(a, 1));
  queue.remove(a);
  queue.push(number(a, 2));
  queue.finish();
  EXPECT_EQ(seen.topics, std::vector<std::string>{"/a"});
  EXPECT_EQ(seen.values, (std::vector<double>{1, 2}));
}

TEST(OutputQueue, TellsOnceThatTheSinkCannotGoOnAndStillFinishesIt) {
  Seen seen;
  auto sink = std::make_unique<TestSink>(seen);
  sink->fails = true;
  OutputQueue queue(std::move(sink), 1);
  const auto a = topic("/a", 0);
  int thrown = 0;
  for (int i = 0; i < 10; ++i) {
    try {
      queue.push(number(a, i));
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "cannot write x: No space left on device");
      ++thrown;
    }
  }
  EXPECT_NO_THROW(queue.finish());
  EXPECT_EQ(thrown, 1);
  EXPECT_EQ(seen.finished, 1);
  EXPECT_EQ(queue.written(), 0u);
}

TEST(OutputQueue, GoesAwayWithoutFinishing) {
  Seen seen;
  { OutputQueue queue(std::make_unique<TestSink>(seen), 100); }
  EXPECT_EQ(seen.finished, 0);
}

}  // namespace
}  // namespace protobeam
