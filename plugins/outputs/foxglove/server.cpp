#include "server.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <future>
#include <set>
#include <stdexcept>
#include <thread>

#include "output/listener.h"

namespace protobeam::foxglove {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using beast::error_code;

constexpr std::size_t kMostClients = 64;
constexpr std::size_t kMostMessage = 8'000'000;  ///< bytes from a client
constexpr auto kHandshakeTime = std::chrono::seconds(5);
constexpr auto kSilence = std::chrono::seconds(60);  ///< without an answer to a ping

/// The first that the client offers and we know; "" for none. `foxglove.sdk.v1` is the name that
/// newer clients have for the same protocol.
std::string subprotocol(const std::string& offered) {
  for (const auto& name : http::token_list(offered)) {
    if (name == "foxglove.websocket.v1" || name == "foxglove.sdk.v1") {
      return std::string(name.data(), name.size());
    }
  }
  return "";
}

/// One connection. Every operation under way holds it; when there is none left, the client is gone.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Hub& hub, tcp::socket socket, std::set<Session*>& all)
      : hub_(hub), stream_(std::move(socket)), all_(all) {
    all_.insert(this);
  }
  ~Session() {
    all_.erase(this);
    if (client_) hub_.disconnect(client_);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start() {
    error_code ignored;
    beast::get_lowest_layer(stream_).socket().set_option(tcp::no_delay(true), ignored);
    beast::get_lowest_layer(stream_).expires_after(kHandshakeTime);
    request_.header_limit(8192);
    http::async_read(stream_.next_layer(), buffer_, request_,
                     [self = shared_from_this()](error_code error, std::size_t) {
                       if (!error) self->accept();
                     });
  }

  /// Sends what waits, then says goodbye.
  void finish() {
    finishing_ = true;
    if (client_) {
      send();
    } else {
      beast::get_lowest_layer(stream_).close();
    }
  }

 private:
  void accept() {
    const auto& request = request_.get();
    if (!websocket::is_upgrade(request)) {
      return reject(
          http::status::upgrade_required,
          "This is a server of the Foxglove WebSocket protocol: open its ws:// address in "
          "Foxglove.\n");
    }
    const auto offered = request[http::field::sec_websocket_protocol];
    const std::string chosen = subprotocol(std::string(offered.data(), offered.size()));
    if (chosen.empty()) {
      return reject(http::status::bad_request,
                    "The subprotocol is neither foxglove.websocket.v1 nor foxglove.sdk.v1.\n");
    }
    if (all_.size() > kMostClients) {
      return reject(http::status::service_unavailable, "There are too many clients.\n");
    }
    beast::get_lowest_layer(stream_).expires_never();  // from now on the WebSocket's own times
    stream_.set_option(websocket::stream_base::timeout{kHandshakeTime, kSilence, true});
    stream_.set_option(
        websocket::stream_base::decorator([chosen](websocket::response_type& response) {
          response.set(http::field::sec_websocket_protocol, chosen);
        }));
    stream_.read_message_max(kMostMessage);
    stream_.auto_fragment(false);
    stream_.async_accept(request, [self = shared_from_this()](error_code error) {
      if (!error) self->open();
    });
  }

  void reject(http::status status, const char* why) {
    response_.result(status);
    response_.set(http::field::content_type, "text/plain");
    if (status == http::status::upgrade_required) response_.set(http::field::upgrade, "websocket");
    response_.body() = why;
    response_.keep_alive(false);
    response_.prepare_payload();
    http::async_write(stream_.next_layer(), response_,
                      [self = shared_from_this()](error_code, std::size_t) {
                        error_code ignored;
                        beast::get_lowest_layer(self->stream_)
                            .socket()
                            .shutdown(tcp::socket::shutdown_send, ignored);
                      });
  }

  void open() {
    // Called by any thread, with the hub locked: not more than a note for ours.
    auto wake = [weak = weak_from_this(), executor = stream_.get_executor()] {
      asio::post(executor, [weak] {
        if (const auto self = weak.lock()) self->send();
      });
    };
    buffer_.clear();
    client_ = hub_.connect(std::move(wake));
    read();
  }

  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->end();
      const auto data = self->buffer_.cdata();
      self->hub_.receive(self->client_, self->stream_.got_text(),
                         {static_cast<const std::uint8_t*>(data.data()), data.size()});
      self->buffer_.consume(data.size());
      if (self->hub_.overrun(self->client_)) return self->end();
      self->read();
    });
  }

  void send() {
    if (sending_ || closing_) return;
    frame_ = hub_.next(client_);
    if (!frame_) {
      if (!finishing_) return;
      closing_ = true;
      stream_.async_close(websocket::close_code::going_away,
                          [self = shared_from_this()](error_code) {});
      return;
    }
    sending_ = true;
    stream_.text(frame_->text);
    // The message's bytes go from where they are.
    std::array<asio::const_buffer, 2> parts{asio::buffer(frame_->head), asio::const_buffer()};
    if (frame_->message) parts[1] = asio::buffer(frame_->message->cdr());
    stream_.async_write(parts, [self = shared_from_this()](error_code error, std::size_t) {
      self->sending_ = false;
      if (error) return self->end();
      const Frame::Kind kind = self->frame_->kind;
      if (kind == Frame::Kind::kMessage || kind == Frame::Kind::kLatched) self->hub_.count_sent();
      self->send();
    });
  }

  /// Ends what is under way.
  void end() {
    closing_ = true;
    beast::get_lowest_layer(stream_).close();
  }

  Hub& hub_;
  websocket::stream<beast::tcp_stream> stream_;
  std::set<Session*>& all_;
  beast::flat_buffer buffer_;
  http::request_parser<http::empty_body> request_;
  http::response<http::string_body> response_;
  std::optional<Frame> frame_;  ///< being sent
  Hub::ClientId client_ = 0;
  bool sending_ = false, finishing_ = false, closing_ = false;
};

}  // namespace

class Server::Impl {
 public:
  Impl(Hub& hub, const std::string& address, int port)
      : listener_(context_, address, port, [this, &hub](tcp::socket socket) {
          std::make_shared<Session>(hub, std::move(socket), sessions_)->start();
        }) {
    listener_.accept();
    thread_ = std::thread([this] {
      run_connections(context_);
      done_.set_value();
    });
  }

  ~Impl() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }

  std::string address() const { return listener_.address(); }

  void finish(std::chrono::milliseconds time) {
    asio::post(context_, [this] {
      listener_.close();
      // Those that end now leave the set.
      const std::vector<Session*> all(sessions_.begin(), sessions_.end());
      for (Session* session : all) session->finish();
    });
    done_.get_future().wait_for(time);  // until no operation is left
    context_.stop();
    thread_.join();
  }

 private:
  std::set<Session*> sessions_;
  asio::io_context context_{1};  // before what it runs: sessions in its queue end before it does
  Listener listener_;
  std::promise<void> done_;
  std::thread thread_;
};

Server::Server(Hub& hub, const std::string& address, int port)
    : impl_(std::make_unique<Impl>(hub, address, port)), address_(impl_->address()) {}

Server::~Server() = default;

void Server::finish(std::chrono::milliseconds time) { impl_->finish(time); }

}  // namespace protobeam::foxglove
