#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <mutex>
#include <stdexcept>

#include "base/address.h"
#include "base/named_files.h"
#include "base/worker_process.h"
#include "geometry/files.h"
#include "geometry/image_codec.h"
#include "geometry/imported_model.h"
#include "geometry/model_cache.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw std::runtime_error("cannot read mesh " + path.string() + ": " + why);
}

/// Generous for any sound file: text of 8 bytes a triangle becomes some 400 bytes of mesh.
WorkerProcess::Limits limits_for(std::size_t file_size) {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  const std::size_t memory = 256 * kMiB + 100 * file_size;
  const std::size_t whole_mib = file_size / kMiB;
  return {.seconds = 20 + static_cast<double>(whole_mib),
          .memory_bytes = memory,
          .reply_bytes = memory,
          .patience = 5,
          .address_space = true};
}

std::string describe_death(int wait_status) {
  if (!WIFSIGNALED(wait_status)) return "its parser gave up";
  if (WTERMSIG(wait_status) == SIGKILL) return "reading it takes too much time or memory";
  return std::string("it is damaged (its parser crashed: ") + ::strsignal(WTERMSIG(wait_status)) +
         ")";
}

/// Assimp joins paths, not addresses.
std::string name_for_parser(const fs::path& path) {
  return is_address(path.native()) ? path_of_address(path.native()) : path.string();
}

/// The worker for all models of the program. Parsers of 3D formats crash, loop or ask for endless
/// memory on damaged files; here that costs the worker only.
class Parser {
 public:
  static Parser& get() {
    static Parser parser;
    return parser;
  }

  /// Throws std::runtime_error with the reason alone.
  ImportedModel read(const fs::path& path, bool ccw, std::vector<std::string>* warnings) {
    const std::string bytes = read_named_file(path, kMaxFileSize);
    const std::lock_guard lock(mutex_);
    const std::string name = name_for_parser(path);
    const ModelCache::Model file{name, bytes, ccw};
    if (auto model = known(path, file)) return std::move(*model);
    const struct Release {
      WorkerProcess& worker;
      ~Release() { worker.release_reply(); }
    } release{worker_};
    std::vector<ModelCache::Other> others;
    std::vector<std::string> warned;
    const auto outcome = worker_.exchange(pack_request(name, bytes, ccw), limits_for(bytes.size()),
                                          [&](std::span<const std::byte> question) {
                                            ModelCache::Other other{unpack_question(question), {}};
                                            other.bytes = other_file(path, other.name, warned);
                                            others.push_back(std::move(other));
                                            return pack_answer(others.back().bytes);
                                          });
    if (warnings != nullptr) warnings->insert(warnings->end(), warned.begin(), warned.end());
    switch (outcome) {
      case WorkerProcess::Outcome::kReply: {
        ImportedModel model = unpack_reply(worker_.reply());
        if (warned.empty()) cache_.store(file, others, worker_.reply());
        return model;
      }
      case WorkerProcess::Outcome::kNotStarted:
        throw std::runtime_error("cannot start its parser: " + worker_.start_error() +
                                 " (set PROTOBEAM_WORKER to the program protobeam-worker)");
      case WorkerProcess::Outcome::kDied:
        throw std::runtime_error(describe_death(worker_.wait_status()));
      case WorkerProcess::Outcome::kTooLong:
        throw std::runtime_error("reading it takes too much time");
      case WorkerProcess::Outcome::kTooMuchMemory:
      case WorkerProcess::Outcome::kTooMuchOutput:
        break;
    }
    throw std::runtime_error("more memory is needed than is allowed");
  }

 private:
  /// What was made of it in an earlier run.
  std::optional<ImportedModel> known(const fs::path& path, const ModelCache::Model& file) const {
    std::vector<std::string> warned;
    const auto reply =
        cache_.find(file, [&](const std::string& name) { return other_file(path, name, warned); });
    if (!reply || !warned.empty()) return {};
    try {
      return unpack_reply(std::as_bytes(std::span(*reply)));
    } catch (const std::runtime_error&) {
      return {};  // damaged
    }
  }

