// Worlds in a folder of their own, and what loading them says and gives.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "mvsim/load.h"
#include "tests/support/temporary_folder.h"

namespace protobeam::mvsim {

inline void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// One line an element: tag, attributes, text; children below it, indented.
inline std::string dumped(const Element& element, int depth = 0) {
  std::string out(static_cast<std::size_t>(2 * depth), ' ');
  out += element.tag;
  for (const auto& attribute : element.attributes) {
    out += " " + attribute.name + "='" + attribute.text.value + "'";
  }
  if (!element.text.value.empty()) out += ": " + element.text.value;
  out += "\n";
  for (const auto& child : element.children) out += dumped(child, depth + 1);
  return out;
}

inline std::string dumped(const std::vector<Element>& elements) {
  std::string out;
  for (const auto& element : elements) out += dumped(element);
  return out;
}

class MvsimTest : public testing::Test {
 protected:
  MvsimTest() {
    options_.environment = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = environment_.find(name);
      return found == environment_.end() ? std::nullopt : std::optional(found->second);
    };
    options_.project = folder_.path();
    options_.model_caches = {folder_ / "cache"};
  }

  /// The world of that text in <mvsim_world>, on one line with it: columns count from there.
  LoadedFile load(const std::string& inside) {
    folder_.write("a.world.xml", "<mvsim_world>" + inside + "</mvsim_world>");
    return load_file("a.world.xml");
  }
  LoadedFile load_file(const std::string& name) {
    diagnostics_ = {};
    return load_world(folder_ / name, options_, diagnostics_);
  }

  /// "LINE:COLUMN: error: MESSAGE; HINT", with "FILE:" before it for another file than `first`.
  std::vector<std::string> messages(const std::string& first = "a.world.xml") const {
    std::vector<std::string> out;
    for (const auto& d : diagnostics_.all()) {
      std::string text = d.place.valid() ? d.place.to_string() + ": " : "";
      text += d.severity == Severity::kError ? "error: " : "warning: ";
      text += d.message + (d.hint.empty() ? "" : "; " + d.hint);
      replace_all(text, (folder_ / first).string() + ":", "");
      replace_all(text, folder_.path().string() + "/", "");
      replace_all(text, folder_.path().string(), "FOLDER");
      out.push_back(std::move(text));
    }
    return out;
  }

  TemporaryFolder folder_;
  std::map<std::string, std::string> environment_;
  LoadOptions options_;
  Diagnostics diagnostics_;
};

}  // namespace protobeam::mvsim
