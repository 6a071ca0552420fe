// Channels of samples as numpy arrays that look at the simulation's memory.
#include "python/bindings.h"

namespace protobeam::python {
namespace {

const char* numpy_name(ElementType type) {
  switch (type) {
    case ElementType::kFloat32:
      return "<f4";
    case ElementType::kFloat64:
      return "<f8";
    case ElementType::kInt32:
      return "<i4";
    case ElementType::kUint32:
      return "<u4";
    case ElementType::kUint16:
      return "<u2";
    case ElementType::kUint8:
    case ElementType::kRecord:
      break;
  }
  return "|u1";
}

/// What an array holds on to. The world may go before it.
py::capsule holder(const std::shared_ptr<SampleMemory>& memory) {
  return {new std::shared_ptr<SampleMemory>(memory),
          [](void* held) { delete static_cast<std::shared_ptr<SampleMemory>*>(held); }};
}

py::array read_only(py::array array) {
  // The next step would overwrite what a user wrote there.
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

std::vector<py::ssize_t> strides_of(const ChannelLayout& channel) {
  std::vector<py::ssize_t> strides(channel.shape.size());
  auto stride = static_cast<py::ssize_t>(channel.element_size);
  for (std::size_t i = channel.shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= static_cast<py::ssize_t>(channel.shape[i]);
  }
  return strides;
}

}  // namespace

py::dtype dtype_of(const ChannelLayout& channel) {
  if (channel.type != ElementType::kRecord) return py::dtype(numpy_name(channel.type));
  py::list names, formats, offsets;
  std::size_t offset = 0;
  for (const Component& component : channel.components) {
    names.append(component.name);
    formats.append(numpy_name(component.type));
    offsets.append(offset);
    offset += size_of(component.type);
  }
  return {names, formats, offsets, static_cast<py::ssize_t>(channel.element_size)};
}

py::array channel_array(const EmbeddedWorld::Slot& slot, const ChannelLayout& channel) {
  const std::vector<py::ssize_t> shape(channel.shape.begin(), channel.shape.end());
  return read_only(py::array(dtype_of(channel), shape, strides_of(channel),
                             slot.memory->at(slot.index).data() + channel.offset,
                             holder(slot.memory)));
}

py::array channel_arrays(const std::shared_ptr<SampleMemory>& memory,
                         const ChannelLayout& channel) {
  std::vector<py::ssize_t> shape(channel.shape.begin(), channel.shape.end());
  std::vector<py::ssize_t> strides = strides_of(channel);
  shape.insert(shape.begin(), static_cast<py::ssize_t>(memory->count()));
  strides.insert(strides.begin(), static_cast<py::ssize_t>(memory->stride()));
  return read_only(py::array(dtype_of(channel), shape, strides, memory->data() + channel.offset,
                             holder(memory)));
}

}  // namespace protobeam::python
