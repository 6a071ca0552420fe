// A message of any type on its way to files and networks: made once, encoded at most once for each
// encoding, shared by all who want it.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "message/message_type.h"
#include "message/wire.h"

namespace protobeam::message {

template <Message M>
Bytes to_cdr(const M& message) {
  Bytes out(kCdrHeader.begin(), kCdrHeader.end());
  Writer<Encoding::kCdr> writer(out);
  writer.write(message);
  return out;
}

template <Message M>
Bytes to_ros1(const M& message) {
  Bytes out;
  Writer<Encoding::kRos1>(out).write(message);
  return out;
}

/// Throws std::runtime_error for bytes that are no M.
template <Message M>
M from_cdr(std::span<const std::uint8_t> bytes) {
  M message;
  CdrReader(bytes).read(message);
  return message;
}

/// Bytes of the message and of what it points to.
template <class T>
std::size_t memory_of(const T& value) {
  std::size_t sum = sizeof value;
  if constexpr (Message<T>) {
    // Of its fields only what is not in them.
    T::each(value, [&sum]<class F>(FieldName, const F& field) { sum += memory_of(field) - sizeof field; });
  } else if constexpr (std::is_same_v<T, std::string>) {
    sum += value.capacity();
  } else if constexpr (ExtentOf<T>::kExtent == Extent::kSequence) {
    using Element = typename ExtentOf<T>::Element;
    if constexpr (std::is_arithmetic_v<Element>) {
      sum += value.size() * sizeof(Element);
    } else {
      for (const Element& element : value) sum += memory_of(element);
    }
  }
  return sum;
}

class AnyMessage {
 public:
  template <Message M>
  AnyMessage(M message)  // NOLINT(google-explicit-constructor)
      : held_(std::make_shared<HeldAs<M>>(std::move(message))) {}

  const MessageType& type() const { return held_->type(); }
  /// With its encapsulation. May be called by several threads.
  const Bytes& cdr() const {
    std::call_once(held_->cdr_once, [this] { held_->cdr = held_->make_cdr(); });
    return held_->cdr;
  }
  const Bytes& ros1() const {
    std::call_once(held_->ros1_once, [this] { held_->ros1 = held_->make_ros1(); });
    return held_->ros1;
  }
  /// About how much memory it takes, bytes.
  std::size_t size() const { return held_->size; }
  /// The message itself; null when it is of another type.
  template <Message M>
  const M* as() const {
    // By name: plugins have copies of the description.
    const bool same = type().ros2_name == type_of<M>().ros2_name;
    return same ? &static_cast<const HeldAs<M>&>(*held_).message : nullptr;
  }

 private:
  struct Held {
    virtual ~Held() = default;
    virtual const MessageType& type() const = 0;
    virtual Bytes make_cdr() const = 0;
    virtual Bytes make_ros1() const = 0;
    std::size_t size = 0;
    std::once_flag cdr_once, ros1_once;
    Bytes cdr, ros1;
  };
  template <Message M>
  struct HeldAs final : Held {
    explicit HeldAs(M value) : message(std::move(value)) { this->size = memory_of(message); }
    const MessageType& type() const override { return type_of<M>(); }
    Bytes make_cdr() const override { return to_cdr(message); }
    Bytes make_ros1() const override { return to_ros1(message); }
    M message;
  };
  std::shared_ptr<Held> held_;
};

}  // namespace protobeam::message
