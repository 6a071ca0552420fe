// A model file as its parser understood it, and what the simulator and its worker process say to
// each other about it. Nobody but the reader of models and the worker includes it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/geometry.h"
#include "geometry/material.h"

namespace protobeam {

struct ImportedModel {
  struct Part {
    std::string name;
    std::string node;  ///< that has it
    Mesh mesh;
    std::uint32_t material = 0;
  };
  struct Surface {
    Material material;     ///< without its texture
    std::string texture;   ///< name of the picture; empty for none
    std::string embedded;  ///< its bytes, when they are in the model file itself
  };
  std::vector<Part> parts;
  std::vector<Surface> surfaces;
};

/// The bytes of another file that a model names, or nothing when there is none.
using FileByName = std::function<std::optional<std::string>(const std::string& name)>;

/// Reads a model from memory; `name` says with its ending what format that is. Throws
/// std::runtime_error with the reason alone.
ImportedModel import_model(const std::string& name, std::string_view bytes, bool ccw,
                           const FileByName& other_file);

using MessageBytes = std::vector<std::byte>;

// The simulator's side.
MessageBytes pack_request(const std::string& name, std::string_view bytes, bool ccw);
std::string unpack_question(std::span<const std::byte> question);  ///< the name of a file
MessageBytes pack_answer(const std::optional<std::string>& bytes);
/// Throws std::runtime_error: what import_model() threw, or that the reply is broken.
ImportedModel unpack_reply(std::span<const std::byte> reply);

// The worker's side.
/// A first import, so that everything that Assimp needs is loaded.
void prepare_import();
/// Runs import_model() on a packed request and returns its packed reply, also when it throws. What
/// other files are needed is asked for.
MessageBytes import_packed(std::span<const std::byte> request,
                           const std::function<MessageBytes(std::span<const std::byte>)>& ask);
MessageBytes pack_reply(const ImportedModel& model);

}  // namespace protobeam
