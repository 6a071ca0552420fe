#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

#include "base/math.h"
#include "wbt/check.h"
#include "wbt/values.h"

namespace protobeam::wbt {
namespace {

class Structure {
 public:
  Structure(const SchemaRegistry& schemas, Diagnostics& diagnostics)
      : schemas_(schemas), diagnostics_(diagnostics) {}

  void world(const std::vector<NodePtr>& nodes) {
    const Node* info = nullptr;
    for (const auto& root : nodes) {
      if (root->type == "WorldInfo" && std::exchange(info, root.get())) {
        diagnostics_.error(root->place, "the world has a second WorldInfo", "keep one of them",
                           root->expanded_from);
      }
      node(*root, nullptr);
    }
  }

 private:
  using Names = std::map<std::string, Place>;

  void node(const Node& node, Names* devices) {
    if (!node.schema || too_many(diagnostics_)) return;
    const NodeView view(node, schemas_);
    Names of_robot;
    if (schemas_.is_a(node.type, "Robot")) {
      robot(view);
      devices = &of_robot;
    } else if (devices && is_device(node.type)) {
      device(view, *devices);
    }
    if (seen_.insert(&node).second) geometry_and_physics(view);
    for (const auto& field : node.fields) {
      if (field.name == "boundingObject" || field.name == "appearance") {
        for (const auto& child : field.value.nodes) {
          if (child) this->node(*child, nullptr);
        }
        continue;
      }
      for (const auto& child : field.value.nodes) {
        // Only nodes that may hold devices are walked more than once.
        if (child && (devices || !seen_.count(child.get()))) this->node(*child, devices);
      }
    }
  }

  bool is_device(const std::string& type) const {
    return is_joint_device(schemas_, type) || schemas_.is_a(type, "VehicleDrive") ||
           (type != "Solid" && type != "Track" && type != "Charger" &&
            schemas_.is_a(type, "Solid"));
  }

  void robot(const NodeView& view) {
    const std::string name = view.string("name");
    const Place place = view.get().find("name") ? view.place("name") : view.get().place;
    const auto [known, added] = robots_.emplace(name, place);
    if (!added) {
      diagnostics_.warning(place,
                           "the name \"" + name + "\" belongs to the robot at " +
                               known->second.to_string() + " already: this one gets a number",
                           "give each robot a name of its own", view.get().expanded_from);
    }
  }

  void device(const NodeView& view, Names& devices) {
    const std::string name = view.string("name");
    const Place place = view.get().find("name") ? view.place("name") : view.get().place;
    const auto [known, added] = devices.emplace(name, place);
    if (!added) {
      diagnostics_.warning(
          place,
          "the name \"" + name + "\" belongs to the device at " + known->second.to_string() +
              " already: controllers reach only that one",
          "give each device of a robot a name of its own", view.get().expanded_from);
    }
  }

  void geometry_and_physics(const NodeView& view) {
    const std::string& type = view.get().type;
    if (type == "IndexedFaceSet") faces(view);
    if (type == "ElevationGrid") grid(view);
    if (type == "PointSet") dots(view);
    if (type == "Physics") physics(view);
    if (view.has("lookupTable")) inputs(view);
    if (schemas_.is_a(type, "JointParameters") && view.has("minStop")) {
      stops(view);
      if (schemas_.is_a(type, "HingeJointParameters")) {
        degrees(view, "minStop");
        degrees(view, "maxStop");
      }
    }
  }

  void error(const NodeView& view, const Place& place, const std::string& message) {
    diagnostics_.error(place, message, "",
                       chain_of(place, view.get().place, view.get().expanded_from));
  }

  void indices(const NodeView& view, const char* field, std::size_t count, const char* what) {
    const Field* written = view.get().find(field);
    if (!written) return;
    for (std::size_t i = 0; i < written->value.numbers.size(); ++i) {
      const double index = written->value.numbers[i];
      if (index < static_cast<double>(count)) continue;
      error(view, written->value.element_place(i),
            std::string("field '") + field + "' of IndexedFaceSet: index " + shown(index) +
                " is outside the " + std::to_string(count) + " " + what);
      return;
    }
  }

  void faces(const NodeView& view) {
    const auto count = [&](const char* field, const char* list, std::size_t size) {
      const NodePtr node = view.node(field);
      return node && node->schema ? NodeView(*node, schemas_).numbers(list).size() / size : 0;
    };
    const std::size_t points = count("coord", "point", 3);
    indices(view, "coordIndex", points, "points of coord");
    if (view.node("normal")) {
      indices(view, "normalIndex", count("normal", "vector", 3), "vectors of normal");
    }
    if (view.node("texCoord")) {
      indices(view, "texCoordIndex", count("texCoord", "point", 2), "points of texCoord");
    }
  }

