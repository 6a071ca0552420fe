// Pages that show scenes in a browser. That of an animation is one file, which needs no server and
// no network.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace protobeam::gltf {

struct PageSettings {
  std::string title;            ///< of the world
  std::string sky = "#9fb8d0";  ///< behind the scene, as CSS has it
  std::vector<std::string> sides;  ///< of a sky of pictures: six JPEGs, for THREE.CubeTexture
  double seconds = 0;           ///< that the animation takes
  std::string follow;           ///< name of the node that the camera goes with at first; "": none
};

/// three.js, which becomes part of the page, shows the scene.
class PageMaker {
 public:
  /// Its files are those of Debian's libjs-three in the folder `three`. Throws std::runtime_error
  /// when they are not there.
  explicit PageMaker(const std::string& three = "/usr/share/javascript/three");
  /// `glb`: Document::glb().
  std::string page(std::string_view glb, const PageSettings& settings) const;

  /// Another page about scenes. Its script has the functions of kSceneScript (page_source.h), and
  /// `settings`, the JSON object of that name.
  struct Parts {
    std::string title;
    std::string_view style, body, script;  ///< `style` behind that of all pages
    std::string settings;                  ///< as JSON, ASCII only
    std::optional<std::string_view> glb;   ///< the element of that name
  };
  std::string page(const Parts& parts) const;

 private:
  std::string libraries_;
};

}  // namespace protobeam::gltf
