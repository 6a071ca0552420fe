#include "output/packets/device_server.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <list>
#include <optional>
#include <stdexcept>
#include <thread>

#include "output/listener.h"

namespace protobeam {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using beast::error_code;

// A driver has one connection at a time and sends a configuration of some thousand bytes.
constexpr int kMostConnections = 64;
constexpr std::uint32_t kMostHeader = 16384;  ///< bytes; settings may stand in the first line
constexpr std::uint64_t kMostBody = 65536;    ///< bytes
constexpr auto kRequestTime = std::chrono::seconds(10);

/// One connection. Each operation under way holds it; with the last one it ends.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(DeviceHttp& device, tcp::socket socket, int& count)
      : device_(device), stream_(std::move(socket)), count_(count) {
    ++count_;
  }
  ~Session() { --count_; }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start() {
    error_code ignored;
    stream_.socket().set_option(tcp::no_delay(true), ignored);
    if (count_ > kMostConnections) {
      return reply({503, "text/plain", "There are too many connections.\n"}, false);
    }
    read();
  }

 private:
  void read() {
    parser_.emplace();
    parser_->header_limit(kMostHeader);
    parser_->body_limit(kMostBody);
    stream_.expires_after(kRequestTime);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, std::size_t) {
                       error ? self->fail(error) : self->answer();
                     });
  }

  void answer() {
    const auto& message = parser_->get();
    HttpRequest request;
    request.method = std::string(message.method_string());
    request.target = std::string(message.target());
    request.body = message.body();
    error_code ignored;
    const auto peer = stream_.socket().remote_endpoint(ignored).address();
    if (peer.is_v4()) request.client = peer.to_v4().to_bytes();
    HttpResponse response;
    try {
      response = device_.answer(request);
    } catch (const std::exception& error) {
      response = {500, "text/plain", std::string(error.what()) + "\n"};
    }
    // The body of an answer to HEAD would be taken for the next answer.
    reply(std::move(response), message.keep_alive() && message.method() != http::verb::head);
  }

  void fail(error_code error) {
    if (error == http::error::body_limit) {
      return reply({413, "text/plain", "The body is too long.\n"}, false);
    }
    if (error == http::error::header_limit) {
      return reply({431, "text/plain", "The header is too long.\n"}, false);
    }
    // The end of the connection and the end of patience need no answer.
    if (error.category() != http::make_error_code(http::error::bad_method).category() ||
        error == http::error::end_of_stream || error == http::error::partial_message) {
      return;
    }
    reply({400, "text/plain", "This is no HTTP request.\n"}, false);
  }

  void reply(HttpResponse response, bool keep_alive) {
    message_ = {};
    message_.version(11);
    message_.result(static_cast<unsigned>(response.status));
    message_.set(http::field::server, "protobeam");
    message_.keep_alive(keep_alive);
    if (response.status != 204) {
      message_.set(http::field::content_type, response.type);
      message_.body() = std::move(response.body);
      message_.prepare_payload();
    }
    stream_.expires_after(kRequestTime);
    http::async_write(stream_, message_,
                      [self = shared_from_this(), keep_alive](error_code error, std::size_t) {
                        if (error) return;
                        if (keep_alive) return self->read();
                        error_code ignored;
                        self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                      });
  }

  DeviceHttp& device_;
  beast::tcp_stream stream_;
  int& count_;
  beast::flat_buffer buffer_{kMostHeader + kMostBody};
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> message_;
};

}  // namespace

class DeviceServer::Impl {
 public:
  Impl(const std::vector<DeviceHttp*>& devices, int first_port) {
    int port = first_port;
    for (DeviceHttp* device : devices) {
      if (port > 65535) throw std::runtime_error("cannot listen on a port above 65535");
      listeners_.emplace_back(context_, "127.0.0.1", port, [this, device](tcp::socket socket) {
        std::make_shared<Session>(*device, std::move(socket), connections_)->start();
      });
      if (first_port > 0) ++port;
    }
    for (Listener& listener : listeners_) listener.accept();
    thread_ = std::thread([this] { run_connections(context_); });
  }

  ~Impl() {
    context_.stop();
    thread_.join();
  }

  std::vector<std::string> addresses() const {
    std::vector<std::string> out;
    for (const Listener& listener : listeners_) {
      out.push_back("http://" + listener.address());
    }
    return out;
  }

 private:
  int connections_ = 0;
  asio::io_context context_{1};  // before what it runs: sessions in its queue end before it does
  std::list<Listener> listeners_;
  std::thread thread_;
};

bool DeviceServer::is_built() { return true; }

DeviceServer::DeviceServer(const std::vector<DeviceHttp*>& devices, int first_port)
    : impl_(std::make_unique<Impl>(devices, first_port)), addresses_(impl_->addresses()) {}

DeviceServer::~DeviceServer() = default;

}  // namespace protobeam
