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
using Category = sim::EntityCategory;

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

/// Bounds of a request, in the world.
struct Volume {
  bool is_sphere = false;
  Vec3 centre = Vec3::Zero();
  double radius = 0;
  protobeam::Bounds box;
};

/// "" or what is wrong with them.
std::string read(const sim::Bounds& bounds, Volume& out) {
  if (bounds.points.size() != 2)
    return fmt::format("the bounds have {} points: of a box and of a sphere there are 2",
                       bounds.points.size());
  const Vec3 a = vec3(bounds.points[0]), b = vec3(bounds.points[1]);
  out.is_sphere = bounds.type == sim::Bounds::kSphere;
  out.centre = a;
  out.radius = b.x();
  out.box = {a.cwiseMin(b), a.cwiseMax(b)};
  const bool finite =
      out.is_sphere ? a.allFinite() && std::isfinite(out.radius) : a.allFinite() && b.allFinite();
  if (!finite) return "the bounds are not finite";
  return out.is_sphere && out.radius < 0 ? "the radius of the bounds is below 0" : "";
}

bool overlaps(const Volume& volume, const protobeam::Bounds& box) {
  if (box.empty()) return false;
  if (volume.is_sphere)
    return (volume.centre.cwiseMax(box.min).cwiseMin(box.max) - volume.centre).norm() <=
           volume.radius;
  return (volume.box.min.array() <= box.max.array()).all() &&
         (box.min.array() <= volume.box.max.array()).all();
}

}  // namespace

std::optional<Pose> pose_in_world(const message::Pose& pose) {
  const auto& q = pose.orientation;
  const Quat R(q.w, q.x, q.y, q.z);
  const Vec3 p(pose.position.x, pose.position.y, pose.position.z);
  if (!is_in_world(p) || !(std::abs(R.norm() - 1) < 1e-3)) return std::nullopt;
  return Pose{R.normalized(), p};
}

bool is_in_world(const Vec3& place) {
  return place.allFinite() && place.cwiseAbs().maxCoeff() <= kWorldEnds;
}

std::string problem_with(const sim::TagsFilter& filter) {
  return filter.filter_mode <= sim::TagsFilter::kAll
             ? ""
             : fmt::format("there is no filter_mode {}: 0 is any of the tags, 1 all of them",
                           filter.filter_mode);
}