  /// A file that the model names. One that is there and cannot be read is told.
  static std::optional<std::string> other_file(const fs::path& model, const std::string& name,
                                               std::vector<std::string>& warnings) {
    fs::path file = name;
    if (is_address(model.native())) file = file_beside(file, model);
    if (!why_not_there(file).empty()) return std::nullopt;
    try {
      return read_named_file(file, kMaxFileSize);
    } catch (const std::runtime_error& error) {
      warnings.push_back(model.string() + " goes without its materials: " + error.what());
      return std::nullopt;
    }
  }

  std::mutex mutex_;
  WorkerProcess worker_{"models"};
  ModelCache cache_;
};

ImportedModel read_model(const fs::path& path, bool ccw, std::vector<std::string>* warnings) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending != ".dae" && ending != ".obj" && ending != ".stl" && ending != ".glb") {
    fail(path, "its ending is none of .dae .obj .stl .glb");
  }
  if (!is_address(path.native())) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (error) fail(path, error.message());
    if (!fs::is_regular_file(status)) fail(path, "not a regular file");
    if (fs::file_size(path, error) > kMaxFileSize) fail(path, "larger than 256 MiB");
  }
  try {
    return Parser::get().read(path, ccw, warnings);
  } catch (const std::runtime_error& reason) {
    fail(path, reason.what());
  }
}

std::shared_ptr<const Image> read_texture(const fs::path& model,
                                          const ImportedModel::Surface& surface) {
  if (!surface.embedded.empty()) {
    return std::make_shared<const Image>(
        decode_image(surface.embedded, model.string() + " (texture " + surface.texture + ")"));
  }
  std::string file = surface.texture;
  std::replace(file.begin(), file.end(), '\\', '/');  // exporters on Windows
  return load_image(file_beside(file, model));
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

std::vector<ModelPart> load_model(const fs::path& path, bool ccw,
                                  std::vector<std::string>* warnings) {
  ImportedModel model = read_model(path, ccw, warnings);
  for (ImportedModel::Surface& surface : model.surfaces) {
    if (surface.texture.empty()) continue;
    try {
      surface.material.texture = read_texture(path, surface);
    } catch (const std::runtime_error& error) {
      if (warnings == nullptr) continue;
      warnings->push_back(path.string() + " goes without its texture: " + error.what());
    }
  }
  std::vector<ModelPart> result;
  for (ImportedModel::Part& part : model.parts) {
    ModelPart& out = result.emplace_back();
    out.name = std::move(part.name);
    out.node = std::move(part.node);
    out.mesh = std::make_shared<const Mesh>(std::move(part.mesh));
    if (part.material < model.surfaces.size())
      out.material = model.surfaces[part.material].material;
  }
  return result;
}

bool is_called(const ModelPart& part, const std::string& name) {
  return part.name == name || part.node == name;
}

std::shared_ptr<const Mesh> load_mesh(const fs::path& path, bool ccw, int material_index,
                                      const std::string& name) {
  ImportedModel model = read_model(path, ccw, nullptr);
  auto& parts = model.parts;
  if (!name.empty()) {
    std::erase_if(parts, [&](const ImportedModel::Part& part) {
      return part.name != name && part.node != name;
    });
    if (parts.empty()) fail(path, "nothing in it is called '" + name + "'");
  }
  if (material_index >= 0) {
    std::erase_if(parts, [&](const ImportedModel::Part& part) {
      return part.material != static_cast<unsigned>(material_index);
    });
    if (parts.empty()) {
      fail(path, "nothing in it has material number " + std::to_string(material_index) +
                     " (it has " + std::to_string(model.surfaces.size()) + ", from 0)");
    }
  }
  // Texture coordinates and normals are for all triangles or for none.
  const bool uvs = std::all_of(parts.begin(), parts.end(),
                               [](const auto& part) { return !part.mesh.uvs.empty(); });
  const bool normals = std::all_of(parts.begin(), parts.end(),
                                   [](const auto& part) { return !part.mesh.normals.empty(); });
  auto result = std::make_shared<Mesh>();
  for (const ImportedModel::Part& part : parts) {
    const auto offset = static_cast<std::uint32_t>(result->vertices.size());
    append(result->vertices, part.mesh.vertices);
    for (const auto& t : part.mesh.triangles) {
      result->triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
    }
    if (uvs) append(result->uvs, part.mesh.uvs);
    if (normals) append(result->normals, part.mesh.normals);
  }
  return result;
}

}  // namespace protobeam
