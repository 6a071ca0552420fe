#!/usr/bin/env bash
# Records half a second of the lidar of worlds/campus.wbt in a bend, at 3 m/s, and looks where the walls are.
# Arguments: protobeam, the folder of the sources.
set -euo pipefail
/usr/bin/python3 -c 'import numpy, rosbag' 2>/dev/null || {
  echo "no rosbag for Python (apt-get install python3-rosbag python3-numpy)"
  exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The recording begins and ends at rest.
sed -e "s#\"campus/atv_spline.csv\"#& startTime 44.3#" -e "s#\"\.\./#\"$2/#" -e "s#\"campus/#\"$2/worlds/campus/#" \
  "$2/worlds/campus.wbt" >"$folder/bend.wbt"
grep -q 'atv_spline.csv" startTime 44.3' "$folder/bend.wbt"
cat >"$folder/outputs.yaml" <<EOT
outputs:
  - type: BagRecorder
    file: $folder/bend.bag
    topics: [/mcd_atv/os_cloud_node/points, /mcd_atv/trajectory, /mcd_atv/tf_static]
EOT
"$1" run "$folder/bend.wbt" --allow-path "$2" --duration 0.5 --outputs "$folder/outputs.yaml" >/dev/null
/usr/bin/python3 -B "$2/tests/interop/rosbag/read_walls.py" "$folder/bend.bag" /mcd_atv "$2/worlds/campus.wbt"
