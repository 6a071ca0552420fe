#include "gltf/materials.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "codec/image_bytes.h"
#include "geometry/whole_image.h"
#include "render/color.h"

namespace protobeam::gltf {
namespace {

using nlohmann::json;

constexpr int kNearest = 9728, kLinear = 9729, kNearestMipmap = 9984, kLinearMipmap = 9987;
constexpr int kRepeat = 10497, kClamp = 33071;
/// Pixels of a side from which a picture of colours becomes a JPEG, a fifth of the size.
constexpr int kLargePicture = 128;
constexpr int kJpegQuality = 90;

bool is_there(const std::shared_ptr<const Image>& image) { return image && is_whole(*image); }

PixelOrder order_of(const Image& image) {
  if (image.channels == 1) return PixelOrder::kGrey;
  return image.channels == 3 ? PixelOrder::kRgb : PixelOrder::kRgba;
}

/// Red of the pixel at the same place of a picture of another size.
std::uint8_t red_at(const Image& image, int column, int row, int width, int height) {
  const auto x = static_cast<std::size_t>(column) * static_cast<std::size_t>(image.width) /
                 static_cast<std::size_t>(width);
  const auto y = static_cast<std::size_t>(row) * static_cast<std::size_t>(image.height) /
                 static_cast<std::size_t>(height);
  const std::size_t pixel = y * static_cast<std::size_t>(image.width) + x;
  return image.pixels[pixel * static_cast<std::size_t>(image.channels)];
}

/// Roughness as green and metalness as blue, as glTF has them; 255 for what has no picture.
std::shared_ptr<const Image> combined(const Image* roughness, const Image* metalness) {
  auto out = std::make_shared<Image>();
  out->channels = 3;
  for (const Image* one : {roughness, metalness}) {
    if (!one) continue;
    out->width = std::max(out->width, one->width);
    out->height = std::max(out->height, one->height);
  }
  out->pixels.assign(
      static_cast<std::size_t>(out->width) * static_cast<std::size_t>(out->height) * 3, 255);
  std::size_t at = 0;
  for (int row = 0; row < out->height; ++row) {
    for (int column = 0; column < out->width; ++column, at += 3) {
      if (roughness) out->pixels[at + 1] = red_at(*roughness, column, row, out->width, out->height);
      if (metalness) out->pixels[at + 2] = red_at(*metalness, column, row, out->width, out->height);
    }
  }
  return out;
}

json numbers(const Eigen::Vector3f& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

bool Materials::has_textures(const Material& material) { return material.texture || material.maps; }

int Materials::index_of(const std::shared_ptr<const Material>& material) {
  const auto [place, is_new] = known_.try_emplace(material, 0);
  if (!is_new) return place->second;
  json& all = document_["materials"];
  json out = written(*material);
  const auto [equal, is_first] = equal_.try_emplace(out.dump(), static_cast<int>(all.size()));
  if (is_first) all.push_back(std::move(out));
  return place->second = equal->second;
}

json Materials::written(const Material& material) {
  const render::Color color = render::linear_from_srgb(render::Color(material.base_color));
  json surface{
      {"baseColorFactor",
       {color.x(), color.y(), color.z(), 1 - std::clamp(material.transparency, 0.0F, 1.0F)}}};
  json out{{"doubleSided", true}};
  if (is_there(material.texture)) {
    surface["baseColorTexture"] = texture(material.texture, material, Content::kColor);
    if (material.texture->channels == 4) out["alphaMode"] = "MASK";  // leaves, fences
  }
  if (material.transparency > 0) out["alphaMode"] = "BLEND";
  if (material.shading == Shading::kPhysical) {
    surface["roughnessFactor"] = std::clamp(material.roughness, 0.0F, 1.0F);
    surface["metallicFactor"] = std::clamp(material.metalness, 0.0F, 1.0F);
  } else {
    const bool shines = material.shading == Shading::kPhong && material.specular.maxCoeff() > 0;
    const float alpha = shines ? std::sqrt(2 / (std::max(material.exponent, 0.0F) + 2)) : 1;
    surface["roughnessFactor"] = std::sqrt(alpha);
    surface["metallicFactor"] = 0;
  }
  if (material.shading == Shading::kUnlit) {
    out["extensions"]["KHR_materials_unlit"] = json::object();
    extensions_.insert("KHR_materials_unlit");
  }
  out["pbrMetallicRoughness"] = std::move(surface);
  if (material.maps) add_maps(material, out);
  add_emission(material, out);
  return out;
}

void Materials::add_maps(const Material& material, json& out) {
  const MaterialMaps& maps = *material.maps;
  json& surface = out["pbrMetallicRoughness"];
  const bool rough = is_there(maps.roughness), metal = is_there(maps.metalness);
  if (rough || metal) {
    const Picture roughness = rough ? maps.roughness : nullptr;
    const Picture metalness = metal ? maps.metalness : nullptr;
    Picture& both = surfaces_[{roughness, metalness}];
    if (!both) both = combined(roughness.get(), metalness.get());
    surface["metallicRoughnessTexture"] = texture(both, material, Content::kData);
    if (rough) surface["roughnessFactor"] = 1;  // the picture's is in its place
    if (metal) surface["metallicFactor"] = 1;
  }
  if (is_there(maps.normal)) {
    out["normalTexture"] = texture(maps.normal, material, Content::kData);
    out["normalTexture"]["scale"] = maps.normal_factor;
  }
  if (is_there(maps.occlusion)) {
    out["occlusionTexture"] = texture(maps.occlusion, material, Content::kData);
    out["occlusionTexture"]["strength"] = std::clamp(maps.occlusion_strength, 0.0F, 1.0F);
  }
}

void Materials::add_emission(const Material& material, json& out) {
  Eigen::Vector3f light = material.emissive;
  if (material.maps && is_there(material.maps->emissive)) {
    out["emissiveTexture"] = texture(material.maps->emissive, material, Content::kColor);
    light.setConstant(material.maps->emissive_intensity);
  }
  const float most = light.maxCoeff();
  if (!(most > 0)) return;
  if (most > 1) {  // the factor itself is at most 1
    out["extensions"]["KHR_materials_emissive_strength"] = {{"emissiveStrength", most}};
    extensions_.insert("KHR_materials_emissive_strength");
    light /= most;
  }
  out["emissiveFactor"] = numbers(light.cwiseMax(0));
}

json Materials::texture(const Picture& picture, const Material& material, Content content) {
  const int image = image_index(picture, content), sampler = sampler_index(material);
  const auto [place, is_new] = textures_.try_emplace({image, sampler}, 0);
  if (is_new) {
    json& all = document_["textures"];
    all.push_back({{"source", image}, {"sampler", sampler}});
    place->second = static_cast<int>(all.size()) - 1;
  }
  return {{"index", place->second}};
}

int Materials::image_index(const Picture& picture, Content content) {
  const auto [place, is_new] = images_.try_emplace({picture, content}, 0);
  if (!is_new) return place->second;
  const bool large = std::min(picture->width, picture->height) >= kLargePicture;
  const bool jpeg = content == Content::kColor && large && picture->channels != 4;
  const std::string bytes =
      jpeg ? encode_jpeg(picture->pixels, picture->width, picture->height, order_of(*picture),
                         kJpegQuality)
           : encode_png(picture->pixels, picture->width, picture->height, order_of(*picture));
  json& all = document_["images"];
  all.push_back(
      {{"bufferView", buffer_.add_bytes(bytes)}, {"mimeType", jpeg ? "image/jpeg" : "image/png"}});
  return place->second = static_cast<int>(all.size()) - 1;
}

int Materials::sampler_index(const Material& material) {
  const auto key = std::tuple(material.repeat_s, material.repeat_t, material.smooth_texture);
  const auto [place, is_new] = samplers_.try_emplace(key, 0);
  if (!is_new) return place->second;
  json& all = document_["samplers"];
  all.push_back({{"wrapS", material.repeat_s ? kRepeat : kClamp},
                 {"wrapT", material.repeat_t ? kRepeat : kClamp},
                 {"magFilter", material.smooth_texture ? kLinear : kNearest},
                 {"minFilter", material.smooth_texture ? kLinearMipmap : kNearestMipmap}});
  return place->second = static_cast<int>(all.size()) - 1;
}

}  // namespace protobeam::gltf
