// labels.yaml: what the numbers in labels of points mean.
#pragma once

#include <string>

#include "sim/scene_labels.h"

namespace protobeam {

/// YAML in the style of SemanticKITTI's configuration: `labels` names the classes, `color_map` has their
/// colours (blue, green, red, 0..255); `instances` has the objects with name, class and colour (red,
/// green, blue, 0..255). Number 0 is "unlabeled".
std::string labels_text(const SceneLabels& labels);

}  // namespace protobeam
