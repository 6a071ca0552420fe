// Many worlds at once: stepped by threads, their samples in one array.
#include <fmt/format.h>

#include <atomic>
#include <map>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "batch/task_pool.h"
#include "python/bindings.h"

namespace protobeam::python {
namespace {

using Number = EmbeddedWorld::DeviceNumber;
using Indices = std::vector<std::size_t>;
using Table = py::array_t<double, py::array::c_style | py::array::forcecast>;

class Batch {
 public:
  /// One world for each of `all`, on so many threads; 0: one a core.
  Batch(const std::vector<LoadArguments>& all, int threads)
      : pool_(threads > 0 ? threads
                          : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()))) {
    for (const LoadArguments& one : all) {
      worlds_.push_back(std::make_shared<World>(load(one)));
      const std::size_t index = worlds_.size() - 1;
      world(index).set_memory_source([this, index](Number number, std::size_t size) {
        return EmbeddedWorld::Slot{memory(number, size), index};
      });
      if (world(index).simulation().device_paths() != world(0).simulation().device_paths()) {
        throw std::invalid_argument(fmt::format(
            "world {} has other devices than world 0: those of a batch need the same", index));
      }
    }
  }
  ~Batch() {
    const py::gil_scoped_release free;  // a worker may be about to ask for it
    ++interruptions_;
    for (auto& one : worlds_) one->embedded->set_memory_source(nullptr);
    while (pool_.under_way() > 0) {
      try {
        pool_.take_done(pool_.under_way());
      } catch (const std::exception&) {  // nobody asks for it any more
      }
    }
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  std::size_t size() const { return worlds_.size(); }
  int threads() const { return pool_.threads(); }
  std::shared_ptr<World> at(std::size_t index) const { return worlds_.at(index); }

  void step(std::int64_t steps, const std::optional<Indices>& which) {
    const Indices items = checked(which);
    interruptible([&] { pool_.each(items, stepping(steps), [this] { look(); }); });
  }

  void send(std::int64_t steps, const std::optional<Indices>& which) {
    const Indices items = checked(which);
    const py::gil_scoped_release free;
    pool_.send(items, stepping(steps));
  }

  Indices receive(std::size_t least) {
    Indices done;
    interruptible([&] { done = pool_.take_done(least, [this] { look(); }); });
    return done;
  }

  void reset(const std::optional<Indices>& which,
             const std::vector<std::optional<std::uint64_t>>& seeds) {
    const Indices items = checked(which);
    if (seeds.size() != items.size())
      throw std::invalid_argument("one seed for each world is needed");
    std::map<std::size_t, std::optional<std::uint64_t>> seed_of;
    for (std::size_t k = 0; k < items.size(); ++k) seed_of[items[k]] = seeds[k];
    const py::gil_scoped_release free;
    pool_.each(items, [&](std::size_t i) { world(i).reset(seed_of.at(i)); });
  }

  py::array array(Number number, const std::string& channel) {
    const ChannelLayout* layout = world(0).device(number).model->layout().find(channel);
    if (!layout) throw py::key_error(channel);
    for (std::size_t i = 0; i < size(); ++i) {
      if (!(world(i).device(number).model->layout().channels ==
            world(0).device(number).model->layout().channels)) {
        throw std::invalid_argument(
            fmt::format("the sample of this device has another shape in world {}", i));
      }
      world(i).memory(number);
    }
    return channel_arrays(world(0).memory(number).memory, *layout);
  }

  /// A row of numbers for each world.
  void command(Number number, const std::string& name, const Table& rows,
               const std::optional<Indices>& which) {
    const Indices items = checked(which);
    if (rows.ndim() != 2 || static_cast<std::size_t>(rows.shape(0)) != items.size()) {
      throw std::invalid_argument(fmt::format("a command to {} worlds needs an array of {} rows",
                                              items.size(), items.size()));
    }
    const auto width = static_cast<std::size_t>(rows.shape(1));
    for (std::size_t k = 0; k < items.size(); ++k) {
      const double* row = rows.data() + k * width;
      world(items[k]).command(number, name, std::vector<double>(row, row + width));
    }
  }

  void enable(Number number, std::optional<double> period) {
    for (std::size_t i = 0; i < size(); ++i) {
      Simulation& simulation = world(i).simulation();
      simulation.enable(world(i).device(number),
                        period.value_or(simulation.model().basic_time_step));
    }
  }

  py::array_t<double> states(int solid) {
    py::array_t<double> out({static_cast<py::ssize_t>(size()), py::ssize_t{13}});
    for (std::size_t i = 0; i < size(); ++i) {
      write_state(world(i), solid, out.mutable_data() + i * 13);
    }
    return out;
  }

  py::array_t<double> times() {
    py::array_t<double> out(static_cast<py::ssize_t>(size()));
    for (std::size_t i = 0; i < size(); ++i) out.mutable_data()[i] = world(i).simulation().time();
    return out;
  }

 private:
  /// As far as nobody interrupts after this.
  TaskPool::Work stepping(std::int64_t steps) {
    return [this, steps, asked = interruptions_.load()](std::size_t i) {
      const auto go_on = [&] {
        if (std::this_thread::get_id() == caller_) look();
        return interruptions_ == asked;
      };
      if (interruptions_ == asked) world(i).step(steps, go_on);
    };
  }
  /// Control-C is Python's to see, in the thread that waits: it ends all steps asked for so far.
  template <typename Wait>
  void interruptible(const Wait& wait) {
    interrupted_ = false;
    caller_ = std::this_thread::get_id();
    {
      const py::gil_scoped_release free;
      wait();
    }
    if (interrupted_) throw py::error_already_set();
  }
  void look() {
    const py::gil_scoped_acquire held;
    if (interrupted_ || PyErr_CheckSignals() == 0) return;
    interrupted_ = true;
    ++interruptions_;
  }

  EmbeddedWorld& world(std::size_t index) { return *worlds_[index]->embedded; }

  std::shared_ptr<SampleMemory> memory(Number number, std::size_t size) {
    auto& known = memories_[number];
    if (!known || known->size() != size) known = std::make_shared<SampleMemory>(size, this->size());
    return known;
  }

  Indices checked(const std::optional<Indices>& which) const {
    if (!which) {
      Indices all(size());
      std::iota(all.begin(), all.end(), std::size_t{0});
      return all;
    }
    std::vector<bool> seen(size());
    for (const std::size_t index : *which) {
      if (index >= size())
        throw std::out_of_range(
            fmt::format("there is no world {}: the batch has {}", index, size()));
      if (seen[index]) throw std::invalid_argument(fmt::format("world {} is named twice", index));
      seen[index] = true;
    }
    return *which;
  }

  std::vector<std::shared_ptr<World>> worlds_;
  std::map<Number, std::shared_ptr<SampleMemory>> memories_;
  std::atomic<int> interruptions_ = 0;
  bool interrupted_ = false;  ///< while the caller waits; only it sets this
  std::atomic<std::thread::id> caller_;
  TaskPool pool_;  ///< last: its threads end before what they work on
};

}  // namespace

void bind_batch(py::module_& module) {
  using Parameters = std::vector<std::pair<std::string, std::string>>;
  py::class_<Batch>(module, "Batch")
      .def(py::init([](const std::string& file,
                       const std::vector<std::optional<std::uint64_t>>& seeds,
                       const std::vector<Parameters>& parameters, int threads, bool lenient,
                       const std::vector<std::string>& proto_path,
                       const std::vector<std::string>& allow_path) {
        std::vector<LoadArguments> all;
        for (std::size_t i = 0; i < seeds.size(); ++i) {
          all.push_back({file, seeds[i], parameters.at(i), 1, lenient, proto_path, allow_path});
        }
        const py::gil_scoped_release free;
        return std::make_unique<Batch>(all, threads);
      }))
      .def("__len__", &Batch::size)
      .def("threads", &Batch::threads)
      .def("world", &Batch::at)
      .def("step", &Batch::step)
      .def("send", &Batch::send)
      .def("recv", &Batch::receive)
      .def("reset", &Batch::reset)
      .def("array", &Batch::array)
      .def("command", &Batch::command)
      .def("enable", &Batch::enable)
      .def("states", &Batch::states)
      .def("times", &Batch::times);
}

}  // namespace protobeam::python
