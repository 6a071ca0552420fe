#include "fetch/download.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include "assets/lock_file.h"
#include "base/stop.h"

namespace protobeam {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMostRedirects = 8;
constexpr long kSlow = 1000;  ///< bytes a second
constexpr double kLongestWait = 30;

/// Spaces and letters beyond ASCII as servers want them; what is encoded already stays.
std::string encoded(const std::string& address) {
  std::string out;
  for (const unsigned char c : address) {
    const bool plain =
        c > 0x20 && c < 0x7f &&
        std::string_view("\"<>\\^`{|}").find(static_cast<char>(c)) == std::string_view::npos;
    out += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return out;
}

struct Transfer {
  std::string asked, now;  ///< address; the one after redirects
  std::string bytes;
  char text[CURL_ERROR_SIZE] = {};
  int tries = 0, redirects = 0;
  std::size_t limit = 0;
  std::size_t* total = nullptr;
  std::size_t total_limit = 0;
  bool too_large = false, too_much = false;
  Clock::time_point not_before{};
  CURL* handle = nullptr;

  void drop_bytes() {
    *total -= bytes.size();
    bytes.clear();
  }
};

extern "C" std::size_t protobeam_take_bytes(char* data, std::size_t, std::size_t size, void* to) {
  auto& transfer = *static_cast<Transfer*>(to);
  transfer.too_large = transfer.bytes.size() + size > transfer.limit;
  transfer.too_much = *transfer.total + size > transfer.total_limit;
  if (transfer.too_large || transfer.too_much) return 0;
  transfer.bytes.append(data, size);
  *transfer.total += size;
  return size;
}

/// "" or why it may not be asked for.
std::string refused(const std::string& address, bool allow_http) {
  if (std::string why = why_bad_address(address); !why.empty()) return "the address " + why;
  if (address.rfind("https://", 0) == 0) return {};
  return allow_http && address.rfind("http://", 0) == 0
             ? ""
             : "the address does not begin with https:// (--allow-http permits http://)";
}

class Batch {
 public:
  Batch(const DownloadLimits& limits, std::size_t& total,
        const std::function<void(Download&&)>& done,
        const std::function<void(std::size_t)>& progress)
      : limits_(limits),
        total_(total),
        done_(done),
        progress_(progress),
        multi_(curl_multi_init()) {
    if (multi_ == nullptr) throw std::runtime_error("libcurl cannot be started");
  }
  ~Batch() {
    for (auto& [handle, transfer] : running_) {
      curl_multi_remove_handle(multi_, handle);
      curl_easy_cleanup(handle);
    }
    curl_multi_cleanup(multi_);
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  void run(const std::vector<std::string>& addresses) {
    for (const std::string& address : addresses) {
      auto transfer = std::make_unique<Transfer>();
      transfer->asked = transfer->now = address;
      waiting_.push_back(std::move(transfer));
    }
    while ((!waiting_.empty() || !running_.empty()) && !stop::requested()) {
      start_some();
      int left = 0;
      if (curl_multi_perform(multi_, &left) != CURLM_OK) throw std::runtime_error("libcurl failed");
      int messages = 0;
      while (const CURLMsg* message = curl_multi_info_read(multi_, &messages)) {
        if (message->msg == CURLMSG_DONE) finish(message->easy_handle, message->data.result);
      }
      if (progress_) progress_(total_);
      curl_waitfd stop{stop::descriptor(), CURL_WAIT_POLLIN, 0};
      const unsigned extra = stop.fd >= 0 ? 1 : 0;
      if (!running_.empty() || !waiting_.empty())
        curl_multi_poll(multi_, &stop, extra, 100, nullptr);
    }
  }

 private:
  void start_some() {
    const auto now = Clock::now();
    for (std::size_t i = 0; i < waiting_.size();) {
      if (running_.size() >= static_cast<std::size_t>(std::max(1, limits_.jobs))) return;
      if (waiting_[i]->not_before > now) {
        ++i;
        continue;
      }
      auto transfer = std::move(waiting_[i]);
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
      start(std::move(transfer));
    }
  }

  void start(std::unique_ptr<Transfer> transfer) {
    Transfer& t = *transfer;
    if (const std::string why = refused(t.now, limits_.allow_http); !why.empty()) {
      return report(t, t.redirects > 0 ? "it is redirected to '" + t.now + "': " + why : why);
    }
    if (dead_hosts_.count(host(t.now)) > 0) return report(t, "its host cannot be reached");
    t.bytes.clear();
    t.limit = limits_.file_bytes;
    t.total = &total_;
    t.total_limit = limits_.total_bytes;
    t.too_large = t.too_much = false;
    t.text[0] = '\0';
    CURL* handle = curl_easy_init();
    if (handle == nullptr) return report(t, "libcurl cannot be started");
    const bool secure = t.now.rfind("https:", 0) == 0;
    curl_easy_setopt(handle, CURLOPT_URL, encoded(t.now).c_str());
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, secure ? "https" : "http");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);  // each step is looked at here
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(handle, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
    curl_easy_setopt(handle, CURLOPT_USERAGENT, "protobeam");
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS,
                     static_cast<long>(limits_.connect_seconds * 1000));
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, kSlow);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME,
                     std::max(1L, static_cast<long>(limits_.stall_seconds)));
    curl_easy_setopt(handle, CURLOPT_MAXFILESIZE_LARGE,
                     static_cast<curl_off_t>(limits_.file_bytes));
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, t.text);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, protobeam_take_bytes);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &t);
    if (curl_multi_add_handle(multi_, handle) != CURLM_OK) {
      curl_easy_cleanup(handle);
      return report(t, "libcurl cannot be started");
    }
    running_[handle] = std::move(transfer);
  }

  void finish(CURL* handle, CURLcode result) {
    auto node = running_.extract(handle);
    std::unique_ptr<Transfer> transfer = std::move(node.mapped());
    Transfer& t = *transfer;
    long status = 0;
    curl_off_t retry_after = 0;
    char* where = nullptr;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &retry_after);
    curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &where);
    const std::string next = where == nullptr ? "" : where;
    curl_multi_remove_handle(multi_, handle);
    curl_easy_cleanup(handle);
    if (result == CURLE_OK && status >= 200 && status < 300) {
      Download done{t.asked, t.now, std::move(t.bytes), {}};
      return done_(std::move(done));
    }
    t.drop_bytes();
    if (result == CURLE_OK && status >= 300 && status < 400 && !next.empty()) {
      if (++t.redirects > kMostRedirects) {
        return report(t, fmt::format("it is redirected more than {} times", kMostRedirects));
      }
      if (t.now.rfind("https:", 0) == 0 && next.rfind("https:", 0) != 0) {
        return report(t, "it is redirected to '" + next + "', which is not https");
      }
      t.now = next;
      t.not_before = {};
      waiting_.push_front(std::move(transfer));
      return;
    }
    const std::string why = reason(t, result, status);
    if (!may_pass(t, result, status) || ++t.tries >= limits_.tries) {
      const bool no_host = result == CURLE_COULDNT_CONNECT || result == CURLE_COULDNT_RESOLVE_HOST;
      if (no_host) dead_hosts_.insert(host(t.now));
      return report(t, why + (t.tries > 1 ? fmt::format(" ({} tries)", t.tries) : ""));
    }
    const double backoff = 0.5 * static_cast<double>(1 << std::min(t.tries - 1, 6));
    const double wait = std::min(kLongestWait, std::max(backoff, static_cast<double>(retry_after)));
    t.not_before = Clock::now() + std::chrono::milliseconds(static_cast<long>(wait * 1000));
    t.now = t.asked;
    t.redirects = 0;
    waiting_.push_back(std::move(transfer));
  }

  static bool may_pass(const Transfer& t, CURLcode result, long status) {
    if (t.too_large || t.too_much) return false;
    if (result == CURLE_OK) return status == 408 || status == 429 || status >= 500;
    switch (result) {
      case CURLE_COULDNT_RESOLVE_HOST:
      case CURLE_COULDNT_CONNECT:
      case CURLE_PARTIAL_FILE:
      case CURLE_OPERATION_TIMEDOUT:
      case CURLE_GOT_NOTHING:
      case CURLE_SEND_ERROR:
      case CURLE_RECV_ERROR:
      case CURLE_HTTP2:
      case CURLE_HTTP2_STREAM:
      case CURLE_SSL_CONNECT_ERROR:
        return true;
      default:
        return false;
    }
  }

  std::string reason(const Transfer& t, CURLcode result, long status) const {
    if (t.too_large || result == CURLE_FILESIZE_EXCEEDED) {
      return fmt::format("it is larger than {} MB (--max-file)", limits_.file_bytes / 1'000'000);
    }
    if (t.too_much) {
      return fmt::format("all files together are larger than {} MB (--max-total)",
                         limits_.total_bytes / 1'000'000);
    }
    if (result == CURLE_OK) return fmt::format("the server answers {}", status);
    if (result == CURLE_PARTIAL_FILE) return "the connection ended before the end of the file";
    const std::string text = t.text[0] != '\0' ? t.text : curl_easy_strerror(result);
    return t.now == t.asked ? text : text + " (redirected to '" + t.now + "')";
  }

  static std::string host(const std::string& address) {
    return address.substr(0, address.find('/', address.find("://") + 3));
  }

  void report(Transfer& t, std::string why) { done_({t.asked, t.now, {}, std::move(why)}); }

  const DownloadLimits& limits_;
  std::size_t& total_;
  const std::function<void(Download&&)>& done_;
  const std::function<void(std::size_t)>& progress_;
  CURLM* multi_;
  std::deque<std::unique_ptr<Transfer>> waiting_;
  std::map<CURL*, std::unique_ptr<Transfer>> running_;
  std::set<std::string> dead_hosts_;  ///< not asked for every file again
};

}  // namespace

void Downloader::get(const std::vector<std::string>& addresses,
                     const std::function<void(Download&&)>& done) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) throw std::runtime_error("libcurl cannot be started");
  Batch(limits_, total_, done, progress).run(addresses);
}

}  // namespace protobeam
