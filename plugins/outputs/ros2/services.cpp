#include "services.h"

#include <dds/ddsi/ddsi_serdata.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace protobeam::ros2 {
namespace {

using message::Bytes;

constexpr std::size_t kEncapsulation = message::kCdrHeader.size();
constexpr std::size_t kHeader = 16;  // uint64 client, int64 number: what is aligned to 8 stays so

/// A program may ask faster than the simulation looks: so many requests wait, the oldest go first.
/// ROS 2's own services keep ten (rmw_qos_profile_services_default).
constexpr int kWaitingRequests = 1000;
constexpr std::size_t kUnansweredRequests = 10'000;

constexpr dds_duration_t kLongestSearch = DDS_SECS(1);  // for the reader of a client

struct FreeEndpoint {
  void operator()(dds_builtintopic_endpoint_t* endpoint) const { dds_builtintopic_free_endpoint(endpoint); }
};
using Endpoint = std::unique_ptr<dds_builtintopic_endpoint_t, FreeEndpoint>;

/// "clientid=1.2.3;": what stands between = and ; behind `key`; "" when there is nothing.
std::string user_value(const Endpoint& endpoint, const std::string& key) {
  void* data = nullptr;
  std::size_t size = 0;
  if (!dds_qget_userdata(endpoint->qos, &data, &size) || !data) return "";
  constexpr std::size_t kMost = 4096;  // theirs have about a hundred bytes
  std::string text(1, ';');
  text.append(static_cast<const char*>(data), std::min(size, kMost));
  dds_free(data);
  const std::string start = ";" + key + "=";
  const std::size_t at = text.find(start);
  if (at == std::string::npos) return "";
  const std::size_t from = at + start.size();
  return text.substr(from, text.find(';', from) - from);
}

/// Two halves of a service know each other by it: the guid of the reader, written as rmw_cyclonedds
/// writes its identifiers.
std::string service_id(dds_entity_t participant, std::size_t number) {
  dds_guid_t guid{};
  checked(dds_get_guid(participant, &guid), "name a service");
  // In place of the entity the number of the service.
  for (int i = 0; i < 4; ++i) guid.v[12 + i] = static_cast<std::uint8_t>(number >> (24 - 8 * i));
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : guid.v) {
    if (!text.empty()) text += '.';
    if (byte >= 16) text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

template <class T>
T number_at(const Bytes& bytes, std::size_t at) {
  std::array<std::uint8_t, sizeof(T)> raw;
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), raw.size(), raw.begin());
  if (bytes[1] == 0) std::ranges::reverse(raw);  // written big-endian
  T value;
  std::memcpy(&value, raw.data(), sizeof value);
  return value;
}

bool is_request(const Bytes& bytes) {
  return bytes.size() >= kEncapsulation + kHeader && bytes[0] == 0 && bytes[1] <= 1;
}

}  // namespace

Services::Endpoints Services::serve(const Service& service) {
  const std::string id = "serviceid=" + service_id(participant_, servers_.size() + 1) + ";";
  const Quality quality{.reliable = true, .latched = false, .depth = kWaitingRequests};
  Server server;
  server.writer = make_writer(participant_, "rr" + service.name + "Reply", service.response->dds_name,
                              quality, id + type_hash(*service.response));
  server.reader = make_reader(participant_, "rq" + service.name + "Request", service.request->dds_name,
                              quality, id + type_hash(*service.request));
  servers_[service.name] = server;
  return {server.reader, server.writer.entity};
}

std::vector<ServiceRequest> Services::take_requests() {
  send_waiting();
  std::vector<ServiceRequest> requests;
  for (const auto& [name, server] : servers_) {
    take_all(server.reader, [&, &name = name](Bytes bytes, const dds_sample_info_t& info) {
      if (!is_request(bytes)) return;
      const Header header{number_at<std::uint64_t>(bytes, kEncapsulation),
                          number_at<std::int64_t>(bytes, kEncapsulation + 8)};
      const auto from = bytes.begin() + kEncapsulation;
      bytes.erase(from, from + kHeader);
      const std::uint64_t id = next_id_++;
      asked_[id] = {name, header, info.publication_handle};
      if (asked_.size() > kUnansweredRequests) asked_.erase(asked_.begin());
      requests.push_back({name, id, std::move(bytes)});
    });
  }
  return requests;
}

void Services::answer(const ServiceRequest& request, const message::AnyMessage& response) {
  const auto found = asked_.find(request.id);
  if (found == asked_.end()) return;
  const Bytes& cdr = response.cdr();
  Bytes bytes(kEncapsulation + kHeader);
  std::copy_n(cdr.begin(), kEncapsulation, bytes.begin());
  const Header& header = found->second.header;
  std::memcpy(bytes.data() + kEncapsulation, &header.client, sizeof header.client);
  std::memcpy(bytes.data() + kEncapsulation + 8, &header.number, sizeof header.number);
  bytes.insert(bytes.end(), cdr.begin() + kEncapsulation, cdr.end());
  waiting_.push_back({std::move(found->second), std::move(bytes), dds_time() + kLongestSearch});
  asked_.erase(found);
  send_waiting();
}

void Services::send_waiting() {
  const dds_time_t now = waiting_.empty() ? 0 : dds_time();
  std::erase_if(waiting_, [&](Response& response) {
    const Client client = find_client(response.asked);
    const bool ends = client != Client::kNotYet || now > response.until;
    if (ends && client != Client::kGone) send(response);  // at last to whoever listens
    return ends;
  });
}

void Services::wait_for_acks(dds_time_t end) {
  for (send_waiting(); waits() && dds_time() < end; send_waiting()) dds_sleepfor(DDS_MSECS(5));
  for (const auto& [name, server] : servers_) {
    dds_wait_for_acks(server.writer.entity, std::max<dds_duration_t>(0, end - dds_time()));
  }
}

/// As rmw_send_response() of rmw_cyclonedds does, which waits for it.
Services::Client Services::find_client(const Asked& asked) const {
  const Server& server = servers_.at(asked.service);
  const Endpoint asker(dds_get_matched_publication_data(server.reader, asked.asker));
  if (!asker) return Client::kGone;
  const std::string id = user_value(asker, "clientid");
  const auto is_of_client = [&](const Endpoint& reader) {
    if (!id.empty()) return user_value(reader, "clientid") == id;
    // A client that does not say who it is has both in one participant.
    const auto &mine = reader->participant_key.v, &its = asker->participant_key.v;
    return std::equal(std::begin(mine), std::end(mine), std::begin(its));
  };
  std::vector<dds_instance_handle_t> readers(16);
  while (true) {
    const dds_return_t count =
        dds_get_matched_subscriptions(server.writer.entity, readers.data(), readers.size());
    if (count <= 0) return Client::kNotYet;
    const bool all = static_cast<std::size_t>(count) <= readers.size();
    readers.resize(static_cast<std::size_t>(count));
    if (all) break;
  }
  for (const dds_instance_handle_t reader : readers) {
    const Endpoint endpoint(dds_get_matched_subscription_data(server.writer.entity, reader));
    if (endpoint && is_of_client(endpoint)) return Client::kReady;
  }
  return Client::kNotYet;
}

void Services::send(Response& response) {
  const Writer& writer = servers_.at(response.asked.service).writer;
  dds_writecdr(writer.entity, new_cdr_sample(*writer.type, std::move(response.bytes)));
}

}  // namespace protobeam::ros2
