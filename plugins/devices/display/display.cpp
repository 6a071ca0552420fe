// Display: a picture that the robot's program draws.
//
// Pixels: (0, 0) is the upper left one. The picture begins opaque and black. What is drawn has the
// colour, alpha and opacity that were set last; the opacity mixes the new colour with the old one,
// the alpha replaces that of the pixel (Webots reference, Display). Text is drawn in one font of
// dots, 5 x 7 in a cell of 6 x 8, whose cell is made as high as the font that was asked for.
//
// With a camera attached the picture begins anew, transparent, and lies over the camera's last
// image, which is cut off or leaves a border where the sizes differ. The clipboard holds further
// pictures by number.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "canvas.h"
#include "device/plugin.h"
#include "geometry/files.h"

namespace protobeam {
namespace {

constexpr std::size_t kMostPixels = std::size_t{1} << 26;  ///< of the picture, and of the clipboard
constexpr std::size_t kMostCorners = 65536;

enum Command {
  kColor,
  kAlpha,
  kOpacity,
  kFont,
  kAttach,
  kDetach,
  kPixel,
  kLine,
  kRectangle,
  kOval,
  kPolygon,
  kText,
  kFillRectangle,
  kFillOval,
  kFillPolygon,
  kNew,
  kLoad,
  kCopy,
  kPaste,
  kDelete,
  kSave,
};

DeviceType declaration() {
  const double most = std::numeric_limits<int>::max();
  const auto pixel = [&](const char* name) {
    return ArgumentSpec{name, "pixel", Range::between(-most, most)};
  };
  const auto size = [](const char* name) {
    return ArgumentSpec{name, "pixel", Range::between(1, 16384)};
  };
  const auto extent = [&](const char* name) {
    return ArgumentSpec{name, "pixel", Range::between(1, most)};
  };
  const ArgumentSpec image{"image", "", Range::between(1, most)};
  const ArgumentSpec image_or_all{"image", "", Range::between(0, most)};
  const ArgumentSpec share{"value", "", Range::between(0, 1)};
  const std::vector<ArgumentSpec> box = {pixel("x"), pixel("y"), extent("width"), extent("height")};
  const std::vector<ArgumentSpec> oval = {pixel("cx"), pixel("cy"), extent("a"), extent("b")};
  const auto polygon = [&](const char* name, const char* meaning) {
    CommandSpec spec{name, {pixel("coordinate")}, meaning};
    spec.repeats = 2 * kMostCorners;
    return spec;
  };
  const auto with_bytes = [](CommandSpec spec) {
    spec.bytes = true;
    return spec;
  };
  return {
      .node = {"Display",
               "Device",
               "A picture that the robot's program draws.",
               {{"name", FieldType::kString, "\"display\"", "", {}, "name for the controller"},
                {"width", FieldType::kInt32, "64", "pixel", Range::between(1, 16384),
                 "of the picture"},
                {"height", FieldType::kInt32, "64", "pixel", Range::between(1, 16384),
                 "of the picture"},
                without_effect({"windowPosition",
                                FieldType::kVec2f,
                                "0 0",
                                "",
                                {},
                                "before R2025a: where its window is"}),
                without_effect({"pixelSize",
                                FieldType::kFloat,
                                "1",
                                "",
                                {},
                                "before R2025a: magnification of its window"})}},
      .channels = {{"image",
                    ElementType::kUint8,
                    {"height", "width", 4},
                    "",
                    "",
                    "",
                    "red, green, blue and alpha; the first row is on top"}},
      .commands =
          {{"color", {{"rgb", "", Range::between(0, 0xffffff)}}, "0xRRGGBB, of what follows"},
           {"alpha", {share}, "of the pixels that follow"},
           {"opacity", {share}, "share of new colours and alphas in pixels that follow"},
           with_bytes(
               {"font", {{"height", "pixel", Range::between(1, 4096)}}, "of text; its name"}),
           {"attach camera",
            {{"tag", "", Range::between(1, 65535)}},
            "what lies under the picture"},
           {"detach camera", {}, "nothing lies under the picture"},
           {"draw pixel", {pixel("x"), pixel("y")}, "one"},
           {"draw line",
            {pixel("x1"), pixel("y1"), pixel("x2"), pixel("y2")},
            "both ends included"},
           {"draw rectangle", box, "its outline"},
           {"draw oval", oval, "its outline"},
           polygon("draw polygon", "x and y of its corners: its outline"),
           with_bytes({"draw text", {pixel("x"), pixel("y")}, "from its upper left corner"}),
           {"fill rectangle", box, "and what is in it"},
           {"fill oval", oval, "and what is in it"},
           polygon("fill polygon", "x and y of its corners: and what is in it"),
           with_bytes({"image new",
                       {image, size("width"), size("height"), {"format", "", Range::between(3, 7)}},
                       "pixels as bytes: 3 RGB, 4 RGBA, 5 ARGB, 6 BGRA, 7 ABGR"}),
           with_bytes({"image load", {image}, "the bytes of a PNG or JPEG file"}),
           {"image copy",
            {image, pixel("x"), pixel("y"), size("width"), size("height")},
            "of a part of the picture"},
           {"image paste",
            {image, pixel("x"), pixel("y"), {"blend", "", Range::between(0, 1)}},
            "into the picture; blend 1: by alpha"},
           {"image delete", {image}, "from the clipboard"},
           {"image save", {image_or_all}, "sends it to the program; 0: the picture"}},
      .properties = {{"width", "pixel", "of the picture"}, {"height", "pixel", "of the picture"}},
      .inputs = Input::kOtherSamples,
      .forces = true,
      .messages = true,
      .webots_node = 41,
  };
}

int whole(double number) { return static_cast<int>(number); }

/// The places of red, green, blue and alpha in a pixel of `format`; alpha -1: there is none.
std::array<int, 4> order_of(int format) {
  switch (format) {
    case 3:
      return {0, 1, 2, -1};
    case 5:
      return {1, 2, 3, 0};
    case 6:
      return {2, 1, 0, 3};
    case 7:
      return {3, 2, 1, 0};
    default:
      return {0, 1, 2, 3};
  }
}

class Display final : public DeviceModel {
 public:
  explicit Display(const Fields& fields)
      : Display(fields.integer("width"), fields.integer("height")) {}

