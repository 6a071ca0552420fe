// One world. The package protobeam (src/python/protobeam) makes classes with names out of the
// numbers here.
#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "python/bindings.h"

namespace protobeam::python {
namespace {

using Number = EmbeddedWorld::DeviceNumber;

Simulation& simulation(World& world) { return world.embedded->simulation(); }
const DeviceModel& model(World& world, Number number) {
  return *world.embedded->device(number).model;
}

/// Steps without the GIL; Ctrl-C and other signals are handled on the way.
void step(World& world, std::int64_t steps) {
  const auto embedded = world.embedded;
  bool interrupted = false;
  {
    const py::gil_scoped_release free;
    embedded->step(steps, [&] {
      const py::gil_scoped_acquire held;
      interrupted = PyErr_CheckSignals() != 0;
      return !interrupted;
    });
  }
  if (interrupted) throw py::error_already_set();
}

void start_controllers(World& world) {
  const py::gil_scoped_release free;
  world.embedded->start_controllers(
      [](const std::string& robot, bool is_stderr, std::string_view line) {
        const py::gil_scoped_acquire held;
        const py::object out = py::module_::import("sys").attr(is_stderr ? "stderr" : "stdout");
        out.attr("write")(py::str("[" + robot + "] ") + py::str(line.data(), line.size()) +
                          py::str("\n"));
      });
}

py::list robots(World& world) {
  py::list out;
  for (const RobotInfo& robot : simulation(world).model().robots) {
    if (!robot.removed)
      out.append(py::make_tuple(robot.index, robot.name, robot.model, robot.solid));
  }
  return out;
}

py::list devices(World& world, int robot) {
  py::list out;
  const auto& devices =
      simulation(world).model().robots.at(static_cast<std::size_t>(robot)).devices;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const Device& device = devices[i];
    out.append(py::make_tuple(i, device.name, device.type, device.proto));
  }
  return out;
}

py::list solids(World& world) {
  py::list out;
  const auto& solids = simulation(world).model().solids;
  for (std::size_t i = 0; i < solids.size(); ++i) {
    const SolidInfo& solid = solids[i];
    if (solid.removed) continue;
    const bool moves = solid.body != physics::kWorldBody;
    out.append(py::make_tuple(i, solid.name, solid.proto.empty() ? solid.type : solid.proto,
                              solid.parent, moves));
  }
  return out;
}

py::list vehicles(World& world) {
  py::list out;
  for (const VehicleHost* vehicle : simulation(world).model().vehicles) {
    out.append(py::make_tuple(vehicle->name(), vehicle->robot(), vehicle->device()));
  }
  return out;
}

py::array_t<double> state(World& world, int solid) {
  py::array_t<double> out(13);
  write_state(*world.embedded, solid, out.mutable_data());
  return out;
}

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

Vec3 three(const Numbers& numbers, const char* what) {
  if (numbers.size() != 3) throw std::invalid_argument(std::string(what) + " must be 3 numbers");
  return {numbers.data()[0], numbers.data()[1], numbers.data()[2]};
}

void set_pose(World& world, int solid, const Numbers& position,
              const std::optional<Numbers>& quaternion) {
  Pose X = world.embedded->X_WS(solid);
  X.p = three(position, "the position");
  if (quaternion) {
    if (quaternion->size() != 4)
      throw std::invalid_argument("the orientation must be 4 numbers: x, y, z, w");
    const double* q = quaternion->data();
    X.R = Quat(q[3], q[0], q[1], q[2]);
  }
  world.embedded->set_pose(solid, X);
}

py::dict facts(World& world, Number number) {
  py::dict out;
  for (const auto& [name, value] : model(world, number).facts()) {
    std::visit([&, key = name](const auto& v) { out[py::str(key)] = v; }, value);
  }
  return out;
}

py::array array(World& world, Number number, const std::string& name) {
  const ChannelLayout* channel = model(world, number).layout().find(name);
  if (!channel) throw py::key_error(name);
  return channel_array(world.embedded->memory(number), *channel);
}

void enable(World& world, Number number, std::optional<double> period) {
  Simulation& s = simulation(world);
  const double seconds = period.value_or(s.model().basic_time_step);
  if (!(seconds > 0 && seconds <= 1e9))
    throw std::invalid_argument("the period must be a number of seconds greater than 0");
  s.enable(world.embedded->device(number), seconds);
}

World load_world(const std::string& file, std::optional<std::uint64_t> seed,
                 std::vector<std::pair<std::string, std::string>> parameters, int threads,
                 bool lenient, std::vector<std::string> proto_path,
                 std::vector<std::string> allow_path) {
  const LoadArguments arguments{file,
                                seed,
                                std::move(parameters),
                                threads,
                                lenient,
                                std::move(proto_path),
                                std::move(allow_path)};
  const py::gil_scoped_release free;
  return load(arguments);
}

}  // namespace

