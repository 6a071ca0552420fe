#include "sdf/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/libm.h"

namespace protobeam::sdf {
namespace {

constexpr double kInfiniteFriction = 1e6;

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

/// Gazebo's engines slip by direction; here both are the same.
double slip_in(Context& context, const Element& ode) {
  const double first = number_in(context, ode, "slip1", 0, 0);
  const double second = number_in(context, ode, "slip2", 0, 0);
  if (first == second) return first;
  context.ignored.add("a <slip2> of a <friction> that is not <slip1>",
                      ode.child(ode.child("slip2") ? "slip2" : "slip1")->place,
                      "the lower one counts");
  return std::min(first, second);
}

/// The angle of <fdir1> of a box, in the level of its own frame.
std::optional<double> direction_in(Context& context, const Element& collision, const Element& ode) {
  const Element* direction = ode.child("fdir1");
  if (!direction || !direction->attributes.empty() || !collision.find({"geometry", "box"}))
    return std::nullopt;
  const Vec3 fdir1_L = vec3_in(context, ode, "fdir1", Vec3::Zero());
  const Vec3 fdir1 = context.pose(collision).R.conjugate() * fdir1_L;
  if (!(fdir1.norm() > 0) || std::abs(fdir1.z()) > 1e-3 * fdir1.norm()) return std::nullopt;
  return libm::atan2(fdir1.y(), fdir1.x());
}

}  // namespace

std::string material_name(const Friction& friction) {
  std::string out = fmt::format("friction {:g}", friction.along);
  if (friction.directed()) out += fmt::format(" {:g} at {:g}", friction.across, friction.angle);
  if (friction.slip > 0) out += fmt::format(" slip {:g}", friction.slip);
  return out;
}

bool collides(Context& context, const Element& collision) {
  const Element* contact = collision.find({"surface", "contact"});
  if (!contact) return true;
  if (flag_in(*contact, "collide_without_contact", false))
    context.ignored.add("<collide_without_contact> of a <contact>", contact->place);
  const Element* mask = contact->child("collide_bitmask");
  if (!mask) return true;
  const auto bits = bits_of(mask->text.value);
  if (!bits)
    context.diagnostics.error(mask->place, fmt::format("<collide_bitmask> must be a whole number "
                                                       "such as 3 or 0x03, got '{}'",
                                                       mask->text.value));
  if (bits && *bits != 0 && (*bits & kAllBits) != kAllBits)
    context.ignored.add("a <collide_bitmask> that is neither 0 nor 0xffff", mask->place,
                        "it touches everything");
  return bits.value_or(1) != 0;
}

void add_friction(Context& context, const Element& collision, urdf::Link& out) {
  const Element* ode = collision.find({"surface", "friction", "ode"});
  if (!ode) return;
  Friction made;
  made.slip = slip_in(context, *ode);
  if (!ode->child("mu")) {
    if (friction_in(context, *ode, "mu2", 1) != 1)
      context.ignored.add("a <mu2> without <mu>", ode->child("mu2")->place);
    if (made.slip == 0) return;
  }
  made.along = made.across = friction_in(context, *ode, "mu", 1);
  const double across = friction_in(context, *ode, "mu2", made.along);
  if (ode->child("mu") && across != made.along) {
    if (const auto angle = direction_in(context, collision, *ode)) {
      made.across = across;
      made.angle = *angle;
    } else {
      context.ignored.add("a <mu2> that is not <mu>", ode->child("mu2")->place,
                          "only boxes with a level <fdir1> have a friction direction");
    }
  }
  const std::string name = material_name(made);
  if (!out.contact_material.empty() && out.contact_material != name) {
    context.ignored.add("another <mu> than that of the first <collision> of a <link>", ode->place);
    return;
  }
  out.contact_material = name;
  context.materials[made] = name;
}

}  // namespace protobeam::sdf
