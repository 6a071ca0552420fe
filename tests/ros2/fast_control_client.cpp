// fast_control_client DOMAIN RELEASE HASH: a client of services of simulation_interfaces that does
// what one of ROS 2 with its default middleware does, with Fast DDS and Fast CDR's code for the
// messages. RELEASE is that of the package, 1 or 2. HASH: its reader says this for its types, as in
// ROS 2 Iron and later, and its writer another one; "none": none; "old HASH" in one argument: its
// requests do not tell where their responses are read, either, as before Galactic. Does what
// standard input's lines say, their words without blanks, - for nothing:
//
//   spawn NAME NAMESPACE URI FRAME X Y Z [QX QY QZ QW]
//   text NAME NAMESPACE FILE FRAME X Y Z [QX QY QZ QW]   the file's text
//   delete NAME
//   set NAME FRAME X Y Z [QX QY QZ QW]
//   spawnables SOURCE
//   poses TAG
//   worlds SOURCE
//   load URI
//   unload
//   step COUNT
//   reset
//   state NUMBER       sets it
//   leave SERVICE ...  asks for it as its line does, and ends before there is an answer
//
// Prints a line for each answer, SERVICE RESULT TEXT, and before it one for each thing in it.
#include <fastcdr/Cdr.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "plugins/outputs/ros2/fast_service.h"

