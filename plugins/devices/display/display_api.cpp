// Webots' functions of Display.
#include <webots/display.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "controller/device_access.h"
#include "controller/image_file.h"

struct WbImageStructPrivate {
  int number;  ///< in the simulator's clipboard of the display
  WbDeviceTag display;
};

namespace {

using protobeam::controller::Client;

struct DisplayState {
  int last_image = 0;
  bool has_camera = false;
};

struct DisplayAccess : protobeam::controller::Access {
  DisplayAccess(const char* function, WbDeviceTag tag)
      : Access(function, tag, {"Display"}), tag_(tag) {}

  /// A command about the picture. From the first one on it is recorded in each step.
  bool draw(const char* command, std::vector<double> numbers = {}, std::string bytes = {}) const {
    if (!*this || !this->command(command, std::move(numbers), std::move(bytes))) return false;
    if (period() == 0) enable(Client::get().robot().basic_time_step_ms);
    return true;
  }
  void polygon(const char* command, const int* x, const int* y, int size) const {
    if (!*this) return;
    if (!x || !y || size < 1) return complain("called without corners");
    std::vector<double> corners;
    for (int i = 0; i < size; ++i) corners.insert(corners.end(), {double(x[i]), double(y[i])});
    draw(command, std::move(corners));
  }
  DisplayState& state() const {
    return Access::state<DisplayState>([] { return DisplayState(); });
  }
  WbImageRef new_image() const { return new WbImageStructPrivate{++state().last_image, tag_}; }
  /// Tells who hands over the image of another display, or none.
  bool owns(WbImageRef image) const {
    if (!*this) return false;
    if (image && image->display == tag_) return true;
    complain(image ? "called with the image of another display" : "called with NULL");
    return false;
  }
  /// Of a command that makes an image; null when it was not sent.
  WbImageRef made(const char* command, std::vector<double> numbers, std::string bytes = {}) const {
    WbImageRef image = new_image();
    numbers.insert(numbers.begin(), image->number);
    if (this->command(command, std::move(numbers), std::move(bytes))) return image;
    delete image;
    return nullptr;
  }

 private:
  WbDeviceTag tag_;
};

/// False when the file cannot be read.
bool read_file(const char* name, std::string& bytes) {
  std::FILE* file = std::fopen(name, "rb");
  if (!file) return false;
  char piece[65536];
  for (std::size_t got; (got = std::fread(piece, 1, sizeof piece, file)) > 0;)
    bytes.append(piece, got);
  const bool good = std::ferror(file) == 0;
  std::fclose(file);
  return good;
}

}  // namespace

