#include "publish/entities.h"

#include <fmt/format.h>
#include <regex.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "geometry/geometry.h"
#include "publish/robot_state.h"

namespace protobeam {
namespace {

namespace sim = message::simulation;

constexpr std::size_t kLongestPattern = 256;
constexpr double kWorldEnds = 1e8;  ///< m from the origin, along each axis
constexpr double kFastest = 1e6;    ///< m/s, rad/s

/// POSIX's extended regular expressions, as the interface asks for.
class Pattern {
 public:
  explicit Pattern(const std::string& text) {
    if (text.size() > kLongestPattern) throw std::invalid_argument("the pattern is too long");
    const int problem = regcomp(&compiled_, text.c_str(), REG_EXTENDED | REG_NOSUB);
    if (problem == 0) return;
    char why[200];
    regerror(problem, &compiled_, why, sizeof why);
    throw std::invalid_argument(fmt::format("'{}' is no regular expression: {}", text, why));
  }
  ~Pattern() { regfree(&compiled_); }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  bool matches(const std::string& name) const {
    return regexec(&compiled_, name.c_str(), 0, nullptr, 0) == 0;
  }

 private:
  regex_t compiled_;
};

Vec3 vec3(const message::Vector3& v) { return {v.x, v.y, v.z}; }

/// Some way inside of a box of two corners; only boxes are looked at.
bool overlaps(const sim::Bounds& box, const sim::Bounds& other) {
  if (other.type != 1 || other.points.size() < 2) return true;
  if (box.points.size() < 2) return false;
  const auto &a = box.points[0], &b = box.points[1], &c = other.points[0], &d = other.points[1];
  const auto meet = [](double a1, double a2, double b1, double b2) {
    return std::min(a1, a2) <= std::max(b1, b2) && std::min(b1, b2) <= std::max(a1, a2);
  };
  return meet(a.x, b.x, c.x, d.x) && meet(a.y, b.y, c.y, d.y) && meet(a.z, b.z, c.z, d.z);
}

}  // namespace

std::optional<Pose> pose_in_world(const message::Pose& pose) {
  const auto& q = pose.orientation;
  const Quat R(q.w, q.x, q.y, q.z);
  const Vec3 p(pose.position.x, pose.position.y, pose.position.z);
  const bool is_there = p.allFinite() && p.cwiseAbs().maxCoeff() <= kWorldEnds;
  if (!is_there || !(std::abs(R.norm() - 1) < 1e-3)) return std::nullopt;
  return Pose{R.normalized(), p};
}

Entities::Entities(Simulation& simulation) : simulation_(simulation) { follow(); }

void Entities::follow() {
  const auto& solids = simulation_.model().solids;
  std::erase_if(all_, [&](const Entity& one) {
    const auto index = static_cast<std::size_t>(one.solid);
    return index >= solids.size() || solids[index].removed || solids[index].parent >= 0 ||
           solids[index].node != one.node;
  });
  std::set<std::string> taken;
  std::set<int> known;
  for (const Entity& one : all_) taken.insert(one.name), known.insert(one.solid);
  for (std::size_t i = 0; i < solids.size(); ++i) {
    if (solids[i].parent >= 0 || solids[i].removed || known.contains(static_cast<int>(i))) continue;
    std::string name = solids[i].name.empty() ? "solid" : solids[i].name;
    const std::string plain = name;
    for (int number = 2; !taken.insert(name).second; ++number) name = fmt::format("{}_{}", plain, number);
    add(name, static_cast<int>(i));
  }
}

void Entities::add(const std::string& name, int solid) {
  all_.push_back({name, solid, simulation_.model().solids[static_cast<std::size_t>(solid)].node});
}

std::optional<Pose> Entities::frame(const std::string& name) const {
  if (name.empty() || name == "world" || name == "map") return Pose();
  const auto solid = find(name);
  return solid ? std::optional(X_WS(*solid)) : std::nullopt;
}

void Entities::remove(int solid) {
  std::erase_if(all_, [solid](const Entity& one) { return one.solid == solid; });
}

std::optional<int> Entities::find(const std::string& name) const {
  for (const Entity& one : all_) {
    if (one.name == name) return one.solid;
  }
  return std::nullopt;
}

std::vector<std::string> Entities::names(const sim::EntityFilters& filters) const {
  std::optional<Pattern> pattern;
  if (!filters.filter.empty()) pattern.emplace(filters.filter);
  std::vector<std::string> out;
  for (const Entity& one : all_) {
    if (pattern && !pattern->matches(one.name)) continue;
    const std::uint8_t category = info(one.solid).category.category;
    const bool wanted = filters.categories.empty() ||
                        std::ranges::any_of(filters.categories, [category](const auto& wish) {
                          return wish.category == category;
                        });
    if (!wanted || !filters.tags.tags.empty()) continue;  // entities have no tags
    if (filters.bounds.type != 0 && !overlaps(bounds(one.solid), filters.bounds)) continue;
    out.push_back(one.name);
  }
  return out;
}

Pose Entities::X_WS(int solid) const {
  const SolidInfo& info = simulation_.model().solids[static_cast<std::size_t>(solid)];
  if (info.body == physics::kWorldBody) return info.X_BS;
  return simulation_.model().physics->pose(info.body) * info.X_BS;
}

sim::EntityState Entities::state(int solid) const {
  const SolidInfo& info = simulation_.model().solids[static_cast<std::size_t>(solid)];
  sim::EntityState out;
  out.header.stamp = message::time_of(message::nanoseconds(simulation_.time()));
  out.header.frame_id = "world";
  const Pose X = X_WS(solid);
  out.pose = pose_message(X);
  if (info.body != physics::kWorldBody) {
    const auto& world = *simulation_.model().physics;
    out.twist = {vector_message(world.point_velocity(info.body, X.p)),
                 vector_message(world.angular_velocity(info.body))};
  }
  return out;
}

sim::Result Entities::set_state(int solid, const sim::EntityState& state, bool pose, bool twist) {
  constexpr std::uint8_t kInvalidPose = 101;
  using Code = sim::Result::Code;
  const SolidInfo& info = simulation_.model().solids[static_cast<std::size_t>(solid)];
  const Vec3 v = vec3(state.twist.linear), w = vec3(state.twist.angular);
  // What never moves is not drawn anew each step.
  const bool moves = info.body != physics::kWorldBody && simulation_.model().physics->mass(info.body) > 0;
  if (!moves && (pose || (twist && !(v.isZero(0) && w.isZero(0)))))
    return {Code::kFailed, "it is fixed in the world"};
  const auto X = pose_in_world(state.pose);
  if (pose && !X) return {kInvalidPose, kNoPose};
  if (twist && !(v.norm() <= kFastest && w.norm() <= kFastest))
    return {Code::kFailed,
            fmt::format("its twist is not finite, or faster than {:g} m/s or rad/s", kFastest)};
  if (!moves) return {Code::kOk, ""};
  auto& world = *simulation_.model().physics;
  if (pose) world.set_pose(info.body, *X * info.X_BS.inverse());
  if (twist) world.set_velocity(info.body, v, w);
  return {Code::kOk, ""};
}

sim::EntityInfo Entities::info(int solid) const {
  const SolidInfo& info = simulation_.model().solids[static_cast<std::size_t>(solid)];
  constexpr std::uint8_t kRobot = 1, kDynamic = 4, kStatic = 5;
  sim::EntityInfo out;
  out.category.category = info.robot >= 0                        ? kRobot
                          : info.body == physics::kWorldBody ? kStatic
                                                                 : kDynamic;
  out.description = info.proto.empty() ? info.type : info.proto;
  return out;
}

sim::Bounds Entities::bounds(int solid) const {
  const auto& solids = simulation_.model().solids;
  const auto within = [&](int one) {
    for (; one >= 0; one = solids[static_cast<std::size_t>(one)].parent) {
      if (one == solid) return true;
    }
    return false;
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Vec3 low = Vec3::Constant(kInfinity), high = -low;
  for (const VisualGroup& group : simulation_.model().visuals) {
    for (std::size_t i = 0; i < group.geometries.size(); ++i) {
      if (!within(group.solids[i])) continue;
      const Bounds box = protobeam::bounds(*group.geometries[i]);
      if (box.empty()) continue;
      const Pose X = group.X_WG * group.shape_poses[i];
      for (int corner = 0; corner < 8; ++corner) {
        Vec3 p;
        for (int axis = 0; axis < 3; ++axis) p[axis] = corner >> axis & 1 ? box.max[axis] : box.min[axis];
        const Vec3 p_W = X * p;
        low = low.cwiseMin(p_W);
        high = high.cwiseMax(p_W);
      }
    }
  }
  sim::Bounds out;
  if (!(low.array() <= high.array()).all()) return out;
  out.type = 1;  // a box
  out.points = {vector_message(high), vector_message(low)};
  return out;
}

}  // namespace protobeam
