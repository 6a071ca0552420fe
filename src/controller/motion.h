// Motions of the program move with its steps.
#pragma once

namespace protobeam::controller {

/// Before a step of `ms`: commands the motors of all motions that are played, and moves their
/// times.
void play_motions(int ms);

}  // namespace protobeam::controller
