// Pages and WebSockets over HTTP, for browsers: what they are about is a Site's.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace protobeam::web {

struct File {
  std::string type;  ///< "text/html; charset=utf-8"
  std::shared_ptr<const std::string> bytes;
  File(std::string of_type, std::string all)
      : File(std::move(of_type), std::make_shared<const std::string>(std::move(all))) {}
  File(std::string of_type, std::shared_ptr<const std::string> all)
      : type(std::move(of_type)), bytes(std::move(all)) {}
};

struct Frame {
  bool text = false;
  std::shared_ptr<const std::string> bytes;
};

/// A WebSocket that a browser has opened, for the server's thread alone.
class Guest {
 public:
  virtual ~Guest() = default;
  /// What the browser sends as text.
  virtual void receive(std::string_view text) = 0;
  /// What it gets next; nothing: asked again after Server::wake().
  virtual std::optional<Frame> next() = 0;
};

/// What a server shows. The server's thread calls it.
class Site {
 public:
  virtual ~Site() = default;
  /// What is behind a path ("/", as it was asked for, with its query); null: nothing.
  virtual std::shared_ptr<const File> file(std::string_view path) = 0;
  /// Of a WebSocket at that path; null: there is none.
  virtual std::unique_ptr<Guest> welcome(std::string_view path) = 0;
};

/// A browser says which page it shows (Origin) and whom it thinks to talk to (Host). Those of other
/// sites may neither look nor drive, also under a name that leads here: a server at the loopback
/// interface is asked by that. `origin` is "" when the client is no browser.
bool is_own_page(std::string_view host, std::string_view origin, bool loopback);

/// After which a client that does nothing is left alone.
struct ServerTimes {
  std::chrono::milliseconds request = std::chrono::seconds(30);  ///< that it sends, or takes
  /// Without an answer of its WebSocket. One that takes what it is sent, however slowly, answers.
  std::chrono::milliseconds silence = std::chrono::seconds(60);
};

class Server {
 public:
  /// Listens, with a thread of its own. Port 0 is any free one. Throws std::invalid_argument for an
  /// address that is none, std::runtime_error ("cannot listen on 127.0.0.1:8090: Address already in
  /// use").
  Server(Site& site, const std::string& address, int port, ServerTimes times = {});
  /// Ends at once.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// "http://127.0.0.1:8090"
  const std::string& address() const { return address_; }
  /// Guests may have something now. From any thread.
  void wake();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
  std::string address_;
};

}  // namespace protobeam::web
