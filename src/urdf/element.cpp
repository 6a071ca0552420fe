#include "urdf/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>

namespace protobeam::urdf {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

const char* what_is_wrong(pugi::xml_parse_status status) {
  switch (status) {
    case pugi::status_bad_pi:
      return "a <?...?> is not closed";
    case pugi::status_bad_comment:
      return "a comment is not closed: --> is missing";
    case pugi::status_bad_cdata:
      return "a <![CDATA[ is not closed: ]]> is missing";
    case pugi::status_bad_doctype:
      return "a <!DOCTYPE is malformed";
    case pugi::status_bad_start_element:
      return "a tag is malformed";
    case pugi::status_bad_attribute:
      return "an attribute is malformed: expected name=\"value\"";
    case pugi::status_bad_end_element:
    case pugi::status_end_element_mismatch:
      return "a closing tag is malformed, missing, or closes another tag";
    case pugi::status_unrecognized_tag:
      return "'<' begins no tag; write &lt; for the character";
    case pugi::status_out_of_memory:
      return "the file needs too much memory";
    default:
      return "the text is not XML";
  }
}

/// The parser works in a copy of the text and only ever shortens what it decodes, in place: its
/// pointers are offsets in the text.
class Reader {
 public:
  Reader(const std::shared_ptr<const SourceText>& source, const Limits& limits,
         Diagnostics& diagnostics)
      : source_(source), limits_(limits), diagnostics_(diagnostics), copy_(source->text()) {}

  std::unique_ptr<const Element> run() {
    if (const auto nul = copy_.find('\0'); nul != std::string::npos) {
      return fail(nul, "the file holds a zero byte: it is not UTF-8 text");
    }
    pugi::xml_document document;
    const auto result = document.load_buffer_inplace(
        copy_.data(), copy_.size(), pugi::parse_cdata | pugi::parse_escapes | pugi::parse_eol,
        pugi::encoding_utf8);
    if (result.status == pugi::status_no_document_element || copy_.empty()) {
      return fail(0, "the file holds no element");
    }
    if (!result) {
      return fail(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, result.offset)),
                  what_is_wrong(result.status));
    }
    const pugi::xml_node root = document.document_element();
    auto out = std::make_unique<Element>();
    if (!read(root, *out, 1)) return nullptr;
    for (auto other = root.next_sibling(); other; other = other.next_sibling()) {
      if (other.type() != pugi::node_element) continue;
      return fail(offset_of(other.name()), "a file holds one element at its top");
    }
    return out;
  }

 private:
  std::unique_ptr<const Element> fail(std::size_t offset, std::string message) {
    diagnostics_.error({source_, static_cast<std::uint32_t>(std::min(offset, copy_.size())), 1},
                       std::move(message));
    return nullptr;
  }

  std::size_t offset_of(const char* pointer) const {
    return static_cast<std::size_t>(pointer - copy_.data());
  }
  bool inside(const char* pointer) const {
    return pointer >= copy_.data() && pointer < copy_.data() + copy_.size();
  }
  Place place_of(std::string_view text, const Place& otherwise) const {
    if (text.empty() || !inside(text.data())) return otherwise;
    return {source_, static_cast<std::uint32_t>(offset_of(text.data())),
            static_cast<std::uint32_t>(text.size())};
  }

  bool read(const pugi::xml_node& node, Element& out, std::size_t depth) {
    out.tag = node.name();
    out.place = place_of(node.name(), {source_, 0, 1});
    if (depth > limits_.nesting) {
      diagnostics_.error(out.place,
                         fmt::format("more than {} elements in each other", limits_.nesting));
      return false;
    }
    if (++elements_ > limits_.elements) {
      diagnostics_.error(out.place, fmt::format("more than {} elements", limits_.elements));
      return false;
    }
    for (const auto& attribute : node.attributes()) {
      Attribute made;
      made.name = attribute.name();
      made.place = place_of(attribute.name(), out.place);
      const std::string_view value = trimmed(attribute.value());
      made.text = {std::string(value), place_of(value, made.place)};
      if (out.attribute(made.name)) {
        diagnostics_.error(
            made.place, fmt::format("attribute '{}' of <{}> is given twice", made.name, out.tag));
        continue;
      }
      out.attributes.push_back(std::move(made));
    }
    out.text.place = out.place;
    for (const auto& child : node.children()) {
      if (child.type() == pugi::node_element) {
        if (!read(child, out.children.emplace_back(), depth + 1)) return false;
      } else if (out.text.value.empty() &&
                 (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)) {
        const std::string_view value = trimmed(child.value());
        out.text = {std::string(value), place_of(value, out.place)};
      }
    }
    return true;
  }

  const std::shared_ptr<const SourceText>& source_;
  const Limits& limits_;
  Diagnostics& diagnostics_;
  std::string copy_;
  std::size_t elements_ = 0;
};

}  // namespace

const Text* Element::attribute(std::string_view name) const {
  for (const Attribute& one : attributes) {
    if (one.name == name) return &one.text;
  }
  return nullptr;
}

const Element* Element::child(std::string_view name) const {
  for (const Element& one : children) {
    if (one.tag == name) return &one;
  }
  return nullptr;
}

std::vector<const Element*> Element::all(std::string_view name) const {
  std::vector<const Element*> out;
  for (const Element& one : children) {
    if (one.tag == name) out.push_back(&one);
  }
  return out;
}

const Element* Element::find(std::initializer_list<std::string_view> path) const {
  const Element* at = this;
  for (const std::string_view tag : path) {
    if (at) at = at->child(tag);
  }
  return at;
}

std::unique_ptr<const Element> parse_xml(const std::shared_ptr<const SourceText>& source,
                                         const Limits& limits, Diagnostics& diagnostics) {
  return Reader(source, limits, diagnostics).run();
}

}  // namespace protobeam::urdf
