#include "mcap_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <limits>
#include <stdexcept>
#include <system_error>

namespace protobeam::mcap {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::uint32_t crc_of(std::span<const std::uint8_t> bytes, std::uint32_t before = 0) {
  return static_cast<std::uint32_t>(crc32_z(before, bytes.data(), bytes.size()));
}

/// 0 or errno.
int write_all(int fd, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(fd, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(wrote));
  }
  return 0;
}

std::uint16_t next_id(const std::vector<Bytes>& records, const char* what) {
  // Schemas count from 1; channels do so too.
  if (records.size() >= std::numeric_limits<std::uint16_t>::max()) {
    throw std::runtime_error(std::string("an MCAP file cannot hold more than 65535 ") + what);
  }
  return static_cast<std::uint16_t>(records.size() + 1);
}

}  // namespace

Writer::Writer(const std::filesystem::path& path, const WriterOptions& options)
    : path_(path), options_(options), zstd_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
  // Not truncated before it is locked: another program may be recording into it.
  file_ = Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  if (!file_.open()) fail(errno);
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw std::runtime_error("cannot write " + path_.string() + ": it is being recorded already");
  }
  // A pipe has no length; everything else that fails here fails at the first write.
  if (::ftruncate(file_.get(), 0) != 0 && errno != EINVAL) fail(errno);
  Bytes header(kMagic.begin(), kMagic.end());
  Appender out(header);
  out.record(Opcode::kHeader, [&] {
    out.text(options_.profile);
    out.text(options_.library);
  });
  append({header});
}

Writer::~Writer() = default;

std::uint16_t Writer::add_schema(std::string_view name, std::string_view encoding,
                                 std::string_view text) {
  const std::uint16_t id = next_id(schemas_, "types");
  Bytes record;
  Appender out(record);
  out.record(Opcode::kSchema, [&] {
    out.number(id);
    out.text(name);
    out.text(encoding);
    out.text(text);
  });
  chunk_.insert(chunk_.end(), record.begin(), record.end());
  schemas_.push_back(std::move(record));
  return id;
}

std::uint16_t Writer::add_channel(std::uint16_t schema, std::string_view topic,
                                  std::string_view encoding, const TextMap& metadata) {
  const std::uint16_t id = next_id(channels_, "topics");
  Bytes record;
  Appender out(record);
  out.record(Opcode::kChannel, [&] {
    out.number(id);
    out.number(schema);
    out.text(topic);
    out.text(encoding);
    out.texts(metadata);
  });
  chunk_.insert(chunk_.end(), record.begin(), record.end());
  channels_.push_back(std::move(record));
  sequences_.push_back(0);
  return id;
}

void Writer::add_message(std::uint16_t channel, std::uint64_t time_ns,
                         std::span<const std::uint8_t> data) {
  if (failed_) throw std::runtime_error("cannot write " + path_.string() + " after an error");
  times_[channel].emplace_back(time_ns, chunk_.size());
  Appender out(chunk_);
  out.record(
      Opcode::kMessage,
      [&] {
        out.number(channel);
        out.number(sequences_.at(channel - 1u)++);
        out.number(time_ns);  // recorded
        out.number(time_ns);  // published
      },
      data.size());
  out.raw(data.data(), data.size());
  if (chunk_.size() >= options_.chunk_size) write_chunk();
}

void Writer::add_metadata(std::string_view name, const TextMap& values) {
  Bytes record;
  Appender out(record);
  out.record(Opcode::kMetadata, [&] {
    out.text(name);
    out.texts(values);
  });
  const std::uint64_t offset = size_;
  append({record});
  metadata_.push_back({std::string(name), offset, record.size()});
}

void Writer::write_chunk() {
  if (chunk_.empty()) return;
  ChunkEntry entry{};
  bool any = false;
  for (const auto& [channel, times] : times_) {
    for (const auto& [time, offset] : times) {
      entry.start_ns = any ? std::min(entry.start_ns, time) : time;
      entry.end_ns = any ? std::max(entry.end_ns, time) : time;
      any = true;
    }
  }

  std::span<const std::uint8_t> records = chunk_;
  if (options_.compress) {
    packed_.resize(ZSTD_compressBound(chunk_.size()));
    const std::size_t size = ZSTD_compressCCtx(zstd_.get(), packed_.data(), packed_.size(),
                                               chunk_.data(), chunk_.size(), options_.level);
    if (ZSTD_isError(size)) {
      throw std::runtime_error("cannot write " + path_.string() +
                               ": zstd: " + ZSTD_getErrorName(size));
    }
    entry.packed = size < chunk_.size();
    if (entry.packed) records = std::span(packed_).first(size);
  }
  entry.size = chunk_.size();
  entry.packed_size = records.size();

  Bytes head;
  Appender out(head);
  out.record(
      Opcode::kChunk,
      [&] {
        out.number(entry.start_ns);
        out.number(entry.end_ns);
        out.number(entry.size);
        out.number(crc_of(chunk_));
        out.text(entry.packed ? "zstd" : "");
        out.number(entry.packed_size);
      },
      records.size());
  entry.offset = size_;
  entry.length = head.size() + records.size();

  Bytes index;
  Appender indexer(index);
  for (const auto& [channel, times] : times_) {
    entry.index_offsets.emplace_back(channel, entry.offset + entry.length + index.size());
    indexer.record(Opcode::kMessageIndex, [&, &channel = channel, &times = times] {
      indexer.number(channel);
      indexer.counted([&] {
        for (const auto& [time, offset] : times) {
          indexer.number(time);
          indexer.number(offset);
        }
      });
    });
  }
  entry.index_length = index.size();
  append({head, records, index});

  // It is in the file: now it counts.
  for (const auto& [channel, times] : times_) {
    counts_[channel] += times.size();
    if (messages_ == 0) start_ns_ = entry.start_ns;
    messages_ += times.size();
  }
  if (any) {
    start_ns_ = std::min(start_ns_, entry.start_ns);
    end_ns_ = std::max(end_ns_, entry.end_ns);
  }
  schemas_written_ = schemas_.size();
  channels_written_ = channels_.size();
  chunks_.push_back(std::move(entry));
  chunk_.clear();
  times_.clear();
}

