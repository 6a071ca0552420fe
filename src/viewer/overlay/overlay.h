// What is written over the picture: status line, panel of the selection, legend, help, problems.
#pragma once

#include <memory>
#include <osg/Camera>
#include <string>
#include <utility>
#include <vector>

#include "render/picture_label.h"
#include "viewer/layers/layers.h"

namespace protobeam::viewer {

/// A HUD camera in pixels, (0, 0) is the lower left corner.
class Overlay {
 public:
  Overlay(int width, int height);
  ~Overlay();

  osg::Camera* root();
  void resize(int width, int height);

  void set_status(const std::string& line);  ///< at the bottom; "" hides it
  /// At the right: a title and rows of name and value; no title hides it.
  void set_panel(const std::string& title,
                 const std::vector<std::pair<std::string, std::string>>& rows);
  void set_legend(const Legend& legend);  ///< no title hides it
  void set_help(bool shown);              ///< the keys
  /// Diagnostics, in fixed width and as many lines as there is space for; "" hides them.
  void set_problem(const std::string& text);
  /// What programs write over the picture, below everything else.
  void set_labels(const std::vector<render::PictureLabel>& labels);
  void set_note(const std::string& line);  ///< what a key just did; "" hides it

  /// Every text that is shown now, read back from the scene graph.
  std::vector<std::string> texts() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace protobeam::viewer
