#include "sdf/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace protobeam::sdf {
namespace {

constexpr double kInfiniteFriction = 1e6;
constexpr double kBounceSpeed = 0.1;  // m/s, from which DART's contacts bounce
constexpr double kHolds = 10;  // from there on, nothing slides either way

/// Bits of a <collide_bitmask> that all collisions have without one.
constexpr unsigned long kAllBits = 0xffff;

/// "3" or "0x03"; nothing when it is neither.
std::optional<unsigned long> bits_of(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  unsigned long out = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), out, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

/// Negative frictions are infinite in Gazebo.
double friction_in(Context& context, const Element& ode, const char* tag, double otherwise) {
  const double mu = number_in(context, ode, tag, otherwise);
  return mu < 0 ? kInfiniteFriction : std::min(mu, kInfiniteFriction);
}

/// <fdir1>, which is in the frame of the collision, in that of its shape; 0: there is none, or it
/// is in that of another link.
Vec3 direction_in(Context& context, const Element& collision, const Element& ode,
                  const urdf::Shape& shape) {
  const Element* direction = ode.child("fdir1");
  if (!direction || !direction->attributes.empty()) return Vec3::Zero();
  const Vec3 fdir1_C = vec3_in(context, ode, "fdir1", Vec3::Zero());
  if (!(fdir1_C.norm() > 0)) return Vec3::Zero();
  return shape.X_LS.R.conjugate() * (context.pose(collision).R * fdir1_C.normalized());
}

/// Without a direction, friction is <mu>, and slip the lower one.
void drop_direction(Context& context, const Element& ode, Surface& made) {
  if (made.slip_along != made.slip_across) {
    context.ignored.add("a <slip2> of a <friction> that is not <slip1>",
                        ode.child(ode.child("slip2") ? "slip2" : "slip1")->place,
                        "the lower one counts, since there is no <fdir1>");
  }
  if (made.along != made.across && std::min(made.along, made.across) < kHolds)
    context.ignored.add("a <mu2> that is not <mu>", ode.child("mu2")->place,
                        "friction has no direction without an <fdir1>");
  made.across = made.along;
  made.slip_along = made.slip_across = std::min(made.slip_along, made.slip_across);
}

void read_friction(Context& context, const Element& collision, const Element& ode,
                   const urdf::Shape& shape, Surface& made) {
  made.slip_along = number_in(context, ode, "slip1", 0, 0);
  made.slip_across = number_in(context, ode, "slip2", 0, 0);
  made.along = friction_in(context, ode, "mu", 1);
  made.across = friction_in(context, ode, "mu2", ode.child("mu") ? made.along : 1);
  const Vec3 direction = direction_in(context, collision, ode, shape);
  if (made.directed() && direction.isZero(0)) drop_direction(context, ode, made);
  if (made.directed()) made.direction = {direction.x(), direction.y(), direction.z()};
}

/// What does not bounce has no speed from which it does.
void read_bounce(Context& context, const Element& bounce, Surface& made) {
  made.bounce = std::clamp(number_in(context, bounce, "restitution_coefficient", 0), 0.0, 1.0);
  if (made.bounce > 0 && bounce.child("threshold"))
    made.bounce_speed = std::max(0.0, number_in(context, bounce, "threshold", 0));
}

}  // namespace

std::string material_name(const Surface& surface) {
  const auto& [along, across, slip_along, slip_across, direction, bounce, bounce_speed] = surface;
  std::string out = fmt::format("friction {:g}", along);
  if (across != along) out += fmt::format(" {:g}", across);
  if (slip_along > 0 || slip_across > 0) out += fmt::format(" slip {:g}", slip_along);
  if (slip_across != slip_along) out += fmt::format(" {:g}", slip_across);
  if (surface.directed())
    out += fmt::format(" along {:.4g} {:.4g} {:.4g}", direction[0], direction[1], direction[2]);
  if (bounce > 0) out += fmt::format(" bounce {:g}", bounce);
  if (bounce_speed < Surface::kInfinite) out += fmt::format(" from {:g}", bounce_speed);
  return out;
}

