#include "sdf/water.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>

#include "urdf/wheels.h"

namespace protobeam::sdf {
namespace {

constexpr double kWaterDensity = 1000;  // kg/m^3
constexpr double kAirDensity = 10;      // kg/m^3: what is lighter carries nobody
constexpr double kHighest = 1e6;        // m, of water that is everywhere
constexpr double kDensest = 1e6;        // kg/m^3

}  // namespace

bool Water::carries(const std::string& name) const {
  if (fluid.empty()) return false;
  return enabled.empty() || std::ranges::any_of(enabled, [&](const std::string& one) {
           return name == one || name.starts_with(one + "::");
         });
}

bool is_buoyancy(const Element& plugin) { return urdf::file_has(plugin, "buoyancy_system"); }

Water read_water(Context& context, const Element& plugin, std::vector<NodePtr>& nodes) {
  Water out{.fluid = "water"};
  for (const Element* one : plugin.all("enable")) out.enabled.push_back(one->text.value);
  double density = number_in(context, plugin, "uniform_fluid_density", kWaterDensity, 0, kDensest);
  double surface = kHighest;
  const Element* graded =
      plugin.child("uniform_fluid_density") ? nullptr : plugin.child("graded_buoyancy");
  if (graded) {
    density = number_in(context, *graded, "default_density", kWaterDensity, 0, kDensest);
    for (const Element* change : graded->all("density_change")) {
      if (number_in(context, *change, "density", 0, 0, kDensest) <= kAirDensity)
        surface = std::min(surface, number_in(context, *change, "above_depth", 0));
      else
        context.ignored.add("a <density_change> to another liquid", change->place);
    }
  }
  const wbt::Origin origin = at(plugin);
  nodes.push_back(
      NodeMaker("Fluid", origin)
          .pose(Pose::translation({0, 0, surface}))
          .text("name", out.fluid)
          .number("density", density)
          .node("boundingObject", NodeMaker("Plane", origin).vec2("size", {100, 100}).take())
          .take());
  return out;
}

std::vector<double> read_added_mass(Context& context, const Element& link) {
  constexpr std::array<char, 6> kAxes{'x', 'y', 'z', 'p', 'q', 'r'};
  const Element* inertial = link.child("inertial");
  const Element* element = inertial ? inertial->child("fluid_added_mass") : nullptr;
  if (!element) return {};
  Eigen::Matrix<double, 6, 6> mass;
  for (int i = 0; i < 6; ++i) {
    for (int j = i; j < 6; ++j) {
      const char tag[] = {kAxes[static_cast<std::size_t>(i)], kAxes[static_cast<std::size_t>(j)]};
      mass(i, j) = mass(j, i) = number_in(context, *element, {tag, 2}, 0);
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> solver(mass,
                                                                          Eigen::EigenvaluesOnly);
  if (solver.eigenvalues().minCoeff() < -1e-9 * mass.norm()) {
    context.diagnostics.warning(
        element->place, "a <fluid_added_mass> that is negative in a direction has no effect");
    return {};
  }
  return mass.isZero(0) ? std::vector<double>()
                        : std::vector<double>(mass.data(), mass.data() + mass.size());
}

}  // namespace protobeam::sdf
