#include "recognition.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/libm.h"
#include "base/turn.h"
#include "label_colors.h"
#include "raycast/quadric.h"
#include "render/color.h"

namespace protobeam {
namespace {

int object_of(const Appearance& appearance, std::uint32_t instance, std::uint32_t shape) {
  if (instance >= appearance.instances.size()) return -1;
  const auto& shapes = appearance.instances[instance].shapes;
  return shape < shapes.size() ? shapes[shape].object : -1;
}

Vec3 middle_of(const RecognizableObject& object) {
  return object.X_WO * Vec3((object.min_O + object.max_O) / 2);
}

/// Calls show() for points around a round shape as the camera sees it.
template <typename Show>
void show_outline(const Geometry& geometry, const Pose& X_CS, const Show& show) {
  constexpr int kPoints = 32;
  const double away = X_CS.p.norm();
  const Vec3 ahead = away > 0 ? Vec3(X_CS.p / away) : Vec3::UnitX();
  const Vec3 up = (Vec3::UnitZ() - ahead.z() * ahead).norm() > 1e-3
                      ? Vec3((Vec3::UnitZ() - ahead.z() * ahead).normalized())
                      : ahead.unitOrthogonal();
  const Vec3 left = up.cross(ahead);
  for (int i = 0; i < kPoints; ++i) {
    const double angle = 2 * kPi * i / kPoints;
    const Vec3 d_C = libm::cos(angle) * left + libm::sin(angle) * up;
    show(X_CS * support(geometry, X_CS.R.conjugate() * d_C));
  }
}

/// Distance of a point from the object's box; 0 within it.
double distance_to(const RecognizableObject& object, const Vec3& p_W) {
  const Vec3 p = object.X_WO.inverse() * p_W;
  return (p - p.cwiseMax(object.min_O).cwiseMin(object.max_O)).norm();
}

}  // namespace

RecognitionSettings recognition_of(const Fields& recognition) {
  RecognitionSettings out;
  out.max_range = recognition.number("maxRange");
  out.max_objects = recognition.integer("maxObjects");
  out.segmentation = recognition.boolean("segmentation");
  const int occlusion = recognition.integer("occlusion");
  if (occlusion < 0 || occlusion > 2) {
    throw std::invalid_argument("field 'recognition': occlusion must be 0, 1 or 2, got " +
                                std::to_string(occlusion));
  }
  if (out.max_objects < -1 || out.max_objects > 4096) {
    throw std::invalid_argument("field 'recognition': maxObjects must be -1 or between 0 and 4096, got " +
                                std::to_string(out.max_objects));
  }
  out.occlusion = static_cast<Occlusion>(occlusion);
  out.from_start = recognition.boolean("fromStart");
  const std::string boxes = recognition.string("boxes");
  out.boxes = boxes == "oriented" ? BoxKind::kOriented
              : boxes == "full"   ? BoxKind::kFull
                                  : BoxKind::kVisible;
  if (out.boxes != BoxKind::kVisible && out.occlusion != Occlusion::kPixels) {
    throw std::invalid_argument("field 'recognition': boxes \"" + boxes +
                                "\" need occlusion 2, got " + std::to_string(occlusion));
  }
  const std::string colors = recognition.string("segmentationColors");
  out.colors = colors == "labels"      ? SegmentColors::kLabels
               : colors == "instances" ? SegmentColors::kInstances
                                       : SegmentColors::kRecognitionColors;
  return out;
}

void Recognizer::find_pixels(RayScene& scene, const Appearance& appearance, const Pose& X_WC,
                             bool segment) {
  pixels_.assign(static_cast<std::size_t>(image_.width) * static_cast<std::size_t>(image_.height),
                 -1);
  near_enough_.assign(pixels_.size(), 0);
  RayBatch batch = rays_.batch(scene, X_WC);
  batch.hits = true;
  // In Webots' program segments know no maxRange: only RangeFinders and Lidars have a far plane
  // (WbWrenCamera::setMaxRange).
  const auto reach = static_cast<float>(settings_.max_range);
  if (!segment) batch.t_far = reach;
  near_limits_.give(batch);
  scene.cast(batch, [&](const RayBlock& block) {
    for (std::size_t i = 0; i < block.count; ++i) {
      if (!(block.range[i] < batch.t_far)) continue;
      const auto pixel = rays_.pixel[block.first + i];
      pixels_[pixel] = object_of(appearance, block.instance[i], block.shape[i]);
      near_enough_[pixel] = block.range[i] < reach;
    }
  });
}

std::vector<Recognizer::Found> Recognizer::by_pixels(std::size_t objects) const {
  std::vector<Found> all(objects);
  for (std::size_t i = 0; i < objects; ++i) {
    all[i] = {static_cast<int>(i), image_.width, image_.height, 0, 0};
  }
  for (std::size_t i = 0; i < pixels_.size(); ++i) {
    if (pixels_[i] < 0 || !near_enough_[i]) continue;
    Found& f = all[static_cast<std::size_t>(pixels_[i])];
    const int column = static_cast<int>(i) % image_.width, row = static_cast<int>(i) / image_.width;
    f.left = std::min(f.left, column), f.right = std::max(f.right, column + 1);
    f.top = std::min(f.top, row), f.bottom = std::max(f.bottom, row + 1);
  }
  std::erase_if(all, [](const Found& f) { return f.right <= f.left; });
  return all;
}

std::vector<Recognizer::Found> Recognizer::by_boxes(const Appearance& appearance,
                                                    const Pose& X_WC) const {
  constexpr int kPoints = 5;  // along each side of a box
  std::vector<Found> all;
  const Pose X_CW = X_WC.inverse();
  for (std::size_t k = 0; k < appearance.objects.size(); ++k) {
    const RecognizableObject& object = appearance.objects[k];
    if (distance_to(object, X_WC.p) > settings_.max_range) continue;
    double left = image_.width, right = 0, top = image_.height, bottom = 0;
    // All around, columns come again: those of one object are side by side, also right behind.
    const bool around = !image_.model && image_.projection == render::Projection::kCylindrical;
    const double turn = 2 * kPi / image_.field_of_view * image_.width;
    const auto middle = image_.place_of(X_CW * middle_of(object));
    const auto show = [&](const Vec3& p_C) {
      auto place = image_.place_of(p_C);
      if (!place) return;
      if (around && middle) {
        place->x() -= turn * std::round((place->x() - middle->x()) / turn);
      }
      left = std::min(left, place->x()), right = std::max(right, place->x());
      top = std::min(top, place->y()), bottom = std::max(bottom, place->y());
    };
    for (const RecognizableObject::Part& part : object.parts) {
      const Pose X_CS = X_CW * object.X_WO * part.X_OS;
      if (is_quadric(*part.geometry)) {
        show_outline(*part.geometry, X_CS, show);
        continue;
      }
      for (int i = 0; i < kPoints * kPoints * kPoints; ++i) {
        const Vec3 share(i % kPoints, i / kPoints % kPoints, i / (kPoints * kPoints));
        const Bounds& box = part.box_S;
        show(X_CS * Vec3(box.min + (box.max - box.min).cwiseProduct(share / (kPoints - 1))));
      }
    }
    const auto pixel = [](double value, int most) {
      return static_cast<int>(std::clamp(value, 0.0, static_cast<double>(most)));
    };
    const Found f{static_cast<int>(k), pixel(std::floor(left), image_.width),
                  pixel(std::floor(top), image_.height), pixel(std::ceil(right), image_.width),
                  pixel(std::ceil(bottom), image_.height)};
    if (f.right > f.left && f.bottom > f.top) all.push_back(f);
  }
  return all;
}

std::vector<Recognizer::Found> Recognizer::whole(const std::vector<Found>& seen,
                                                 const Appearance& appearance,
                                                 const Pose& X_WC) const {
  std::vector<Found> all = by_boxes(appearance, X_WC);
  std::erase_if(all, [&](const Found& f) {
    return std::ranges::find(seen, f.object, &Found::object) == seen.end();
  });
  return all;
}

/// Whose middle lies behind something else.
void Recognizer::drop_hidden(RayScene& scene, const Appearance& appearance, const Pose& X_WC,
                             std::vector<Found>& found) const {
  std::vector<float> dx, dy, dz, near, distance;
  for (const Found& f : found) {
    const Vec3 way = X_WC.inverse() * middle_of(appearance.objects[static_cast<std::size_t>(f.object)]);
    const double length = way.norm();
    const Vec3 d = length > 0 ? Vec3(way / length) : Vec3::UnitX();
    dx.push_back(static_cast<float>(d.x()));
    dy.push_back(static_cast<float>(d.y()));
    dz.push_back(static_cast<float>(d.z()));
    near.push_back(static_cast<float>(image_.is_planar() && d.x() > 0 ? near_ / d.x() : near_));
    distance.push_back(static_cast<float>(length));
  }
  std::vector<bool> hidden(found.size(), false);
  RayBatch batch;
  batch.X_WS = X_WC;
  batch.dx = dx.data(), batch.dy = dy.data(), batch.dz = dz.data();
  batch.count = found.size();
  housing_.leave(batch, near);
  batch.near = near.data();
  batch.packet = 1;
  batch.hits = true;
  std::vector<int> met(found.size(), -1);
  std::vector<float> range(found.size());
  scene.cast(batch, [&](const RayBlock& block) {
    for (std::size_t i = 0; i < block.count; ++i) {
      range[block.first + i] = block.range[i];
      met[block.first + i] = object_of(appearance, block.instance[i], block.shape[i]);
    }
  });
  for (std::size_t i = 0; i < found.size(); ++i) {
    hidden[i] = range[i] < distance[i] && met[i] != found[i].object;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!hidden[i]) found[kept++] = found[i];
  }
  found.resize(kept);
}

