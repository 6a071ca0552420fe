// `webots convert`: a PROTO with given parameters as URDF or as a node of a world, like Webots'.
#pragma once

#include <string>
#include <vector>

namespace protobeam {

struct ConvertArguments {
  std::string proto;                    ///< the PROTO file
  std::string type = "urdf";            ///< without `output`: urdf or wbo, in any case
  std::string output;                   ///< whose ending is the type; "": stdout
  std::vector<std::string> parameters;  ///< NAME=VALUE, as a world has it
};

/// The exit code of the command. Throws std::invalid_argument.
int convert_proto(const ConvertArguments& arguments);

}  // namespace protobeam
