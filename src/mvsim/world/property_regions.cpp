#include "mvsim/world/property_regions.h"

namespace protobeam::mvsim {

wbt::NodePtr property_region(Import& import, const Element& element) {
  const Reader reader = import.children(element);
  const auto name = reader.text("property_name");
  NodeMaker made("PropertyRegion", element);
  if (const Text* given = element.attribute("name")) made.text("name", given->value, given->place);
  // Defaults: PropertyRegion.h, boxMin_ and boxMax_.
  const auto corner = [&](const char* x, const char* y, const char* z, const Vec3& usual) {
    return Vec3(reader.number(x, usual.x()), reader.number(y, usual.y()),
                reader.number(z, usual.z()));
  };
  made.vec3("min", corner("x_min", "y_min", "z_min", {-1, -1, -1000}))
      .vec3("max", corner("x_max", "y_max", "z_max", {1, 1, 1000}));
  if (name.value == "gps_no_coverage") {
    if (!reader.find("value_bool")) {
      reader.warning(element.place,
                     "gps_no_coverage has no <value_bool>: the region has no effect");
      return nullptr;
    }
    const auto outage = reader.boolean("value_bool", false);
    return made.flag("gnssOutage", outage, outage.place).take();
  }
  const bool friction = name.value == "friction_mu";
  if (!friction && name.value != "friction_C_rr") {
    import.unsimulated.add("property '" + name.value + "' of <element>", element,
                           "known ones: friction_mu, friction_C_rr, gps_no_coverage");
    return nullptr;
  }
  if (!reader.find("value_double")) {
    reader.warning(element.place, name.value + " has no <value_double>: the region has no effect");
    return nullptr;
  }
  const auto value = reader.at_least("value_double", 0, 0);
  return made.number(friction ? "friction" : "rollingResistance", value, value.place).take();
}

}  // namespace protobeam::mvsim
