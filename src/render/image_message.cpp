#include "render/image_message.h"

#include "base/libm.h"
#include "codec/image_bytes.h"

namespace protobeam::render {
namespace {

struct Pinhole {
  double fx = 0, fy = 0, cx = 0, cy = 0;
};

std::string distortion_model(const LensModel& model) {
  switch (model.kind) {
    case LensKind::kOpencv: {
      for (std::size_t i = 5; i < 8; ++i) {
        if (model.coefficients[i] != 0) return "rational_polynomial";
      }
      return "plumb_bob";
    }
    case LensKind::kFisheye: return "equidistant";
    case LensKind::kEucm: return "eucm";
    case LensKind::kDoubleSphere: return "double_sphere";
  }
  return "";
}

std::size_t coefficient_count(const std::string& model) {
  if (model == "rational_polynomial") return 8;
  if (model == "plumb_bob") return 5;
  return model == "equidistant" ? 4 : 2;
}

}  // namespace

message::CameraInfo camera_info(const ImageGeometry& image, const message::Header& header) {
  message::CameraInfo info;
  info.header = header;
  info.width = static_cast<std::uint32_t>(image.width);
  info.height = static_cast<std::uint32_t>(image.height);
  Pinhole pinhole;
  if (image.model) {
    pinhole = {image.model->fx, image.model->fy, image.model->cx, image.model->cy};
    info.distortion_model = distortion_model(*image.model);
    const auto first = image.model->coefficients.begin();
    info.d.assign(first, first + static_cast<std::ptrdiff_t>(coefficient_count(info.distortion_model)));
  } else if (image.projection == Projection::kPlanar && !image.lens) {
    const double f = image.width / 2.0 / libm::tan(image.field_of_view / 2);
    pinhole = {f, f, (image.width - 1) / 2.0, (image.height - 1) / 2.0};
    info.distortion_model = "plumb_bob";
    info.d.assign(5, 0.0);
  } else {
    return info;
  }
  info.k = {pinhole.fx, 0, pinhole.cx, 0, pinhole.fy, pinhole.cy, 0, 0, 1};
  info.r = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  info.p = {pinhole.fx, 0, pinhole.cx, 0, 0, pinhole.fy, pinhole.cy, 0, 0, 0, 1, 0};
  return info;
}

message::Image image_message(const message::Header& header, int width, int height,
                             const std::string& encoding, std::span<const std::uint8_t> pixels) {
  message::Image image;
  image.header = header;
  image.width = static_cast<std::uint32_t>(width);
  image.height = static_cast<std::uint32_t>(height);
  image.encoding = encoding;
  image.step = static_cast<std::uint32_t>(pixels.size() / static_cast<std::size_t>(height));
  image.data.assign(pixels.begin(), pixels.end());
  return image;
}

message::Image rgb_message(const message::Header& header, int width, int height,
                           std::span<const std::uint8_t> bgra) {
  message::Image image = image_message(header, width, height, "rgb8", {});
  image.step = static_cast<std::uint32_t>(width) * 3;
  image.data.resize(bgra.size() / 4 * 3);
  for (std::size_t i = 0, o = 0; i + 3 < bgra.size(); i += 4, o += 3) {
    image.data[o] = bgra[i + 2];
    image.data[o + 1] = bgra[i + 1];
    image.data[o + 2] = bgra[i];
  }
  return image;
}

message::CompressedImage jpeg_message(const message::Header& header, int width, int height, int bytes,
                                      std::span<const std::uint8_t> pixels, int quality) {
  message::CompressedImage image;
  image.header = header;
  image.format = "jpeg";
  const std::string file =
      encode_jpeg(pixels, width, height, bytes == 4 ? PixelOrder::kBgra : PixelOrder::kGrey, quality);
  image.data.assign(file.begin(), file.end());
  return image;
}

}  // namespace protobeam::render
