#include "sdf/to_webots.h"

#include <fmt/format.h>

#include <array>

#include "base/named_files.h"
#include "sdf/actor.h"
#include "sdf/detachable.h"
#include "sdf/models.h"
#include "sdf/road.h"
#include "sdf/scenery.h"
#include "sdf/surface.h"
#include "sdf/unknown.h"
#include "sdf/water.h"
#include "urdf/to_webots.h"

namespace protobeam::sdf {
namespace fs = std::filesystem;
namespace {

/// What makes Gazebo simulate what is simulated here anyway, or of which the sensors tell that it
/// is not.
void note_world_plugin(Ignored& ignored, const Element& plugin) {
  constexpr std::array kNeedless{"physics",
                                 "sensors",
                                 "scene-broadcaster",
                                 "user-commands",
                                 "contact",
                                 "imu",
                                 "scene_broadcaster",
                                 "navsat",
                                 "user_commands",
                                 "gazebo_ros_init",
                                 "gazebo_ros_factory",
                                 "magnetometer",
                                 "altimeter",
                                 "air-pressure",
                                 "air_pressure",
                                 "air-speed",
                                 "logical-camera",
                                 "cpu-lidar",
                                 "forcetorque",
                                 "force_torque"};
  const Text* file = plugin.attribute("filename");
  for (const char* one : kNeedless) {
    if (file && file->value.find(one) != std::string::npos) return;
  }
  ignored.add(fmt::format("Gazebo's <plugin> '{}'", file ? file->value : ""), plugin.place);
}

std::optional<wbt::Document> to_webots(const std::shared_ptr<const Element>& sdf,
                                       const fs::path& file, const Options& options,
                                       const fs::path& folder, Resources& resources,
                                       Ignored& ignored, Diagnostics& diagnostics) {
  const int before = diagnostics.error_count();
  const auto frames = Frames::of(*sdf, diagnostics);
  if (!frames) return std::nullopt;
  Context context{options, file, folder, sdf, *frames, resources, ignored, diagnostics};
  const Element* world = sdf->child("world");
  const Element* alone = world ? nullptr : sdf->child("model");
  if (!world && !alone) {
    diagnostics.error(sdf->place, "an <sdf> needs a <world> or a <model>");
    return std::nullopt;
  }
  const auto worlds = sdf->all("world");
  for (std::size_t i = 1; i < worlds.size(); ++i)
    ignored.add("a second <world> of a file", worlds[i]->place);
  context.classic = !is_of_gazebo(world ? *world : *alone);
  read_time_step(context, world);
  read_geography(context, world);
  context.detachable_joints = read_detachable_joints(context, world ? *world : *sdf);
  std::vector<NodePtr> models;
  if (world) {
    for (const Element* plugin : world->all("plugin")) {
      if (is_buoyancy(*plugin) && context.water.fluid.empty())
        context.water = read_water(context, *plugin, models);
      else
        note_world_plugin(ignored, *plugin);
    }
    for (const Element* road : world->all("road")) {
      if (NodePtr node = road_node(context, *road)) models.push_back(std::move(node));
    }
    for (const JoinedModels& joined : join_models(context, *world)) {
      for (NodePtr& node : joined_nodes(context, joined))
        models.push_back(moved_by_script(context, *joined.models.front(), std::move(node)));
    }
  } else {
    Pose X_WM = context.pose(*alone);
    if (!flag_in(*alone, "static", false))
      X_WM = Pose::translation({0, 0, -lowest_point(context, *alone)});
    models = model_nodes(context, *alone, X_WM);
    models.insert(models.begin(), urdf::plain(*alone));
  }
  const Element& origin = world ? *world : *alone;
  const std::string name = name_of(origin);
  wbt::Document out = urdf::new_document(file, *sdf);
  out.nodes = scenery(context, world, origin, name.empty() ? file.stem().string() : name);
  for (NodePtr& node : models) out.nodes.push_back(std::move(node));
  note_masks(context);
  note_unknown(ignored, *sdf);
  ignored.report(diagnostics);
  if (diagnostics.error_count() > before) return std::nullopt;
  return out;
}

std::optional<urdf::Model> to_model(const std::shared_ptr<const Element>& sdf, const fs::path& file,
                                    const Options& options, Resources& resources, Ignored& ignored,
                                    Diagnostics& diagnostics) {
  const int before = diagnostics.error_count();
  const auto frames = Frames::of(*sdf, diagnostics);
  if (!frames) return std::nullopt;
  const fs::path absolute;
  Context context{options, file, absolute, sdf, *frames, resources, ignored, diagnostics};
  const Element* model = sdf->child("model");
  if (!model || sdf->child("world")) {
    diagnostics.error(sdf->place, "a <model> is expected, and no <world>");
    return std::nullopt;
  }
  context.classic = !is_of_gazebo(*model);
  std::vector<NodePtr> nodes = model_nodes(context, *model, Pose());
  if (nodes.size() > 1)
    diagnostics.error(model->place,
                      fmt::format("the model '{}' falls into {} parts that no joints hold together",
                                  name_of(*model), nodes.size()));
  if (nodes.empty() && diagnostics.error_count() == before)
    diagnostics.error(model->place, fmt::format("the model '{}' is empty", name_of(*model)));
  note_unknown(ignored, *sdf);
  ignored.report(diagnostics);
  if (diagnostics.error_count() > before) return std::nullopt;
  urdf::Model out{urdf::new_document(file, *sdf), urdf::new_document(file, *sdf)};
  out.document.nodes = std::move(nodes);
  out.contact_properties.nodes = contact_properties(context, *model);
  return out;
}

/// `expanded` reads the text, `make` makes something of it.
template <class Read, class Make>
auto read(const fs::path& file, const Options& options, Diagnostics& diagnostics,
          const Read& expanded, const Make& make) {
  diagnostics.set_lenient(options.lenient);
  allow_files_below(urdf::project_folder(file));
  Resources resources(file, options);
  Ignored ignored;
  const std::shared_ptr<const Element> sdf = expanded(resources, ignored);
  return sdf ? make(sdf, resources, ignored) : std::nullopt;
}

auto of_file(const fs::path& file, const Options& options, Diagnostics& diagnostics) {
  return [&](Resources& resources, Ignored& ignored) {
    return read_expanded(file, options, resources, ignored, diagnostics);
  };
}
auto of_text(std::string& text, const fs::path& file, const Options& options,
             Diagnostics& diagnostics) {
  return [&](Resources& resources, Ignored& ignored) {
    return read_expanded_text(std::move(text), file, options, resources, ignored, diagnostics);
  };
}
auto world_of(const fs::path& file, const Options& options, const fs::path& folder,
              Diagnostics& diagnostics) {
  return [&](const auto& sdf, Resources& resources, Ignored& ignored) {
    return to_webots(sdf, file, options, folder, resources, ignored, diagnostics);
  };
}
auto model_of(const fs::path& file, const Options& options, Diagnostics& diagnostics) {
  return [&](const auto& sdf, Resources& resources, Ignored& ignored) {
    return to_model(sdf, file, options, resources, ignored, diagnostics);
  };
}

}  // namespace

std::optional<wbt::Document> read_world(const fs::path& file, const Options& options,
                                        const fs::path& folder, Diagnostics& diagnostics) {
  return read(file, options, diagnostics, of_file(file, options, diagnostics),
              world_of(file, options, folder, diagnostics));
}

std::optional<wbt::Document> read_world_text(std::string text, const fs::path& file,
                                             const Options& options, const fs::path& folder,
                                             Diagnostics& diagnostics) {
  return read(file, options, diagnostics, of_text(text, file, options, diagnostics),
              world_of(file, options, folder, diagnostics));
}

std::optional<urdf::Model> read_model(const fs::path& file, const Options& options,
                                      Diagnostics& diagnostics) {
  return read(file, options, diagnostics, of_file(file, options, diagnostics),
              model_of(file, options, diagnostics));
}

std::optional<urdf::Model> read_model_text(std::string text, const fs::path& file,
                                           const Options& options, Diagnostics& diagnostics) {
  return read(file, options, diagnostics, of_text(text, file, options, diagnostics),
              model_of(file, options, diagnostics));
}

}  // namespace protobeam::sdf
