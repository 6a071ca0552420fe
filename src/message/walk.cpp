#include "message/walk.h"

#include "message/wire.h"

namespace protobeam::message {
namespace {

class Walk {
 public:
  Walk(std::span<const std::uint8_t> cdr, const std::function<bool(const Leaf&)>& visit)
      : reader_(cdr), visit_(visit) {}

  /// False: the visitor has had enough.
  bool message(const MessageDescription& description) {
    const std::size_t before = path_.size();
    for (const FieldDescription& one : description.fields) {
      if (one.ros2_name.empty()) continue;
      if (!path_.empty()) path_ += '.';
      path_ += one.ros2_name;
      if (!field(one)) return false;
      path_.resize(before);
    }
    // IDL has no empty structures: a byte stands for one.
    if (description.fields.empty()) read<std::uint8_t>();
    return true;
  }

 private:
  bool field(const FieldDescription& field) {
    if (field.extent == Extent::kOne) return element(field);
    const bool outer = in_sequence_;
    std::size_t count = field.size;
    if (field.extent == Extent::kSequence) {
      count = read<std::uint32_t>();
      in_sequence_ = true;
    }
    const std::size_t before = path_.size();
    // Each element takes at least a byte, so a count that cannot be ends with the bytes.
    for (std::size_t i = 0; i < count; ++i) {
      path_ += '[';
      path_ += std::to_string(i);
      path_ += ']';
      if (!element(field)) return false;
      path_.resize(before);
    }
    in_sequence_ = outer;
    return true;
  }

  bool element(const FieldDescription& field) {
    switch (field.type) {
      case Primitive::kBool: return leaf(read<bool>());
      case Primitive::kInt8: return leaf(std::int64_t{read<std::int8_t>()});
      case Primitive::kInt16: return leaf(std::int64_t{read<std::int16_t>()});
      case Primitive::kInt32: return leaf(std::int64_t{read<std::int32_t>()});
      case Primitive::kInt64: return leaf(read<std::int64_t>());
      case Primitive::kUint8: return leaf(std::uint64_t{read<std::uint8_t>()});
      case Primitive::kUint16: return leaf(std::uint64_t{read<std::uint16_t>()});
      case Primitive::kUint32: return leaf(std::uint64_t{read<std::uint32_t>()});
      case Primitive::kUint64: return leaf(read<std::uint64_t>());
      case Primitive::kFloat32: return leaf(read<float>());
      case Primitive::kFloat64: return leaf(read<double>());
      case Primitive::kString: return leaf(read<std::string>());
      case Primitive::kTime: return leaf(read<Time>());
      case Primitive::kDuration: return leaf(read<Duration>());
      case Primitive::kMessage: return message(*field.nested);
    }
    return false;
  }

  template <class T>
  T read() {
    T value{};
    reader_.read(value);
    return value;
  }

  bool leaf(const LeafValue& value) { return visit_({path_, value, in_sequence_}); }

  CdrReader reader_;
  const std::function<bool(const Leaf&)>& visit_;
  std::string path_;
  bool in_sequence_ = false;
};

}  // namespace

void walk(const MessageDescription& description, std::span<const std::uint8_t> cdr,
          const std::function<bool(const Leaf&)>& visit) {
  Walk(cdr, visit).message(description);
}

}  // namespace protobeam::message
