#include "sim/supervisor/supervisor.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/whole_file.h"
#include "sim/robot_urdf.h"
#include "sim/simulation.h"

namespace protobeam {

using link::SupervisorOp;

std::vector<link::SupervisorAnswer> Supervisor::answer(
    int robot, std::span<const link::SupervisorRequest> requests) {
  std::vector<link::SupervisorAnswer> answers;
  answers.reserve(requests.size());
  for (const Request& request : requests) {
    answers.push_back(answer_one(robot, request));
    // A warning goes with the answer to what caused it.
    Answer& last = answers.back();
    for (const std::string& warning : warnings_) {
      if (!last.good)
        last.text += "; " + warning;
      else if (request.op >= SupervisorOp::kSetField)
        last.text = warning;
    }
    warnings_.clear();
  }
  return answers;
}

Supervisor::Answer Supervisor::answer_one(int robot, const Request& request) {
  Answer out;
  try {
    const bool known = answer_node(robot, request, out) || answer_field(request, out) ||
                       change_field(request) || change_node(request) ||
                       answer_simulation(robot, request, out);
    if (!known) refuse("it is not known here");
  } catch (const Refusal& refusal) {
    out = {false, {}, refusal.why};
  } catch (const std::exception& problem) {
    out = {false, {}, problem.what()};
  }
  return out;
}

bool Supervisor::answer_simulation(int robot, const Request& request, Answer& out) {
  using Kind = Simulation::Wish::Kind;
  switch (request.op) {
    case SupervisorOp::kReset:
      simulation_.reset_soon();
      return true;
    case SupervisorOp::kResetAllPhysics:
      reset_physics(nullptr);
      return true;
    case SupervisorOp::kReload:
      simulation_.wish_for({Kind::kReload, 0, {}});
      return true;
    case SupervisorOp::kLoadWorld:
      if (request.text.empty()) refuse("a file is needed");
      simulation_.wish_for({Kind::kLoad, 0, request.text});
      return true;
    case SupervisorOp::kSaveWorld: {
      sync_all();
      const std::filesystem::path file =
          request.text.empty() ? simulation_.loaded().file : std::filesystem::path(request.text);
      if (file.extension() != ".wbt")
        refuse(fmt::format("'{}' does not end with .wbt", file.string()));
      write_whole_file(file, wbt::to_source_text(simulation_.loaded()));
      return true;
    }
    case SupervisorOp::kQuit:
      simulation_.wish_for({Kind::kQuit, request.index, {}});
      return true;
    case SupervisorOp::kGetMode:
      out.numbers = {static_cast<double>(mode_)};
      return true;
    case SupervisorOp::kSetMode:
      if (request.index == 0) refuse("nobody could let it go on again: a pause is not possible");
      mode_ = request.index == 1 ? Mode::kRealTime : Mode::kFast;
      return true;
    case SupervisorOp::kSetLabel: {
      constexpr std::size_t kMostLabels = 10'000;
      const auto& n = request.numbers;
      if (n.size() != 7) refuse("a label has 7 numbers");
      if (request.text.empty()) {
        labels_.erase(request.index);
      } else if (labels_.size() < kMostLabels || labels_.contains(request.index)) {
        // Webots' lines are half as high as the size says (WbWrenLabelOverlay.cpp).
        labels_[request.index] = {
            request.text, n[0], n[1], n[2] / 2, Vec3(n[3], n[4], n[5]).cast<float>(), n[6]};
      } else {
        refuse("there are too many labels");
      }
      return true;
    }
    case SupervisorOp::kExportImage: {
      if (!photographer_) refuse("this command makes no pictures");
      const std::string why = photographer_(request.text, request.index);
      if (!why.empty()) refuse(why);
      return true;
    }
    case SupervisorOp::kStartMovie: {
      const auto& n = request.numbers;
      if (n.size() != 5) refuse("a movie has 5 numbers");
      if (!movie_maker_) refuse("this command makes no movies");
      const auto whole = [&](int i, double most) {
        const double number = n[static_cast<std::size_t>(i)];
        return number >= 1 ? static_cast<int>(std::min(number, most)) : 1;  // 1: no number at all
      };
      const std::string why = movie_maker_->start(
          {request.text, whole(0, 1e6), whole(1, 1e6), whole(2, 100), whole(3, 1e6), n[4] != 0});
      if (!why.empty()) refuse(why);
      return true;
    }
    case SupervisorOp::kStopMovie:
      if (!movie_maker_) return true;
      if (const std::string why = movie_maker_->stop(); !why.empty()) refuse(why);
      return true;
    case SupervisorOp::kMovieStatus: {
      const auto status = movie_maker_ ? movie_maker_->status() : MovieMaker::Status::kReady;
      out.numbers = {static_cast<double>(status)};
      return true;
    }
    case SupervisorOp::kStartAnimation:
      if (!animation_maker_) refuse("this command makes no animations");
      if (const std::string why = animation_maker_->start(request.text); !why.empty()) refuse(why);
      return true;
    case SupervisorOp::kStopAnimation:
      if (!animation_maker_) refuse("this command makes no animations");
      if (const std::string why = animation_maker_->stop(); !why.empty()) refuse(why);
      return true;
    case SupervisorOp::kSetCustomData:
      self(robot);
      simulation_.model().robots[static_cast<std::size_t>(robot)].custom_data = request.text;
      return true;
    case SupervisorOp::kRobotUrdf:
      self(robot);
      out.text = robot_urdf(simulation_, robot, request.text);
      return true;
    default:
      return false;
  }
}

void Supervisor::warn_once(const std::string& what) {
  if (warned_.insert(what).second) warnings_.push_back(what);
}

}  // namespace protobeam
