#include "mvsim/world/element_parts.h"

#include "mvsim/resources.h"

namespace protobeam::mvsim {

std::optional<std::filesystem::path> file_of(Import& import, const Element& element,
                                             const char* tag, Severity missing) {
  const Element* child = element.child(tag);
  if (!child) return std::nullopt;
  return find_resource(child->text, *child->folder, import.options, child->chain,
                       import.diagnostics, missing);
}

void add_file(Import& import, const Element& element, const char* tag, const char* field,
              Severity missing, NodeMaker& made) {
  if (const auto file = file_of(import, element, tag, missing)) {
    made.texts(field, {import.url(*file)}, element.child(tag)->text.place);
  }
}

void add_color(const Reader& reader, const char* tag, NodeMaker& made) {
  const auto color = reader.color(tag, {});
  if (color.written) made.vec3("color", rgb(color), color.place);
}

void add_name(const Element& element, NodeMaker& made) {
  if (const Text* name = element.attribute("name")) made.text("name", name->value, name->place);
}

void warn_pose(Import& import, const Element& element) {
  for (const char* tag : {"init_pose", "init_pose3d"}) {
    const Element* pose = element.child(tag);
    if (!pose) continue;
    const std::string kind = import.attributes(element).text("class");
    import.children(element).warning(
        pose->place, std::string("<").append(tag) + "> of <element> has no effect",
        "an element of class " + kind + " says itself where it is, as in MVSim");
  }
}

}  // namespace protobeam::mvsim
