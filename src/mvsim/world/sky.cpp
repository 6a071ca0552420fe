#include "mvsim/world/sky.h"

#include <array>

#include "mvsim/resources.h"

namespace protobeam::mvsim {
namespace {

/// A picture and where a Background has it. MVSim's "left" is the left of who stands before the
/// front and faces the middle: its edges fit to the right of the front.
struct SkySide {
  const char* name;
  const char* field;
};
constexpr std::array kSkySides{SkySide{"Front", "frontUrl"}, SkySide{"Back", "backUrl"},
                               SkySide{"Down", "bottomUrl"}, SkySide{"Up", "topUrl"},
                               SkySide{"Left", "rightUrl"},  SkySide{"Right", "leftUrl"}};

/// SkyBox.cpp, loadConfigFrom.
void add_pictures(Import& import, const Element& element, NodeMaker& made) {
  constexpr const char* kHint =
      "\"Up\", \"Down\", \"Front\", \"Back\", \"Left\" and \"Right\" take its place";
  const Reader reader = import.children(element);
  const Element* tag = element.child("textures");
  if (!tag) {
    reader.error(element.place, "<element> of class skybox has no <textures>",
                 std::string("write <textures>folder/sky%s.png</textures>: ") + kHint);
    return;
  }
  if (tag->text.broken) return;
  const std::string& pattern = tag->text.value;
  const auto at = pattern.find("%s");
  if (at == std::string::npos || pattern.find("%s", at + 1) != std::string::npos) {
    reader.error(tag->text.place, reader.subject("textures") + " wants one '%s' in its address",
                 kHint);
    return;
  }
  Diagnostics missing;
  for (const SkySide& side : kSkySides) {
    Text uri = tag->text;
    uri.value.replace(at, 2, side.name);
    if (const auto file = find_resource(uri, *tag->folder, import.options, tag->chain, missing,
                                        Severity::kWarning)) {
      made.texts(side.field, {import.url(*file)}, tag->text.place);
    }
  }
  if (missing.all().empty()) return;
  Diagnostic first = missing.all().front();
  const auto others = missing.all().size() - 1;
  if (others > 0) {
    first.message += " (and " + std::to_string(others) + " more of the six pictures)";
  }
  import.diagnostics.add(std::move(first));
}

}  // namespace

wbt::NodePtr background_node(Import& import, const Element& world) {
  const std::vector<double> plain{0.7, 0.8, 0.9};
  wbt::NodePtr out = NodeMaker("Background", world).numbers("skyColor", plain).take();
  for (const Element* element : world.all("element")) {
    if (import.attributes(*element).text("class").value != "skybox") continue;
    NodeMaker made("Background", *element);
    made.numbers("skyColor", plain);
    add_pictures(import, *element, made);
    // MRPT has the front along -y, and Webots along -x (skybox.v.glsl, CUBE_TEXTURE_FACE.h).
    out = made.number("quarterTurns", 1).take();  // the last one is drawn over those before
  }
  return out;
}

}  // namespace protobeam::mvsim
