// Files from the web, many at once. The only header through which libcurl works.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace protobeam {

struct DownloadLimits {
  int jobs = 8;                         ///< transfers at once
  std::size_t file_bytes = 256u << 20;  ///< of one file
  std::size_t total_bytes = std::size_t{4} << 30;
  double connect_seconds = 15;
  double stall_seconds = 20;  ///< less than 1 kB/s for so long, before the first byte too
  int tries = 4;              ///< after errors that may pass: no connection, 408, 429, 5xx
  bool allow_http = false;    ///< without encryption: anybody on the way can change the file
};

struct Download {
  std::string address;        ///< as asked for
  std::string final_address;  ///< after redirects
  std::string bytes;
  std::string error;  ///< "" or why there are no bytes: "404 Not Found"
};

/// Gets files one after another from a list that may grow. Single-threaded.
class Downloader {
 public:
  explicit Downloader(const DownloadLimits& limits) : limits_(limits) {}

  /// Gets all of them; `done` is called for each, in any order, on this thread. Redirects (at most
  /// 8) stay with https, certificates are verified, incomplete bodies are errors. Returns early
  /// after stop::requested(); what was not finished then is not reported.
  void get(const std::vector<std::string>& addresses, const std::function<void(Download&&)>& done);

  std::size_t total_bytes() const { return total_; }
  /// Called now and then with all bytes so far.
  std::function<void(std::size_t)> progress;

 private:
  DownloadLimits limits_;
  std::size_t total_ = 0;
};

}  // namespace protobeam
