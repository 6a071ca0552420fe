// Labels that gz-sim's label-system gives to what cameras recognise.
#pragma once

#include <optional>

#include "base/diagnostics.h"
#include "wbt/node_maker.h"
#include "xml/element.h"

namespace protobeam::urdf {

bool is_label(const xml::Element& plugin);

/// Of the first such plugin in a <model> or <visual>, from 0 to 255; nothing without one, and with
/// an error or a warning where it has none (gz-sim, Label.cc).
std::optional<int> label_of(const xml::Element& owner, Diagnostics& diagnostics);

/// Makes a Solid one that cameras recognise: its model is the label, its only recognitionColor the
/// grey of that level.
void add_label(wbt::NodeMaker& solid, int label);

}  // namespace protobeam::urdf