void write_state(const EmbeddedWorld& world, int solid, double* out) {
  const Pose X = world.X_WS(solid);
  const auto [v, w] = world.velocity(solid);
  const double all[] = {X.p.x(), X.p.y(), X.p.z(), X.R.x(), X.R.y(), X.R.z(), X.R.w(),
                        v.x(),   v.y(),   v.z(),   w.x(),   w.y(),   w.z()};
  std::ranges::copy(all, out);
}

void bind_world(py::module_& module) {
  py::class_<World, std::shared_ptr<World>>(module, "World")
      .def_static("load",
                  [](const std::string& f, std::optional<std::uint64_t> s,
                     std::vector<std::pair<std::string, std::string>> p, int t, bool l,
                     std::vector<std::string> pp, std::vector<std::string> ap) {
                    return std::make_shared<World>(
                        load_world(f, s, std::move(p), t, l, std::move(pp), std::move(ap)));
                  })
      .def("step", &step)
      .def("reset",
           [](World& w, std::optional<std::uint64_t> seed) {
             const py::gil_scoped_release free;
             w.embedded->reset(seed);
           })
      .def("save",
           [](World& w) {
             std::vector<std::byte> bytes;
             {
               const py::gil_scoped_release free;
               bytes = w.embedded->save();
             }
             return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
           })
      .def("restore",
           [](World& w, const py::bytes& state) {
             const std::string_view text = state;  // the caller holds it
             const py::gil_scoped_release free;
             w.embedded->restore(std::as_bytes(std::span(text)));
           })
      .def("start_controllers", &start_controllers)
      .def("finish",
           [](World& w) {
             const py::gil_scoped_release free;
             w.embedded->finish();
           })
      .def("time", [](World& w) { return simulation(w).time(); })
      .def("step_number", [](World& w) { return simulation(w).step_number(); })
      .def("time_step", [](World& w) { return simulation(w).model().basic_time_step; })
      .def("title", [](World& w) { return simulation(w).model().title; })
      .def("seed", [](World& w) { return simulation(w).model().seed; })
      .def("state_hash", [](World& w) { return simulation(w).state_hash(); })
      .def("broken", [](World& w) { return simulation(w).broken_bodies(); })
      .def("generation",
           [](World& w) { return simulation(w).generation() + simulation(w).robot_generation(); })
      .def_readonly("warnings", &World::warnings)
      .def("robots", &robots)
      .def("devices", &devices)
      .def("solids", &solids)
      .def("vehicles", &vehicles)
      .def("state", &state)
      .def("set_pose", &set_pose)
      .def("set_velocity",
           [](World& w, int solid, const Numbers& v, const Numbers& r) {
             w.embedded->set_velocity(solid, three(v, "the velocity"),
                                      three(r, "the angular velocity"));
           })
      .def("contacts",
           [](World& w) {
             py::list out;
             const Simulation& s = simulation(w);
             for (const physics::Contact& c : s.model().physics->contacts()) {
               out.append(py::make_tuple(c.owner_a, c.owner_b));
             }
             return out;
           })
      .def("type", [](World& w,
                      Number n) { return model(w, n).type(); })  // a copy: a reset makes some anew
      .def("facts", &facts)
      .def("array", &array)
      .def("enable", &enable)
      .def("disable", [](World& w, Number n) { w.embedded->device(n).period = 0; })
      .def("period",
           [](World& w, Number n) {
             return static_cast<double>(w.embedded->device(n).period) *
                    simulation(w).model().basic_time_step;
           })
      .def("samples", [](World& w, Number n) { return w.embedded->device(n).samples; })
      .def("command", [](World& w, Number n, const std::string& name, std::vector<double> numbers,
                         const std::string& bytes) {
        w.embedded->command(n, name, std::move(numbers), bytes);
      });
}

}  // namespace protobeam::python
