// IndexedFaceSet nodes as meshes.
#pragma once

#include "geometry/geometry.h"
#include "wbt/node.h"

namespace protobeam {

/// Faces are split into triangles, concave ones too. Normals are those of the field `normal`, for
/// each corner or each face, or those that `creaseAngle` (rad) makes: a corner is smooth over the
/// faces that have its point and meet the corner's own face at less than this angle, in the mean of
/// their directions (ISO/IEC 14772-1:1997, 4.6.3.5 and 6.23). Corners without one have none: they
/// are as flat as their face.
Mesh face_set(const wbt::NodeView& view, const SchemaRegistry& schemas);

}  // namespace protobeam
