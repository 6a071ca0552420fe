#include "mvsim/vocabulary.h"

#include <sstream>
#include <stdexcept>

#include "mvsim/vocabulary_text.h"

namespace protobeam::mvsim {
namespace {

using Contexts = std::map<std::string, Context, std::less<>>;

ValueKind kind_of(const std::string& name) {
  static const std::map<std::string, ValueKind> kinds = {
      {"text", ValueKind::kText},       {"number", ValueKind::kNumber},
      {"int", ValueKind::kInt},         {"degrees", ValueKind::kDegrees},
      {"bool", ValueKind::kBool},       {"color", ValueKind::kColor},
      {"pose2d", ValueKind::kPose2d},   {"pose3d", ValueKind::kPose3d},
      {"point3d", ValueKind::kPoint3d}, {"numbers", ValueKind::kNumbers},
      {"matrix", ValueKind::kMatrix},   {"uri", ValueKind::kUri},
      {"empty", ValueKind::kEmpty}};
  const auto found = kinds.find(name);
  if (found == kinds.end()) throw std::logic_error("vocabulary.txt: unknown kind " + name);
  return found->second;
}

/// "[context : base ...]"
Context& begin_context(std::string line, Contexts& contexts) {
  for (char& c : line) c = c == '[' || c == ']' || c == ':' ? ' ' : c;
  std::istringstream words(line);
  std::string name;
  words >> name;
  Context& made = contexts[name];
  for (std::string base; words >> base;) {
    const auto found = contexts.find(base);
    if (found == contexts.end()) throw std::logic_error("vocabulary.txt: unknown base " + base);
    made.tags.insert(found->second.tags.begin(), found->second.tags.end());
    made.attributes.insert(found->second.attributes.begin(), found->second.attributes.end());
  }
  return made;
}

void add_word(const std::string& line, Context& context) {
  std::istringstream words(line);
  std::string name, kind;
  words >> name >> kind;
  Word word;
  if (kind == ">") {
    word.kind = ValueKind::kChildren;
    words >> word.context;
    if (const auto at = word.context.find(".@class"); at != std::string::npos) {
      word.context.resize(at);
      word.by_class = true;
    }
  } else {
    word.kind = kind_of(kind);
  }
  for (std::string more; words >> more;) {
    if (more == "*") {
      word.repeats = true;
    } else if (more == "!") {
      std::getline(words >> std::ws, word.ineffective);
    } else {
      throw std::logic_error("vocabulary.txt: " + line);
    }
  }
  if (name == "=") {
    context.text = word.kind;
  } else if (name[0] == '@') {
    context.attributes[name.substr(1)] = word;
  } else {
    context.tags[name] = word;
  }
}

Contexts read_vocabulary() {
  Contexts contexts;
  std::istringstream lines{std::string(kVocabularyText)};
  Context* current = nullptr;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[') {
      current = &begin_context(line, contexts);
    } else if (current) {
      add_word(line, *current);
    }
  }
  return contexts;
}

const Contexts& contexts() {
  static const Contexts all = read_vocabulary();
  return all;
}

}  // namespace

const Context* find_context(std::string_view name) {
  const auto found = contexts().find(name);
  return found == contexts().end() ? nullptr : &found->second;
}

std::vector<std::string> classes_of(std::string_view context) {
  std::vector<std::string> names;
  const std::string begin = std::string(context) + ".";
  for (const auto& [name, unused] : contexts()) {
    if (name.rfind(begin, 0) == 0) names.push_back(name.substr(begin.size()));
  }
  return names;
}

bool repeats(std::string_view parent, std::string_view tag) {
  const Context* context = find_context(parent);
  if (!context) return false;
  const auto word = context->tags.find(tag);
  return word != context->tags.end() && word->second.repeats;
}

}  // namespace protobeam::mvsim
