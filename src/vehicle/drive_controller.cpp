#include "vehicle/drive_controller.h"

#include <cmath>
#include <stdexcept>

#include "vehicle/require.h"

namespace protobeam {

DriveController::DriveController(const Drive& drive, DriveCommand initial, double command_timeout)
    : drive_(drive), initial_(std::move(initial)), clock_(command_timeout) {
  require(!std::isnan(command_timeout), "commandTimeout is not a number");
}

std::string DriveController::command(const DriveCommand& command, double now) {
  std::string problem = not_finite(command);
  if (problem.empty()) problem = refuse(command);
  if (problem.empty()) clock_.give(command, now);
  return problem;
}

DriveOutput DriveController::step(const DriveState& state) {
  if (clock_.waiting()) return act(initial_, state);
  return act(clock_.expired(state.time) ? stop(clock_.last()) : clock_.last(), state);
}

void DriveController::reset() {
  clock_.reset();
  forget();
}

void DriveController::check_initial() const {
  std::string problem = not_finite(initial_);
  if (problem.empty()) problem = refuse(initial_);
  if (!problem.empty()) throw std::invalid_argument(problem);
}

std::string takes_only(std::string_view type, std::string_view wanted, const DriveCommand& got) {
  return text_of("the controller ", type, " takes ", wanted, ", not ", what(got));
}

void DriveController::visit_state(StateArchive& archive) {
  archive(clock_);
  if (archive.restores() && !clock_.waiting()) {
    std::string problem = not_finite(clock_.last());
    if (problem.empty()) problem = refuse(clock_.last());
    if (!problem.empty()) throw StateError("the state has a command that is refused: " + problem);
  }
  if (auto* keeps = dynamic_cast<KeepsState*>(this)) return keeps->visit_state(archive);
  if (!dynamic_cast<Stateless*>(this)) {
    throw StateError(text_of("the controller of a ", drive().type(), " does not say what it keeps"));
  }
}

}  // namespace protobeam