Bytes Writer::summary(std::uint64_t start) const {
  Bytes bytes;
  Appender out(bytes);
  struct Group {
    Opcode opcode;
    std::uint64_t start, size;
  };
  std::vector<Group> groups;
  const auto group = [&](Opcode opcode, auto fill) {
    const std::size_t before = bytes.size();
    fill();
    if (bytes.size() > before) groups.push_back({opcode, start + before, bytes.size() - before});
  };
  group(Opcode::kSchema, [&] {
    for (std::size_t i = 0; i < schemas_written_; ++i)
      out.raw(schemas_[i].data(), schemas_[i].size());
  });
  group(Opcode::kChannel, [&] {
    for (std::size_t i = 0; i < channels_written_; ++i) {
      out.raw(channels_[i].data(), channels_[i].size());
    }
  });
  group(Opcode::kStatistics, [&] {
    out.record(Opcode::kStatistics, [&] {
      out.number(messages_);
      out.number(static_cast<std::uint16_t>(schemas_written_));
      out.number(static_cast<std::uint32_t>(channels_written_));
      out.number(std::uint32_t{0});  // attachments
      out.number(static_cast<std::uint32_t>(metadata_.size()));
      out.number(static_cast<std::uint32_t>(chunks_.size()));
      out.number(start_ns_);
      out.number(end_ns_);
      out.counted([&] {
        for (const auto& [channel, count] : counts_) {
          out.number(channel);
          out.number(count);
        }
      });
    });
  });
  group(Opcode::kMetadataIndex, [&] {
    for (const MetadataEntry& entry : metadata_) {
      out.record(Opcode::kMetadataIndex, [&] {
        out.number(entry.offset);
        out.number(entry.length);
        out.text(entry.name);
      });
    }
  });
  group(Opcode::kChunkIndex, [&] {
    for (const ChunkEntry& entry : chunks_) {
      out.record(Opcode::kChunkIndex, [&] {
        out.number(entry.start_ns);
        out.number(entry.end_ns);
        out.number(entry.offset);
        out.number(entry.length);
        out.counted([&] {
          for (const auto& [channel, offset] : entry.index_offsets) {
            out.number(channel);
            out.number(offset);
          }
        });
        out.number(entry.index_length);
        out.text(entry.packed ? "zstd" : "");
        out.number(entry.packed_size);
        out.number(entry.size);
      });
    }
  });

  const std::uint64_t offsets_start = start + bytes.size();
  for (const Group& one : groups) {
    out.record(Opcode::kSummaryOffset, [&] {
      out.number(static_cast<std::uint8_t>(one.opcode));
      out.number(one.start);
      out.number(one.size);
    });
  }
  // The sum is of all from the start of the summary to itself.
  std::uint32_t crc = 0;
  out.record(Opcode::kFooter, [&] {
    out.number(start);
    out.number(offsets_start);
    out.number(crc);
  });
  const std::size_t at = bytes.size() - sizeof crc;
  crc = crc_of(std::span(bytes).first(at));
  std::memcpy(bytes.data() + at, &crc, sizeof crc);
  return bytes;
}

void Writer::write_end() {
  Bytes end;
  Appender out(end);
  out.record(Opcode::kDataEnd, [&] { out.number(crc_); });
  append({end, summary(size_ + end.size()), bytes_of(kMagic)});
}

void Writer::finish() {
  if (!file_.open()) return;
  const bool told = failed_;
  std::exception_ptr problem;
  try {
    if (!failed_) write_chunk();
  } catch (...) {
    problem = std::current_exception();
  }
  try {
    if (!torn_) write_end();
  } catch (...) {
    if (!problem) problem = std::current_exception();
  }
  // What a server could not store.
  if (!file_.close() && !problem) {
    const int error = errno;
    problem = std::make_exception_ptr(std::runtime_error("cannot write " + path_.string() + ": " +
                                                         std::generic_category().message(error)));
  }
  if (problem && !told) std::rethrow_exception(problem);
}

void Writer::append(std::initializer_list<std::span<const std::uint8_t>> parts) {
  std::uint32_t crc = crc_;
  std::uint64_t size = size_;
  for (const auto part : parts) {
    if (const int error = write_all(file_.get(), part)) {
      // The room is needed for the summary, too.
      torn_ = ::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0 ||
              ::lseek(file_.get(), static_cast<off_t>(size_), SEEK_SET) < 0;
      fail(error);
    }
    crc = crc_of(part, crc);
    size += part.size();
  }
  crc_ = crc;
  size_ = size;
}

void Writer::fail(int error) {
  failed_ = true;
  throw std::runtime_error("cannot write " + path_.string() + ": " +
                           std::generic_category().message(error));
}

}  // namespace protobeam::mcap
