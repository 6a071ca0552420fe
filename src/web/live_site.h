// A running world for browsers: the page, the world's file, and for each page that is open what it
// is told and what it wants.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/scene/viewer_bridge.h"
#include "web/server.h"
#include "web/world_file.h"

namespace protobeam::web {

class LiveSite : public Site {
 public:
  /// Throws std::runtime_error when the files of three.js are not there.
  explicit LiveSite(ViewerBridge& bridge);
  ~LiveSite() override;

  /// What there is to see now; `state` is of the world's load.
  struct View {
    std::shared_ptr<const WorldFile> world;
    std::shared_ptr<const SceneState> state;
    RunStatus run;
  };
  void show(View view);
  /// For the pages of robot windows.
  void deliver(std::vector<WindowText> texts);
  View view() const;
  bool has_guests() const { return guests_ > 0; }

  // The server's thread.
  std::shared_ptr<const File> file(std::string_view path) override;
  std::unique_ptr<Guest> welcome(std::string_view path) override;
  ViewerBridge& bridge() { return bridge_; }
  /// A world whose file a page has been told of: it is there for as long as that page has it.
  void offer(const std::shared_ptr<const WorldFile>& world) { offered_[world->load] = world; }
  /// The first text for a robot's window from number `next` on, which then is that of the next one.
  std::optional<std::string> text_for(const std::string& robot, std::uint64_t& next) const;
  std::uint64_t next_text() const;
  /// Keys that one page holds; those of all pages are the controllers'.
  void set_keys(const Guest* guest, std::vector<int> keys);
  /// A page shows what cameras see, or no longer: nobody copies it for nothing.
  void want_pictures(const Guest* guest, bool wanted);
  bool wants_pictures(const Guest* guest) const { return picture_guests_.contains(guest); }
  void forget(const Guest* guest);

 private:
  ViewerBridge& bridge_;
  std::shared_ptr<const File> page_;
  mutable std::mutex mutex_;
  View view_;
  WindowTexts texts_;
  std::atomic<int> guests_{0};
  // The server's thread.
  std::map<const Guest*, std::vector<int>> keys_;
  std::set<const Guest*> picture_guests_;
  std::map<int, std::weak_ptr<const WorldFile>> offered_;  ///< by load
};

}  // namespace protobeam::web
