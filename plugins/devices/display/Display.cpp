#include <webots/Camera.hpp>
#include <webots/Display.hpp>

namespace webots {

void Display::attachCamera(Camera* camera) {
  wb_display_attach_camera(tag(),
                           camera ? static_cast<WbDeviceTag>(camera->getTag()) : WbDeviceTag{0});
}

namespace {

ImageRef* owned(WbImageRef image) { return image ? new ImageRef(image) : nullptr; }

}  // namespace

ImageRef* Display::imageNew(int width, int height, const void* data, int format) const {
  return owned(wb_display_image_new(tag(), width, height, data, format));
}
ImageRef* Display::imageCopy(int x, int y, int width, int height) const {
  return owned(wb_display_image_copy(tag(), x, y, width, height));
}
ImageRef* Display::imageLoad(const std::string& filename) const {
  return owned(wb_display_image_load(tag(), filename.c_str()));
}
void Display::imageDelete(ImageRef* ir) const {
  if (!ir) return;
  wb_display_image_delete(tag(), ir->getImageRef());
  delete ir;
}

}  // namespace webots
