// fast_client DOMAIN calls|visits|old|steps COUNT: a client of the service /step_simulation that
// does what one of ROS 2 with its default middleware does (ros2/rmw_fastrtps, rmw_request.cpp and
// rmw_response.cpp), on this machine only. It asks for 1, 2, ... steps and expects RESULT_OK and
// the same number as text. calls: one after another; visits: each by a participant of its own,
// which asks as soon as it has found where to; old: as before ROS 2 Galactic, when requests did not
// tell where their responses are read; steps: one step after another of a real simulation, which
// says RESULT_OK only. Prints how many of the answers were right.
#include <fastcdr/Cdr.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "fast_service.h"

namespace {

using namespace protobeam::fast_client;

class Client {
 public:
  Client(std::uint32_t domain, bool tells_reader)
      : participant_(domain),
        service_(participant_, "step_simulation", "StepSimulation"),
        tells_reader_(tells_reader) {}

  void find_server() const {
    for (int i = 0; i < 2000; ++i) {
      if (service_.is_available()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    throw std::runtime_error("no server");
  }

  /// Whether exactly one answer comes, and it is right.
  bool call(std::uint64_t steps, const std::string& text) const {
    Bytes request{0, 1, 0, 0};
    for (int i = 0; i < 8; ++i) request.push_back(static_cast<std::uint8_t>(steps >> (8 * i)));
    const auto number = service_.ask(std::move(request), tells_reader_);
    int answers = 0;
    bool right = false;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (answers == 0 && std::chrono::steady_clock::now() < end) {
      service_.wait();
      for (auto bytes = service_.take(number); bytes; bytes = service_.take(number)) {
        ++answers;
        right = is_right(*bytes, text);
      }
    }
    return answers == 1 && right;
  }

 private:
  static bool is_right(Bytes& bytes, const std::string& expected) {
    eprosima::fastcdr::FastBuffer buffer(reinterpret_cast<char*>(bytes.data()), bytes.size());
    eprosima::fastcdr::Cdr cdr(buffer, eprosima::fastcdr::Cdr::DEFAULT_ENDIAN,
                               eprosima::fastcdr::Cdr::DDS_CDR);
    cdr.read_encapsulation();
    std::uint8_t result = 0;
    std::string text;
    cdr >> result >> text;
    return result == 1 && text == expected;
  }

  const Participant participant_;
  const Service service_;
  const bool tells_reader_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4)
      throw std::runtime_error("usage: fast_client DOMAIN calls|visits|old|steps COUNT");
    const auto domain = static_cast<std::uint32_t>(std::stoul(argv[1]));
    const std::string mode = argv[2];
    const int count = std::stoi(argv[3]);
    int right = 0;
    std::unique_ptr<Client> client;
    for (int i = 1; i <= count; ++i) {
      if (!client || mode == "visits") {
        client.reset();
        client = std::make_unique<Client>(domain, mode != "old");
        client->find_server();
      }
      const auto steps = static_cast<std::uint64_t>(mode == "steps" ? 1 : i);
      right += client->call(steps, mode == "steps" ? "" : std::to_string(steps)) ? 1 : 0;
    }
    std::printf("%d of %d\n", right, count);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "fast_client: %s\n", e.what());
    return 1;
  }
}
