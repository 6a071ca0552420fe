// What OSG has to say goes into our log.
#pragma once

namespace protobeam::viewer {

/// OSG prints on stdout and stderr by itself. After this call its warnings are debug lines of the
/// log. Any number of calls, from any thread.
void quiet_osg();

}  // namespace protobeam::viewer
