#include "raycast/top_scene.h"

#include "raycast/ray_packet.h"

namespace protobeam {
namespace {

void place(RTCGeometry geometry, const Mat3& R_WB, const Vec3& p_LG) {
  Eigen::Matrix<float, 3, 4> X_LG;  // column by column, as Embree reads it
  X_LG << R_WB.cast<float>().unaryExpr(&without_traces), p_LG.cast<float>();
  rtcSetGeometryTransform(geometry, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, X_LG.data());
  rtcCommitGeometry(geometry);
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
  // A body whose pose is no longer finite is left out.
  return record.visible && record.R_WB.allFinite() && record.p_WG.allFinite() &&
         !(shows_ == Shows::kResting && record.moves) &&
         !(shows_ == Shows::kFields && !record.group->has_fields());
}

void TopScene::touch(std::uint32_t instance, const InstanceRecord& record) {
  if (instance >= entries_.size()) entries_.resize(instance + 1);
  Entry& entry = entries_[instance];
  if (!entry.shown && !shows(record)) return;
  entry.touched = dirty_ = true;
}

void TopScene::remove(std::uint32_t instance) {
  if (instance >= entries_.size()) return;
  Entry& entry = entries_[instance];
  if (entry.geometry) {
    rtcDetachGeometry(scene_.get(), instance);
    rtcReleaseGeometry(entry.geometry);
    dirty_ = true;
  }
  entry = {};
  while (!entries_.empty() && !entries_.back().geometry && !entries_.back().touched) {
    entries_.pop_back();
  }
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
    place(entry.geometry, records[i].R_WB, records[i].p_WG - p_WL_);
    rtcEnableGeometry(entry.geometry);
  }
  rtcCommitScene(scene_.get());
  dirty_ = false;
}

}  // namespace protobeam
