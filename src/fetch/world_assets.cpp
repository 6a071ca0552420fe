#include "fetch/world_assets.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/address.h"
#include "base/stop.h"
#include "base/whole_file.h"
#include "geometry/files.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_proto(const fs::path& file) {
  return lowered(fs::path(file.native().substr(0, file.native().find('?'))).extension()) ==
         ".proto";
}

/// A world of Webots or a PROTO.
bool is_webots(const fs::path& file) {
  return is_proto(file) || lowered(file.extension()) == ".wbt";
}

bool is_picture(const std::string& address) {
  const std::string ending = lowered(fs::path(address).extension());
  return ending == ".png" || ending == ".jpg" || ending == ".jpeg";
}

class Fetch {
 public:
  Fetch(const fs::path& world, const ReadWorld& read, const wbt::LoadOptions& load,
        const FetchOptions& options, Diagnostics& diagnostics)
      : world_(world),
        read_(read),
        load_(load),
        options_(options),
        diagnostics_(diagnostics),
        downloader_(options.limits) {}

  FetchReport run(const std::function<void(std::size_t, std::size_t, std::size_t)>& progress) {
    FetchReport report;
    if (const std::string why = why_not_there(world_); !why.empty()) throw std::runtime_error(why);
    report.lock_file = LockFile::beside(world_);
    LockFile old = LockFile::read(report.lock_file, diagnostics_);
    if (diagnostics_.has_errors()) return report;
    locked_before_ = old.assets;
    // With --update everything is looked for anew, so that what nobody names is forgotten.
    store_ = std::make_shared<AssetStore>(world_, options_.update ? LockFile{} : std::move(old),
                                          AssetCache::of_user(), std::nullopt);
    set_addressed_files(store_);
    downloader_.progress = [&](std::size_t bytes) {
      if (progress) progress(finished_, known_.size(), bytes);
    };
    bool more = true;
    while (more && !stop::requested()) {
      std::vector<NamedAddress> named = named_by_world();
      const std::size_t before = known_.size();
      get(named);
      more = known_.size() > before;
      if (more) continue;
      get(named_by_models(named));
      more = known_.size() > before;
    }
    report.interrupted = stop::requested();
    report.unreadable = !mistakes_.empty();
    report.mistakes = mistakes_;
    report.bytes = downloader_.total_bytes();
    finish(report);
    return report;
  }

 private:
  std::vector<NamedAddress> named_by_world() {
    std::vector<NamedAddress> named;
    wbt::LoadOptions load = load_;
    load.lenient = true;
    load.use_lock_file = false;
    load.addresses = &named;
    Diagnostics ignored;  // what is missing now may be here soon
    read_(world_, load, ignored);
    mistakes_.clear();
    for (const Diagnostic& one : ignored.all())
      if (one.severity == Severity::kError) mistakes_.push_back(one);
    if (!is_webots(world_)) return named;
    if (version_.empty()) read_version();
    // PROTOs that are declared and not used: a supervisor may want them.
    for (std::size_t i = 0; i < named.size(); ++i) {
      const std::string address = named[i].address;
      if (!is_proto(address) || !store_->locked(address) || parsed_.count(address) > 0) continue;
      const auto source = wbt::read_source(address, load.max_file_bytes, named[i].place, ignored);
      if (!source) continue;
      parsed_.insert(address);
      const auto document =
          wbt::parse_document(source, address, wbt::DocumentKind::kProto, ignored);
      for (const auto& declared : document.externs) {
        const fs::path file = file_beside(declared.url, document.file);
        if (is_address(file.native())) declared_.push_back({file.native(), declared.place});
      }
    }
    named.insert(named.end(), declared_.begin(), declared_.end());
    return named;
  }

  /// webots:// means the release that wrote the world.
  void read_version() {
    Diagnostics ignored;
    const auto source = wbt::read_source(world_, load_.max_file_bytes, {}, ignored);
    if (!source) throw std::runtime_error("cannot read " + world_.string());
    const auto kind = is_proto(world_) ? wbt::DocumentKind::kProto : wbt::DocumentKind::kWorld;
    version_ = to_string(wbt::parse_document(source, world_, kind, ignored).version);
  }

  /// Materials and textures that models name. Many name some that nobody has: they go without.
  std::vector<NamedAddress> named_by_models(const std::vector<NamedAddress>& named) {
    std::vector<NamedAddress> out;
    for (const auto& model : named) {
      if (!model.model || !store_->locked(model.address) || !models_.insert(model.address).second) {
        continue;
      }
      bool guesses = false, incomplete = false;
      store_->asked = [&](const std::string& address) {
        if (address == model.address || guesses) return;
        const bool here = store_->locked(address);
        // After a file of materials that is missing, the parser guesses other names for it.
        guesses = !here && !is_picture(address);
        incomplete = incomplete || !here;
        optional_.insert(address);
        out.push_back({address, model.place});
      };
      try {
        load_model(model.address);
      } catch (const std::runtime_error&) {
        // `check` says what is wrong with it.
      }
      store_->asked = nullptr;
      // A file of materials names textures: once more when it is here.
      if (incomplete) models_.erase(model.address);
    }
    return out;
  }

