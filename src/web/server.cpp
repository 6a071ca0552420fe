#include "web/server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <set>
#include <thread>
#include <vector>

#include "output/listener.h"

namespace protobeam::web {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using beast::error_code;

constexpr std::size_t kMostConnections = 64;
constexpr std::size_t kMostMessage = 65536;  ///< bytes from a client
/// Bytes that wait in the system, beside those on their way: of a slow link it should have the
/// newest, and a ping must not come long after what was sent before it.
constexpr int kMostUnsent = 32768;

/// Also one of IPv4 at a socket of IPv6.
bool is_loopback(const asio::ip::address& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address.is_loopback();
  return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).is_loopback();
}

bool is_malformed(const error_code& error) {
  return error.category() == http::make_error_code(http::error::bad_method).category() &&
         error != http::error::end_of_stream && error != http::error::partial_message;
}

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

/// One connection. Every operation under way holds it; when there is none left, it is gone.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Site& site, tcp::socket socket, std::set<Session*>& all, const ServerTimes& times)
      : site_(site), stream_(std::move(socket)), all_(all), times_(times) {
    all_.insert(this);
  }
  ~Session() { all_.erase(this); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start() {
    error_code ignored;
    socket().set_option(tcp::no_delay(true), ignored);
    setsockopt(socket().native_handle(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &kMostUnsent,
               sizeof kMostUnsent);
    if (all_.size() > kMostConnections)
      return reply(http::status::service_unavailable, "There are too many connections.\n");
    read_request();
  }

  /// Sends what there is, unless that is under way.
  void send() {
    if (!guest_ || !open_ || sending_) return;
    frame_ = guest_->next();
    if (!frame_) return;
    sending_ = true;
    stream_.text(frame_->text);
    stream_.async_write(asio::buffer(*frame_->bytes),
                        [self = shared_from_this()](error_code error, std::size_t) {
                          self->sending_ = false;
                          error ? self->close() : self->send();
                        });
  }

 private:
  tcp::socket& socket() { return beast::get_lowest_layer(stream_).socket(); }
  void close() {
    guest_.reset();
    beast::get_lowest_layer(stream_).close();
  }

  void read_request() {
    request_.emplace();
    request_->header_limit(16384);
    beast::get_lowest_layer(stream_).expires_after(times_.request);
    http::async_read(stream_.next_layer(), buffer_, *request_,
                     [self = shared_from_this()](error_code error, std::size_t) {
                       if (!error) return self->answer();
                       self->request_.reset();
                       if (error == http::error::unexpected_body) return self->refuse_method();
                       // Who goes away or takes too long gets no answer.
                       if (is_malformed(error))
                         self->reply(http::status::bad_request, "This is no request of HTTP.\n");
                     });
  }

  void answer() {
    const auto& request = request_->get();
    error_code ignored;
    const bool loopback = is_loopback(socket().local_endpoint(ignored).address());
    if (!is_own_page(view(request[http::field::host]), view(request[http::field::origin]),
                     loopback))
      return reply(http::status::forbidden, "This is a page of somebody else.\n");
    if (websocket::is_upgrade(request)) {
      guest_ = site_.welcome(view(request.target()));
      if (guest_) return accept();
      return reply(http::status::not_found, "There is no such page.\n");
    }
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return refuse_method();
    const auto file = site_.file(view(request.target()));
    if (!file) return reply(http::status::not_found, "There is no such page.\n");
    reply(http::status::ok, file);
  }

  void refuse_method() { reply(http::status::method_not_allowed, "There are only pages here.\n"); }

  void reply(http::status status, std::string text) {
    reply(status, std::make_shared<const File>("text/plain", std::move(text)));
  }

  void reply(http::status status, std::shared_ptr<const File> file) {
    const bool head = request_ && request_->get().method() == http::verb::head;
    const bool keep_alive = request_ && request_->get().keep_alive() && !head;
    response_ = {};
    response_.version(11);
    response_.result(status);
    response_.set(http::field::content_type, file->type);
    response_.set(http::field::cache_control, "no-store");
    response_.keep_alive(keep_alive);
    response_.content_length(file->bytes->size());
    if (!head) response_.body() = {file->bytes->data(), file->bytes->size()};
    file_ = std::move(file);
    serializer_.emplace(response_);
    write_more(keep_alive);
  }

  /// As long as the client takes something, however slow it is.
  void write_more(bool keep_alive) {
    beast::get_lowest_layer(stream_).expires_after(times_.request);
    http::async_write_some(stream_.next_layer(), *serializer_,
                           [self = shared_from_this(), keep_alive](error_code error, std::size_t) {
                             if (error) return;
                             if (!self->serializer_->is_done()) return self->write_more(keep_alive);
                             if (keep_alive) return self->read_request();
                             error_code ignored;
                             self->socket().shutdown(tcp::socket::shutdown_send, ignored);
                           });
  }

  void accept() {
    beast::get_lowest_layer(stream_).expires_never();  // from now on the WebSocket's own times
    stream_.set_option(websocket::stream_base::timeout{times_.request, times_.silence, true});
    stream_.read_message_max(kMostMessage);
    // Pings go between the parts of a large message.
    stream_.auto_fragment(true);
    stream_.write_buffer_bytes(kMostUnsent);
    stream_.async_accept(request_->get(), [self = shared_from_this()](error_code error) {
      if (error) return self->guest_.reset();
      self->buffer_.clear();
      self->open_ = true;
      self->send();
      self->read();
    });
  }

  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error || !self->guest_) return self->close();
      const auto data = self->buffer_.cdata();
      if (self->stream_.got_text())
        self->guest_->receive({static_cast<const char*>(data.data()), data.size()});
      self->buffer_.consume(data.size());
      self->read();
    });
  }

  Site& site_;
  websocket::stream<beast::tcp_stream> stream_;
  std::set<Session*>& all_;
  const ServerTimes& times_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> request_;
  std::shared_ptr<const File> file_;  ///< being sent
  http::response<http::span_body<const char>> response_;
  std::optional<http::response_serializer<http::span_body<const char>>> serializer_;
  std::unique_ptr<Guest> guest_;
  std::optional<Frame> frame_;  ///< being sent
  bool open_ = false, sending_ = false;
};

}  // namespace

