// The tree back to text.
#include <charconv>
#include <map>
#include <memory>

#include "wbt/document.h"
#include "wbt/load.h"

namespace protobeam::wbt {
namespace {

class Writer {
 public:
  /// `as_source`: by PROTOs and USE, as it was written.
  explicit Writer(bool as_source = false) : as_source_(as_source) {}
  std::string take() { return std::move(out_); }

  void line(std::string_view text) {
    indent();
    out_ += text;
    out_ += '\n';
  }
  void raw(std::string_view text) { out_ += text; }

  void node(const NodePtr& node) {
    if (!node) {
      out_ += "NULL";
      return;
    }
    if (!node->use.empty()) {
      out_ += "USE " + node->use;
      return;
    }
    if (as_source_ && !node->def.empty()) {
      std::weak_ptr<const Node>& known = defined_[node->def];
      if (known.lock() == node) {
        out_ += "USE " + node->def;
        return;
      }
      known = node;
    }
    if (!node->def.empty()) out_ += "DEF " + node->def + " ";
    if (as_source_ && node->instance) return instance(*node->instance);
    out_ += node->type;
    if (node->fields.empty()) {
      out_ += " { }";
      return;
    }
    out_ += " {\n";
    ++depth_;
    for (const auto& field : node->fields) {
      indent();
      if (field.hidden) out_ += "hidden ";
      out_ += field.name;
      out_ += ' ';
      value(field.value);
      out_ += '\n';
    }
    --depth_;
    indent();
    out_ += '}';
  }

  void value(const Value& value) {
    if (value.kind == Value::Kind::kIs) {
      out_ += "IS " + value.strings.at(0);
      return;
    }
    if (value.bracketed || value.kind == Value::Kind::kEmpty) out_ += '[';
    elements(value);
    if (value.bracketed || value.kind == Value::Kind::kEmpty) {
      if (value.kind == Value::Kind::kNodes) {
        indent();
      } else {
        out_ += ' ';
      }
      out_ += ']';
    }
  }

  void elements(const Value& value) {
    const bool list = value.bracketed;
    auto gap = [this, list, first = true]() mutable {
      if (list || !first) out_ += ' ';
      first = false;
    };
    switch (value.kind) {
      case Value::Kind::kBools:
        for (double v : value.numbers) {
          gap();
          out_ += v != 0 ? "TRUE" : "FALSE";
        }
        break;
      case Value::Kind::kNumbers:
        for (double v : value.numbers) {
          gap();
          number(v);
        }
        break;
      case Value::Kind::kStrings:
        for (const auto& v : value.strings) {
          gap();
          string(v);
        }
        break;
      case Value::Kind::kNodes:
        if (list) out_ += '\n';
        if (list) ++depth_;
        for (const auto& v : value.nodes) {
          if (list) indent();
          node(v);
          if (list) out_ += '\n';
        }
        if (list) --depth_;
        break;
      default:
        break;
    }
  }

 private:
  void instance(const ProtoInstance& proto) {
    const ProtoInterface& interface = *proto.document->proto;
    out_ += interface.name + " {\n";
    ++depth_;
    for (std::size_t i = 0; i < interface.parameters.size(); ++i) {
      if (!proto.given[i]) continue;
      indent();
      out_ += interface.parameters[i].name + ' ';
      value(proto.values[i]);
      out_ += '\n';
    }
    --depth_;
    indent();
    out_ += '}';
  }

  void indent() { out_.append(static_cast<std::size_t>(depth_) * 2, ' '); }

  void number(double value) {
    char buffer[32];
    out_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  }

  void string(const std::string& text) {
    out_ += '"';
    for (char c : text) {
      if (c == '\n') {
        out_ += "\\n";
      } else if (c == '\t') {
        out_ += "\\t";
      } else {
        if (c == '"' || c == '\\') out_ += '\\';
        out_ += c;
      }
    }
    out_ += '"';
  }

  bool as_source_;
  std::map<std::string, std::weak_ptr<const Node>> defined_;
  std::string out_;
  int depth_ = 0;
};

void write_externs(const Document& document, Writer& out) {
  for (const auto& declared : document.externs) {
    out.line(std::string(declared.importable ? "IMPORTABLE " : "") + "EXTERNPROTO \"" +
             declared.url + "\"");
  }
}

const char* kind_text(Parameter::Kind kind) {
  switch (kind) {
    case Parameter::Kind::kW3dField:
      return "w3dField";
    case Parameter::Kind::kHidden:
      return "hiddenField";
    case Parameter::Kind::kDeprecated:
      return "deprecatedField";
    case Parameter::Kind::kUnconnected:
      return "unconnectedField";
    default:
      return "field";
  }
}

void write_interface(const ProtoInterface& interface, Writer& out) {
  out.line("PROTO " + interface.name + " [");
  for (const auto& parameter : interface.parameters) {
    out.raw("  ");
    out.raw(kind_text(parameter.kind));
    out.raw(" ");
    out.raw(to_string(parameter.type));
    if (parameter.allowed) {
      out.raw("{");
      for (std::size_t i = 0; i < parameter.allowed->nodes.size(); ++i) {
        if (i > 0) out.raw(" ");
        out.node(parameter.allowed->nodes[i]);
      }
      if (parameter.allowed->nodes.empty()) {
        Value bare = *parameter.allowed;
        bare.bracketed = false;
        out.elements(bare);
      }
      out.raw("}");
    }
    out.raw(" ");
    out.raw(parameter.name);
    out.raw(" ");
    out.value(parameter.default_value);
    out.raw("\n");
  }
  out.line("]");
}

}  // namespace

std::string to_text(const std::vector<NodePtr>& nodes, std::string_view version) {
  Writer out;
  out.line("#VRML_SIM " + std::string(version) + " utf8");
  for (const auto& node : nodes) {
    out.node(node);
    out.raw("\n");
  }
  return out.take();
}

std::string to_source_text(const std::vector<NodePtr>& nodes) {
  Writer out(true);
  for (const auto& node : nodes) {
    out.node(node);
    out.raw("\n");
  }
  return out.take();
}

std::string to_source_text(const LoadedWorld& world) {
  std::string text = "#VRML_SIM " + (world.version.empty() ? "R2025a" : world.version) + " utf8\n";
  for (const auto& declared : world.externs) {
    if (declared.importable) text += "IMPORTABLE ";
    text += "EXTERNPROTO \"" + declared.url + "\"\n";
  }
  return text + to_source_text(world.nodes);
}

std::string to_text(const Document& document) {
  Writer out;
  out.line("#VRML_SIM " + document.version_text + " utf8");
  for (const auto& line : document.info) out.line("# " + line);
  write_externs(document, out);
  if (document.proto) {
    const auto& interface = *document.proto;
    write_interface(interface, out);
    if (interface.javascript || interface.lua) {
      out.raw("{");
      out.raw(document.source->text().substr(interface.body_begin,
                                             interface.body_end - interface.body_begin));
      out.raw("}\n");
      return out.take();
    }
    out.line("{");
  }
  for (const auto& node : document.nodes) {
    out.node(node);
    out.raw("\n");
  }
  if (document.proto) out.line("}");
  return out.take();
}

}  // namespace protobeam::wbt
