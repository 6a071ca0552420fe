// What the recorder writes, taken apart by a reader that shares nothing with the writer. That other
// programs read it: tests/interop/foxglove.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zstd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "message/sensor_msgs.h"
#include "output/message_sink.h"
#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

/// CRC-32 of ISO 3309, bit by bit.
std::uint32_t crc32_by_bits(std::string_view bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

struct Record {
  int opcode = 0;
  std::size_t offset = 0, length = 0;  ///< in the file, with opcode and length
  std::string_view body;
};

class BodyReader {
 public:
  explicit BodyReader(std::string_view body) : left_(body) {}
  std::uint64_t number(std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;)
      value = value << 8 | static_cast<std::uint8_t>(left_.at(i));
    left_.remove_prefix(size);
    return value;
  }
  std::string_view bytes(std::size_t size) {
    if (size > left_.size()) throw std::runtime_error("a record that is too short");
    const auto taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }
  std::string text() { return std::string(bytes(number(4))); }
  std::map<std::string, std::string> texts() {
    BodyReader inside(bytes(number(4)));
    std::map<std::string, std::string> map;
    while (!inside.left_.empty()) {
      const std::string key = inside.text();
      map[key] = inside.text();
    }
    return map;
  }
  bool empty() const { return left_.empty(); }

 private:
  std::string_view left_;
};

std::vector<Record> records_of(std::string_view bytes, std::size_t from = 0) {
  std::vector<Record> records;
  for (std::size_t at = from; at < bytes.size();) {
    BodyReader head(bytes.substr(at));
    Record record{static_cast<int>(head.number(1)), at, 0, {}};
    record.body = head.bytes(head.number(8));
    record.length = 9 + record.body.size();
    at += record.length;
    records.push_back(record);
  }
  return records;
}

constexpr std::string_view kMagic{"\x89MCAP0\r\n", 8};

std::vector<int> opcodes(const std::vector<Record>& records) {
  std::vector<int> all;
  for (const Record& record : records) all.push_back(record.opcode);
  return all;
}

