// Clients that take what they are sent slowly.
#include <gtest/gtest.h>

#include "tests/unit/web/page_socket.h"
#include "web/server.h"

namespace protobeam::web {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMessage = 6'000'000;  // more than the system keeps of what is sent

/// Of one message.
class OneMessage : public Site {
 public:
  std::shared_ptr<const File> file(std::string_view) override { return nullptr; }
  std::unique_ptr<Guest> welcome(std::string_view) override {
    struct Reader : Guest {
      void receive(std::string_view) override {}
      std::optional<Frame> next() override {
        if (std::exchange(told, true)) return std::nullopt;
        return Frame{false, std::make_shared<const std::string>(kMessage, 'x')};
      }
      bool told = false;
    };
    return std::make_unique<Reader>();
  }
};

// It takes three times as long as a client may be silent.
TEST(SlowLink, IsNotCutWhileItTakesALargeMessage) {
  OneMessage site;
  Server server(site, "127.0.0.1", 0, {milliseconds(5000), milliseconds(600)});
  PageSocket::Settings slow{.kept = 4096, .rest = milliseconds(10)};
  const auto message = PageSocket(port_of(server.address()), slow).next();
  ASSERT_TRUE(message);
  EXPECT_EQ(message->bytes.size(), kMessage);
  slow.answers = false;
  PageSocket silent(port_of(server.address()), slow);
  EXPECT_FALSE(silent.next()) << "it has been cut";
  EXPECT_LT(silent.part().size(), kMessage);
}

}  // namespace
}  // namespace protobeam::web
