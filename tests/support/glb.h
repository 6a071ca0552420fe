// Binary glTF as its specification describes it (Khronos Group, "glTF 2.0 Specification", 2.0.1).
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace protobeam::test {

struct Glb {
  /// Sections 4.4 and 4.5; what is wrong fails the test.
  explicit Glb(const std::string& file) {
    const auto number = [&](std::size_t at) {
      std::uint32_t out = 0;
      std::memcpy(&out, file.data() + at, sizeof out);
      return out;
    };
    if (file.size() < 20 || file.substr(0, 4) != "glTF") {
      ADD_FAILURE() << "no binary glTF";
      return;
    }
    EXPECT_EQ(number(4), 2u);
    EXPECT_EQ(number(8), file.size());
    const std::uint32_t size = number(12);
    EXPECT_EQ(size % 4, 0u);
    EXPECT_EQ(file.substr(16, 4), "JSON");
    text = nlohmann::json::parse(file.substr(20, size));
    if (file.size() == 20 + size) return;
    EXPECT_EQ(number(20 + size) % 4, 0u);
    EXPECT_EQ(file.substr(24 + size, 4), std::string("BIN\0", 4));
    binary = file.substr(28 + size);
  }

  /// Of an accessor that holds floats.
  std::vector<float> numbers(std::size_t accessor) const {
    const auto& view =
        text["bufferViews"][text["accessors"][accessor]["bufferView"].get<std::size_t>()];
    std::vector<float> out(view["byteLength"].get<std::size_t>() / sizeof(float));
    std::memcpy(out.data(), binary.data() + view["byteOffset"].get<std::size_t>(),
                out.size() * sizeof(float));
    return out;
  }

  /// Times and values of what moves a node, "translation", "rotation" or "scale"; empty for none.
  std::pair<std::vector<float>, std::vector<float>> track(const std::string& node,
                                                          const std::string& path) const {
    const auto& animation = text["animations"][0];
    for (const auto& channel : animation["channels"]) {
      const auto& target = channel["target"];
      if (text["nodes"][target["node"].get<std::size_t>()]["name"] != node) continue;
      if (target["path"] != path) continue;
      const auto& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
      return {numbers(sampler["input"].get<std::size_t>()),
              numbers(sampler["output"].get<std::size_t>())};
    }
    return {};
  }

  nlohmann::json text;
  std::string binary;
};

}  // namespace protobeam::test
