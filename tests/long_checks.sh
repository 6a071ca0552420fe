#!/usr/bin/env bash
# tests/long_checks.sh [SECONDS]: the checks that take too long for every change. All tests under
# the address and undefined sanitizers; the worlds' state_hash on processors that qemu imitates;
# clang-tidy (.clang-tidy); 20,000 damaged files; runs ended by 200 signals at random instants; a
# minute of clouds through ROS 2; one definition of each type over all object files of a program;
# then the fuzzers: SECONDS (600) for the texts, and for what supervisors do, half of that for
# templates in Lua, MVSim worlds and URDFs, a fifth for the messages. What the fuzzers find lies in
# build/fuzz/findings; add it to tests/fuzz/corpus.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
seconds=${1:-600}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || {
  echo "usage: tests/long_checks.sh [SECONDS], a whole number from 1" >&2
  exit 2
}
if ! command -v clang++-14 >/dev/null || [ ! -e "$(clang++-14 -print-file-name=libclang_rt.fuzzer-$(uname -m).a)" ]; then
  echo "long_checks: the fuzzers need clang-14 and libclang-rt-14-dev" >&2
  exit 1
fi
command -v clang-tidy-14 >/dev/null || {
  echo "long_checks: clang-tidy-14 is missing" >&2
  exit 1
}

command -v qemu-x86_64 >/dev/null || {
  echo "long_checks: state_hash on other processors needs qemu-user" >&2
  exit 1
}

launcher=()
command -v ccache >/dev/null &&
  launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
jobs=$(nproc)

cmake --preset asan "${launcher[@]}"
cmake --build --preset asan -j "$jobs"
ctest --preset asan -j "$jobs"
# Damaged copies of everything that a reader takes; with a sanitizer memory is three times what it is.
tests/faults/mutations.py build/asan/bin/protobeam --files 20000 --seed "$(date +%j)" --jobs "$jobs" --memory 6000

# Processors before AVX and before AVX-512: other clones of our loops, other code in Embree and glibc. qemu
# runs only protobeam itself; the controllers and the template worker that it starts run as they are, since
# qemu cannot start programs for its guest and seccomp does not work in it. --without-fma reaches those.
cmake --preset release "${launcher[@]}"
cmake --build --preset release -j "$jobs" --target protobeam_run
hashes=(tests/determinism/state_hashes.py build/release/bin/protobeam --only short)
"${hashes[@]}" --emulator "qemu-x86_64 -cpu Nehalem" --without-fma
"${hashes[@]}" --emulator "qemu-x86_64 -cpu Haswell"
# Signals at random instants.
cmake --build --preset release -j "$jobs" --target faults_test controller_counter controller_nuisance
PROTOBEAM_FAULT_SEEDS=200 build/release/tests/faults_test --gtest_filter=Signals.LeaveNothingBehind

# Clouds to another program for a minute.
cmake --build --preset release -j "$jobs" --target plugin_Ros2Publisher_test
PROTOBEAM_ROS2_SECONDS=60 build/release/tests/plugin_Ros2Publisher_test --gtest_filter='*LosesNoCloud*'

# Two types of one name with different members pass every compiler that sees one of them at a time.
cmake --preset odr "${launcher[@]}"
cmake --build --preset odr -j "$jobs"

# It has to know how each source is compiled, not many at once.
cmake --preset fuzz -B build/tidy -DPROTOBEAM_FUZZ=OFF -DPROTOBEAM_UNITY=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON
echo "long_checks: clang-tidy"
git ls-files 'src/*.cpp' 'plugins/*.cpp' | grep -v /skeletons/ |
  xargs -P "$jobs" -n 4 clang-tidy-14 -p build/tidy --quiet
cmake --preset fuzz "${launcher[@]}"
cmake --build --preset fuzz -j "$jobs"
findings=build/fuzz/findings
mkdir -p "$findings"
fuzz() { # fuzz PROGRAM SECONDS CORPUS MORE...
  local grown
  grown=$(mktemp -d)
  echo "long_checks: $1 for $2 s"
  "build/fuzz/tests/$1" -max_total_time="$2" -max_len=4096 -rss_limit_mb=4096 -timeout=20 \
    -print_final_stats=1 -artifact_prefix="$findings/$1-" "$grown" "tests/fuzz/corpus/$3" "${@:4}"
  rm -r "$grown"
}
fuzz parse_fuzz "$seconds" texts -dict=tests/fuzz/wbt.dict protos worlds
fuzz lua_fuzz $(((seconds + 1) / 2)) lua -dict=tests/fuzz/lua.dict
fuzz mvsim_fuzz $(((seconds + 1) / 2)) mvsim -dict=tests/fuzz/mvsim.dict tests/data/mvsim_docs/blocks
fuzz urdf_fuzz $(((seconds + 1) / 2)) urdf -dict=tests/fuzz/urdf.dict
fuzz sdf_fuzz $(((seconds + 1) / 2)) sdf -dict=tests/fuzz/sdf.dict
fuzz decode_fuzz $(((seconds + 4) / 5)) messages
fuzz supervise_fuzz "$seconds" supervisor -max_len=600
echo "long_checks: nothing found"
