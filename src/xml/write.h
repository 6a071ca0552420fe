// XML texts from trees.
#pragma once

#include <list>
#include <string>
#include <utility>
#include <vector>

namespace protobeam::xml {

struct Tree {
  std::string tag;
  std::vector<std::pair<std::string, std::string>>
      attributes;            ///< as they are: write() encodes them
  std::list<Tree> children;  ///< a list: add() gives references that stay

  Tree& add(std::string child) { return children.emplace_back(Tree{std::move(child), {}, {}}); }
  void set(std::string name, std::string value) {
    attributes.emplace_back(std::move(name), std::move(value));
  }
};

/// With a declaration in front, two blanks for each level.
std::string write(const Tree& root);

}  // namespace protobeam::xml
