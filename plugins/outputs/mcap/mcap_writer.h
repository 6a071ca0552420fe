// Writes MCAP files (mcap.dev/spec): messages in chunks, each with an index of its messages, and at
// the end a summary with an index of the chunks.
//
// A chunk goes to the file when it is full. Whatever happens to the program then, the complete
// chunks can be read from the start of the file; only the summary, with which readers find a time
// at once, is missing. When the disk is full, what was written of the last chunk is cut off again,
// so that nothing torn lies behind the complete ones.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "mcap_records.h"

struct ZSTD_CCtx_s;

namespace protobeam::mcap {

struct WriterOptions {
  std::string profile, library;        ///< of the header
  bool compress = true;                ///< with zstd, where that makes a chunk smaller
  int level = 1;                       ///< of zstd
  std::size_t chunk_size = 4'000'000;  ///< bytes, before compression
};

/// All throw std::runtime_error ("cannot write run.mcap: No space left on device") when the file
/// takes no more.
class Writer {
 public:
  /// An existing file is written over.
  Writer(const std::filesystem::path& path, const WriterOptions& options);
  /// Without finish(): complete chunks are in the file, nothing behind them.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  std::uint16_t add_schema(std::string_view name, std::string_view encoding, std::string_view text);
  std::uint16_t add_channel(std::uint16_t schema, std::string_view topic, std::string_view encoding,
                            const TextMap& metadata);
  void add_message(std::uint16_t channel, std::uint64_t time_ns,
                   std::span<const std::uint8_t> data);
  /// A record of its own, before the first message.
  void add_metadata(std::string_view name, const TextMap& values);
  /// The rest and the summary. Also after an error: then what the file holds gets its summary if
  /// there is room for that, and nothing is thrown.
  void finish();

  /// What is in the file: it grows by chunks.
  std::uint64_t messages() const { return messages_; }
  std::uint64_t size() const { return size_; }

 private:
  struct ChunkEntry {
    std::uint64_t start_ns, end_ns, offset, length, index_length, packed_size, size;
    std::vector<std::pair<std::uint16_t, std::uint64_t>> index_offsets;  ///< by channel
    bool packed;
  };
  struct MetadataEntry {
    std::string name;
    std::uint64_t offset, length;
  };
  using Times = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  ///< ns, offset in the chunk

  void write_chunk();
  void write_end();
  Bytes summary(std::uint64_t start) const;
  /// Writes `parts` one after another, or throws and leaves the file as it was.
  void append(std::initializer_list<std::span<const std::uint8_t>> parts);
  [[noreturn]] void fail(int error);

  std::filesystem::path path_;
  WriterOptions options_;
  Descriptor file_;
  std::unique_ptr<ZSTD_CCtx_s, std::size_t (*)(ZSTD_CCtx_s*)> zstd_;
  std::uint64_t size_ = 0;  ///< of the file
  std::uint32_t crc_ = 0;   ///< of all that is in it
  bool failed_ = false;
  bool torn_ = false;  ///< it ends with what cannot be cut off

  // The chunk that is being filled.
  Bytes chunk_, packed_;
  std::map<std::uint16_t, Times> times_;  ///< by channel

  // For the summary. What comes after the first `..._written_` is in no chunk of the file yet.
  std::vector<Bytes> schemas_, channels_;
  std::size_t schemas_written_ = 0, channels_written_ = 0;
  std::vector<std::uint32_t> sequences_;  ///< by channel: the next message's number
  std::vector<ChunkEntry> chunks_;
  std::vector<MetadataEntry> metadata_;
  std::map<std::uint16_t, std::uint64_t> counts_;  ///< messages by channel
  std::uint64_t messages_ = 0, start_ns_ = 0, end_ns_ = 0;
};

}  // namespace protobeam::mcap
