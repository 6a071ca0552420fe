// How the C functions of a device type reach the device: locked for the time of one call, of the
// right type, with complaints to the programmer. The functions themselves stand in the folder of
// the type, each a line or two.
#pragma once

#include <initializer_list>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "controller/client.h"

namespace protobeam::controller {

class Access {
 public:
  /// A device that one of `apis` serves; any when the list is empty. False after a complaint.
  Access(const char* function, unsigned tag, std::initializer_list<std::string_view> apis);

  explicit operator bool() const { return device_ != nullptr; }
  Device* operator->() const { return device_; }

  void complain(const std::string& what) const { controller::complain(function_, what); }
  /// Sends a command that the device's type declares; false, after a complaint, when it does not,
  /// or when numbers or bytes do not fit the declaration.
  bool command(std::string_view name, std::vector<double> numbers = {},
               std::string bytes = {}) const;
  /// False, after a complaint, for NaN and for what is below `least`.
  bool valid(const char* name, double value, double least) const;

  void enable(double period_ms) const;  ///< 0: disable()
  /// The same for the simulator only: what the program has asked for is period() as before.
  void sample_every(double period_ms) const;
  void disable() const;
  int period() const { return device_ ? device_->period : 0; }
  /// False, after a complaint, while disabled.
  bool enabled() const;
  /// Says once that the device is of a type that is not simulated, and what that means for the
  /// program: "it hears nothing".
  void warn_not_simulated(const char* consequence) const;

  /// The elements of a channel of the latest sample; empty, after a complaint, while the device is
  /// disabled or when it has no such channel of elements of T's size.
  template <class T>
  std::span<const T> channel(std::string_view name) const {
    return enabled() ? elements<T>(name) : std::span<const T>();
  }
  /// The same of a channel that is an image; empty, without a complaint, before the first step
  /// after the enabling has ended.
  template <class T>
  std::span<const T> image(std::string_view name) const {
    return enabled() && device_->has_place ? channel<T>(name) : std::span<const T>();
  }
  /// Like image(), but a disabled device keeps the last one, with a complaint.
  template <class T>
  std::span<const T> last_image(std::string_view name) const {
    if (enabled()) return image<T>(name);
    return device_ && device_->has_place ? elements<T>(name) : std::span<const T>();
  }
  /// The elements of a channel whether the device is enabled or not.
  template <class T>
  std::span<const T> kept(std::string_view name) const {
    return device_ ? elements<T>(name) : std::span<const T>();
  }
  /// Numbers of a channel of doubles: NaN before the first sample. A disabled device keeps the last
  /// one, with a complaint, as in Webots. Null, after a complaint, without a device or channel.
  const double* values(std::string_view name) const;
  /// The first of them, or NaN.
  double value(std::string_view name) const;

  // Properties, for a device that may be missing.
  double number(const char* property, double otherwise = 0) const;
  double fact(const char* property) const;  ///< as number, but NaN without a device
  std::span<const double> list(const char* property) const;
  /// The device keeps the text as long as the program runs; "" where there is none.
  const char* text(const char* property) const;
  /// Position in `names` of a property that is text; 0 otherwise.
  int choice(const char* property, std::initializer_list<const char*> names) const;

  int table_size() const;  // triples
  const double* table() const;

  /// What the functions of the type remember between calls; made by `initial` at first.
  template <class T, class Initial>
  T& state(Initial initial) const {
    if (!device_->state.has_value()) device_->state = initial();
    return std::any_cast<T&>(device_->state);
  }
  /// The device of another type on the same axis of a joint; 0 when there is none.
  unsigned sibling(std::string_view api) const;

 private:
  template <class T>
  std::span<const T> elements(std::string_view name) const {
    const auto bytes = channel_bytes(name, sizeof(T));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  std::span<const std::byte> channel_bytes(std::string_view name, std::size_t element) const;

  const char* function_;
  unsigned tag_;
  std::unique_lock<std::mutex> lock_;
  Device* device_ = nullptr;
};

}  // namespace protobeam::controller