  void attach(const DeviceContext& context) override { robot_ = context.robot; }
  Properties properties() const override {
    return {{"width", static_cast<double>(canvas_.picture().width)},
            {"height", static_cast<double>(canvas_.picture().height)}};
  }

  std::string command(std::size_t index, std::span<const double> n,
                      std::string_view bytes) override {
    switch (index) {
      case kColor:
        canvas_.set_color(static_cast<std::uint32_t>(n[0]));
        break;
      case kAlpha:
        canvas_.set_alpha(n[0]);
        break;
      case kOpacity:
        canvas_.set_opacity(n[0]);
        break;
      case kFont:
        canvas_.set_font_size(whole(n[0]));
        break;
      case kAttach:
        return attach_camera(whole(n[0]));
      case kDetach:
        camera_ = 0;
        break;
      case kPixel:
        canvas_.pixel(whole(n[0]), whole(n[1]));
        break;
      case kLine:
        canvas_.line(whole(n[0]), whole(n[1]), whole(n[2]), whole(n[3]));
        break;
      case kRectangle:
      case kFillRectangle:
        canvas_.rectangle(whole(n[0]), whole(n[1]), whole(n[2]), whole(n[3]),
                          index == kFillRectangle);
        break;
      case kOval:
      case kFillOval:
        canvas_.oval(whole(n[0]), whole(n[1]), whole(n[2]), whole(n[3]), index == kFillOval);
        break;
      case kPolygon:
      case kFillPolygon:
        polygon(n, index == kFillPolygon);
        break;
      case kText:
        canvas_.text(bytes, whole(n[0]), whole(n[1]));
        break;
      default:
        return clipboard_command(index, n, bytes);
    }
    return "";
  }

  void sample(const SampleInput&, Sample& out) override {
    const Picture& seen = shown();
    std::copy(seen.pixels.begin(), seen.pixels.end(), out.channel<std::uint8_t>(0).begin());
  }

  std::shared_ptr<const Image> picture() const override { return image_; }
  void after_step(double, double, const NoiseKey&) override {
    const Picture& seen = shown();
    if (seen.pixels == image_->pixels) return;
    image_->pixels = seen.pixels;
    ++image_->version;
  }

  std::vector<DeviceMessage> take_messages() override { return std::exchange(messages_, {}); }

 private:
  Display(int width, int height) : canvas_(fitting(width, height), height) {
    *image_ = {width, height, 4, canvas_.picture().pixels};
  }

  static int fitting(int width, int height) {
    if (static_cast<std::size_t>(width) * static_cast<std::size_t>(height) <= kMostPixels)
      return width;
    throw std::invalid_argument(fmt::format(
        "field 'width' of Display: {} x {} pixels are more than {}", width, height, kMostPixels));
  }

  std::string attach_camera(int tag) {
    const DeviceModel* camera = robot_ ? robot_->device(tag) : nullptr;
    const ChannelLayout* image = camera ? camera->layout().find("image") : nullptr;
    if (!image || image->shape.size() != 3 || image->shape[2] != 4 || image->element_size != 1) {
      return fmt::format("the device with the tag {} takes no images in colour", tag);
    }
    camera_ = tag;
    canvas_.uncover();
    return "";
  }

  void polygon(std::span<const double> n, bool filled) {
    std::vector<std::array<int, 2>> corners;
    for (std::size_t i = 0; i + 1 < n.size(); i += 2)
      corners.push_back({whole(n[i]), whole(n[i + 1])});
    canvas_.polygon(corners, filled);
  }

