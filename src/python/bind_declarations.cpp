// Diagnostics, and what device types declare.
#include "python/bindings.h"

namespace protobeam::python {
namespace {

py::object place_file(const Diagnostic& d) {
  return d.place.valid() ? py::cast(d.place.source->name()) : py::none();
}

int line(const Diagnostic& d) {
  return d.place.valid() ? d.place.source->locate(d.place.offset).line : 0;
}
int column(const Diagnostic& d) {
  return d.place.valid() ? d.place.source->locate(d.place.offset).column : 0;
}

}  // namespace

void bind_declarations(py::module_& module) {
  py::class_<Diagnostic>(module, "Diagnostic",
                         "One message about the text of a world, with its place.")
      .def_property_readonly(
          "severity",
          [](const Diagnostic& d) { return d.severity == Severity::kError ? "error" : "warning"; },
          "\"error\" or \"warning\"")
      .def_property_readonly("file", &place_file, "the file, or None for a message about no text")
      .def_property_readonly("line", &line, "from 1; 0 without a file")
      .def_property_readonly("column", &column, "from 1; 0 without a file")
      .def_readonly("message", &Diagnostic::message)
      .def_readonly("hint", &Diagnostic::hint,
                    "\"did you mean ...?\" or another cure; may be empty")
      .def("__str__", [](const Diagnostic& d) { return format(d); })
      .def("__repr__", [](const Diagnostic& d) {
        return "<Diagnostic " + d.place.to_string() + " " + d.message + ">";
      });

  py::class_<ArgumentSpec>(module, "Argument", "A number that a command takes.")
      .def_readonly("name", &ArgumentSpec::name)
      .def_readonly("unit", &ArgumentSpec::unit)
      .def_property_readonly("range", [](const ArgumentSpec& a) { return a.range.to_string(); });
  py::class_<CommandSpec>(module, "Command", "What a device may be told.")
      .def_readonly("name", &CommandSpec::name)
      .def_readonly("meaning", &CommandSpec::meaning)
      .def_readonly("arguments", &CommandSpec::arguments)
      .def_readonly("bytes", &CommandSpec::bytes, "takes a string of bytes as well")
      .def_readonly("repeats", &CommandSpec::repeats,
                    "> 0: the last argument comes 0 to so many times");
  py::class_<ChannelSpec>(module, "Channel",
                          "An array of a device's sample, as its type declares it.")
      .def_readonly("name", &ChannelSpec::name)
      .def_readonly("unit", &ChannelSpec::unit, "\"\" for none")
      .def_readonly("frame", &ChannelSpec::frame,
                    "\"device\", \"world\", ...; \"\" where it means nothing")
      .def_readonly("missing", &ChannelSpec::missing,
                    "what says that there is no value: \"inf\", \"nan\"")
      .def_readonly("meaning", &ChannelSpec::meaning)
      .def_property_readonly("type",
                             [](const ChannelSpec& c) { return std::string(to_string(c.type)); })
      .def_property_readonly(
          "shape",
          [](const ChannelSpec& c) {
            py::list out;
            for (const Dimension& d : c.shape) {
              if (d.name.empty()) {
                out.append(d.size);
              } else {
                out.append(d.name);
              }
            }
            return py::tuple(out);
          },
          "extents: numbers, or names of the device's properties that hold them");
  py::class_<DeviceType>(module, "DeviceType", "What all devices of a type have in common.")
      .def_property_readonly("name", [](const DeviceType& t) { return std::string(t.node.name); })
      .def_property_readonly("meaning",
                             [](const DeviceType& t) { return std::string(t.node.meaning); })
      .def_readonly("channels", &DeviceType::channels)
      .def_readonly("commands", &DeviceType::commands);
}

}  // namespace protobeam::python