  void grid(const NodeView& view) {
    const auto heights = view.numbers("height").size();
    const auto wanted = static_cast<std::size_t>(view.integer("xDimension")) *
                        static_cast<std::size_t>(view.integer("yDimension"));
    if (heights == 0 || heights == wanted || view.integer("xDimension") < 0 ||
        view.integer("yDimension") < 0) {
      return;
    }
    // WbElevationGrid::checkHeight, WbElevationGrid::buildWrenMesh
    diagnostics_.warning(
        view.place("height"),
        fmt::format(
            "field 'height' of ElevationGrid has {} numbers for xDimension x yDimension = {}: {}, "
            "as in Webots",
            heights, wanted, heights < wanted ? "the rest is 0" : "those after them are left out"),
        "", chain_of(view.place("height"), view.get().place, view.get().expanded_from));
  }

  void dots(const NodeView& view) {
    const NodePtr coord = view.node("coord"), color = view.node("color");
    if (!coord || !coord->schema || !color || !color->schema) return;
    const auto points = NodeView(*coord, schemas_).numbers("point").size() / 3;
    const auto colors = NodeView(*color, schemas_).numbers("color").size() / 3;
    if (points == colors) return;
    // WbPointSet::sanitizeFields, WbPointSet::computeCoordsAndColorData
    diagnostics_.warning(
        view.place("color"),
        points < colors
            ? fmt::format("PointSet has more colors ({}) than points ({}): the last ones are not "
                          "used, as in Webots",
                          colors, points)
            : fmt::format("PointSet has fewer colors ({}) than points ({}): points without one are "
                          "not drawn, as in Webots",
                          colors, points),
        "", chain_of(view.place("color"), view.get().place, view.get().expanded_from));
  }

  void physics(const NodeView& view) {
    if (view.number("mass") > 0 || view.number("density") > 0) return;
    const Place place = view.is_set("density") ? view.place("density") : view.get().place;
    diagnostics_.warning(place,
                         "Physics has neither a mass nor a density: the density is taken as "
                         "1000 kg/m^3",
                         "give one of them",
                         chain_of(place, view.get().place, view.get().expanded_from));
  }

  void inputs(const NodeView& view) {
    const Field* written = view.get().find("lookupTable");
    if (!written) return;
    const std::vector<double>& numbers = written->value.numbers;
    for (std::size_t i = 3; i < numbers.size(); i += 3) {
      if (numbers[i] >= numbers[i - 3]) continue;
      // WbLookupTable warns, and looks up by bisection.
      const Place place = written->value.element_place(i);
      diagnostics_.warning(
          place,
          fmt::format("field 'lookupTable' of {}: inputs must ascend, but {} follows {}: what lies "
                      "between is looked up by bisection, as in Webots",
                      view.get().type, shown(numbers[i]), shown(numbers[i - 3])),
          "", chain_of(place, view.get().place, view.get().expanded_from));
      return;
    }
  }

  /// Multiples of 15 up to a turn are hardly radians.
  void degrees(const NodeView& view, const char* field) {
    const double angle = view.number(field);
    if (std::abs(angle) < 15 || std::abs(angle) > 360 || std::fmod(angle, 15) != 0) return;
    diagnostics_.warning(
        view.place(field),
        fmt::format("field '{}' of {} is {} rad", field, view.get().type, shown(angle)),
        fmt::format("{} degrees are {:.5g}", shown(angle), angle * kPi / 180),
        chain_of(view.place(field), view.get().place, view.get().expanded_from));
  }

  void stops(const NodeView& view) {
    const double low = view.number("minStop"), high = view.number("maxStop");
    if (low <= high) return;
    const Place place = view.place(view.is_set("minStop") ? "minStop" : "maxStop");
    const std::string message = "field 'minStop' of " + view.get().type +
                                " must be at most 'maxStop', got " + shown(low) + " and " +
                                shown(high);
    if (!schemas_.is_a(view.get().type, "HingeJointParameters")) return error(view, place, message);
    // WbHingeJoint::applyToOdeMinAndMaxStop
    diagnostics_.warning(place, message + ": they are exchanged, as in Webots", "",
                         chain_of(place, view.get().place, view.get().expanded_from));
  }

  const SchemaRegistry& schemas_;
  Diagnostics& diagnostics_;
  std::unordered_set<const Node*> seen_;
  Names robots_;
};

}  // namespace

void check_structure(const std::vector<NodePtr>& nodes, const SchemaRegistry& schemas,
                     Diagnostics& diagnostics) {
  Structure(schemas, diagnostics).world(nodes);
}

}  // namespace protobeam::wbt
