// A type of Fast DDS of which only the name is known.
#pragma once

#include <cstdint>
#include <cstring>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <functional>
#include <string>
#include <vector>

namespace protobeam::ros2 {

/// Its samples are bytes, encapsulation and all.
class BytesType final : public eprosima::fastdds::dds::TopicDataType {
 public:
  using Bytes = std::vector<std::uint8_t>;
  using Payload = eprosima::fastrtps::rtps::SerializedPayload_t;

  explicit BytesType(const std::string& name) {
    setName(name.c_str());
    m_typeSize = 1024;  // the first guess of a buffer
    m_isGetKeyDefined = false;
    auto_fill_type_object(false);
    auto_fill_type_information(false);
  }
  bool serialize(void* data, Payload* payload) override {
    const auto& bytes = *static_cast<Bytes*>(data);
    payload->encapsulation = CDR_LE;
    payload->length = static_cast<std::uint32_t>(bytes.size());
    std::memcpy(payload->data, bytes.data(), bytes.size());
    return true;
  }
  bool deserialize(Payload* payload, void* data) override {
    static_cast<Bytes*>(data)->assign(payload->data, payload->data + payload->length);
    return true;
  }
  std::function<std::uint32_t()> getSerializedSizeProvider(void* data) override {
    return [data] { return static_cast<std::uint32_t>(static_cast<Bytes*>(data)->size()); };
  }
  void* createData() override { return new Bytes; }
  void deleteData(void* data) override { delete static_cast<Bytes*>(data); }
  bool getKey(void*, eprosima::fastrtps::rtps::InstanceHandle_t*, bool) override { return false; }
};

}  // namespace protobeam::ros2
