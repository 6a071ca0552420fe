// The HTTP server of devices against curl, and against bytes that no client sends.
#include "output/packets/device_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/support/program.h"
#include "tests/unit/output/packet_check.h"

namespace protobeam {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

/// Says what it was asked.
class Echoing : public DeviceHttp {
 public:
  Echoing() : DeviceHttp({}) {}
  HttpResponse answer(const HttpRequest& request) override {
    if (request.target == "/throw") throw std::runtime_error("no answer");
    if (request.target == "/empty") return {204, "", ""};
    return {
        200, "text/plain",
        request.method + " " + request.target + " " + request.body + " " + to_text(request.client)};
  }
};

/// A connection as bytes.
class Connection {
 public:
  explicit Connection(const std::string& url) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))));
    EXPECT_EQ(::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  ~Connection() { ::close(fd_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(const std::string& bytes) const {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t n = ::send(fd_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) return;  // it has been told enough
      sent += static_cast<std::size_t>(n);
    }
  }
  /// Until `end` stands in it, or nothing comes for a while.
  std::string receive(const std::string& end = "", int wait_ms = 3000) const {
    std::string all;
    pollfd wait{fd_, POLLIN, 0};
    while (::poll(&wait, 1, wait_ms) == 1) {
      char bytes[4096];
      const ssize_t n = ::recv(fd_, bytes, sizeof(bytes), 0);
      if (n <= 0) break;
      all.append(bytes, static_cast<std::size_t>(n));
      if (!end.empty() && all.find(end) != std::string::npos) break;
    }
    return all;
  }

 private:
  int fd_;
};

std::string request(const std::string& url, const std::string& head) {
  const Connection connection(url);
  connection.send(head + "\r\nHost: a\r\nConnection: close\r\n\r\n");
  return connection.receive();
}

class Served : public testing::Test {
 protected:
  Served() {
    if (!DeviceServer::is_built()) return;
    server_ = std::make_unique<DeviceServer>(std::vector<DeviceHttp*>{&first_, &second_}, 0);
    url_ = server_->addresses()[0];
  }
  void SetUp() override {
    if (!server_) GTEST_SKIP() << "built without libboost-dev";
  }

  Echoing first_, second_;
  std::unique_ptr<DeviceServer> server_;
  std::string url_;
};

TEST_F(Served, EachDeviceHasAPortOfItsOwn) {
  ASSERT_EQ(server_->addresses().size(), 2u);
  EXPECT_NE(server_->addresses()[0], server_->addresses()[1]);
  for (const std::string& url : server_->addresses()) {
    EXPECT_THAT(url, StartsWith("http://127.0.0.1:"));
    EXPECT_THAT(request(url, "GET /a HTTP/1.1"), HasSubstr("\r\n\r\nGET /a  127.0.0.1"));
  }
}

TEST_F(Served, PortsFollowOneAnother) {
  // Two that are free, below those that the kernel hands out to others meanwhile.
  int port = 20000 + getpid() % 5000;
  std::unique_ptr<DeviceServer> next;
  for (int tries = 0; !next && tries < 50; ++tries) {
    port += 2;
    try {
      next = std::make_unique<DeviceServer>(std::vector<DeviceHttp*>{&first_, &second_}, port);
    } catch (const std::runtime_error&) {
    }
  }
  ASSERT_TRUE(next);
  EXPECT_EQ(next->addresses()[1], "http://127.0.0.1:" + std::to_string(port + 1));
  const std::string why = [&] {
    try {
      const DeviceServer third({&first_}, port);
      return std::string();
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
  }();
  EXPECT_THAT(why, HasSubstr("cannot listen on 127.0.0.1:" + std::to_string(port) + ": Address"));
  EXPECT_THROW(DeviceServer({&first_, &second_}, 65535), std::runtime_error);
}

TEST_F(Served, CurlGetsItsAnswers) {
  const auto curl = [&](std::vector<std::string> words, const std::string& path) {
    words.insert(words.begin(), {"curl", "-sS", "--max-time", "10", "-w", "|%{http_code}"});
    words.push_back(url_ + path);
    const test::Outcome outcome = test::execute(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return outcome.out;
  };
  if (test::execute({"curl", "--version"}).exit != 0) GTEST_SKIP() << "curl is missing";
  EXPECT_EQ(curl({}, "/api?args=a+b"), "GET /api?args=a+b  127.0.0.1|200");
  EXPECT_EQ(curl({"-d", "rpm=600"}, "/cgi"), "POST /cgi rpm=600 127.0.0.1|200");
  EXPECT_EQ(curl({"-X", "DELETE"}, "/x"), "DELETE /x  127.0.0.1|200");
  EXPECT_EQ(curl({}, "/empty"), "|204");
  EXPECT_EQ(curl({}, "/throw"), "no answer\n|500");
  const std::string chunked = curl({"-H", "Transfer-Encoding: chunked", "-d", "abc"}, "/c");
  EXPECT_EQ(chunked, "POST /c abc 127.0.0.1|200");
}

TEST_F(Served, AConnectionCanBeUsedAgain) {
  const Connection connection(url_);
  for (int i = 0; i < 3; ++i) {
    connection.send("GET /again HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_THAT(connection.receive("127.0.0.1"), StartsWith("HTTP/1.1 200"));
  }
  connection.send("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(connection.receive(), testing::AllOf(HasSubstr("GET /1"), HasSubstr("GET /2")));
}

TEST_F(Served, RequestsAreBounded) {
  EXPECT_THAT(request(url_, "GET /" + std::string(20000, 'a') + " HTTP/1.1"),
              StartsWith("HTTP/1.1 431"));
  const Connection long_body(url_);
  long_body.send("POST /a HTTP/1.1\r\nContent-Length: 100000000\r\n\r\n");
  EXPECT_THAT(long_body.receive(), StartsWith("HTTP/1.1 413"));
}

TEST_F(Served, GarbageIsNoRequest) {
  EXPECT_THAT(request(url_, "what is this"), StartsWith("HTTP/1.1 400"));
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    std::string bytes(random() % 3000, ' ');
    for (char& c : bytes) c = static_cast<char>(random());
    if (i % 3 == 0) bytes = "GET /api/v1/sensor HTTP/1.1\r\n" + bytes;
    const Connection connection(url_);
    connection.send(bytes);
  }
  EXPECT_THAT(request(url_, "GET /after HTTP/1.1"), HasSubstr("GET /after"));
}

TEST_F(Served, ManyConnectionsAreTooMany) {
  {
    std::vector<std::unique_ptr<Connection>> idle;
    for (int i = 0; i < 64; ++i) idle.push_back(std::make_unique<Connection>(url_));
    EXPECT_THAT(request(url_, "GET /a HTTP/1.1"), StartsWith("HTTP/1.1 503"));
  }
  // When they are gone, others have their turn.
  std::string answer;
  for (int i = 0; i < 100 && answer.find("200 OK") == std::string::npos; ++i) {
    ::usleep(20000);
    answer = request(url_, "GET /b HTTP/1.1");
  }
  EXPECT_THAT(answer, HasSubstr("GET /b"));
}

TEST_F(Served, WhoSaysNothingIsLeft) {
  const Connection slow(url_);
  slow.send("GET /slow HTT");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(slow.receive("", 20000), "");
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
  EXPECT_GT(waited.count(), 8);
  EXPECT_LT(waited.count(), 19);
}

TEST_F(Served, EndsWithOpenConnections) {
  const Connection idle(url_), half(url_);
  half.send("POST /a HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc");
  const auto begin = std::chrono::steady_clock::now();
  server_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

}  // namespace
}  // namespace protobeam