bool collides(Context& context, const Element& collision) {
  const Element* contact = collision.find({"surface", "contact"});
  if (!contact) return true;
  if (flag_in(*contact, "collide_without_contact", false)) {
    // Others pass through it (ODEPhysics.cc, Collide).
    if (context.classic) return false;
    context.ignored.add("<collide_without_contact> of a <contact>", contact->place,
                        "Gazebo Classic alone knows it");
  }
  const Element* mask = contact->child("collide_bitmask");
  if (!mask) return true;
  const auto bits = bits_of(mask->text.value);
  if (!bits)
    context.diagnostics.error(mask->place, fmt::format("<collide_bitmask> must be a whole number "
                                                       "such as 3 or 0x03, got '{}'",
                                                       mask->text.value));
  if (bits && *bits != 0) context.masks.emplace(*bits & kAllBits, mask->place);
  return bits.value_or(1) != 0;
}

void note_masks(Context& context) {
  for (const auto& [one, place] : context.masks) {
    const bool passes = std::ranges::any_of(
        context.masks, [&](const auto& other) { return (one & other.first) == 0; });
    if (passes)
      context.ignored.add("a <collide_bitmask> without a bit in common with another one", place,
                          "they touch nevertheless");
  }
}

void add_surface(Context& context, const Element& collision, urdf::Shape& shape) {
  const Element* surface = collision.child("surface");
  if (!surface) return;
  Surface made;
  const Element* ode = surface->find({"friction", "ode"});
  if (ode) read_friction(context, collision, *ode, shape, made);
  if (const Element* bounce = surface->child("bounce")) read_bounce(context, *bounce, made);
  if (made == Surface() && (!ode || !ode->child("mu"))) return;
  shape.contact_material = context.materials[made] = material_name(made);
}

/// Gazebo takes the lower of two frictions, along the direction of the first that has one, and
/// the sum of two slips, and the lower bounce and threshold (Gazebo Classic, ODEPhysics.cc).
std::vector<NodePtr> contact_properties(const Context& context, const Element& element) {
  const wbt::Origin origin = at(element);
  constexpr std::size_t kMost = 30;  // materials, of which there are pairs
  std::vector<NodePtr> out;
  const auto add = [&](const std::string& a, const Surface& of_a, const std::string& b,
                       const Surface& of_b) {
    const bool by_a = of_a.directed() || !of_b.directed();
    const double along = std::min(of_a.along, of_b.along);
    const double across = std::min(of_a.across, of_b.across);
    const double slip_along = of_a.slip_along + of_b.slip_along;
    const double slip_across = of_a.slip_across + of_b.slip_across;
    NodeMaker made("ContactProperties", origin);
    made.text("material1", by_a ? a : b).text("material2", by_a ? b : a);
    const auto pair = [&](const char* field, double one, double other) {
      made.numbers(field, one == other ? std::vector{one} : std::vector{one, other});
    };
    pair("coulombFriction", along, across);
    if (slip_along > 0 || slip_across > 0) pair("forceDependentSlip", slip_along, slip_across);
    if (along != across || slip_along != slip_across) {
      const auto& [x, y, z] = (by_a ? of_a : of_b).direction;
      made.vec3("frictionDirection", {x, y, z});
    }
    const double bounce = std::min(of_a.bounce, of_b.bounce);
    made.number("bounce", bounce);
    const double from = std::min(of_a.bounce_speed, of_b.bounce_speed);
    if (bounce > 0) made.number("bounceVelocity", from < Surface::kInfinite ? from : kBounceSpeed);
    out.push_back(made.take());
  };
  const Surface own{kOwnFriction, kOwnFriction};
  std::size_t number = 0;
  const auto& all = context.materials;
  for (auto one = all.begin(); one != all.end(); ++one) {
    add(one->second, one->first, "default", own);
    if (++number > kMost) continue;
    for (auto other = all.begin(); other != std::next(one); ++other)
      add(other->second, other->first, one->second, one->first);
  }
  return out;
}

}  // namespace protobeam::sdf
