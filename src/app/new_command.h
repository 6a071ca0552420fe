// `protobeam new KIND NAME`: a working skeleton to edit.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/field_table.h"

namespace protobeam {

/// Copies the skeleton of a kind with @NAME@ replaced by `name`, in texts and in file names.
///
///   kind        goes to (below `target_dir`)
///   device      plugins/devices/NAME when `inside_tree` (target_dir is the checkout), else NAME;
///               a node type begins with a capital letter: "thruster" makes Thruster
///   controller  controllers/NAME, in C; controller_c, _cpp, _java and _python say
///               which language
///   world       worlds/NAME.wbt
///   project     NAME
///
/// `name` is a letter followed by letters, digits and underscores; that of a device must be new to
/// `schemas` (when given). Nothing is overwritten. Returns the exit status of the command: 0, with
/// the files made and what to do next in `message`; 1, with what is wrong with the name or the
/// place; 2, with the kinds that there are.
int new_command(std::string_view kind, const std::string& name,
                const std::filesystem::path& target_dir, const std::filesystem::path& skeleton_dir,
                bool inside_tree, std::string& message, const SchemaRegistry* schemas = nullptr);

}  // namespace protobeam
