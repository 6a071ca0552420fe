// Regular expressions, compiled once for all tests: <regex> takes seconds in each unit that uses
// it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace protobeam::test {

/// One in the grammar of ECMAScript.
class Pattern {
 public:
  /// What was found and then its groups, "" for those that took no part; empty: nothing was found.
  using Groups = std::vector<std::string>;
  struct Place {
    std::size_t first = 0;  ///< in the text
    Groups groups;
  };

  explicit Pattern(const std::string& pattern);

  Groups match(const std::string& text) const;  ///< all of the text
  Groups find(const std::string& text) const;   ///< the first place in the text
  std::vector<Place> find_all(const std::string& text) const;
  std::string replace(const std::string& text, const std::string& with) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace protobeam::test
