#!/usr/bin/env bash
# Records the sensors of MCD for half a second and reads the bag as its users do. Arguments: protobeam, the
# folder of the sources.
set -euo pipefail
/usr/bin/python3 -c 'import numpy, rosbag' 2>/dev/null || {
  echo "no rosbag for Python (apt-get install python3-rosbag python3-numpy)"
  exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" run "$2/worlds/mcd.wbt" --duration 0.5 --record "$folder/mcd.bag" >/dev/null
/usr/bin/python3 -B "$2/tests/interop/rosbag/read_mcd.py" "$folder/mcd.bag" atv 0.5 / ground
