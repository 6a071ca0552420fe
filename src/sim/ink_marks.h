// What pens leave on the shapes of a world (DeviceType::draws).
#pragma once

#include "device/appearance.h"
#include "sim/model.h"

namespace protobeam {

class StateArchive;

/// Draws it on the shape that it names, if that has an extent.
void add_mark(WorldModel& model, const InkMark& mark);
/// Ink fades by exp(-WorldInfo.inkEvaporation * time), by the time of one step.
void evaporate_ink(WorldModel& model);
void visit_paint(StateArchive& archive, WorldModel& model);

}  // namespace protobeam
