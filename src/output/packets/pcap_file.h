// Packets as a capture file of libpcap's classic format (microseconds, Ethernet), as tcpdump writes
// them. Wireshark, VeloView, ouster-cli, rs_driver and PCL read it.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/whole_file.h"
#include "output/packets/packets.h"

namespace protobeam {

class PcapFile {
 public:
  /// Writes a temporary file beside `path` that finish() renames; an existing file stays as it was
  /// until then. Devices and pipes are written directly. Throws std::runtime_error ("cannot write
  /// out/a.pcap: No such file or directory").
  explicit PcapFile(const std::filesystem::path& path);
  /// Without finish(): nothing is left.
  ~PcapFile();
  PcapFile(PcapFile&&) noexcept;

  /// The time of a record is not before that of the one before: readers play files by their clock.
  /// Throws std::runtime_error ("cannot write out/a.pcap: No space left on device"); nothing is
  /// left then.
  void add(const PacketAddress& address, const UdpPacket& packet);
  /// Writes the rest and gives the file its name.
  void finish();

 private:
  WholeFile file_;
  std::int64_t last_us_;  ///< Unix time
  std::uint16_t id_ = 0;
};

}  // namespace protobeam
