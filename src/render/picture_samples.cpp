#include "render/picture_samples.h"

#include <algorithm>
#include <cmath>

#include "base/libm.h"

namespace protobeam::render {

void PictureSamples::cast(RayScene& scene, const Pose& X_WC) {
  for (auto* numbers : {&range, &u, &v, &nx, &ny, &nz}) numbers->resize(count());
  for (auto* numbers : {&instance, &shape, &primitive}) numbers->resize(count());
  RayBatch batch;
  batch.X_WS = X_WC;
  batch.dx = dx.data();
  batch.dy = dy.data();
  batch.dz = dz.data();
  batch.count = count();
  batch.hits = batch.normals = true;
  scene.cast(batch, [this](const RayBlock& block) {
    const auto keep = [&block](auto& to, const auto* from) {
      std::copy(from, from + block.count, to.begin() + static_cast<std::ptrdiff_t>(block.first));
    };
    keep(range, block.range);
    keep(instance, block.instance);
    keep(shape, block.shape);
    keep(primitive, block.primitive);
    keep(u, block.u);
    keep(v, block.v);
    keep(nx, block.nx);
    keep(ny, block.ny);
    keep(nz, block.nz);
  });
}

PictureRaster::PictureRaster(const Camera& camera, int width, int height, int samples)
    : camera(camera),
      tan_up(libm::tan(camera.vertical_fov / 2)),
      tan_side(tan_up * width / height),
      width_(width),
      height_(height),
      samples_(samples) {}

void PictureRaster::add(PictureSamples& samples, RasterPixel pixel, double right,
                        double down) const {
  const double y = tan_side * (1 - 2 * (pixel.column + right) / width_);
  const double z = tan_up * (1 - 2 * (pixel.row + down) / height_);
  const double scale = 1 / std::sqrt(1 + y * y + z * z);
  samples.place.push_back(pixel);
  samples.dx.push_back(static_cast<float>(scale));
  samples.dy.push_back(static_cast<float>(y * scale));
  samples.dz.push_back(static_cast<float>(z * scale));
}

PictureSamples PictureRaster::middles(int first_row, int rows) const {
  PictureSamples samples;
  for (int row = first_row; row < first_row + rows; ++row) {
    for (int column = 0; column < width_; ++column) add(samples, {column, row}, 0.5, 0.5);
  }
  return samples;
}

PictureSamples PictureRaster::samples_of(std::span<const RasterPixel> pixels) const {
  PictureSamples samples;
  for (const RasterPixel& pixel : pixels) {
    for (int k = 0; k < samples_ * samples_; ++k) {
      add(samples, pixel, (k % samples_ + 0.5) / samples_, (k / samples_ + 0.5) / samples_);
    }
  }
  return samples;
}

}  // namespace protobeam::render
