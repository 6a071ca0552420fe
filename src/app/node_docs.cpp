#include "app/node_docs.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace protobeam {
namespace {

/// Text inside a table cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string code(std::string_view text) {
  std::string out = "`";
  out += cell(text);
  out += '`';
  return out;
}

std::string allowed_values(const FieldSpec& field) {
  std::string out;
  std::string_view rest = field.allowed;
  const bool quoted = single(field.type) == FieldType::kString;
  while (!rest.empty()) {
    const std::size_t bar = rest.find('|');
    const std::string value(rest.substr(0, bar));
    out += (out.empty() ? "" : ", ") + code(quoted ? "\"" + value + "\"" : value);
    rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + 1);
  }
  return out.empty() ? cell(field.range.to_string()) : out;
}

std::string meaning(const FieldSpec& field) {
  std::string out = cell(field.meaning);
  if (field.not_simulated) out += std::string(out.empty() ? "" : " ") + "(without effect here)";
  return out;
}

std::string inherited(const SchemaRegistry& schemas, const NodeSchema& schema) {
  std::string out;
  std::vector<std::string_view> seen;
  for (const FieldSpec& field : schema.fields) seen.push_back(field.name);
  for (const NodeSchema* base = schemas.find(schema.base); base; base = schemas.find(base->base)) {
    std::string names;
    for (const FieldSpec& field : base->fields) {
      if (field.alias_of || std::find(seen.begin(), seen.end(), field.name) != seen.end()) continue;
      seen.push_back(field.name);
      names += (names.empty() ? "" : ", ") + code(field.name);
    }
    if (!names.empty()) {
      out += std::string("- from [") + base->name + "](" + base->name + ".md): " + names + "\n";
    }
  }
  return out;
}

std::string shape_of(const ChannelSpec& channel) {
  std::string out;
  for (const Dimension& dimension : channel.shape) {
    out += (out.empty() ? "" : ", ") +
           (dimension.name.empty() ? std::to_string(dimension.size) : code(dimension.name));
  }
  return out.empty() ? "" : "[" + out + "]";
}

std::string elements_of(const ChannelSpec& channel) {
  if (channel.type != ElementType::kRecord) return std::string(to_string(channel.type));
  std::string out;
  for (const Component& component : channel.components) {
    out += (out.empty() ? "" : ", ") + code(component.name) + " " +
           std::string(to_string(component.type)) +
           (component.unit.empty() ? "" : " (" + component.unit + ")");
  }
  return out;
}

/// What stands in a device's declaration besides its fields.
std::string device_sections(const DeviceType& type) {
  std::string out;
  if (!type.channels.empty()) {
    out +=
        "\n## Channels of its sample\n\n"
        "| channel | elements | shape | unit | frame | no value | meaning |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n";
    for (const ChannelSpec& channel : type.channels) {
      out += "| " + code(channel.name) + " | " + elements_of(channel) + " | " + shape_of(channel) +
             " | " + cell(channel.unit) + " | " + channel.frame + " | " + channel.missing + " | " +
             cell(channel.meaning) + " |\n";
    }
  }
  if (type.messages) out += "\nIt delivers messages: see its source for their numbers.\n";
  if (!type.commands.empty()) {
    out += "\n## Commands\n\n| command | numbers | meaning |\n| --- | --- | --- |\n";
    for (const CommandSpec& command : type.commands) {
      std::string numbers = command.bytes ? "bytes" : "";
      for (const ArgumentSpec& argument : command.arguments) {
        const std::string range = argument.range.to_string();
        numbers += (numbers.empty() ? "" : "; ") + code(argument.name) +
                   (argument.unit.empty() ? "" : " " + cell(argument.unit)) +
                   (range.empty() ? "" : " " + cell(range));
      }
      if (command.repeats > 0) numbers += " (0 to " + std::to_string(command.repeats) + " times)";
      out += "| " + code(command.name) + " | " + numbers + " | " + cell(command.meaning) + " |\n";
    }
  }
  if (!type.properties.empty()) {
    out += "\n## Properties\n\n| property | unit | meaning |\n| --- | --- | --- |\n";
    for (const PropertySpec& property : type.properties) {
      out += "| " + code(property.name) + " | " + cell(property.unit) + " | " +
             cell(property.meaning) + " |\n";
    }
  }
  const std::string inputs = to_string(type.inputs);
  if (!inputs.empty()) out += "\nIt looks at: " + inputs + ".\n";
  if (type.forces) out += "\nIt acts on its body before each substep.\n";
  return out;
}

}  // namespace

std::string node_page(const SchemaRegistry& schemas, const NodeSchema& schema,
                      const DeviceType* type) {
  std::string out = std::string("# ") + schema.name + "\n\n" + schema.meaning + "\n";
  if (schema.not_simulated && type) {
    out += "\nIt has no effect here. Controllers find it and read neutral values, with a warning.\n";
  } else if (schema.not_simulated) {
    out +=
        "\nIt has no effect here. If it extends Solid, Pose or Group it stays as that with what it "
        "holds; else it is left out.\n";
  }

  std::string rows, old;
  for (const FieldSpec& field : schema.fields) {
    if (field.alias_of) {
      old += "- " + code(field.name) + " sets " + code(field.alias_of) + "\n";
      continue;
    }
    rows += "| " + code(field.name) + " | " + std::string(to_string(field.type)) + " | " +
            code(field.default_text) + " | " + cell(field.unit) + " | " + allowed_values(field) +
            " | " + meaning(field) + " |\n";
  }
  if (!rows.empty()) {
    out +=
        "\n| field | type | default | unit | allowed | meaning |\n"
        "| --- | --- | --- | --- | --- | --- |\n" +
        rows;
  }
  if (!old.empty()) out += "\nOlder spellings that are accepted:\n\n" + old;
  if (const std::string more = inherited(schemas, schema); !more.empty()) {
    out += "\nIt has these fields too:\n\n" + more;
  }
  if (type) out += device_sections(*type);
  return out;
}

std::string node_index(const SchemaRegistry& schemas) {
  std::string out = "# Nodes\n\n", others;
  for (const std::string& name : schemas.names()) {
    const NodeSchema* schema = schemas.find(name);
    if (schema->not_simulated) {
      others += (others.empty() ? "" : ", ") + code(name);
    } else {
      out += "- [" + name + "](" + name + ".md): " + schema->meaning + "\n";
    }
  }
  if (!others.empty()) out += "\nKnown from Webots and not simulated: " + others + ".\n";
  return out;
}

}  // namespace protobeam
