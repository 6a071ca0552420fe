#include "geometry/model_cache.h"

#include "assets/sha256.h"
#include "base/wire.h"

namespace protobeam {
namespace {

constexpr std::size_t kMostAtOnce = DerivedCache::kMostBytes;  // a quarter of what is kept

/// Of a file that is not there: "".
std::string hash_of(const std::optional<std::string>& bytes) {
  return bytes ? sha256_hex(*bytes) : std::string();
}

}  // namespace

ModelCache::ModelCache() : stamp_(stamp_of_programs()), cache_(DerivedCache::of_user()) {
  if (stamp_.empty()) cache_ = DerivedCache({});
  stamp_ += ' ' + stamp_of(PROTOBEAM_ASSIMP_FILE);
}

std::string ModelCache::key_of(const Model& model) const {
  wire::Writer writer;
  writer.text("model");
  writer.text(stamp_);
  writer.text(model.name);
  writer.value(static_cast<std::uint8_t>(model.ccw));
  writer.text(model.bytes);
  return std::string(text_of(writer.take()));
}

std::optional<std::string> ModelCache::find(const Model& model,
                                            const FileByName& other_file) const {
  std::optional<std::string> bytes = cache_.find(key_of(model));
  if (!bytes) return {};
  try {
    wire::Reader reader(std::as_bytes(std::span(*bytes)));
    for (auto n = reader.count(2); n > 0; --n) {
      const std::string name = reader.text();
      if (reader.text() != hash_of(other_file(name))) return {};
    }
    return reader.text();
  } catch (const wire::BrokenMessage&) {
    return {};
  }
}

void ModelCache::store(const Model& model, std::span<const Other> others,
                       std::span<const std::byte> reply) {
  // Models that do not fit into the cache together would drive each other out in each run.
  if (reply.size() > kMostAtOnce - stored_) return;
  stored_ += reply.size();
  wire::Writer writer;
  writer.count(others.size());
  for (const Other& other : others) {
    writer.text(other.name);
    writer.text(hash_of(other.bytes));
  }
  writer.text(text_of(reply));
  cache_.store(key_of(model), text_of(writer.take()));
}

}  // namespace protobeam
