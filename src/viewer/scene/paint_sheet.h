// What pens drew, over the shapes that they drew on.
#pragma once

#include <osg/Program>
#include <osg/ref_ptr>

#include "sim/scene/painted_sides.h"
#include "sim/scene/scene_description.h"
#include "viewer/scene/drawables.h"

namespace protobeam::viewer {

/// The triangles of the shape that face the side, once more, with its picture; in the shape's
/// group. `textured`: the program of surfaces with a picture.
osg::ref_ptr<SolidNode> paint_sheet(const SceneDescription::Shape& shape, const PaintedSide& side,
                                    const osg::ref_ptr<osg::Program>& textured);

}  // namespace protobeam::viewer
