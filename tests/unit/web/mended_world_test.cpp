// `view --web` of a world that cannot be loaded.
#include <gmock/gmock.h>
#include <sys/socket.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"
#include "tests/unit/web/page_socket.h"

namespace protobeam::web {
namespace {

using testing::HasSubstr;

/// One that nobody listens at.
int free_port() {
  const Descriptor one(socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  EXPECT_EQ(bind(one.get(), reinterpret_cast<sockaddr*>(&at), size), 0);
  EXPECT_EQ(getsockname(one.get(), reinterpret_cast<sockaddr*>(&at), &size), 0);
  return ntohs(at.sin_port);
}

TEST(BrokenWorld, IsToldOnThePageUntilItIsMended) {
  const TemporaryFolder folder;
  const std::string head = "#VRML_SIM R2025a utf8\nWorldInfo { }\n";
  const std::string world = folder.write("w.wbt", head + "Soild { }\n");
  const int port = free_port();
  std::string problem, later = "?";
  bool shown = false;
  test::Surroundings run;
  run.limit = std::chrono::seconds(60);
  std::thread page;
  run.meanwhile = [&](pid_t program) {
    page = std::thread([&, program] {
      try {
        PageSocket socket(port, {});
        while (const auto message = socket.next()) {
          if (!message->text) continue;
          const auto json = nlohmann::json::parse(message->bytes);
          shown = shown || json["op"] == "world";
          if (json["op"] != "status") continue;
          const std::string text = json["problem"];
          if (!text.empty() && problem.empty()) {
            problem = text;
            folder.write("w.wbt", head + "Solid { }\n");
          }
          if (!problem.empty()) later = text;
          if (shown && later.empty()) break;
        }
      } catch (const std::exception& trouble) {
        ADD_FAILURE() << trouble.what();
      }
      kill(program, SIGINT);
    });
  };
  const test::Outcome outcome =
      test::protobeam({"view", world, "--web=" + std::to_string(port)}, run);
  page.join();
  EXPECT_THAT(problem, HasSubstr("w.wbt:3:1: error: "));
  EXPECT_THAT(problem, HasSubstr("Soild"));
  EXPECT_EQ(later, "");
  EXPECT_TRUE(shown);
  EXPECT_THAT(outcome.err, HasSubstr("the page shows the world once its file is mended"));
  EXPECT_EQ(outcome.exit, 130);
}

TEST(BrokenWorld, ThatIsNotThereEndsTheProgram) {
  const TemporaryFolder folder;
  test::Surroundings run;
  run.limit = std::chrono::seconds(60);
  const test::Outcome outcome = test::protobeam(
      {"view", (folder.path() / "none.wbt").string(), "--web=" + std::to_string(free_port())}, run);
  EXPECT_THAT(outcome.err, HasSubstr("none.wbt"));
  EXPECT_EQ(outcome.exit, 1);
}

}  // namespace
}  // namespace protobeam::web
