#include "link/supervisor_messages.h"

#include <cmath>

#include "base/wire.h"

namespace protobeam::link {

using wire::BrokenMessage;
using wire::Reader;
using wire::Writer;

std::vector<std::byte> encode(std::span<const SupervisorRequest> requests) {
  Writer out;
  out.count(requests.size());
  for (const SupervisorRequest& request : requests) {
    out.value(request.op);
    out.value(request.node);
    out.value(request.field.space);
    out.value(request.field.level);
    out.value(request.field.index);
    out.value(request.index);
    out.list<double>(request.numbers);
    out.text(request.text);
  }
  return out.take();
}

std::vector<SupervisorRequest> decode_supervisor_requests(std::span<const std::byte> bytes) {
  Reader in(bytes);
  const auto count = in.count(23);
  if (count > kMostRequests) throw BrokenMessage("it asks too much of a supervisor at once");
  std::vector<SupervisorRequest> requests(count);
  for (SupervisorRequest& request : requests) {
    request.op = in.value<SupervisorOp>();
    if (request.op < SupervisorOp::kNodeSelf || request.op > SupervisorOp::kLast) {
      throw BrokenMessage("a supervisor's request " + std::to_string(static_cast<int>(request.op)) +
                          " is unknown");
    }
    request.node = in.value<std::int32_t>();
    request.field.space = in.value<std::uint8_t>();
    if (request.field.space > FieldAddress::kProto) {
      throw BrokenMessage("a supervisor asks for fields of an unknown kind");
    }
    request.field.level = in.value<std::uint8_t>();
    request.field.index = in.value<std::int32_t>();
    request.index = in.value<std::int32_t>();
    request.numbers = in.list<double>();
    for (const double number : request.numbers) {
      if (!std::isfinite(number)) throw BrokenMessage("a supervisor's number is not finite");
    }
    request.text = in.text();
  }
  in.expect_end();
  return requests;
}

std::vector<std::byte> encode(std::span<const SupervisorAnswer> answers) {
  Writer out;
  out.count(answers.size());
  for (const SupervisorAnswer& answer : answers) {
    out.value(answer.good);
    out.list<double>(answer.numbers);
    out.text(answer.text);
  }
  return out.take();
}

std::vector<SupervisorAnswer> decode_supervisor_answers(std::span<const std::byte> bytes) {
  Reader in(bytes);
  std::vector<SupervisorAnswer> answers(in.count(9));
  for (SupervisorAnswer& answer : answers) {
    answer.good = in.flag();
    answer.numbers = in.list<double>();
    answer.text = in.text();
  }
  in.expect_end();
  return answers;
}

}  // namespace protobeam::link
