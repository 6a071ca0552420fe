#include "tests/support/pattern.h"

#include <regex>

namespace protobeam::test {
namespace {

Pattern::Groups groups_of(const std::smatch& match) {
  Pattern::Groups groups;
  for (const auto& group : match) groups.push_back(group.str());
  return groups;
}

}  // namespace

struct Pattern::Compiled {
  std::regex regex;
};

Pattern::Pattern(const std::string& pattern)
    : compiled_(std::make_shared<const Compiled>(Compiled{std::regex(pattern)})) {}

Pattern::Groups Pattern::match(const std::string& text) const {
  std::smatch found;
  return std::regex_match(text, found, compiled_->regex) ? groups_of(found) : Groups{};
}

Pattern::Groups Pattern::find(const std::string& text) const {
  std::smatch found;
  return std::regex_search(text, found, compiled_->regex) ? groups_of(found) : Groups{};
}

std::vector<Pattern::Place> Pattern::find_all(const std::string& text) const {
  std::vector<Place> places;
  for (std::sregex_iterator at(text.begin(), text.end(), compiled_->regex), end; at != end; ++at) {
    places.push_back({static_cast<std::size_t>(at->position()), groups_of(*at)});
  }
  return places;
}

std::string Pattern::replace(const std::string& text, const std::string& with) const {
  return std::regex_replace(text, compiled_->regex, with);
}

}  // namespace protobeam::test
