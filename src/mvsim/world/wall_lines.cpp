#include "mvsim/world/wall_lines.h"

#include <map>
#include <stdexcept>

#include "base/named_files.h"
#include "mvsim/expression.h"
#include "xml/parse.h"

namespace protobeam::mvsim {
namespace {

constexpr std::size_t kMostBytes = 16 << 20;
constexpr int kMostNesting = 50;

std::vector<double> numbers_of(const std::string& text) {
  std::vector<double> out;
  std::size_t used = 0;
  for (std::string_view left = text; const auto value = scan_number(left, used);) {
    out.push_back(*value);
    left.remove_prefix(used);
  }
  return out;
}

std::string text_of(const xml::Element& element, const char* attribute) {
  const xml::Text* text = element.attribute(attribute);
  return text ? text->value : std::string();
}

/// Without the '#' of a reference within the file.
std::string referred(const xml::Element& element, const char* attribute) {
  const std::string text = text_of(element, attribute);
  return text.starts_with('#') ? text.substr(1) : text;
}

using Transform = Eigen::Matrix4d;

class Lines {
 public:
  explicit Lines(const xml::Element& top) : top_(top) { remember(top); }

  std::vector<Vec3> of_scene() {
    const xml::Element* asset = top_.child("asset");
    const xml::Element* up = asset ? asset->child("up_axis") : nullptr;
    const xml::Element* unit = asset ? asset->child("unit") : nullptr;
    const auto metres = numbers_of(unit ? text_of(*unit, "meter") : "");
    Transform X = Transform::Identity();
    X.topLeftCorner<3, 3>() = upper_axis_to_y(up ? up->text.value : "").toRotationMatrix() *
                              (metres.empty() ? 1.0 : metres[0]);
    for (const xml::Element* library : top_.all("library_visual_scenes")) {
      for (const xml::Element* scene : library->all("visual_scene")) {
        for (const xml::Element* one : scene->all("node")) node(*one, X, 0);
      }
    }
    return std::move(ends_);
  }

 private:
  void remember(const xml::Element& element) {
    const std::string id = text_of(element, "id");
    if (!id.empty()) by_id_.try_emplace(id, &element);
    for (const auto& child : element.children) remember(child);
  }

  const xml::Element* named(const std::string& id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : found->second;
  }

  void node(const xml::Element& element, Transform X, int depth) {
    if (depth > kMostNesting) throw std::runtime_error("its nodes are nested too deeply");
    for (const auto& child : element.children) {
      const auto n = numbers_of(child.text.value);
      Transform own = Transform::Identity();
      if (child.tag == "matrix" && n.size() >= 16) {
        for (int i = 0; i < 16; ++i) own(i / 4, i % 4) = n[static_cast<std::size_t>(i)];
      } else if (child.tag == "translate" && n.size() >= 3) {
        own.topRightCorner<3, 1>() = Vec3(n[0], n[1], n[2]);
      } else if (child.tag == "scale" && n.size() >= 3) {
        own.diagonal().head<3>() = Vec3(n[0], n[1], n[2]);
      } else if (child.tag == "rotate" && n.size() >= 4) {
        own.topLeftCorner<3, 3>() =
            axis_angle(Vec3(n[0], n[1], n[2]), n[3] * kPi / 180).toRotationMatrix();
      }
      X = X * own;
    }
    for (const auto& child : element.children) {
      if (child.tag == "node") node(child, X, depth + 1);
      if (child.tag == "instance_geometry") geometry(named(referred(child, "url")), X);
    }
  }

  void geometry(const xml::Element* element, const Transform& X) {
    const xml::Element* mesh = element ? element->child("mesh") : nullptr;
    if (!mesh) return;
    for (const xml::Element* one : mesh->all("lines")) lines(*one, X);
  }

  void lines(const xml::Element& element, const Transform& X) {
    std::vector<double> points;
    std::size_t stride = 1, offset = 0;
    for (const xml::Element* input : element.all("input")) {
      const auto at = numbers_of(text_of(*input, "offset"));
      constexpr double kMostInputs = 100;
      if (!at.empty() && !(at[0] >= 0 && at[0] <= kMostInputs)) {
        throw std::runtime_error("the offset of an <input> is out of range");
      }
      const auto place = at.empty() ? std::size_t{0} : static_cast<std::size_t>(at[0]);
      stride = std::max(stride, place + 1);
      if (text_of(*input, "semantic") != "VERTEX") continue;
      offset = place;
      points = positions(named(referred(*input, "source")));
    }
    const xml::Element* indices = element.child("p");
    const auto order = numbers_of(indices ? indices->text.value : "");
    std::vector<Vec3> ends;
    for (std::size_t i = offset; i < order.size(); i += stride) {
      const double at = order[i];
      if (!(at >= 0 && 3 * at + 2 < static_cast<double>(points.size()))) {
        throw std::runtime_error("a line refers to a point that is not there");
      }
      const double* p = points.data() + 3 * static_cast<std::size_t>(at);
      ends.push_back((X * Eigen::Vector4d(p[0], p[1], p[2], 1)).head<3>());
    }
    ends.resize(ends.size() / 2 * 2);
    ends_.insert(ends_.end(), ends.begin(), ends.end());
  }

  std::vector<double> positions(const xml::Element* vertices) const {
    if (!vertices) return {};
    for (const xml::Element* input : vertices->all("input")) {
      if (text_of(*input, "semantic") != "POSITION") continue;
      const xml::Element* source = named(referred(*input, "source"));
      const xml::Element* array = source ? source->child("float_array") : nullptr;
      if (array) return numbers_of(array->text.value);
    }
    return {};
  }

  const xml::Element& top_;
  std::map<std::string, const xml::Element*> by_id_;
  std::vector<Vec3> ends_;
};

}  // namespace

std::optional<std::vector<Vec3>> collada_lines(Import& import, const std::filesystem::path& file,
                                               const Origin& origin) {
  try {
    const auto source =
        std::make_shared<SourceText>(file.string(), read_named_file(file, kMostBytes));
    const xml::Dialect dialect{{}, {}, origin.chain};
    const auto top = xml::parse_only(source, dialect, import.diagnostics);
    if (!top) return std::nullopt;
    if (top->tag != "COLLADA") throw std::runtime_error("it is no Collada file");
    auto ends = Lines(*top).of_scene();
    if (ends.empty()) throw std::runtime_error("it has no lines, of which walls are made");
    return ends;
  } catch (const std::runtime_error& problem) {
    import.diagnostics.error(origin.place,
                             "cannot make walls of " + file.string() + ": " + problem.what(), {},
                             origin.chain);
    return std::nullopt;
  }
}

Quat upper_axis_to_y(const std::string& up_axis) {
  if (up_axis == "Z_UP") return axis_angle(Vec3::UnitX(), -kPi / 2);
  if (up_axis == "X_UP") return axis_angle(Vec3::UnitZ(), kPi / 2);
  return Quat::Identity();
}

}  // namespace protobeam::mvsim
