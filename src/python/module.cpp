// The module protobeam._core: the simulator in a Python process.
#include <cstdlib>

#include "python/bindings.h"
#include "sim/build_config.h"
#include "sim/paths.h"
#include "sim/plugins.h"

namespace protobeam::python {
namespace {

/// In somebody else's program, programs of ours are not beside it.
void find_worker() {
  if (installed_paths().source_tree) return;
  const auto worker =
      installed_paths().catalogue.parent_path() / "../../libexec/protobeam/protobeam-worker";
  std::error_code ignored;
  if (std::filesystem::exists(worker, ignored))
    setenv("PROTOBEAM_WORKER", worker.lexically_normal().c_str(), 0);
}

}  // namespace
}  // namespace protobeam::python

PYBIND11_MODULE(_core, module) {
  using namespace protobeam;
  using namespace protobeam::python;
  module.doc() = "The simulator; see the package protobeam.";
  module.attr("version") = kVersion;
  find_worker();
  static py::exception<LoadError> world_error(module, "WorldError", PyExc_ValueError);
  py::register_exception_translator([](std::exception_ptr problem) {
    try {
      if (problem) std::rethrow_exception(problem);
    } catch (const LoadError& error) {
      const py::object raised = py::object(world_error)(error.what());
      raised.attr("diagnostics") = py::cast(error.all);
      PyErr_SetObject(world_error.ptr(), raised.ptr());
    } catch (const PluginError& error) {
      PyErr_SetString(PyExc_ImportError, error.what());
    } catch (const std::logic_error& error) {
      // pybind11 knows its kinds; what is left is a use at the wrong time.
      const bool known = dynamic_cast<const std::invalid_argument*>(&error) ||
                         dynamic_cast<const std::out_of_range*>(&error) ||
                         dynamic_cast<const std::domain_error*>(&error) ||
                         dynamic_cast<const std::length_error*>(&error);
      if (known) throw;
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
  });
  bind_declarations(module);
  bind_world(module);
  bind_batch(module);
}
