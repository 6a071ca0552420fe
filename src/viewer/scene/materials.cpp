#include "viewer/scene/materials.h"

#include <algorithm>
#include <osg/BlendFunc>
#include <osg/CullFace>
#include <osg/Depth>
#include <osg/Texture2D>

namespace protobeam::viewer {
namespace {

bool is_whole(const Image& image) {
  return image.width > 0 && image.height > 0 &&
         (image.channels == 1 || image.channels == 3 || image.channels == 4) &&
         image.pixels.size() == static_cast<std::size_t>(image.width) *
                                    static_cast<std::size_t>(image.height) *
                                    static_cast<std::size_t>(image.channels);
}

bool has_holes(const Image& image) {
  if (image.channels != 4 || !is_whole(image)) return false;
  for (std::size_t i = 3; i < image.pixels.size(); i += 4) {
    if (image.pixels[i] != 255) return true;
  }
  return false;
}

osg::ref_ptr<osg::StateAttribute> texture(const Image& image, bool repeat_s, bool repeat_t) {
  osg::ref_ptr<osg::Texture2D> result = new osg::Texture2D(osg_image(image, true));
  result->setResizeNonPowerOfTwoHint(false);
  result->setInternalFormat(image.channels == 4 ? GL_SRGB8_ALPHA8 : GL_SRGB8);
  result->setFilter(osg::Texture::MIN_FILTER, osg::Texture::LINEAR_MIPMAP_LINEAR);
  result->setFilter(osg::Texture::MAG_FILTER, osg::Texture::LINEAR);
  result->setMaxAnisotropy(8);
  const auto wrap = [](bool repeat) {
    return repeat ? osg::Texture::REPEAT : osg::Texture::CLAMP_TO_EDGE;
  };
  result->setWrap(osg::Texture::WRAP_S, wrap(repeat_s));
  result->setWrap(osg::Texture::WRAP_T, wrap(repeat_t));
  return result;
}

}  // namespace

osg::ref_ptr<osg::Image> osg_image(const Image& image, bool bottom_up) {
  if (!is_whole(image)) return nullptr;
  const bool has_alpha = image.channels == 4;
  const auto width = static_cast<std::size_t>(image.width);
  const auto height = static_cast<std::size_t>(image.height);
  const auto from = static_cast<std::size_t>(image.channels);
  const std::size_t to = has_alpha ? 4 : 3;
  osg::ref_ptr<osg::Image> result = new osg::Image;
  result->allocateImage(image.width, image.height, 1, has_alpha ? GL_RGBA : GL_RGB,
                        GL_UNSIGNED_BYTE);
  for (std::size_t row = 0; row < height; ++row) {
    const std::uint8_t* source = &image.pixels[(bottom_up ? height - 1 - row : row) * width * from];
    unsigned char* target = result->data() + row * width * to;
    for (std::size_t column = 0; column < width; ++column) {
      for (std::size_t channel = 0; channel < to; ++channel) {
        target[column * to + channel] = source[column * from + (from == 1 ? 0 : channel)];
      }
    }
  }
  return result;
}

bool lets_light_through(const Material& material) {
  return material.transparency > 0 || (material.texture && has_holes(*material.texture));
}

bool SurfaceStates::has_texture(const Material& material) {
  return material.texture && is_whole(*material.texture);
}

osg::StateSet* SurfaceStates::of(const Material& material, bool closed) {
  const bool is_textured = has_texture(material), through = lets_light_through(material);
  if (!is_textured && !through) return nullptr;
  const Image* picture = is_textured ? material.texture.get() : nullptr;
  auto& state = states_[{picture, material.repeat_s, material.repeat_t, through, closed}];
  if (state) return state;
  state = new osg::StateSet;
  if (is_textured) {
    auto& shared = textures_[{picture, material.repeat_s, material.repeat_t}];
    if (!shared) shared = texture(*picture, material.repeat_s, material.repeat_t);
    state->setTextureAttribute(kBaseColorUnit, shared);
    state->setAttribute(textured_);
  }
  if (through) {
    state->setAttributeAndModes(new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA));
    state->setAttributeAndModes(new osg::Depth(osg::Depth::LESS, 0, 1, false));
    state->setRenderingHint(osg::StateSet::TRANSPARENT_BIN);
    // The far side of a glass must not dim what is behind a second time.
    if (closed) state->setAttributeAndModes(new osg::CullFace(osg::CullFace::BACK));
  }
  return state;
}

}  // namespace protobeam::viewer
