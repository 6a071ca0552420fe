// write_samples clouds FOLDER: a sweep of 5 x 7 beams in every format.
#include <filesystem>
#include <string>

#include "output/point_file.h"
#include "tests/interop/write_samples.h"
#include "tests/unit/output/sweep.h"

namespace protobeam {

int write_clouds(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  const auto beams = awkward_sweep(5, 7);
  const TimedSweep sweep = timed_sweep(beams, {});
  const SweepSource source{.layers = 5, .columns = 7};
  for (const char* name : {"cloud.pcd", "cloud.ply", "cloud.csv", "cloud.npy"}) {
    write_cloud(folder / name, cloud_format(name, false), sweep, source);
  }
  for (const PointLayout& layout : point_layouts()) {
    const PointCloud cloud = fill_points(layout, shape_of(layout, true), sweep, source);
    for (const char* ending : {".pcd", ".ply"}) {
      const std::string name = std::string(layout.name) + ending;
      write_points(folder / name, cloud_format(name, false), layout, cloud);
    }
  }
  write_cloud(folder / "ascii.pcd", cloud_format("ascii.pcd", true), sweep, source);
  return 0;
}

}  // namespace protobeam
