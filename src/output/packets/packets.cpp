#include "output/packets/packets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "output/packets/ouster_packets.h"
#include "output/packets/robosense_packets.h"
#include "output/packets/velodyne_packets.h"

namespace protobeam {
namespace {

using Make = std::unique_ptr<PacketEncoder> (*)(const SweepSource&, int);

template <std::uint8_t kProduct, int kLasers, int kUnit_mm, int kFirings = 1, int kBanks = 1>
std::unique_ptr<PacketEncoder> velodyne(const SweepSource& source, int index) {
  const VelodyneModel model{kLasers, kUnit_mm / 1000.0, kProduct, kFirings, kBanks};
  return std::make_unique<VelodynePackets>(model, source, index);
}

template <std::uint8_t kProduct>
constexpr Make kPuck = velodyne<kProduct, 16, 2, 2>;

/// The Hi-Res has its beams closer together, and a product byte of its own.
std::unique_ptr<PacketEncoder> puck(const SweepSource& source, int index) {
  const LaserTable table = laser_table(source);
  const double steepest = std::ranges::max(table.elevations_deg, {},
                                           [](double elevation) { return std::abs(elevation); });
  return (std::abs(steepest) < 12 ? kPuck<0x24> : kPuck<0x22>)(source, index);
}

std::unique_ptr<PacketEncoder> robosense(const SweepSource& source, int index) {
  return std::make_unique<RobosensePackets>(source, index);
}

template <int kForm>
std::unique_ptr<PacketEncoder> ouster(const SweepSource& source, int index) {
  return std::make_unique<OusterPackets>(kForm, source, index);
}

struct Product {
  const char* name;  ///< a '*' at its end: what begins so
  Make make;
};

constexpr Product kProducts[] = {
    {"VelodyneVLP-16", puck},
    {"VelodynePuck", puck},
    {"VelodyneHDL-32E", velodyne<0x21, 32, 2>},
    {"VelodyneVLP-32C", velodyne<0x28, 32, 4>},
    {"VelodyneHDL-64E", velodyne<0, 64, 2, 1, 2>},
    {"Helios32*", robosense},
    {"RobosenseHelios*", robosense},
    {"OusterOS0*", ouster<0>},
    {"OusterOS1*", ouster<1>},
    {"OusterOS2*", ouster<2>},
};

/// As many addresses as one network has for them.
constexpr int kMostDevices = 50;

/// Letters and digits only, small: PROTO names write products in several ways.
std::string plain(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      text += static_cast<char>(c - 'A' + 'a');
    } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      text += c;
    }
  }
  return text;
}

const Product* find(const std::string& name) {
  const std::string wanted = plain(name);
  const auto it = std::ranges::find_if(kProducts, [&](const Product& product) {
    const std::string known = product.name;
    return known.back() == '*' ? wanted.starts_with(plain(known)) : wanted == plain(known);
  });
  return it == std::end(kProducts) ? nullptr : it;
}

}  // namespace

const std::vector<std::string>& packet_products() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const Product& product : kProducts) names.emplace_back(product.name);
    return names;
  }();
  return kNames;
}

bool has_packets(const SweepSource& source) { return find(source.product) != nullptr; }

std::unique_ptr<PacketEncoder> make_packet_encoder(const SweepSource& source, int index) {
  const Product* product = find(source.product);
  if (!product) {
    throw std::invalid_argument(description_of(source) +
                                fmt::format("its packets are not known; those of {} are",
                                            fmt::join(packet_products(), ", ")));
  }
  if (index < 0 || index >= kMostDevices) {
    throw std::invalid_argument(description_of(source) +
                                fmt::format("packets of at most {} devices", kMostDevices));
  }
  return product->make(source, index);
}

}  // namespace protobeam
