// parameter_client DOMAIN NODE PARAMETER...: lists, gets, describes and sets parameters of a node,
// as `ros2 param` does through rmw_cyclonedds, with Cyclone DDS and its own code for the messages
// (parameters.idl). NODE as "/controller_manager". Prints a line for each answer.
#include <cstdio>
#include <string>
#include <vector>

#include "dds_client.h"
#include "parameters.h"

namespace {

using Value = rcl_interfaces_msg_dds__ParameterValue_;
using Parameter = rcl_interfaces_msg_dds__Parameter_;
using Result = rcl_interfaces_msg_dds__SetParametersResult_;

template <class Sequence>
std::string joined(const Sequence& texts) {
  std::string out;
  for (std::uint32_t i = 0; i < texts._length; ++i)
    out += (i > 0 ? "," : "") + std::string(texts._buffer[i]);
  return out;
}

/// rcl_interfaces/msg/ParameterType
std::string text_of(const Value& value) {
  switch (value.type) {
    case 0:
      return "not set";
    case 1:
      return value.bool_value ? "true" : "false";
    case 2:
      return std::to_string(value.integer_value);
    case 4:
      return value.string_value;
    case 9:
      return "[" + joined(value.string_array_value) + "]";
    default:
      return "of type " + std::to_string(value.type);
  }
}

class Client {
 public:
  Client(dds_entity_t participant, const std::string& node)
      : participant_(participant), prefix_(node + "/") {}

#define ASK(Name, name, request, use)                                                            \
  Service<rcl_interfaces_srv_dds__##Name##_Request_, rcl_interfaces_srv_dds__##Name##_Response_> \
      service(participant_, prefix_, name, rcl_interfaces_srv_dds__##Name##_Request__desc,       \
              rcl_interfaces_srv_dds__##Name##_Response__desc);                                  \
  service.ask(request);                                                                          \
  service.wait_for_answer(use)

  void list() {
    rcl_interfaces_srv_dds__ListParameters_Request_ all{};
    ASK(ListParameters, "list_parameters", all, [](const auto& response) {
      std::printf("list %s; %s\n", joined(response.result.names).c_str(),
                  joined(response.result.prefixes).c_str());
    });
  }
  void get(std::vector<char*> names) {
    rcl_interfaces_srv_dds__GetParameters_Request_ request{};
    request.names = {count(names), count(names), names.data(), false};
    ASK(GetParameters, "get_parameters", request, [&](const auto& response) {
      for (std::uint32_t i = 0; i < response.values._length; ++i)
        std::printf("get %s: %s\n", names[i], text_of(response.values._buffer[i]).c_str());
      if (response.values._length != names.size()) std::printf("get: others\n");
      if (response.values._length > 0) first_ = text_of(response.values._buffer[0]);
    });
  }
  void types(std::vector<char*> names) {
    rcl_interfaces_srv_dds__GetParameterTypes_Request_ request{};
    request.names = {count(names), count(names), names.data(), false};
    ASK(GetParameterTypes, "get_parameter_types", request, [](const auto& response) {
      std::string all;
      for (std::uint32_t i = 0; i < response.types._length; ++i)
        all += " " + std::to_string(response.types._buffer[i]);
      std::printf("types%s\n", all.c_str());
    });
  }
  void describe(std::vector<char*> names) {
    rcl_interfaces_srv_dds__DescribeParameters_Request_ request{};
    request.names = {count(names), count(names), names.data(), false};
    ASK(DescribeParameters, "describe_parameters", request, [](const auto& response) {
      for (std::uint32_t i = 0; i < response.descriptors._length; ++i) {
        const auto& one = response.descriptors._buffer[i];
        std::printf("describe %s: type %d, read_only %d%s\n", one.name, one.type, one.read_only,
                    *one.description ? ", described" : "");
      }
    });
  }
  /// A text: the one that it has, and another one.
  void set(char* name) {
    std::string same = first_, other = first_ + "2";
    const auto parameter = [name](std::string& text) {
      Parameter out{};
      out.name = name;
      out.value.type = 4;
      out.value.string_value = text.data();
      return out;
    };
    Parameter both[] = {parameter(same), parameter(other)};
    {
      rcl_interfaces_srv_dds__SetParameters_Request_ request{};
      request.parameters = {2, 2, both, false};
      ASK(SetParameters, "set_parameters", request, [](const auto& response) {
        for (std::uint32_t i = 0; i < response.results._length; ++i)
          tell("set", response.results._buffer[i]);
      });
    }
    for (const std::uint32_t many : {1u, 2u}) {
      rcl_interfaces_srv_dds__SetParametersAtomically_Request_ request{};
      request.parameters = {many, many, both, false};
      ASK(SetParametersAtomically, "set_parameters_atomically", request,
          [](const auto& response) { tell("set together", response.result); });
    }
  }

 private:
  static std::uint32_t count(const std::vector<char*>& names) {
    return static_cast<std::uint32_t>(names.size());
  }
  static void tell(const char* what, const Result& result) {
    std::printf("%s %d %s\n", what, result.successful, result.reason);
  }

  dds_entity_t participant_;
  std::string prefix_, first_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 4) throw std::runtime_error("usage: parameter_client DOMAIN NODE PARAMETER...");
    const auto domain = static_cast<dds_domainid_t>(std::stoul(argv[1]));
    make_domain(domain);
    Client client(require(dds_create_participant(domain, nullptr, nullptr), "participant"),
                  argv[2]);
    const std::vector<char*> names(argv + 3, argv + argc);
    client.list();
    client.get(names);
    client.types(names);
    client.describe(names);
    client.set(names.front());
    std::printf("done\n");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "parameter_client: %s\n", error.what());
    return 1;
  }
}
