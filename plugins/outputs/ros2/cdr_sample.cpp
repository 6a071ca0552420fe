#include "cdr_sample.h"

#include <dds/dds.h>
#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>
#include <dds/ddsi/q_radmin.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

namespace protobeam::ros2 {
namespace {

using message::Bytes;

struct CdrType : ddsi_sertype {};

/// Bytes are those of `message`, which other outputs share, or `own`.
struct CdrSample : ddsi_serdata {
  CdrSample(const ddsi_sertype* its_type, ddsi_serdata_kind its_kind) : ddsi_serdata{} {
    ddsi_serdata_init(this, its_type, its_kind);
  }
  std::optional<message::AnyMessage> message;
  Bytes own;
  std::span<const std::uint8_t> bytes;
  /// By offset and size: see refer_to().
  mutable std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<std::uint8_t[]>> ends;
  mutable std::mutex ends_mutex;
};

const CdrSample& sample_of(const ddsi_serdata* data) { return *static_cast<const CdrSample*>(data); }

// --- Samples. Exceptions must not go into Cyclone, which is C: what cannot be made is null.

template <class Fill>
ddsi_serdata* make_sample(const ddsi_sertype* type, ddsi_serdata_kind kind, const Fill& fill) {
  try {
    auto sample = std::make_unique<CdrSample>(type, kind);
    if (!fill(*sample)) return nullptr;
    sample->bytes = sample->own;
    return sample.release();
  } catch (const std::exception&) {
    return nullptr;
  }
}

std::uint32_t size_of(const ddsi_serdata* data) {
  return static_cast<std::uint32_t>(sample_of(data).bytes.size());
}

/// From the network: fragments in order, which may overlap.
ddsi_serdata* from_fragments(const ddsi_sertype* type, ddsi_serdata_kind kind,
                             const nn_rdata* fragment, std::size_t size) {
  return make_sample(type, kind, [&](CdrSample& sample) {
    sample.own.resize(size);
    std::size_t end = 0;
    for (; fragment; fragment = fragment->nextfrag) {
      if (fragment->maxp1 <= end) continue;
      if (fragment->min > end || fragment->maxp1 > size) return false;
      const unsigned char* payload =
          NN_RMSG_PAYLOADOFF(fragment->rmsg, NN_RDATA_PAYLOAD_OFF(fragment));
      std::memcpy(sample.own.data() + end, payload + (end - fragment->min), fragment->maxp1 - end);
      end = fragment->maxp1;
    }
    return end == size;
  });
}

ddsi_serdata* from_pieces(const ddsi_sertype* type, ddsi_serdata_kind kind,
                          ddsrt_msg_iovlen_t count, const ddsrt_iovec_t* pieces, std::size_t size) {
  return make_sample(type, kind, [&](CdrSample& sample) {
    sample.own.reserve(size);
    for (std::size_t i = 0; i < count; ++i) {
      const auto* bytes = static_cast<const std::uint8_t*>(pieces[i].iov_base);
      const std::size_t take = std::min<std::size_t>(pieces[i].iov_len, size - sample.own.size());
      sample.own.insert(sample.own.end(), bytes, bytes + take);
    }
    return sample.own.size() == size;
  });
}

/// The messages of ROS have no keys.
ddsi_serdata* from_key(const ddsi_sertype* type, const ddsi_keyhash*) {
  return make_sample(type, SDK_KEY, [](CdrSample&) { return true; });
}

/// Of a C structure. Only a writer that ends asks for it, and for the key.
ddsi_serdata* from_structure(const ddsi_sertype* type, ddsi_serdata_kind kind, const void*) {
  return kind == SDK_KEY ? from_key(type, nullptr) : nullptr;
}

/// Cyclone asks for a multiple of four bytes; those behind the end of the message are zero.
void copy_out(const ddsi_serdata* data, std::size_t offset, std::size_t size, void* out) {
  const auto bytes = sample_of(data).bytes;
  auto* to = static_cast<std::uint8_t*>(out);
  const std::size_t there = offset < bytes.size() ? std::min(size, bytes.size() - offset) : 0;
  if (there > 0) std::memcpy(to, bytes.data() + offset, there);
  std::fill(to + there, to + size, std::uint8_t{0});
}

/// The last fragment alone, which has those zeros, is a copy. It is kept: several threads may send it.
ddsi_serdata* refer_to(const ddsi_serdata* data, std::size_t offset, std::size_t size,
                       ddsrt_iovec_t* piece) {
  const CdrSample& sample = sample_of(data);
  piece->iov_len = size;
  if (offset + size <= sample.bytes.size()) {
    piece->iov_base = const_cast<std::uint8_t*>(sample.bytes.data()) + offset;
  } else {
    const std::lock_guard lock(sample.ends_mutex);
    std::unique_ptr<std::uint8_t[]>& end = sample.ends[{offset, size}];
    if (!end) {
      end = std::make_unique<std::uint8_t[]>(size);
      copy_out(data, offset, size, end.get());
    }
    piece->iov_base = end.get();
  }
  return ddsi_serdata_ref(data);
}

void stop_referring(ddsi_serdata* data, const ddsrt_iovec_t*) { ddsi_serdata_unref(data); }

bool to_structure(const ddsi_serdata*, void*, void**, void*) { return false; }

ddsi_serdata* without_type(const ddsi_serdata* data) {
  ddsi_serdata* key = from_key(data->type, nullptr);
  if (key) key->type = nullptr;
  return key;
}

bool key_to_structure(const ddsi_sertype*, const ddsi_serdata*, void*, void**, void*) { return true; }

bool same_key(const ddsi_serdata*, const ddsi_serdata*) { return true; }

void free_sample(ddsi_serdata* data) { delete static_cast<CdrSample*>(data); }

std::size_t print(const ddsi_sertype*, const ddsi_serdata* data, char* text, std::size_t size) {
  const int length = std::snprintf(text, size, "%zu bytes", sample_of(data).bytes.size());
  return length < 0 ? 0 : static_cast<std::size_t>(length);
}

void key_hash(const ddsi_serdata*, ddsi_keyhash* out, bool) { *out = {}; }

constexpr ddsi_serdata_ops sample_functions() {
  ddsi_serdata_ops ops{};
  ops.eqkey = same_key;
  ops.get_size = size_of;
  ops.from_ser = from_fragments;
  ops.from_ser_iov = from_pieces;
  ops.from_keyhash = from_key;
  ops.from_sample = from_structure;
  ops.to_ser = copy_out;
  ops.to_ser_ref = refer_to;
  ops.to_ser_unref = stop_referring;
  ops.to_sample = to_structure;
  ops.to_untyped = without_type;
  ops.untyped_to_sample = key_to_structure;
  ops.free = free_sample;
  ops.print = print;
  ops.get_keyhash = key_hash;
  return ops;
}
constexpr ddsi_serdata_ops kSampleFunctions = sample_functions();

// --- Types. Structures do not exist, so that nothing is to be done for them.

void free_type(ddsi_sertype* type) {
  ddsi_sertype_fini(type);
  delete static_cast<CdrType*>(type);
}
void zero_structures(const ddsi_sertype*, void*, std::size_t) {}
void resize_structures(void** structures, const ddsi_sertype*, void*, std::size_t, std::size_t count) {
  std::fill(structures, structures + count, nullptr);
}
void free_structures(const ddsi_sertype*, void**, std::size_t, dds_free_op_t) {}
/// Cyclone has compared the names.
bool same_type(const ddsi_sertype*, const ddsi_sertype*) { return true; }
std::uint32_t hash_type(const ddsi_sertype*) { return 0; }
std::size_t structure_size(const ddsi_sertype*, const void*) { return SIZE_MAX; }
bool write_structure(const ddsi_sertype*, const void*, void*, std::size_t) { return false; }

constexpr ddsi_sertype_ops type_functions() {
  ddsi_sertype_ops ops{};
  ops.version = ddsi_sertype_v0;
  ops.free = free_type;
  ops.zero_samples = zero_structures;
  ops.realloc_samples = resize_structures;
  ops.free_samples = free_structures;
  ops.equal = same_type;
  ops.hash = hash_type;
  ops.get_serialized_size = structure_size;
  ops.serialize_into = write_structure;
  return ops;
}
constexpr ddsi_sertype_ops kTypeFunctions = type_functions();

}  // namespace

ddsi_sertype* new_cdr_type(const std::string& dds_name) {
  auto* type = new CdrType{};
  ddsi_sertype_init_flags(type, dds_name.c_str(), &kTypeFunctions, &kSampleFunctions,
                          DDSI_SERTYPE_FLAG_TOPICKIND_NO_KEY);
  type->allowed_data_representation = DDS_DATA_REPRESENTATION_FLAG_XCDR1;
  return type;
}

ddsi_serdata* new_cdr_sample(const ddsi_sertype& type, message::AnyMessage message) {
  auto sample = std::make_unique<CdrSample>(&type, SDK_DATA);
  sample->bytes = message.cdr();
  sample->message = std::move(message);
  return sample.release();
}

ddsi_serdata* new_cdr_sample(const ddsi_sertype& type, message::Bytes bytes) {
  auto sample = std::make_unique<CdrSample>(&type, SDK_DATA);
  sample->own = std::move(bytes);
  sample->bytes = sample->own;
  return sample.release();
}

message::Bytes take_bytes(ddsi_serdata* sample) {
  const auto bytes = sample_of(sample).bytes;
  Bytes copy(bytes.begin(), bytes.end());
  ddsi_serdata_unref(sample);
  return copy;
}

}  // namespace protobeam::ros2
