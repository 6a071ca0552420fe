// Evaluates templates in JavaScriptCore; only the worker process links it.
#pragma once

#include "wbt/templates/script_messages.h"

namespace protobeam::wbt::script {

/// Settings of JavaScriptCore that count from its first use on, and a first evaluation, so that
/// everything that JavaScriptCore opens when it is needed is open.
void prepare_javascript();

}  // namespace protobeam::wbt::script
