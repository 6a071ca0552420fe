// What a sweep is: a world, the parameters that its runs differ in, and the metrics that they give.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace protobeam::sweep {

struct Parameter {
  enum class Target { kField, kArgument, kEnvironment, kSeed };
  /// Where the values of a run come from.
  enum class Source { kGrid, kList, kUniform, kLogUniform, kNormal };

  std::string name;  ///< a column of the manifest
  Target target = Target::kField;
  std::string path;    ///< of a field as `run --set` takes it, a robot, or a variable
  std::string option;  ///< of a controller's argument; "": the value alone
  Source source = Source::kGrid;
  std::vector<std::string> values;  ///< of a grid
  double first = 0, second = 0;     ///< low and high, or mean and standard deviation
  bool whole = false;               ///< random values are whole numbers, both ends included
};

struct Metric {
  enum class Kind {
    kController,  ///< what a controller gave by pb_metric()
    kSummary,     ///< in the object of `run --json`
    kTrajectoryError,
  };
  enum class Alignment { kNone, kRigid, kScaled };

  std::string name;  ///< a column of the manifest
  Kind kind = Kind::kController;
  std::string source;           ///< the controller's name for it, or a JSON pointer
  std::string robot;            ///< "": any
  std::string estimate, truth;  ///< TUM files below the run's folder
  Alignment alignment = Alignment::kRigid;
  double time_difference = 0.01;  ///< s between poses that belong together, at most
  bool optional = false;          ///< a run without it is good
};

struct Samples {
  std::size_t count = 0;
  bool latin_hypercube = false;
  std::uint64_t seed = 1;
};

struct Description {
  std::filesystem::path folder;  ///< of the file
  std::filesystem::path world;
  std::string text;                  ///< of the file
  double duration = 10;              ///< simulated, s
  std::vector<std::string> options;  ///< of `run`; {out} is the run's folder
  std::vector<Parameter> parameters;
  std::vector<std::vector<std::string>> list;  ///< rows of the parameters whose source is kList
  Samples samples;
  std::vector<Metric> metrics;
  std::vector<int> results;  ///< statuses of controllers that are no failure, besides 0
  double time_limit = 0;     ///< s of wall time a run may take; 0: none
  double memory = 0;         ///< GB that a run needs; 0: not said
  int retries = 1;           ///< of a run that failed
  bool keep = false;         ///< the folder of each run stays

  /// A run writes files.
  bool needs_folder() const;
};

/// Reads a YAML file. Mistakes go into `diagnostics`; std::nullopt when there are some. Throws
/// std::runtime_error when the file cannot be read. The world is looked for beside the file.
std::optional<Description> read_description(const std::filesystem::path& file,
                                            Diagnostics& diagnostics);
/// Of a text that was read before, whose names are relative to `folder`; the world need not be
/// there.
std::optional<Description> read_description_text(const std::string& name, std::string text,
                                                 const std::filesystem::path& folder,
                                                 Diagnostics& diagnostics);

}  // namespace protobeam::sweep
