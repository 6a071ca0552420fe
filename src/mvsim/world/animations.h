// <animation>: things that move by a timetable.
#pragma once

#include "mvsim/world/import.h"

namespace protobeam::mvsim {

/// Whether the element has keyframes.
bool is_animated(const Element& element);

/// A KeyframeAnimation around what stands for a block or an element, or that itself when it has no
/// <animation>. Keyframes are poses in the frame that it begins in, again and again (Simulable.cpp,
/// simul_pre_timestep).
wbt::NodePtr animated(Import& import, const Element& element, wbt::NodePtr node);

}  // namespace protobeam::mvsim
