#include "raycast/top_scene.h"

#include <algorithm>
#include <cmath>

namespace protobeam {
namespace {

/// Embree is told where an instance is at some times of the step and interpolates the matrices: its
/// points then go along chords, which are to be this close to their arcs; m. (Embree can turn
/// instances evenly, too, but the bounds of such ways take it seven times as long.) Only which
/// shape is hit depends on it; ranges are computed from the even turn.
constexpr double kChord = 1e-4;
constexpr double kMostChords = RTC_MAX_TIME_STEP_COUNT - 1;

unsigned chords(const InstanceRecord& record) {
  const double wanted = record.motion.turn.angle * std::sqrt(record.group->reach() / (8 * kChord));
  return static_cast<unsigned>(std::clamp(std::ceil(wanted), 1.0, kMostChords));
}

void set_transform(RTCGeometry geometry, unsigned step, const Mat3& R_WB, const Vec3& p_LG) {
  Eigen::Matrix<float, 3, 4> X_LG;  // column by column, as Embree reads it
  X_LG << R_WB.cast<float>(), p_LG.cast<float>();
  rtcSetGeometryTransform(geometry, step, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, X_LG.data());
}

}  // namespace

TopScene::TopScene(RTCDevice device, Shows shows)
    : device_(device), shows_(shows), scene_(rtcNewScene(device)) {
  rtcSetSceneFlags(scene_.get(), RTC_SCENE_FLAG_ROBUST);
}

TopScene::~TopScene() {
  for (const Entry& entry : entries_) {
    if (entry.geometry) rtcReleaseGeometry(entry.geometry);
  }
}

bool TopScene::shows(const InstanceRecord& record) const {
  // A body whose physics has exploded is nowhere.
  return record.visible && record.R_WB.allFinite() && record.p_WG.allFinite() &&
         (shows_ == Shows::kEndOfStep || record.moves == (shows_ == Shows::kMoving));
}

void TopScene::touch(std::uint32_t instance, const InstanceRecord& record) {
  if (instance >= entries_.size()) entries_.resize(instance + 1);
  Entry& entry = entries_[instance];
  if (!entry.shown && !shows(record)) return;
  entry.touched = dirty_ = true;
}

void TopScene::place(RTCGeometry geometry, const InstanceRecord& record) const {
  const unsigned steps = shows_ == Shows::kMoving ? chords(record) : 0;
  rtcSetGeometryTimeStepCount(geometry, steps + 1);
  for (unsigned step = 0; step < steps; ++step) {
    const Pose X_WB = pose_at(record.X_WB_before, record.X_WB, static_cast<double>(step) / steps);
    set_transform(geometry, step, X_WB.R.toRotationMatrix(), X_WB * record.group->center() - p_WL_);
  }
  set_transform(geometry, steps, record.R_WB, record.p_WG - p_WL_);
  rtcCommitGeometry(geometry);
}

void TopScene::update(const std::vector<InstanceRecord>& records, const Vec3& p_WL) {
  const bool all = p_WL != p_WL_;
  p_WL_ = p_WL;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (!entry.touched && !(all && entry.shown)) continue;
    entry.touched = false;
    entry.shown = shows(records[i]);
    if (!entry.shown) {
      if (entry.geometry) rtcDisableGeometry(entry.geometry);
      continue;
    }
    if (!entry.geometry) {
      entry.geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_INSTANCE);
      rtcSetGeometryInstancedScene(entry.geometry, records[i].group->scene());
      rtcAttachGeometryByID(scene_.get(), entry.geometry, i);
    }
    place(entry.geometry, records[i]);
    rtcEnableGeometry(entry.geometry);
  }
  rtcCommitScene(scene_.get());
  dirty_ = false;
}

}  // namespace protobeam
