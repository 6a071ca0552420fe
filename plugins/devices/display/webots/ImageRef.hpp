#ifndef WEBOTS_IMAGE_REF_HPP
#define WEBOTS_IMAGE_REF_HPP

#include <webots/display.h>

namespace webots {

/// An image in the clipboard of a Display, which makes and deletes it.
class ImageRef {
 public:
  explicit ImageRef(WbImageRef image) : image_(image) {}
  WbImageRef getImageRef() const { return image_; }

 private:
  WbImageRef image_;
};

}  // namespace webots

#endif  // WEBOTS_IMAGE_REF_HPP
