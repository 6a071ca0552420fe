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

}  // namespace

std::string node_page(const SchemaRegistry& schemas, const NodeSchema& schema) {
  std::string out = std::string("# ") + schema.name + "\n\n" + schema.meaning + "\n";
  if (schema.not_simulated) {
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
