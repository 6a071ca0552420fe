// Movies that supervisors start and stop: 25 pictures a second of what the Viewpoint sees.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/photographer.h"
#include "app/world_generations.h"
#include "output/video_file.h"
#include "sim/supervisor/movie_maker.h"

namespace protobeam {

class Movie : public MovieMaker {
 public:
  /// `opengl` false: the pictures are ray-cast, as for a run that has a window. `followed_at`: see
  /// PhotographerSettings.
  Movie(Simulation& simulation, bool opengl, const std::optional<Vec3>& followed_at)
      : simulation_(simulation), opengl_(opengl), followed_at_(followed_at) {}

  std::string start(const MovieOrder& order) override;
  std::string stop() override;
  Status status() const override { return status_; }

  /// A movie that cannot be written ends with a message; the run goes on.
  void after_step();
  /// What nobody has stopped ends here, and is kept.
  void finish();

 private:
  void take_pictures();
  std::string end(std::string why, Status status);

  Simulation& simulation_;
  bool opengl_;
  std::optional<Vec3> followed_at_;
  Status status_ = Status::kReady;
  MovieOrder order_;
  std::optional<VideoFile> file_;
  std::optional<Photographer> photographer_;
  std::optional<WorldGenerations> known_;  ///< of the world that the photographer knows
  std::int64_t steps_ = 0, pictures_ = 0;  ///< since the start
};

}  // namespace protobeam
