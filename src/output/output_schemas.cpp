#include "output/output_schemas.h"

namespace protobeam {

void add_output_schemas(SchemaRegistry& schemas) {
  schemas.add({"Output",
               "",
               "A place where messages go: a file, a network. What stands in a world is one of the types "
               "that extend it.",
               {{"topics", FieldType::kMFString, "[ ]", "", {},
                 "Names of the topics that it takes, * for any text in them; none: all"},
                {"without", FieldType::kMFString, "[ ]", "", {},
                 "Names of topics that it does not take, * for any text in them"},
                {"memory", FieldType::kFloat, "256", "MB", Range::positive(),
                 "What messages may take that wait for the disk or the network"}}});
}

}  // namespace protobeam
