# Read by CTest in sanitized builds: what every test and every process that it starts is to know.
set(ENV{ASAN_OPTIONS} "detect_stack_use_after_return=1:strict_string_checks=1")
set(ENV{UBSAN_OPTIONS} "print_stacktrace=1")
set(ENV{LSAN_OPTIONS} "suppressions=${CMAKE_CURRENT_LIST_DIR}/lsan.supp:print_suppressions=0")