class McapRecorder : public testing::Test {
 protected:
  McapRecorder() : folder_(fs::temp_directory_path() / ("mcap_test" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~McapRecorder() override { fs::remove_all(folder_); }

  std::unique_ptr<MessageSink> recorder(std::map<std::string, std::string> fields,
                                        const std::string& file = "") {
    const auto& plugin = load_plugin<OutputPlugin>("McapRecorder");
    fields["file"] = '"' + (file.empty() ? path().string() : file) + '"';
    return plugin.make(TestFields(plugin.schema, fields), {"some.wbt", "protobeam 1.2.3"});
  }
  fs::path path() const { return folder_ / "run.mcap"; }
  std::string contents() const {
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// The records between the magic bytes.
  std::vector<Record> whole_file(const std::string& bytes) const {
    EXPECT_EQ(bytes.substr(0, 8), kMagic);
    EXPECT_EQ(bytes.substr(bytes.size() - 8), kMagic);
    return records_of(std::string_view(bytes).substr(0, bytes.size() - 8), 8);
  }

  fs::path folder_;
  std::shared_ptr<const Topic> range_ =
      std::make_shared<Topic>(Topic{"/car/range", &message::type_of<message::Range>(), false, 4});
  std::shared_ptr<const Topic> map_ =
      std::make_shared<Topic>(Topic{"/map", &message::type_of<message::Image>(), true, 9});
};

Publication range(const std::shared_ptr<const Topic>& topic, std::int64_t ns, float value) {
  message::Range message;
  message.header.stamp = message::time_of(ns);
  message.range = value;
  return {topic, ns, message};
}

Publication image(const std::shared_ptr<const Topic>& topic, std::int64_t ns, std::size_t size) {
  message::Image message;
  for (std::size_t i = 0; i < size; ++i) {
    message.data.push_back(static_cast<std::uint8_t>(i * i * 2654435761u >> 13));
  }
  return {topic, ns, message};
}

TEST_F(McapRecorder, OrdersRecordsAsTheSpecificationDoes) {
  auto sink = recorder({{"compression", "\"none\""}, {"chunkSize", "0.008"}});
  sink->add(*range_);
  sink->write(range(range_, 5'000'000'000, 1));
  sink->add(*map_);
  sink->write(image(map_, 3'000'000'000, 8000));  // ends the first chunk
  sink->write(range(range_, 6'000'000'000, 2));
  sink->finish();
  const std::string bytes = contents();
  EXPECT_EQ(sink->text(), "wrote " + path().string() + ": 3 messages, 0.0 MB");
  const auto records = whole_file(bytes);
  ASSERT_THAT(opcodes(records),
              ElementsAre(1, 12,                     // header, metadata of rosbag2
                          6, 7, 7, 6, 7,             // two chunks with the indices of their topics
                          15,                        // end of the data
                          3, 3, 4, 4, 11, 13, 8, 8,  // schemas, channels, statistics, indices
                          14, 14, 14, 14, 14, 2));   // where each of these groups is; footer

  BodyReader header(records[0].body);
  EXPECT_EQ(header.text(), "ros2");
  EXPECT_EQ(header.text(), "protobeam 1.2.3");

  // Chunk: times of its messages, sizes, sum, how it is compressed.
  BodyReader chunk(records[2].body);
  EXPECT_EQ(chunk.number(8), 3'000'000'000u);
  EXPECT_EQ(chunk.number(8), 5'000'000'000u);
  const std::uint64_t size = chunk.number(8), crc = chunk.number(4);
  EXPECT_EQ(chunk.text(), "");
  const std::string_view inside = chunk.bytes(chunk.number(8));
  EXPECT_EQ(inside.size(), size);
  EXPECT_EQ(crc32_by_bits(inside), crc);
  const auto messages = records_of(inside);
  ASSERT_THAT(opcodes(messages), ElementsAre(3, 4, 5, 3, 4, 5));
  BodyReader schema(messages[0].body);
  EXPECT_EQ(schema.number(2), 1u);
  EXPECT_EQ(schema.text(), "sensor_msgs/msg/Range");
  EXPECT_EQ(schema.text(), "ros2msg");
  EXPECT_EQ(schema.text(), message::type_of<message::Range>().ros2_definition);
  BodyReader channel(messages[4].body);
  EXPECT_EQ(channel.number(2), 2u);
  EXPECT_EQ(channel.number(2), 2u);
  EXPECT_EQ(channel.text(), "/map");
  EXPECT_EQ(channel.text(), "cdr");
  auto metadata = channel.texts();
  EXPECT_THAT(metadata["offered_qos_profiles"], HasSubstr("durability: 1"));
  EXPECT_EQ(metadata["topic_type_hash"], message::type_of<message::Image>().ros2_hash);
  BodyReader message(messages[2].body);
  EXPECT_EQ(message.number(2), 1u);
  EXPECT_EQ(message.number(4), 0u);
  EXPECT_EQ(message.number(8), 5'000'000'000u);
  EXPECT_EQ(message.number(8), 5'000'000'000u);
  const std::string_view cdr = message.bytes(messages[2].body.size() - 22);
  const auto* first = reinterpret_cast<const std::uint8_t*>(cdr.data());
  EXPECT_EQ(message::from_cdr<message::Range>({first, cdr.size()}).range, 1);

  // Message index: where the message of the topic is in the chunk.
  BodyReader index(records[4].body);
  EXPECT_EQ(index.number(2), 2u);
  EXPECT_EQ(index.number(4), 16u);
  EXPECT_EQ(index.number(8), 3'000'000'000u);
  EXPECT_EQ(index.number(8), messages[5].offset);

  BodyReader second(records[5].body);
  EXPECT_EQ(second.number(8), 6'000'000'000u);
  BodyReader end(records[7].body);
  EXPECT_EQ(end.number(4), crc32_by_bits(std::string_view(bytes).substr(0, records[7].offset)));

  BodyReader statistics(records[12].body);
  EXPECT_EQ(statistics.number(8), 3u);  // messages
  EXPECT_EQ(statistics.number(2), 2u);
  EXPECT_EQ(statistics.number(4), 2u);
  EXPECT_EQ(statistics.number(4), 0u);
  EXPECT_EQ(statistics.number(4), 1u);
  EXPECT_EQ(statistics.number(4), 2u);  // chunks
  EXPECT_EQ(statistics.number(8), 3'000'000'000u);
  EXPECT_EQ(statistics.number(8), 6'000'000'000u);
  EXPECT_EQ(statistics.number(4), 20u);
  EXPECT_EQ(statistics.number(2), 1u);
  EXPECT_EQ(statistics.number(8), 2u);

  BodyReader metadata_index(records[13].body);
  EXPECT_EQ(metadata_index.number(8), records[1].offset);
  EXPECT_EQ(metadata_index.number(8), records[1].length);
  EXPECT_EQ(metadata_index.text(), "rosbag2");

  BodyReader chunk_index(records[14].body);
  EXPECT_EQ(chunk_index.number(8), 3'000'000'000u);
  EXPECT_EQ(chunk_index.number(8), 5'000'000'000u);
  EXPECT_EQ(chunk_index.number(8), records[2].offset);
  EXPECT_EQ(chunk_index.number(8), records[2].length);
  EXPECT_EQ(chunk_index.number(4), 20u);
  EXPECT_EQ(chunk_index.number(2), 1u);
  EXPECT_EQ(chunk_index.number(8), records[3].offset);
  EXPECT_EQ(chunk_index.number(2), 2u);
  EXPECT_EQ(chunk_index.number(8), records[4].offset);
  EXPECT_EQ(chunk_index.number(8), records[3].length + records[4].length);
  EXPECT_EQ(chunk_index.text(), "");
  EXPECT_EQ(chunk_index.number(8), size);
  EXPECT_EQ(chunk_index.number(8), size);
  EXPECT_TRUE(chunk_index.empty());

  const std::vector<std::size_t> firsts{8, 10, 12, 13, 14};
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    BodyReader group(records[16 + i].body);
    EXPECT_EQ(group.number(1), static_cast<unsigned>(records[firsts[i]].opcode));
    EXPECT_EQ(group.number(8), records[firsts[i]].offset);
    const std::size_t next = i + 1 < firsts.size() ? firsts[i + 1] : 16;
    EXPECT_EQ(group.number(8), records[next].offset - records[firsts[i]].offset);
  }
  BodyReader footer(records[21].body);
  EXPECT_EQ(footer.number(8), records[8].offset);
  EXPECT_EQ(footer.number(8), records[16].offset);
  const std::size_t sum_at = records[21].offset + records[21].length - 4;
  EXPECT_EQ(footer.number(4), crc32_by_bits(std::string_view(bytes).substr(
                                  records[8].offset, sum_at - records[8].offset)));
}

TEST_F(McapRecorder, CompressesChunksThatGetSmaller) {
  auto sink = recorder({{"compressionLevel", "3"}});
  sink->add(*map_);
  message::Image even;
  even.data.assign(100'000, 7);
  sink->write({map_, 0, even});
  sink->finish();
  const std::string bytes = contents();
  const auto records = whole_file(bytes);
  ASSERT_EQ(records[2].opcode, 6);
  BodyReader chunk(records[2].body);
  chunk.bytes(16);
  const std::uint64_t size = chunk.number(8), crc = chunk.number(4);
  EXPECT_EQ(chunk.text(), "zstd");
  const std::string_view packed = chunk.bytes(chunk.number(8));
  EXPECT_LT(packed.size(), 3000u);
  std::string inside(size, '\0');
  ASSERT_EQ(ZSTD_decompress(inside.data(), size, packed.data(), packed.size()), size);
  EXPECT_EQ(crc32_by_bits(inside), crc);
}

TEST_F(McapRecorder, IsWholeWithoutMessages) {
  auto sink = recorder({});
  sink->finish();
  EXPECT_THAT(opcodes(whole_file(contents())), ElementsAre(1, 12, 15, 11, 13, 14, 14, 2));
  EXPECT_THAT(sink->text(), HasSubstr(": 0 messages"));
}

TEST_F(McapRecorder, SaysWhatCannotBeWritten) {
  const auto message_of = [&](const std::string& file) -> std::string {
    try {
      recorder({}, file);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message_of("/nowhere/run.mcap"),
            "cannot write /nowhere/run.mcap: No such file or directory");
  EXPECT_EQ(message_of(folder_.string()), "cannot write " + folder_.string() + ": Is a directory");
  EXPECT_EQ(message_of("/dev/full"), "cannot write /dev/full: No space left on device");
  const auto& plugin = load_plugin<OutputPlugin>("McapRecorder");
  try {
    plugin.make(TestFields(plugin.schema), {});
    ADD_FAILURE() << "it takes no name for a file";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("'file' is empty"));
  }
}

TEST_F(McapRecorder, DoesNotWriteOverARecordingThatGoesOn) {
  auto sink = recorder({});
  try {
    recorder({});
    ADD_FAILURE() << "two recorders write one file";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), "cannot write " + path().string() + ": it is being recorded already");
  }
  sink->add(*range_);
  sink->write(range(range_, 1, 1));
  sink->finish();
  EXPECT_THAT(sink->text(), HasSubstr(": 1 message, "));
  recorder({})->finish();  // now it may
}

TEST_F(McapRecorder, WritesOverALongerFile) {
  std::ofstream(path()) << std::string(100'000, 'x');
  recorder({})->finish();
  whole_file(contents());
}

// The file may not grow beyond a size, as on a disk that is full.
TEST_F(McapRecorder, KeepsWholeChunksOnAFullDisk) {
  const auto before = ::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  for (const rlim_t room : {150'000, 199'500, 200'000, 205'000, 208'000}) {
    auto sink = recorder({{"compression", "\"none\""}, {"chunkSize", "0.05"}});
    sink->add(*map_);
    const rlimit less{room, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &less);
    std::string problem;
    for (int i = 0; i < 100 && problem.empty(); ++i) {
      try {
        sink->write(image(map_, i, 10'000));
      } catch (const std::runtime_error& error) {
        problem = error.what();
      }
    }
    EXPECT_NO_THROW(sink->finish());  // it was said
    setrlimit(RLIMIT_FSIZE, &old);
    EXPECT_EQ(problem, "cannot write " + path().string() + ": File too large");

    const std::string bytes = contents();
    ASSERT_LE(bytes.size(), room);
    const bool summary = bytes.substr(bytes.size() - 8) == kMagic;
    const auto records =
        records_of(std::string_view(bytes).substr(0, bytes.size() - (summary ? 8 : 0)), 8);
    unsigned chunks = 0;
    for (const Record& record : records) chunks += record.opcode == 6;
    // Five images a chunk of 50 kB and a bit.
    EXPECT_EQ(chunks, room < 202'000 ? room / 50'600 : 4);
    EXPECT_EQ(sink->text(), "wrote " + path().string() + ": " + std::to_string(chunks * 5) +
                                " messages, 0." +
                                std::to_string((bytes.size() + 50'000) / 100'000) + " MB");
    if (summary) {
      const auto statistics = std::ranges::find(records, 11, &Record::opcode);
      ASSERT_NE(statistics, records.end());
      EXPECT_EQ(BodyReader(statistics->body).number(8), chunks * 5);
    } else {
      EXPECT_EQ(records.back().opcode, 7);  // nothing torn
    }
  }
  ::signal(SIGXFSZ, before);
}

// What does not fit any more when the recording ends.
TEST_F(McapRecorder, FailsAtTheEndWhenTheLastChunkDoesNotFit) {
  const auto before = ::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  auto sink = recorder({{"compression", "\"none\""}});
  sink->add(*map_);
  sink->write(image(map_, 1, 100'000));
  const rlimit less{50'000, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &less);
  try {
    sink->finish();
    ADD_FAILURE() << "nothing is said";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("File too large"));
  }
  setrlimit(RLIMIT_FSIZE, &old);
  ::signal(SIGXFSZ, before);
  EXPECT_THAT(opcodes(whole_file(contents())), ElementsAre(1, 12, 15, 11, 13, 14, 14, 2));
}

}  // namespace
}  // namespace protobeam
