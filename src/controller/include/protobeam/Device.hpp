#ifndef PROTOBEAM_DEVICE_HPP
#define PROTOBEAM_DEVICE_HPP

#include <protobeam/device.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>
#include <webots/Device.hpp>

namespace protobeam {

/// The elements of a channel in the latest sample, row-major, where the simulator wrote them.
/// Changes with every step; empty while the device is disabled.
template <class T>
class Channel {
 public:
  Channel() = default;
  Channel(const T* data, std::size_t count, std::vector<std::size_t> shape)
      : data_(data), count_(data ? count : 0), shape_(std::move(shape)) {}

  const T* data() const { return data_; }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + count_; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  /// Element of a channel of two dimensions.
  const T& operator()(std::size_t row, std::size_t column) const {
    return data_[row * shape_[1] + column];
  }
  const std::vector<std::size_t>& shape() const { return shape_; }

 private:
  const T* data_ = nullptr;
  std::size_t count_ = 0;
  std::vector<std::size_t> shape_;
};

/// Any device that has no class of its own, by what its type declares. See protobeam/device.h.
class Device : public webots::Device {
 public:
  using webots::Device::Device;

  std::string getType() const { return pb_device_get_type(tag()); }
  virtual void enable(int samplingPeriod) { pb_device_enable(tag(), samplingPeriod); }
  void enableEvery(double samplingPeriod) { pb_device_enable_every(tag(), samplingPeriod); }
  virtual void disable() { pb_device_disable(tag()); }
  int getSamplingPeriod() const { return pb_device_get_sampling_period(tag()); }

  /// T is the type of the elements: float, double, int32_t, ..., or a struct for a record. Empty,
  /// after a complaint, when there is no such channel of such elements.
  template <class T>
  Channel<T> getChannel(const std::string& name) const {
    PbChannel channel;
    if (!pb_device_channel(tag(), name.c_str(), &channel)) return {};
    if (channel.type != PB_RECORD) {
      pb_device_data(tag(), name.c_str(), element_type<T>(), nullptr);  // complains
      if (channel.type != element_type<T>()) return {};
    }
    if (channel.element_size != sizeof(T)) return {};
    return {static_cast<const T*>(channel.data), channel.count,
            {channel.shape, channel.shape + channel.dimensions}};
  }
  /// False, after a complaint, when the type does not declare such a command.
  bool command(const std::string& name, std::initializer_list<double> numbers = {}) {
    return pb_device_command(tag(), name.c_str(), numbers.begin(),
                             static_cast<int>(numbers.size()));
  }
  bool commandBytes(const std::string& name, const std::string& bytes) {
    return pb_device_command_bytes(tag(), name.c_str(), bytes.data(),
                                   static_cast<int>(bytes.size()));
  }
  double getNumber(const std::string& property, double otherwise = 0) const {
    return pb_device_number(tag(), property.c_str(), otherwise);
  }
  std::string getText(const std::string& property) const {
    return pb_device_text(tag(), property.c_str());
  }

 private:
  template <class T>
  static PbElementType element_type();
};

template <>
inline PbElementType Device::element_type<float>() { return PB_FLOAT32; }
template <>
inline PbElementType Device::element_type<double>() { return PB_FLOAT64; }
template <>
inline PbElementType Device::element_type<std::int32_t>() { return PB_INT32; }
template <>
inline PbElementType Device::element_type<std::uint32_t>() { return PB_UINT32; }
template <>
inline PbElementType Device::element_type<std::uint16_t>() { return PB_UINT16; }
template <>
inline PbElementType Device::element_type<std::uint8_t>() { return PB_UINT8; }
template <class T>
inline PbElementType Device::element_type() { return PB_RECORD; }

}  // namespace protobeam

#endif  // PROTOBEAM_DEVICE_HPP