void Recognizer::write(const Found& found, const RecognizableObject& object, const Pose& X_CW,
                       std::size_t number, Sample& out) const {
  ObjectRecord& record = out.channel<ObjectRecord>(kObjects)[number];
  record = {};
  const Pose X_CO = X_CW * object.X_WO;
  const Eigen::AngleAxisd turn = axis_and_angle(X_CO.R);
  const Bounds box = boxes_.box_of(object, X_CO).value_or(Bounds{X_CO.p, X_CO.p});
  const Vec3 middle = (box.min + box.max) / 2, size = box.max - box.min;
  for (int i = 0; i < 3; ++i) {
    record.position[i] = middle[i];
    record.orientation[i] = turn.axis()[i];
  }
  record.orientation[3] = turn.angle();
  // Webots' program sends its x and y, but promises what is across the view: width and height.
  record.size[0] = size.y();
  record.size[1] = size.z();
  record.id = object.id;
  record.position_on_image[0] = (found.left + found.right) / 2;
  record.position_on_image[1] = (found.top + found.bottom) / 2;
  record.size_on_image[0] = found.right - found.left;
  record.size_on_image[1] = found.bottom - found.top;
  const std::size_t count = std::min(object.colors.size(), kMostObjectColors);
  record.number_of_colors = static_cast<std::int32_t>(count);
  if (settings_.boxes == BoxKind::kOriented) {
    const auto oriented = out.channel<double>(kOrientedBoxes).subspan(number * 6, 6);
    const Vec3 center = X_CO * Vec3((object.min_O + object.max_O) / 2);
    const Vec3 extent = object.max_O - object.min_O;
    for (int i = 0; i < 3; ++i) {
      oriented[static_cast<std::size_t>(i)] = center[i];
      oriented[static_cast<std::size_t>(i) + 3] = extent[i];
    }
  }
  const auto colors = out.channel<double>(kObjectColors).subspan(number * kMostObjectColors * 3, kMostObjectColors * 3);
  std::ranges::fill(colors, 0.0);
  for (std::size_t i = 0; i < 3 * count; ++i) {
    colors[i] = object.colors[i / 3][static_cast<int>(i % 3)];
  }
  const auto model = out.channel<std::uint8_t>(kObjectModels).subspan(number * kLongestModel, kLongestModel);
  std::ranges::fill(model, std::uint8_t{0});
  std::copy_n(object.model.begin(), std::min(object.model.size(), kLongestModel - 1), model.begin());
}