namespace {

using namespace protobeam::fast_client;
using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;
using Write = std::function<void(Cdr&)>;
using Read = std::function<void(Cdr&)>;

template <class Condition>
void wait_until(const std::string& what, const Condition& condition) {
  for (int i = 0; i < 6000; ++i) {
    if (condition()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  throw std::runtime_error("no " + what);
}

/// "get_spawnables" is of the type GetSpawnables.
std::string type_of(const std::string& service) {
  std::string out;
  bool begins = true;
  for (const char c : service) {
    if (c != '_') out += begins ? static_cast<char>(c - 'a' + 'A') : c;
    begins = c == '_';
  }
  return out;
}

class Client {
 public:
  Client(std::uint32_t domain, std::string hash, bool tells_reader)
      : participant_(domain), hash_(std::move(hash)), tells_reader_(tells_reader) {}

  /// Prints the service, its result and that one's text after what `read` prints of the rest.
  void call(const std::string& service, const Write& write, const Read& read) {
    const Service& asked = service_of(service);
    const auto number = asked.ask(written(write), tells_reader_);
    if (leaves) std::_Exit(0);
    wait_until("answer of " + service, [&] {
      asked.wait();
      std::optional<Bytes> bytes = asked.take(number);
      if (bytes) print(service, *bytes, read);
      return bytes.has_value();
    });
  }

  bool leaves = false;

 private:
  static void print(const std::string& service, Bytes& bytes, const Read& read) {
    FastBuffer buffer(reinterpret_cast<char*>(bytes.data()), bytes.size());
    Cdr cdr(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
    cdr.read_encapsulation();
    std::uint8_t result = 0;
    std::string text;
    cdr >> result >> text;
    read(cdr);
    std::printf("%s %d %s\n", service.c_str(), result, text.c_str());
    std::fflush(stdout);
  }

  static Bytes written(const Write& write) {
    FastBuffer buffer;
    Cdr cdr(buffer, Cdr::LITTLE_ENDIANNESS, Cdr::DDS_CDR);
    cdr.serialize_encapsulation();
    write(cdr);
    return {buffer.getBuffer(), buffer.getBuffer() + cdr.getSerializedDataLength()};
  }

  const Service& service_of(const std::string& name) {
    const auto known = services_.find(name);
    if (known != services_.end()) return known->second;
    const Service& found =
        services_.try_emplace(name, participant_, name, type_of(name), hash_).first->second;
    wait_until("server of " + name, [&found] { return found.is_available(); });
    return found;
  }

  const Participant participant_;
  const std::string hash_;
  const bool tells_reader_;
  std::map<std::string, Service> services_;
};

/// The words of a line.
class Words {
 public:
  explicit Words(const std::string& line) : words_(line) {}
  std::string next() {
    std::string out;
    words_ >> out;
    return out == "-" ? std::string() : out;
  }
  double number(double otherwise) {
    const std::string word = next();
    return word.empty() ? otherwise : std::strtod(word.c_str(), nullptr);
  }
  void pose(Cdr& cdr) {
    for (const double otherwise : {0., 0., 0., 0., 0., 0., 1.}) cdr << number(otherwise);
  }

 private:
  std::istringstream words_;
};

void write_header(Cdr& cdr, const std::string& frame) {
  cdr << std::int32_t{0} << std::uint32_t{0} << frame;
}

void write_source(Cdr& cdr, const std::string& source) {
  std::vector<std::string> sources;
  if (!source.empty()) sources.push_back(source);
  cdr << sources;
}

void read_nothing(Cdr&) {}

void follow(Client& client, const std::string& line, int release) {
  Words words(line);
  const std::string what = words.next();
  if (what == "leave") {
    client.leaves = true;
    return follow(client, line.substr(line.find(' ') + 1), release);
  }
  if (what == "spawn" || what == "text") {
    client.call(
        "spawn_entity",
        [&](Cdr& cdr) {
          const std::string name = words.next(), space = words.next();
          std::string uri = words.next(), text;
          if (what == "text") {
            std::ifstream file(uri, std::ios::binary);
            text.assign(std::istreambuf_iterator<char>(file), {});
            uri.clear();
          }
          cdr << name << false << uri << text << space;
          write_header(cdr, words.next());
          words.pose(cdr);
        },
        read_nothing);
  } else if (what == "delete") {
    client.call(
        "delete_entity", [&](Cdr& cdr) { cdr << words.next(); }, read_nothing);
  } else if (what == "set") {
    client.call(
        "set_entity_state",
        [&](Cdr& cdr) {
          cdr << words.next();
          write_header(cdr, words.next());
          words.pose(cdr);
          for (int i = 0; i < 12; ++i) cdr << 0.0;  // twist and acceleration
          if (release == 2) cdr << true << false << false;
        },
        read_nothing);
  } else if (what == "spawnables") {
    client.call(
        "get_spawnables", [&](Cdr& cdr) { write_source(cdr, words.next()); },
        [release](Cdr& cdr) {
          std::uint32_t count = 0;
          cdr >> count;
          for (std::uint32_t i = 0; i < count; ++i) {
            std::string uri, text, description;
            cdr >> uri;
            if (release == 2) cdr >> text;
            std::uint8_t type = 0;
            std::uint32_t points = 0;
            cdr >> description >> type >> points;
            if (points != 0) throw std::runtime_error("bounds that are not expected");
            std::printf("spawnable %s | %s\n", uri.c_str(), description.c_str());
          }
        });
  } else if (what == "poses") {
    client.call(
        "get_named_poses",
        [&](Cdr& cdr) {
          write_source(cdr, words.next());
          cdr << std::uint8_t{0};
        },
        [](Cdr& cdr) {
          std::uint32_t count = 0;
          cdr >> count;
          for (std::uint32_t i = 0; i < count; ++i) {
            std::string name, description;
            std::vector<std::string> tags;
            double p[7];
            cdr >> name >> description >> tags;
            for (double& number : p) cdr >> number;
            std::printf("pose %s %g %g %g\n", name.c_str(), p[0], p[1], p[2]);
          }
        });
  } else if (what == "worlds") {
    client.call(
        "get_available_worlds",
        [&](Cdr& cdr) {
          write_source(cdr, words.next());
          cdr << std::vector<std::string>() << std::uint8_t{0} << false << false;
        },
        [](Cdr& cdr) {
          std::uint32_t count = 0;
          cdr >> count;
          for (std::uint32_t i = 0; i < count; ++i) {
            std::string name, uri, text, description;
            std::vector<std::string> tags;
            cdr >> name >> uri >> text >> description >> tags;
            std::printf("world %s\n", uri.c_str());
          }
        });
  } else if (what == "load") {
    client.call(
        "load_world", [&](Cdr& cdr) { cdr << words.next() << std::string() << false << false; },
        [](Cdr& cdr) {
          std::string name, uri;
          cdr >> name >> uri;
          std::printf("loaded %s\n", uri.c_str());
        });
  } else if (what == "unload" || what == "reset") {
    client.call(
        what == "unload" ? "unload_world" : "reset_simulation",
        [](Cdr& cdr) { cdr << std::uint8_t{0}; }, read_nothing);
  } else if (what == "step") {
    client.call(
        "step_simulation", [&](Cdr& cdr) { cdr << static_cast<std::uint64_t>(words.number(1)); },
        read_nothing);
  } else if (what == "state") {
    client.call(
        "set_simulation_state",
        [&](Cdr& cdr) { cdr << static_cast<std::uint8_t>(words.number(0)); }, read_nothing);
  } else {
    throw std::runtime_error("no command: " + line);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4) throw std::runtime_error("usage: fast_control_client DOMAIN RELEASE HASH");
    std::string hash = argv[3];
    const bool old = hash.rfind("old ", 0) == 0;
    if (old) hash.erase(0, 4);
    Client client(static_cast<std::uint32_t>(std::stoul(argv[1])), hash == "none" ? "" : hash,
                  !old);
    for (std::string line; std::getline(std::cin, line);) follow(client, line, std::stoi(argv[2]));
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "fast_control_client: %s\n", e.what());
    return 1;
  }
}