extern "C" {

int wb_display_get_width(WbDeviceTag tag) {
  return static_cast<int>(DisplayAccess(__func__, tag).number("width", -1));
}
int wb_display_get_height(WbDeviceTag tag) {
  return static_cast<int>(DisplayAccess(__func__, tag).number("height", -1));
}

void wb_display_set_color(WbDeviceTag tag, int color) {
  DisplayAccess(__func__, tag).draw("color", {static_cast<double>(color)});
}
void wb_display_set_alpha(WbDeviceTag tag, double alpha) {
  DisplayAccess(__func__, tag).draw("alpha", {alpha});
}
void wb_display_set_opacity(WbDeviceTag tag, double opacity) {
  DisplayAccess(__func__, tag).draw("opacity", {opacity});
}
void wb_display_set_font(WbDeviceTag tag, const char* font, int size, bool) {
  DisplayAccess(__func__, tag).draw("font", {static_cast<double>(size)}, font ? font : "");
}

void wb_display_attach_camera(WbDeviceTag tag, WbDeviceTag camera_tag) {
  const DisplayAccess display(__func__, tag);
  if (!display) return;
  const auto& devices = Client::get().devices();
  if (camera_tag == 0 || camera_tag > devices.size() ||
      !devices[camera_tag - 1u].serves("Camera")) {
    return display.complain("called with a device that is no Camera");
  }
  if (display.state().has_camera) {
    return display.complain("called for '" + display->record.name +
                            "', to which a camera is attached already");
  }
  display.state().has_camera = display.draw("attach camera", {static_cast<double>(camera_tag)});
}
void wb_display_detach_camera(WbDeviceTag tag) {
  const DisplayAccess display(__func__, tag);
  if (!display) return;
  if (!display.state().has_camera) {
    return display.complain("called for '" + display->record.name +
                            "', to which no camera is attached");
  }
  display.state().has_camera = !display.draw("detach camera");
}

void wb_display_draw_pixel(WbDeviceTag tag, int x, int y) {
  DisplayAccess(__func__, tag).draw("draw pixel", {double(x), double(y)});
}
void wb_display_draw_line(WbDeviceTag tag, int x1, int y1, int x2, int y2) {
  DisplayAccess(__func__, tag).draw("draw line", {double(x1), double(y1), double(x2), double(y2)});
}
void wb_display_draw_rectangle(WbDeviceTag tag, int x, int y, int width, int height) {
  DisplayAccess(__func__, tag)
      .draw("draw rectangle", {double(x), double(y), double(width), double(height)});
}
void wb_display_draw_oval(WbDeviceTag tag, int cx, int cy, int a, int b) {
  DisplayAccess(__func__, tag).draw("draw oval", {double(cx), double(cy), double(a), double(b)});
}
void wb_display_draw_polygon(WbDeviceTag tag, const int* x, const int* y, int size) {
  DisplayAccess(__func__, tag).polygon("draw polygon", x, y, size);
}
void wb_display_draw_text(WbDeviceTag tag, const char* text, int x, int y) {
  const DisplayAccess display(__func__, tag);
  if (!display) return;
  if (!text || !*text) return display.complain("called without a text");
  display.draw("draw text", {double(x), double(y)}, text);
}
void wb_display_fill_rectangle(WbDeviceTag tag, int x, int y, int width, int height) {
  DisplayAccess(__func__, tag)
      .draw("fill rectangle", {double(x), double(y), double(width), double(height)});
}
void wb_display_fill_oval(WbDeviceTag tag, int cx, int cy, int a, int b) {
  DisplayAccess(__func__, tag).draw("fill oval", {double(cx), double(cy), double(a), double(b)});
}
void wb_display_fill_polygon(WbDeviceTag tag, const int* x, const int* y, int size) {
  DisplayAccess(__func__, tag).polygon("fill polygon", x, y, size);
}

WbImageRef wb_display_image_new(WbDeviceTag tag, int width, int height, const void* data,
                                int format) {
  const DisplayAccess display(__func__, tag);
  if (!display) return nullptr;
  if (!data || width < 1 || height < 1 || format < WB_IMAGE_RGB || format > WB_IMAGE_ABGR) {
    display.complain("called without data, or with an invalid size or format");
    return nullptr;
  }
  const std::size_t bytes = (format == WB_IMAGE_RGB ? 3u : 4u) * static_cast<std::size_t>(width) *
                            static_cast<std::size_t>(height);
  return display.made("image new", {double(width), double(height), double(format)},
                      std::string(static_cast<const char*>(data), bytes));
}
WbImageRef wb_display_image_copy(WbDeviceTag tag, int x, int y, int width, int height) {
  const DisplayAccess display(__func__, tag);
  if (!display) return nullptr;
  return display.made("image copy", {double(x), double(y), double(width), double(height)});
}
WbImageRef wb_display_image_load(WbDeviceTag tag, const char* filename) {
  const DisplayAccess display(__func__, tag);
  if (!display) return nullptr;
  std::string bytes;
  if (!filename || !read_file(filename, bytes)) {
    display.complain("cannot read '" + std::string(filename ? filename : "") + "'");
    return nullptr;
  }
  return display.made("image load", {}, std::move(bytes));
}
void wb_display_image_delete(WbDeviceTag tag, WbImageRef ir) {
  const DisplayAccess display(__func__, tag);
  if (!display.owns(ir)) return;
  display.command("image delete", {double(ir->number)});
  delete ir;
}
void wb_display_image_paste(WbDeviceTag tag, WbImageRef ir, int x, int y, bool blend) {
  const DisplayAccess display(__func__, tag);
  if (display.owns(ir))
    display.draw("image paste", {double(ir->number), double(x), double(y), blend ? 1.0 : 0.0});
}
void wb_display_image_save(WbDeviceTag tag, WbImageRef ir, const char* filename) {
  const int number = ir ? ir->number : 0;
  {
    const DisplayAccess display(__func__, tag);
    if (!display || (ir && !display.owns(ir)) || !display.command("image save", {double(number)}))
      return;
  }
  Client::get().flush();  // what was drawn before goes first
  const DisplayAccess display(__func__, tag);
  auto& messages = display->messages;
  while (!messages.empty()) {
    const protobeam::DeviceMessage message = std::move(messages.front());
    messages.pop_front();
    if (message.numbers.size() != 3 || message.numbers[0] != number) continue;
    const auto* pixels = reinterpret_cast<const unsigned char*>(message.bytes.data());
    constexpr int kBestQuality = 100;
    const std::string problem = protobeam::controller::write_image(
        filename, {pixels, message.bytes.size()}, static_cast<int>(message.numbers[1]),
        static_cast<int>(message.numbers[2]), protobeam::PixelOrder::kRgba, kBestQuality);
    if (!problem.empty()) display.complain(problem);
    return;
  }
  display.complain("got no image from the simulator");
}

}  // extern "C"