void Recognizer::recognize(const SampleInput& in, bool objects, bool segment, Sample& out) {
  RayScene& scene = *in.visible;
  const Appearance& appearance = *in.appearance;
  const Pose& X_WC = in.X_WS;
  const bool pixels = settings_.occlusion == Occlusion::kPixels;
  if (segment || (objects && pixels)) find_pixels(scene, appearance, X_WC, segment);
  if (objects) {
    auto found = pixels ? by_pixels(appearance.objects.size()) : by_boxes(appearance, X_WC);
    if (settings_.boxes != BoxKind::kVisible) found = whole(found, appearance, X_WC);
    std::erase_if(found, [&](const Found& f) {
      const int robot = appearance.objects[static_cast<std::size_t>(f.object)].robot;
      return robot >= 0 && robot == in.robot;
    });
    if (settings_.occlusion == Occlusion::kMiddle) drop_hidden(scene, appearance, X_WC, found);
    if (found.size() > static_cast<std::size_t>(settings_.capacity())) {
      std::ranges::stable_sort(found, [](const Found& a, const Found& b) { return a.area() > b.area(); });
      found.resize(static_cast<std::size_t>(settings_.capacity()));
      std::ranges::sort(found, {}, &Found::object);
    }
    const Pose X_CW = X_WC.inverse();
    for (std::size_t i = 0; i < found.size(); ++i) {
      write(found[i], appearance.objects[static_cast<std::size_t>(found[i].object)], X_CW, i, out);
    }
    out.channel<std::int32_t>(kObjectCount)[0] = static_cast<std::int32_t>(found.size());
  }
  if (segment) write_segments(appearance, out.channel<std::uint8_t>(kSegmentation));
}

void Recognizer::write_segments(const Appearance& appearance, std::span<std::uint8_t> image) const {
  using render::to_byte;
  const bool by_label = settings_.colors != SegmentColors::kRecognitionColors;
  const std::vector<std::uint32_t> labels =
      by_label ? labels_of(appearance.objects, settings_.colors == SegmentColors::kInstances)
               : std::vector<std::uint32_t>();
  for (std::size_t i = 0; i < pixels_.size(); ++i) {
    std::uint8_t* to = image.data() + 4 * i;
    to[0] = to[1] = to[2] = 0, to[3] = 255;
    if (pixels_[i] < 0) continue;
    const auto object = static_cast<std::size_t>(pixels_[i]);
    if (!by_label) {
      const auto& colors = appearance.objects[object].colors;
      for (int c = 0; c < 3; ++c) to[2 - c] = to_byte(colors.front()[c]);
    } else if (near_enough_[i]) {  // these cameras see no farther
      write_label_color(labels[object], to);
    }
  }
}

}  // namespace protobeam
