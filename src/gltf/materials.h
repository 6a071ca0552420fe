// Surfaces as glTF describes them: metallic-roughness materials with their textures.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "geometry/material.h"
#include "gltf/buffer.h"

namespace protobeam::gltf {

class Materials {
 public:
  /// `document` gets "materials", "textures", "images" and "samplers"; it and `buffer` outlive
  /// this.
  Materials(nlohmann::json& document, Buffer& buffer) : document_(document), buffer_(buffer) {}

  /// The material's index. Phong's highlights become a roughness: for its exponent n the
  /// microfacets are as wide as those of alpha^2 = 2 / (n + 2) (B. Walter et al., "Microfacet
  /// Models for Refraction through Rough Surfaces", EGSR 2007), and alpha is glTF's roughness
  /// squared.
  int index_of(const std::shared_ptr<const Material>& material);
  /// Whether it has pictures, so that its shapes need texture coordinates.
  static bool has_textures(const Material& material);
  /// Names of glTF's extensions that the materials need.
  const std::set<std::string>& extensions() const { return extensions_; }

 private:
  enum class Content { kColor, kData };
  using Picture = std::shared_ptr<const Image>;

  nlohmann::json written(const Material& material);
  void add_maps(const Material& material, nlohmann::json& out);
  void add_emission(const Material& material, nlohmann::json& out);
  nlohmann::json texture(const Picture& picture, const Material& material, Content content);
  int image_index(const Picture& picture, Content content);
  int sampler_index(const Material& material);

  nlohmann::json& document_;
  Buffer& buffer_;
  std::set<std::string> extensions_;
  std::map<std::shared_ptr<const Material>, int> known_;
  std::map<std::string, int> equal_;  ///< by what is written: many surfaces look the same
  std::map<std::pair<Picture, Content>, int> images_;
  std::map<std::tuple<bool, bool, bool>, int> samplers_;     ///< repeat s, repeat t, smooth
  std::map<std::pair<int, int>, int> textures_;              ///< image, sampler
  std::map<std::pair<Picture, Picture>, Picture> surfaces_;  ///< of roughness and metalness
};

}  // namespace protobeam::gltf
