#ifndef WEBOTS_DISPLAY_HPP
#define WEBOTS_DISPLAY_HPP

#include <webots/display.h>

#include <string>
#include <webots/Device.hpp>
#include <webots/ImageRef.hpp>

namespace webots {

class Camera;

class Display : public Device {
 public:
  enum { RGB = 3, RGBA, ARGB, BGRA, ABGR };

  using Device::Device;

  int getWidth() const { return wb_display_get_width(tag()); }
  int getHeight() const { return wb_display_get_height(tag()); }

  virtual void setColor(int color) { wb_display_set_color(tag(), color); }
  virtual void setAlpha(double alpha) { wb_display_set_alpha(tag(), alpha); }
  virtual void setOpacity(double opacity) { wb_display_set_opacity(tag(), opacity); }
  virtual void setFont(const std::string& font, int size, bool antiAliasing) {
    wb_display_set_font(tag(), font.c_str(), size, antiAliasing);
  }
  virtual void attachCamera(Camera* camera);
  virtual void detachCamera() { wb_display_detach_camera(tag()); }

  virtual void drawPixel(int x1, int y1) { wb_display_draw_pixel(tag(), x1, y1); }
  virtual void drawLine(int x1, int y1, int x2, int y2) {
    wb_display_draw_line(tag(), x1, y1, x2, y2);
  }
  virtual void drawRectangle(int x, int y, int width, int height) {
    wb_display_draw_rectangle(tag(), x, y, width, height);
  }
  virtual void drawOval(int cx, int cy, int a, int b) { wb_display_draw_oval(tag(), cx, cy, a, b); }
  virtual void drawPolygon(const int* x, const int* y, int size) {
    wb_display_draw_polygon(tag(), x, y, size);
  }
  virtual void drawText(const std::string& txt, int x, int y) {
    wb_display_draw_text(tag(), txt.c_str(), x, y);
  }
  virtual void fillRectangle(int x, int y, int width, int height) {
    wb_display_fill_rectangle(tag(), x, y, width, height);
  }
  virtual void fillOval(int cx, int cy, int a, int b) { wb_display_fill_oval(tag(), cx, cy, a, b); }
  virtual void fillPolygon(const int* x, const int* y, int size) {
    wb_display_fill_polygon(tag(), x, y, size);
  }

  /// Null after a message.
  ImageRef* imageNew(int width, int height, const void* data, int format) const;
  ImageRef* imageCopy(int x, int y, int width, int height) const;
  ImageRef* imageLoad(const std::string& filename) const;
  virtual void imagePaste(ImageRef* ir, int x, int y, bool blend = false) {
    wb_display_image_paste(tag(), ir ? ir->getImageRef() : nullptr, x, y, blend);
  }
  void imageSave(ImageRef* ir, const std::string& filename) const {
    wb_display_image_save(tag(), ir ? ir->getImageRef() : nullptr, filename.c_str());
  }
  void imageDelete(ImageRef* ir) const;
};

}  // namespace webots

#endif  // WEBOTS_DISPLAY_HPP
