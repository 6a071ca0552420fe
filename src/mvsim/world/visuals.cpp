#include "mvsim/world/visuals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "base/address.h"
#include "base/file_names.h"
#include "base/named_files.h"
#include "geometry/files.h"
#include "mvsim/resources.h"
#include "mvsim/world/wall_lines.h"

namespace protobeam::mvsim {
namespace fs = std::filesystem;
namespace {

wbt::NodePtr model_node(Import& import, const fs::path& file, const Reader& reader,
                        const Origin& origin) {
  const std::vector<std::string> url{import.url(file)};
  const auto color = reader.color("model_color", {255, 255, 255, 255});
  const std::string extension = extension_of(file);
  const bool has_looks = extension == ".dae" || extension == ".obj";
  if (has_looks && !color.written) {
    return NodeMaker("CadShape", origin).texts("url", url, origin.place).take();
  }
  return shape(NodeMaker("Mesh", origin).texts("url", url, origin.place).take(), color, origin);
}

/// <up_axis> of a Collada file; it stands in its head.
std::string upper_axis_of(const fs::path& file) {
  if (extension_of(file) != ".dae" || !why_not_allowed(file).empty()) return {};
  std::string head(1 << 16, '\0');
  if (is_address(file.native())) {
    constexpr std::size_t kMostBytes = 256 << 20;
    try {
      head = read_named_file(file, kMostBytes).substr(0, head.size());
    } catch (const std::runtime_error&) {
      return {};  // who loads the model says it
    }
  } else {
    std::ifstream in(file, std::ios::binary);
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(in.gcount()));
  }
  for (const char* axis : {"Z_UP", "X_UP"}) {
    if (head.find(std::string(">") + axis + "<") != std::string::npos) return axis;
  }
  return {};
}

std::optional<Visual> visual_of(Import& import, const Element& owner, const Element& element) {
  if (!import.attributes(element).boolean("enabled", true)) return std::nullopt;
  const Reader reader = import.children(element);
  const Text* uri = reader.find("model_uri");
  if (!uri) return std::nullopt;
  const auto file = find_resource(*uri, *element.folder, import.options, element.chain,
                                  import.diagnostics, Severity::kWarning);
  if (!file) return std::nullopt;
  constexpr std::array kReadable{".dae", ".obj", ".stl", ".glb"};
  if (std::find(kReadable.begin(), kReadable.end(), extension_of(*file)) == kReadable.end()) {
    reader.warning(uri->place, "models of type '" + file->extension().string() + "' are not read",
                   "convert it to .dae, .obj, .stl or .glb");
    return std::nullopt;
  }
  const Origin origin(uri->place, element.chain);
  Visual out;
  // A block's own scale takes the place of its models' (VisualObject.cpp, addCustomVisualization).
  const double own =
      owner.tag == "block" ? import.children(owner).positive("visual_scale", 0) : Given<double>{};
  out.file = *file;
  out.scale = own > 0 ? own : reader.positive("model_scale", 1).value;
  const double yaw = reader.degrees("model_yaw", 0), pitch = reader.degrees("model_pitch", 0),
               roll = reader.degrees("model_roll", 0);
  const Quat R_axis = upper_axis_to_y(upper_axis_of(out.file));
  out.name = reader.text("name", kVisualName);
  out.R_level = rotation_of(0, pitch, roll) * R_axis;
  out.X = {rotation_of(yaw, pitch, roll) * R_axis,
           {reader.number("model_offset_x", 0), reader.number("model_offset_y", 0),
            reader.number("model_offset_z", 0)}};
  out.model = model_node(import, out.file, reader, origin);
  out.node = placed(out, out.X);
  return out;
}

}  // namespace

wbt::NodePtr placed(const Visual& visual, const Pose& X) {
  const Origin origin(visual.model->place, visual.model->expanded_from);
  if (visual.scale == 1) return posed(visual.model, X, origin);
  return NodeMaker("Transform", origin)
      .pose(X)
      .vec3("scale", Vec3::Constant(visual.scale))
      .nodes("children", {visual.model})
      .take();
}

std::vector<Visual> visuals_of(Import& import, const Element& owner) {
  std::vector<Visual> out;
  for (const Element* element : owner.all("visual")) {
    if (auto visual = visual_of(import, owner, *element)) out.push_back(std::move(*visual));
  }
  return out;
}

std::optional<std::vector<Vec3>> points_between(Import& import, const std::vector<Visual>& visuals,
                                                double low, double high, const Origin& origin) {
  std::vector<Vec3> points;
  for (const Visual& visual : visuals) {
    try {
      const auto mesh = load_mesh(visual.file);
      std::vector<Vec3> corners;
      corners.reserve(mesh->vertices.size());
      for (const Vec3& p : mesh->vertices) {
        corners.push_back(visual.X * (visual.scale * p));
        const double z = corners.back().z();
        if (z >= low && z <= high) points.push_back(corners.back());
      }
      for (const auto& triangle : mesh->triangles) {
        for (std::size_t i = 0; i < 3; ++i) {
          const Vec3 &a = corners[triangle[i]], &b = corners[triangle[(i + 1) % 3]];
          for (const double z : {low, high}) {
            if ((a.z() < z) == (b.z() < z) || !std::isfinite(z)) continue;
            points.push_back(a + (b - a) * ((z - a.z()) / (b.z() - a.z())));
            points.back().z() = z;
          }
        }
      }
    } catch (const std::exception& problem) {
      import.diagnostics.error(origin.place, problem.what(), {}, origin.chain);
      return std::nullopt;
    }
  }
  return points;
}

std::vector<wbt::NodePtr> seen(const std::vector<Visual>& visuals, wbt::NodePtr plain) {
  std::vector<wbt::NodePtr> out;
  for (const Visual& visual : visuals) {
    if (visual.node) out.push_back(visual.node);
  }
  if (visuals.empty()) out.push_back(std::move(plain));
  return out;
}

std::vector<Vec3> points_of(Import& import, const std::vector<Visual>& visuals,
                            const Origin& origin) {
  std::vector<Vec3> points;
  for (const Visual& visual : visuals) {
    try {
      const auto mesh = load_mesh(visual.file);
      for (const Vec3& p : mesh->vertices) points.push_back(visual.X * (visual.scale * p));
    } catch (const std::exception& problem) {
      import.diagnostics.error(origin.place, problem.what(), {}, origin.chain);
    }
  }
  return points;
}

}  // namespace protobeam::mvsim