  std::string clipboard_command(std::size_t index, std::span<const double> n,
                                std::string_view bytes) {
    const int image = whole(n[0]);
    const auto found = clipboard_.find(image);
    if (index == kNew) return new_image(image, whole(n[1]), whole(n[2]), whole(n[3]), bytes);
    if (index == kLoad) return load_image(image, bytes);
    if (index == kCopy)
      return keep(image, whole(n[3]), whole(n[4]), [&] {
        return part_of(shown(), whole(n[1]), whole(n[2]), whole(n[3]), whole(n[4]));
      });
    if (index == kSave && image == 0) return send(0, shown());
    if (found == clipboard_.end())
      return fmt::format("there is no image with the number {}", image);
    if (index == kPaste) canvas_.paste(found->second, whole(n[1]), whole(n[2]), n[3] != 0);
    if (index == kSave) return send(image, found->second);
    if (index == kDelete) {
      held_ -= found->second.pixels.size() / 4;
      clipboard_.erase(found);
    }
    return "";
  }

  /// Puts what `make` makes into the clipboard, if it still fits.
  template <class Make>
  std::string keep(int image, int width, int height, Make make) {
    if (held_ + static_cast<std::size_t>(width) * static_cast<std::size_t>(height) > kMostPixels) {
      return fmt::format("its images would have more than {} pixels together; delete some",
                         kMostPixels);
    }
    const auto [it, added] = clipboard_.try_emplace(image);
    if (!added) return fmt::format("the image {} is there already", image);
    it->second = make();
    held_ += it->second.pixels.size() / 4;
    return "";
  }

  std::string new_image(int image, int width, int height, int format, std::string_view bytes) {
    const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    const std::size_t size = format == 3 ? 3 : 4;
    if (bytes.size() != pixels * size) {
      return fmt::format("an image of {} x {} pixels needs {} bytes, not {}", width, height,
                         pixels * size, bytes.size());
    }
    return keep(image, width, height, [&] {
      const auto order = order_of(format);
      Picture out(width, height, {0, 0, 0, 255});
      for (std::size_t i = 0; i < pixels; ++i) {
        for (std::size_t c = 0; c < 4; ++c) {
          if (order[c] < 0) continue;
          out.pixels[4 * i + c] =
              static_cast<std::uint8_t>(bytes[size * i + static_cast<std::size_t>(order[c])]);
        }
      }
      return out;
    });
  }

  std::string load_image(int image, std::string_view bytes) {
    Image read;
    try {
      read = decode_image(bytes, "the image");
    } catch (const std::exception& problem) {
      return problem.what();
    }
    return keep(image, read.width, read.height, [&] {
      Picture out(read.width, read.height, {0, 0, 0, 255});
      const auto channels = static_cast<std::size_t>(read.channels);
      for (std::size_t i = 0; i < out.pixels.size() / 4; ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
          out.pixels[4 * i + c] = read.pixels[channels * i + (channels < 3 ? 0 : c)];
        }
        if (channels == 4) out.pixels[4 * i + 3] = read.pixels[4 * i + 3];
      }
      return out;
    });
  }

  std::string send(int image, const Picture& picture) {
    messages_.push_back(
        {0,
         {reinterpret_cast<const char*>(picture.pixels.data()), picture.pixels.size()},
         {static_cast<double>(image), static_cast<double>(picture.width),
          static_cast<double>(picture.height)}});
    return "";
  }

  /// What is seen: the drawing, over the camera's image if there is one.
  const Picture& shown() {
    const DeviceModel* camera = camera_ > 0 ? robot_->device(camera_) : nullptr;
    const auto data = camera ? robot_->sample(camera_) : std::span<const std::byte>();
    if (data.empty()) return canvas_.picture();
    const ChannelLayout& image = *camera->layout().find("image");
    const auto height = static_cast<int>(image.shape[0]), width = static_cast<int>(image.shape[1]);
    const auto* pixels = reinterpret_cast<const std::uint8_t*>(data.data() + image.offset);
    shown_ = canvas_.picture();
    for (int y = 0; y < std::min(height, shown_.height); ++y) {
      for (int x = 0; x < std::min(width, shown_.width); ++x) {
        const std::uint8_t* bgra = pixels + 4 * (static_cast<std::size_t>(y) * image.shape[1] +
                                                 static_cast<std::size_t>(x));
        const std::uint8_t under[4] = {bgra[2], bgra[1], bgra[0], 255};
        composite(shown_.at(x, y), under, shown_.at(x, y));
      }
    }
    return shown_;
  }

  Canvas canvas_;
  Picture shown_;
  std::shared_ptr<Image> image_ = std::make_shared<Image>();  ///< on the Shape
  std::map<int, Picture> clipboard_;
  std::size_t held_ = 0;  ///< pixels in it
  const RobotPort* robot_ = nullptr;
  int camera_ = 0;  ///< tag; 0: none is attached
  std::vector<DeviceMessage> messages_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Display)
