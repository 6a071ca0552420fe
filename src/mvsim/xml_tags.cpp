#include "mvsim/xml_tags.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace protobeam::mvsim {
namespace {

struct Tag {
  std::string_view name;
  std::size_t offset = 0;  ///< of the name
  std::size_t end = 0;     ///< of the closing '>'
  bool closing = false;    ///< </name>
  bool empty = false;      ///< <name/>
};

/// Walks over the tags of a text, past comments, CDATA, declarations and quoted values.
class TagReader {
 public:
  explicit TagReader(std::string_view text) : text_(text) {}

  /// False at the end, or where the text is no XML.
  bool next(Tag& tag) {
    while ((at_ = text_.find('<', at_)) != std::string_view::npos) {
      if (skipped("<!--", "-->") || skipped("<![CDATA[", "]]>") || skipped("<?", "?>") ||
          skipped("<!", ">")) {
        continue;
      }
      return !broken_ && read(tag);
    }
    return false;
  }
  bool at_end() const { return at_ == std::string_view::npos; }

 private:
  bool skipped(std::string_view begin, std::string_view end) {
    if (broken_ || text_.substr(at_, begin.size()) != begin) return false;
    const auto found = text_.find(end, at_ + begin.size());
    broken_ = found == std::string_view::npos;  // the parser says what is missing
    if (broken_) return false;
    at_ = found + end.size();
    return true;
  }

  bool read(Tag& tag) {
    tag = {};
    std::size_t i = at_ + 1;
    if (i < text_.size() && text_[i] == '/') {
      tag.closing = true;
      ++i;
    }
    tag.offset = i;
    i = std::min(text_.find_first_of(" \t\r\n/><", i), text_.size());
    tag.name = text_.substr(tag.offset, i - tag.offset);
    if (tag.name.empty() || tag.name[0] == '!' || tag.name[0] == '?') return false;
    while (i < text_.size() && text_[i] != '>') {
      if (text_[i] == '<') return false;
      if (text_[i] == '"' || text_[i] == '\'') i = text_.find(text_[i], i + 1);
      if (i == std::string_view::npos) return false;
      ++i;
    }
    if (i >= text_.size()) return false;
    tag.end = i;
    tag.empty = text_[i - 1] == '/';
    at_ = i + 1;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool broken_ = false;
};

constexpr std::size_t kMaxEdits = 100;    // more of them are no slips
constexpr std::size_t kMaxOpen = 10'000;  // deeper than any limit on nesting

/// Tags without content, which a reader recognises as such.
bool is_void(std::string_view name) { return name == "include" || name == "variable"; }

class Pairing {
 public:
  Pairing(const std::shared_ptr<const SourceText>& source, Diagnostics& diagnostics,
          const std::shared_ptr<const Instantiation>& chain, std::vector<xml::Edit>& edits)
      : source_(source), diagnostics_(diagnostics), chain_(chain), edits_(edits) {}

  bool run() {
    TagReader reader(source_->text());
    Tag tag;
    while (reader.next(tag)) {
      if (tag.empty && !tag.closing) continue;
      if (!tag.closing) {
        open_.push_back(tag);
        if (open_.size() > kMaxOpen) return true;
      } else if (!close(tag)) {
        return false;
      }
    }
    if (!reader.at_end()) return true;
    for (; !open_.empty(); open_.pop_back()) {
      if (assume_closed()) continue;
      if (crossing_) return mismatch(*crossing_);
      const std::string name(open_.back().name);
      diagnostics_.error(place(open_.back()), "<" + name + "> is never closed",
                         "write </" + name + ">", chain_);
      return false;
    }
    for (const Mismatch& slip : slips_) {
      diagnostics_.warning(place(slip.tag), what(slip),
                           "write </" + slip.opened + ">; it is read as if it did", chain_);
    }
    return true;
  }

 private:
  /// A closing tag with another name than that of the last open tag.
  struct Mismatch {
    Tag tag;
    std::string opened;
    std::size_t opened_at = 0;
  };

  Place place(const Tag& tag) const {
    return {source_, static_cast<std::uint32_t>(tag.offset),
            static_cast<std::uint32_t>(tag.name.size())};
  }

  std::string what(const Mismatch& slip) const {
    return "</" + std::string(slip.tag.name) + "> does not close <" + slip.opened + "> of line " +
           std::to_string(source_->locate(slip.opened_at).line);
  }
  bool mismatch(const Mismatch& slip) {
    diagnostics_.error(place(slip.tag), what(slip), "write </" + slip.opened + ">", chain_);
    return false;
  }

  bool close(const Tag& tag) {
    const bool was_opened = std::any_of(open_.begin(), open_.end(),
                                        [&](const Tag& one) { return one.name == tag.name; });
    while (was_opened && open_.back().name != tag.name && assume_closed()) open_.pop_back();
    if (open_.empty()) {
      if (crossing_) return mismatch(*crossing_);
      diagnostics_.error(place(tag), "</" + std::string(tag.name) + "> closes nothing", {}, chain_);
      return false;
    }
    const Tag& last = open_.back();
    if (last.name != tag.name) {
      // MVSim's parser does not compare names: whatever closes, closes the last open tag. A tag
      // that is open further out is a missing one instead when the numbers do not agree.
      const Mismatch slip{tag, std::string(last.name), last.offset};
      if (edits_.size() >= kMaxEdits) return mismatch(slip);
      if (was_opened && !crossing_) crossing_ = slip;
      edits_.push_back({tag.offset, tag.name.size(), slip.opened});
      slips_.push_back(slip);
    }
    open_.pop_back();
    return true;
  }

  bool assume_closed() {
    const Tag& last = open_.back();
    if (!is_void(last.name) || edits_.size() >= kMaxEdits) return false;
    const std::string name(last.name);
    diagnostics_.warning(place(last), "<" + name + "> is not closed",
                         "end it with />; it is read as if it did", chain_);
    edits_.push_back({last.end, 0, "/"});
    return true;
  }

  const std::shared_ptr<const SourceText>& source_;
  Diagnostics& diagnostics_;
  const std::shared_ptr<const Instantiation>& chain_;
  std::vector<xml::Edit>& edits_;
  std::vector<Tag> open_;
  std::vector<Mismatch> slips_;
  std::optional<Mismatch> crossing_;  ///< the first one that would close a tag further out
};

}  // namespace

bool pair_tags(const std::shared_ptr<const SourceText>& source, Diagnostics& diagnostics,
               const std::shared_ptr<const Instantiation>& chain, std::vector<xml::Edit>& edits) {
  const bool paired = Pairing(source, diagnostics, chain, edits).run();
  std::sort(edits.begin(), edits.end(),
            [](const xml::Edit& a, const xml::Edit& b) { return a.offset < b.offset; });
  return paired;
}

}  // namespace protobeam::mvsim