  void get(const std::vector<NamedAddress>& named) {
    std::vector<std::string> wanted;
    std::map<std::string, std::vector<std::string>> by_web;  // two names may lead to one address
    for (const auto& n : named) {
      if (n.address.starts_with("protobeam:")) continue;  // in the catalogue
      if (!known_.emplace(n.address, FetchedAsset{n.address}).second) continue;
      places_[n.address] = n.place;
      if (const std::string why = why_bad_address(n.address); !why.empty()) {
        fail(n.address, "the address " + why);
        continue;
      }
      const auto locked = locked_before_.find(n.address);
      if (!options_.update && locked != locked_before_.end() &&
          store_->cache().holds(locked->second.sha256, locked->second.size)) {
        if (unpack(n.address, locked->second.sha256, locked->second.size))
          keep(n.address, FetchedAsset::State::kKept);
        continue;
      }
      const fs::path installed = options_.webots ? options_.webots->find(n.address) : fs::path();
      const std::string web = web_address(n.address, version_);
      if (!installed.empty()) {
        copy(n.address, web, installed);
        continue;
      }
      auto& names = by_web[web];
      if (names.empty()) wanted.push_back(web);
      names.push_back(n.address);
    }
    downloader_.get(wanted, [&](Download&& download) {
      for (const std::string& address : by_web[download.address]) {
        if (download.error.empty()) {
          take(address, download.final_address, download.bytes, FetchedAsset::State::kFetched);
        } else {
          fail(address, download.error);
        }
      }
    });
  }

  void copy(const std::string& address, const std::string& web, const fs::path& file) {
    try {
      take(address, web, read_whole_file(file, options_.limits.file_bytes),
           FetchedAsset::State::kCopied);
    } catch (const std::runtime_error& problem) {
      fail(address, problem.what());
    }
  }

  void take(const std::string& address, const std::string& final_address, const std::string& bytes,
            FetchedAsset::State state) {
    const std::string sha256 = store_->cache().store(bytes);
    const auto locked = locked_before_.find(address);
    if (!options_.update && locked != locked_before_.end() && locked->second.sha256 != sha256) {
      return fail(address,
                  fmt::format("its content has changed: its SHA-256 is {}, and {} is locked; "
                              "--update takes the new one",
                              sha256, locked->second.sha256));
    }
    if (!unpack(address, sha256, bytes.size())) return;
    store_->lock().assets[address] = {sha256, bytes.size(), final_address};
    keep(address, state);
  }

  /// Of an archive; false when that has failed.
  bool unpack(const std::string& address, const std::string& sha256, std::size_t size) {
    if (!address.ends_with(".zip")) return true;
    try {
      store_->cache().unpacked_again(sha256, size);
      return true;
    } catch (const std::runtime_error& problem) {
      fail(address, problem.what());
      return false;
    }
  }

  void keep(const std::string& address, FetchedAsset::State state) {
    known_[address].state = state;
    ++finished_;
  }

  void fail(const std::string& address, const std::string& why) {
    known_[address].error = why;
    ++finished_;
    std::string message = "cannot get '" + address + "': " + why;
    if (optional_.count(address) > 0) {
      diagnostics_.warning(places_[address], std::move(message), "the model goes without it");
    } else {
      diagnostics_.error(places_[address], std::move(message));
    }
  }

  void finish(FetchReport& report) {
    auto& locked = store_->lock().assets;
    const bool whole = !report.interrupted && !diagnostics_.has_errors();
    if (whole) {
      std::erase_if(locked, [&](const auto& entry) { return known_.count(entry.first) == 0; });
    } else {
      locked.insert(locked_before_.begin(), locked_before_.end());
    }
    for (auto& [address, asset] : known_) report.assets.push_back(asset);
    std::error_code ignored;
    const bool was_there = fs::exists(report.lock_file, ignored);
    if (!was_there && locked.empty()) return;
    if (was_there && locked == locked_before_) return;
    write_whole_file(report.lock_file, store_->lock().to_text());
  }

  fs::path world_;
  const ReadWorld& read_;
  wbt::LoadOptions load_;
  const FetchOptions& options_;
  Diagnostics& diagnostics_;
  Downloader downloader_;
  std::shared_ptr<AssetStore> store_;
  std::map<std::string, LockedAsset> locked_before_;
  std::map<std::string, FetchedAsset> known_;
  std::map<std::string, Place> places_;
  std::set<std::string> parsed_, models_, optional_;
  std::vector<NamedAddress> declared_;
  std::string version_;
  std::size_t finished_ = 0;
  std::vector<Diagnostic> mistakes_;  ///< of the world, when it was read last
};

}  // namespace

FetchReport fetch_assets(
    const fs::path& world, const ReadWorld& read, const wbt::LoadOptions& load,
    const FetchOptions& options, Diagnostics& diagnostics,
    const std::function<void(std::size_t, std::size_t, std::size_t)>& progress) {
  return Fetch(world, read, load, options, diagnostics).run(progress);
}

}  // namespace protobeam
