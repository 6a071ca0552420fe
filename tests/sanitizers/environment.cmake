# Read by CTest in sanitized builds: what every test and every process that it starts is to know. No
# leak is suppressed; one of a library that is not ours would go into a file that LSAN_OPTIONS names
# (see keep_modules.c first). Python, and programs that tests build, load the sanitizer with our libraries only.
# Fast DDS, as Debian builds it, frees what it has made by another size (its statistics).
set(ENV{ASAN_OPTIONS} "new_delete_type_mismatch=0:detect_stack_use_after_return=1:strict_string_checks=1:verify_asan_link_order=0")
set(ENV{UBSAN_OPTIONS} "print_stacktrace=1")
set(ENV{TSAN_OPTIONS} "suppressions=${CMAKE_CURRENT_LIST_DIR}/thread.supp:history_size=4")
