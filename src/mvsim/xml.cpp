#include "mvsim/xml.h"

#include <algorithm>
#include <pugixml.hpp>

#include "mvsim/xml_tags.h"

namespace protobeam::mvsim {
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
      return "an attribute is malformed: name=\"value\" is wanted";
    case pugi::status_bad_end_element:
    case pugi::status_end_element_mismatch:
      return "a closing tag is malformed or does not match";
    case pugi::status_unrecognized_tag:
      return "'<' begins no tag; write &lt; for the character";
    case pugi::status_out_of_memory:
      return "the file needs too much memory";
    default:
      return "the text is no XML";
  }
}

/// The parser works in a copy of the text; this turns its pointers back into places.
class Reader {
 public:
  Reader(XmlFile& file, const Limits& limits, Diagnostics& diagnostics,
         const std::shared_ptr<const Instantiation>& chain)
      : file_(file), limits_(limits), diagnostics_(diagnostics), chain_(chain) {}

  bool run() {
    const std::string_view text = file_.source->text();
    if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
      return fail(nul, "the file holds a zero byte: it is no UTF-8 text");
    }
    if (!pair_tags(file_.source, diagnostics_, chain_, edits_)) return false;
    copy_ = text;
    for (auto edit = edits_.rbegin(); edit != edits_.rend(); ++edit) {
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
      if (root.type() == pugi::node_element && !read(root, file_.roots.emplace_back(), 1)) {
        return false;
      }
    }
    return true;
  }

 private:
  bool fail(std::size_t offset, std::string message) {
    diagnostics_.error(place(offset, 1), std::move(message), {}, chain_);
    return false;
  }

  Place place(std::size_t offset, std::size_t length) const {
    return {file_.source, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length)};
  }

  /// Where in the text a place of the copy comes from.
  std::size_t original(std::size_t offset) const {
    std::size_t shift = 0;                 // of the copy against the text, modulo 2^64
    for (const TextEdit& edit : edits_) {  // few: pair_tags() gives up soon
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

  XmlText text_of(const char* value, const Place& otherwise) const {
    XmlText text;
    std::string_view view(value);
    const auto first = view.find_first_not_of(kBlanks);
    if (first != std::string_view::npos) {
      view = view.substr(first, view.find_last_not_of(kBlanks) + 1 - first);
    } else {
      view = {};
    }
    text.value = view;
    text.place = view.empty() ? otherwise : place_of(view.data(), view.size(), otherwise);
    text.verbatim = file_.source->text().substr(text.place.offset, text.place.length) == text.value;
    return text;
  }

  bool read(const pugi::xml_node& node, XmlNode& out, std::size_t depth) {
    out.tag = node.name();
    out.place = place_of(node.name(), out.tag.size(), place(0, 1));
    if (depth > limits_.nesting) {
      diagnostics_.error(out.place,
                         "more than " + std::to_string(limits_.nesting) + " elements in each other",
                         {}, chain_);
      return false;
    }
    for (const auto& attribute : node.attributes()) {
      XmlAttribute read;
      read.name = attribute.name();
      read.place = place_of(attribute.name(), read.name.size(), out.place);
      read.text = text_of(attribute.value(), read.place);
      const bool twice =
          std::any_of(out.attributes.begin(), out.attributes.end(),
                      [&](const XmlAttribute& one) { return one.name == read.name; });
      if (twice) {
        diagnostics_.error(read.place,
                           "attribute '" + read.name + "' of <" + out.tag + "> is given twice", {},
                           chain_);
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

  static void add(XmlText& text, XmlText piece) {
    if (piece.value.empty()) return;
    if (text.value.empty()) {
      text = std::move(piece);
    } else {
      text.value += " " + piece.value;
      text.verbatim = false;
    }
  }

  XmlFile& file_;
  const Limits& limits_;
  Diagnostics& diagnostics_;
  const std::shared_ptr<const Instantiation>& chain_;
  std::string copy_;
  std::vector<TextEdit> edits_;
};

}  // namespace

bool parse_xml(XmlFile& file, const Limits& limits, Diagnostics& diagnostics,
               const std::shared_ptr<const Instantiation>& chain) {
  return Reader(file, limits, diagnostics, chain).run();
}

}  // namespace protobeam::mvsim
