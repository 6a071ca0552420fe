#include "sdf/unknown.h"

#include <vector>

#include "sdf/actor.h"
#include "urdf/unknown.h"

namespace protobeam::sdf {
namespace {

using urdf::KnownTag;

const std::vector<KnownTag>& vocabulary() {
  static const std::vector<KnownTag> all = {
      {"sdf", {"version"}, {"world", "model", "light", "actor"}},
      {"world",
       {"name"},
       {"model", "light", "frame", "scene", "physics", "gravity", "spherical_coordinates", "gui",
        "plugin", "audio", "wind", "magnetic_field", "atmosphere", "state", "joint", "road"}},
      {"road", {"name"}, {"width", "point", "material"}},
      {"physics",
       {"name", "type", "default"},
       // How a step is computed is another engine's.
       {"max_step_size", "real_time_factor", "real_time_update_rate", "max_contacts", "gravity",
        "magnetic_field", "ode", "bullet", "dart", "simbody"}},
      {"scene",
       {"name"},
       {"ambient", "background", "shadows", "grid", "origin_visual", "sky", "fog"}},
      {"model",
       {"name", "placement_frame", "canonical_link"},
       {"static", "self_collide", "allow_auto_disable", "pose", "frame", "link", "joint", "model",
        "plugin", "enable_wind", std::string(kActorScript)}},
      {"link",
       {"name"},
       {"pose", "inertial", "visual", "collision", "sensor", "light", "self_collide", "enable_wind",
        "velocity_decay", "gravity", "kinematic"}},
      {"inertial", {"auto"}, {"pose", "mass", "inertia", "density", "fluid_added_mass"}},
      {"fluid_added_mass", {}, {"xx", "xy", "xz", "xp", "xq", "xr", "yy", "yz", "yp", "yq", "yr",
                                "zz", "zp", "zq", "zr", "pp", "pq", "pr", "qq", "qr", "rr"}},
      {"visual",
       {"name"},
       {"pose", "geometry", "material", "transparency", "cast_shadows", "meta", "laser_retro",
        "plugin"}},
      {"collision",
       {"name"},
       {"pose", "geometry", "surface", "max_contacts", "density", "laser_retro"}},
      {"surface", {}, {"friction", "contact", "bounce"}},
      {"friction", {}, {"ode", "bullet", "torsional"}},
      {"material",
       {},
       {"ambient", "diffuse", "specular", "emissive", "pbr", "script", "double_sided", "shader",
        "lighting", "render_order", "shininess"}},
      {"joint",
       {"name", "type"},
       {"pose", "parent", "child", "axis", "axis2", "physics", "sensor", "thread_pitch",
        "screw_thread_pitch"}},
      {"axis", {}, {"xyz", "limit", "dynamics", "use_parent_model_frame", "mimic"}},
      {"axis2", {}, {"xyz", "limit", "dynamics", "use_parent_model_frame"}},
      {"limit", {}, {"lower", "upper", "effort", "velocity", "stiffness", "dissipation"}},
      {"dynamics", {}, {"damping", "friction", "spring_stiffness", "spring_reference"}},
      {"light",
       {"name", "type"},
       {"pose", "diffuse", "specular", "attenuation", "direction", "spot", "cast_shadows",
        "intensity", "light_on", "visualize"}},
  };
  return all;
}

}  // namespace

void note_unknown(Ignored& ignored, const Element& sdf) {
  urdf::note_unknown(ignored, vocabulary(), sdf);
}

}  // namespace protobeam::sdf
