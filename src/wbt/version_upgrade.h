// Upgrades of text of older releases. The release is that of the file that holds the text.
#pragma once

#include <string>
#include <string_view>

#include "base/field_table.h"
#include "wbt/document.h"

namespace protobeam::wbt {

/// World axes: as WorldInfo says, and before R2020b y up unless it says otherwise.
std::string coordinate_system(const Document& document);

/// What a node type that had another name is called today; "" for all others.
std::string_view renamed_node(std::string_view type);

/// Upgrades one expanded node of a file older than R2023b: its axes (R2022a), its `scale` (R2023b).
/// `in_turned`: not its axes, since it stands in a parameter of a PROTO that is turned.
void upgrade_node(const Document& document, const SchemaRegistry& schemas, Node& node,
                  bool in_turned);

/// Turns what that PROTO has made whose file has the axes of R2022a, where a file with older ones
/// uses it: all PROTOs of Webots were turned then.
void turn_instance(const SchemaRegistry& schemas, std::string_view proto, Node& node);

/// What a parameter of a PROTO of Webots that is turned is called since R2022a, if the axes were in
/// its name.
std::string_view turned_name(std::string_view proto, std::string_view parameter);

/// Turns the value of a parameter of a PROTO of Webots that is turned, if it counts along its axes:
/// the size of a box, the points of a road, the corners of a building. Others stay as they are.
void turn_parameter(std::string_view proto, std::string_view parameter, Value& value);

/// A PROTO of Webots that R2022a did not turn: a robot that had z up before, too, and that its
/// default `rotation` stood up in a world with y up; or what such robots hold.
bool kept_axes(std::string_view proto);

/// Turns the default of a `translation` or `rotation` of a PROTO of Webots, by which it stands on
/// the ground: it counts along the axes of the text of before R2022a that uses the PROTO.
void turn_default(std::string_view proto, std::string_view parameter, Value& value);

}  // namespace protobeam::wbt