bool passes(const sim::TagsFilter& filter, const std::vector<std::string>& tags) {
  if (filter.tags.empty()) return true;
  const auto has = [&tags](const std::string& tag) {
    return std::ranges::find(tags, tag) != tags.end();
  };
  return filter.filter_mode == sim::TagsFilter::kAll ? std::ranges::all_of(filter.tags, has)
                                                     : std::ranges::any_of(filter.tags, has);
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

std::optional<Entities::Frame> Entities::frame(const std::string& name) const {
  if (name.empty() || name == "world" || name == "map") return Frame();
  const auto solid = find(name);
  if (!solid) return std::nullopt;
  Frame out{X_WS(*solid)};
  const physics::BodyId body = solid_info(*solid).body;
  if (body != physics::kWorldBody) {
    const auto& world = *simulation_.model().physics;
    out.v_WF = world.point_velocity(body, out.X_WF.p);
    out.w_WF = world.angular_velocity(body);
  }
  return out;
}

std::string Entities::no_frame(const std::string& name) const {
  return fmt::format("there is no frame '{}'; {}", name,
                     suggestion(name, "there are world, map and those of entities"));
}

std::string Entities::no_entity(const std::string& name) const {
  const std::string hint = suggestion(name, "");
  return fmt::format("there is no entity '{}'{}{}", name, hint.empty() ? "" : "; ", hint);
}

std::string Entities::suggestion(const std::string& name, const std::string& otherwise) const {
  std::vector<std::string> names;
  for (const Entity& one : all_) names.push_back(one.name);
  const std::string hint = did_you_mean(name, names);
  return hint.empty() ? otherwise : hint;
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

sim::Result Entities::choose(const sim::EntityFilters& filters,
                             std::vector<std::string>& out) const {
  using Code = sim::Result::Code;
  std::optional<Pattern> pattern;
  try {
    if (!filters.filter.empty()) pattern.emplace(filters.filter);
  } catch (const std::invalid_argument& problem) {
    return {Code::kFailed, problem.what()};
  }
  if (const std::string problem = problem_with(filters.tags); !problem.empty())
    return {Code::kFailed, problem};
  std::optional<Volume> volume;
  if (filters.bounds.type == sim::Bounds::kBox || filters.bounds.type == sim::Bounds::kSphere) {
    const std::string problem = read(filters.bounds, volume.emplace());
    if (!problem.empty()) return {Code::kFailed, problem};
  } else if (filters.bounds.type != sim::Bounds::kEmpty) {
    return {Code::kUnsupported,
            fmt::format("bounds of type {} are not known here: 1 is a box, 3 a sphere",
                        filters.bounds.type)};
  }
  for (const Entity& one : all_) {
    if (pattern && !pattern->matches(one.name)) continue;
    const sim::EntityInfo known = info(one.solid);
    const bool wanted = filters.categories.empty() ||
                        std::ranges::any_of(filters.categories, [&known](const auto& wish) {
                          return wish.category == known.category.category;
                        });
    if (!wanted || !passes(filters.tags, known.tags)) continue;
    if (volume && !overlaps(*volume, box(one.solid, Pose()))) continue;
    out.push_back(one.name);
  }
  return {Code::kOk, ""};
}

const SolidInfo& Entities::solid_info(int solid) const {
  return simulation_.model().solids[static_cast<std::size_t>(solid)];
}

Pose Entities::X_WS(int solid) const {
  const SolidInfo& info = solid_info(solid);
  if (info.body == physics::kWorldBody) return info.X_BS;
  return simulation_.model().physics->pose(info.body) * info.X_BS;
}

sim::EntityState Entities::state(int solid) const {
  const SolidInfo& info = solid_info(solid);
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
  const auto frame = this->frame(state.header.frame_id);
  if (!frame) return {kInvalidPose, no_frame(state.header.frame_id)};
  const SolidInfo& info = solid_info(solid);
  const Vec3 v = vec3(state.twist.linear), w = vec3(state.twist.angular);
  // What never moves is not drawn anew each step.
  const bool moves = info.body != physics::kWorldBody && simulation_.model().physics->mass(info.body) > 0;
  if (!moves && (pose || (twist && !(v.isZero(0) && w.isZero(0)))))
    return {Code::kFailed, "it is fixed in the world"};
  const auto X_FS = pose_in_world(state.pose);
  const Pose X_WS_new = pose && X_FS ? frame->X_WF * *X_FS : X_WS(solid);
  if (pose && !(X_FS && is_in_world(X_WS_new.p))) return {kInvalidPose, kNoPose};
  if (twist && !(v.norm() <= kFastest && w.norm() <= kFastest))
    return {Code::kFailed,
            fmt::format("its twist is not finite, or faster than {:g} m/s or rad/s", kFastest)};
  if (!moves) return {Code::kOk, ""};
  auto& world = *simulation_.model().physics;
  if (pose) world.set_pose(info.body, X_WS_new * info.X_BS.inverse());
  if (twist) {
    // As somebody in the frame sees it, who moves with that.
    const Vec3 arm = X_WS_new.p - frame->X_WF.p;
    const Vec3 w_WS = frame->w_WF + frame->X_WF.R * w;
    const Vec3 v_WS = frame->v_WF + frame->w_WF.cross(arm) + frame->X_WF.R * v;
    world.set_velocity(info.body, v_WS + w_WS.cross(world.pose(info.body).p - X_WS_new.p), w_WS);
  }
  return {Code::kOk, ""};
}

sim::EntityInfo Entities::info(int solid) const {
  const auto set = std::ranges::find(all_, solid, &Entity::solid);
  if (set != all_.end() && set->info) return *set->info;
  const SolidInfo& info = solid_info(solid);
  sim::EntityInfo out;
  out.category.category = info.robot >= 0                    ? Category::kRobot
                          : info.body == physics::kWorldBody ? Category::kStaticObject
                                                             : Category::kDynamicObject;
  out.description = info.proto.empty() ? info.type : info.proto;
  return out;
}

sim::Result Entities::set_info(int solid, sim::EntityInfo info) {
  const std::uint8_t category = info.category.category;
  if (category > Category::kStaticObject || category == Category::kHuman + 1)
    return {sim::Result::kFailed,
            fmt::format("there is no category {}: 0 object, 1 robot, 2 human, 4 dynamic object, "
                        "5 static object",
                        category)};
  const auto entity = std::ranges::find(all_, solid, &Entity::solid);
  entity->info = std::move(info);
  return {sim::Result::kOk, ""};
}

Bounds Entities::box(int solid, const Pose& X_FW) const {
  const auto& solids = simulation_.model().solids;
  const auto within = [&](int one) {
    for (; one >= 0; one = solids[static_cast<std::size_t>(one)].parent) {
      if (one == solid) return true;
    }
    return false;
  };
  Bounds out;
  for (const VisualGroup& group : simulation_.model().visuals) {
    for (std::size_t i = 0; i < group.geometries.size(); ++i) {
      if (!within(group.solids[i])) continue;
      const Bounds box = protobeam::bounds(*group.geometries[i]);
      if (box.empty()) continue;
      const Pose X = X_FW * simulation_.pose_of(group) * group.shape_poses[i];
      for (int corner = 0; corner < 8; ++corner) {
        Vec3 p;
        for (int axis = 0; axis < 3; ++axis) p[axis] = corner >> axis & 1 ? box.max[axis] : box.min[axis];
        const Vec3 p_F = X * p;
        out.min = out.min.cwiseMin(p_F);
        out.max = out.max.cwiseMax(p_F);
      }
    }
  }
  return out;
}

sim::Bounds Entities::bounds(int solid) const {
  const Bounds box = this->box(solid, X_WS(solid).inverse());
  sim::Bounds out;
  if (box.empty()) return out;
  out.type = sim::Bounds::kBox;
  out.points = {vector_message(box.max), vector_message(box.min)};
  return out;
}

}  // namespace protobeam
