#include "xml/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>

namespace protobeam::xml {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

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

/// The parser works in a copy of the text; this turns its pointers back into places.
class Reader {
 public:
  Reader(const std::shared_ptr<const SourceText>& source, const Dialect& dialect,
         Diagnostics& diagnostics)
      : source_(source), dialect_(dialect), diagnostics_(diagnostics), copy_(source->text()) {}

  bool run(std::vector<Element>& roots) {
    const std::string_view text = source_->text();
    if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
      return fail(nul, "the file holds a zero byte: it is not UTF-8 text");
    }
    for (auto edit = dialect_.edits.rbegin(); edit != dialect_.edits.rend(); ++edit) {
      copy_.replace(edit->offset, edit->length, edit->text);
    }

    pugi::xml_document document;
    const auto result = document.load_buffer_inplace(
        copy_.data(), copy_.size(), pugi::parse_cdata | pugi::parse_escapes | pugi::parse_eol,
        pugi::encoding_utf8);
    if (result.status == pugi::status_no_document_element || copy_.empty()) {
      return fail(0, "the file holds no element");
    }
    if (!result) {
      std::size_t at =
          original(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, result.offset)));
      // What is not closed is of interest where it begins.
      const char* begin = result.status == pugi::status_bad_comment ? "<!--"
                          : result.status == pugi::status_bad_cdata ? "<![CDATA["
                                                                    : nullptr;
      if (begin) at = std::min(at, text.rfind(begin, at));
      return fail(at, what_is_wrong(result.status));
    }
    for (const auto& root : document.children()) {
      if (root.type() == pugi::node_element && !read(root, roots.emplace_back(), 1)) {
        return false;
      }
    }
    return true;
  }

 private:
  bool fail(const Place& place, std::string message) {
    diagnostics_.error(place, std::move(message), {}, dialect_.chain);
    return false;
  }

  bool fail(std::size_t offset, std::string message) {
    return fail(place(offset, 1), std::move(message));
  }

  Place place(std::size_t offset, std::size_t length) const {
    return {source_, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length)};
  }

  /// Where in the text a place of the copy comes from.
  std::size_t original(std::size_t offset) const {
    std::size_t shift = 0;  // of the copy against the text, modulo 2^64
    for (const Edit& edit : dialect_.edits) {
      const std::size_t begin = edit.offset + shift;
      if (offset <= begin) break;
      if (offset < begin + edit.text.size()) return edit.offset;
      shift += edit.text.size() - edit.length;
    }
    return offset - shift;
  }

  /// `pointer` is into the copy unless the parser made the string up (an empty value).
  Place place_of(const char* pointer, std::size_t length, const Place& otherwise) const {
    if (pointer < copy_.data() || pointer >= copy_.data() + copy_.size()) return otherwise;
    return place(original(static_cast<std::size_t>(pointer - copy_.data())), length);
  }

  Text text_of(const char* value, const Place& otherwise) const {
    Text text;
    std::string_view view(value);
    const auto first = view.find_first_not_of(kBlanks);
    if (first != std::string_view::npos) {
      view = view.substr(first, view.find_last_not_of(kBlanks) + 1 - first);
    } else {
      view = {};
    }
    text.value = view;
    text.place = view.empty() ? otherwise : place_of(view.data(), view.size(), otherwise);
    text.verbatim = source_->text().substr(text.place.offset, text.place.length) == text.value;
    return text;
  }

  bool read(const pugi::xml_node& node, Element& out, std::size_t depth) {
    out.tag = node.name();
    out.place = place_of(node.name(), out.tag.size(), place(0, 1));
    if (depth > dialect_.limits.nesting) {
      return fail(out.place,
                  fmt::format("more than {} elements in each other", dialect_.limits.nesting));
    }
    if (++elements_ > dialect_.limits.elements) {
      return fail(out.place, fmt::format("more than {} elements", dialect_.limits.elements));
    }
    for (const auto& attribute : node.attributes()) {
      Attribute read;
      read.name = attribute.name();
      read.place = place_of(attribute.name(), read.name.size(), out.place);
      read.text = text_of(attribute.value(), read.place);
      if (out.attribute(read.name)) {
        fail(read.place, fmt::format("attribute '{}' of <{}> is given twice", read.name, out.tag));
        continue;
      }
      out.attributes.push_back(std::move(read));
    }
    out.text.place = out.place;
    for (const auto& child : node.children()) {
      if (child.type() == pugi::node_element) {
        if (!read(child, out.children.emplace_back(), depth + 1)) return false;
      } else if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
        add(out.text, text_of(child.value(), out.place));
      }
    }
    return true;
  }

  static void add(Text& text, Text piece) {
    if (piece.value.empty()) return;
    if (text.value.empty()) {
      text = std::move(piece);
    } else {
      text.value += " " + piece.value;
      text.verbatim = false;
    }
  }

  const std::shared_ptr<const SourceText>& source_;
  const Dialect& dialect_;
  Diagnostics& diagnostics_;
  std::string copy_;
  std::size_t elements_ = 0;
};

}  // namespace

bool parse(const std::shared_ptr<const SourceText>& source, const Dialect& dialect,
           Diagnostics& diagnostics, std::vector<Element>& roots) {
  return Reader(source, dialect, diagnostics).run(roots);
}

std::optional<Element> parse_only(const std::shared_ptr<const SourceText>& source,
                                  const Dialect& dialect, Diagnostics& diagnostics) {
  std::vector<Element> roots;
  if (!parse(source, dialect, diagnostics, roots)) return std::nullopt;
  if (roots.size() > 1) {
    diagnostics.error(roots[1].place, "a file holds one element at its top");
    return std::nullopt;
  }
  return std::move(roots.front());
}

}  // namespace protobeam::xml