bool is_own_page(std::string_view host, std::string_view origin, bool loopback) {
  const std::string own(host);
  if (!origin.empty() && origin != "http://" + own && origin != "https://" + own) return false;
  if (!loopback) return true;
  const auto port = host.rfind(':');
  const bool has_port =
      port != std::string_view::npos && host.find(']', port) == std::string_view::npos;
  const std::string name(has_port ? host.substr(0, port) : host);
  if (name == "localhost" || name == "[::1]") return true;
  error_code is_name;  // as 127.evil.example
  const auto ip = asio::ip::make_address_v4(name, is_name);
  return !is_name && ip.is_loopback();
}

class Server::Impl {
 public:
  Impl(Site& site, const std::string& address, int port, ServerTimes times)
      : times_(times), listener_(context_, address, port, [this, &site](tcp::socket socket) {
          std::make_shared<Session>(site, std::move(socket), sessions_, times_)->start();
        }) {
    listener_.accept();
    thread_ = std::thread([this] { run_connections(context_); });
  }

  ~Impl() {
    context_.stop();
    thread_.join();
  }

  std::string address() const { return "http://" + listener_.address(); }

  void wake() {
    asio::post(context_, [this] {
      const std::vector<Session*> all(sessions_.begin(), sessions_.end());
      for (Session* session : all) session->send();
    });
  }

 private:
  const ServerTimes times_;
  std::set<Session*> sessions_;
  asio::io_context context_{1};  // before what it runs: sessions in its queue end before it does
  Listener listener_;
  std::thread thread_;
};

Server::Server(Site& site, const std::string& address, int port, ServerTimes times)
    : impl_(std::make_unique<Impl>(site, address, port, times)), address_(impl_->address()) {}

Server::~Server() = default;

void Server::wake() { impl_->wake(); }

}  // namespace protobeam::web
