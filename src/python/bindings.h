// What the sources of the Python module share.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "batch/embedded_world.h"

namespace protobeam::python {

namespace py = pybind11;

/// How a world is loaded, as Python says it.
struct LoadArguments {
  std::filesystem::path file;
  std::optional<std::uint64_t> seed;
  std::vector<std::pair<std::string, std::string>>
      parameters;  ///< path and value, as in a world's text
  int threads = 0;
  bool lenient = false;
  std::vector<std::string> proto_path, allow_path;
};

/// A world and what was said about its text.
struct World {
  std::shared_ptr<EmbeddedWorld> embedded;
  std::vector<Diagnostic> warnings;
};

/// Without the GIL. Throws LoadError.
World load(const LoadArguments& arguments);

/// The text has mistakes: becomes protobeam.WorldError.
struct LoadError : std::runtime_error {
  explicit LoadError(const Diagnostics& diagnostics)
      : std::runtime_error(diagnostics.to_string()), all(diagnostics.all()) {}
  std::vector<Diagnostic> all;
};

/// Arrays that look at samples; they keep the memory alive that they look at.
py::array channel_array(const EmbeddedWorld::Slot& slot, const ChannelLayout& channel);
/// Of all worlds of a batch: one more extent in front.
py::array channel_arrays(const std::shared_ptr<SampleMemory>& memory, const ChannelLayout& channel);
py::dtype dtype_of(const ChannelLayout& channel);

/// Position, quaternion (x, y, z, w), linear and angular velocity.
void write_state(const EmbeddedWorld& world, int solid, double* thirteen);

void bind_declarations(py::module_& module);
void bind_world(py::module_& module);
void bind_batch(py::module_& module);

}  // namespace protobeam::python
