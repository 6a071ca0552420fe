// The request to stop: Ctrl-C and other signals, or a program that has had enough. One for the
// process; whatever waits or works for long looks at it.
#pragma once

namespace protobeam::stop {

/// From now on SIGINT, SIGTERM and SIGHUP request a stop; the second one (not earlier than 0.3 s
/// after the first, for some senders signal the process and its group) ends the program at once.
/// Until then a signal ends it, which is right while there is nothing to save.
void catch_signals();

/// May be called from a signal handler.
void request();
bool requested();
/// Readable (poll) once a stop is requested; -1 before catch_signals().
int descriptor();

}  // namespace protobeam::stop
