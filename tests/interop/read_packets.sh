#!/usr/bin/env bash
# Has @foxglove/velodyne-cloud read our captures. Arguments: the program that writes them, a folder
# that npm may fill. Leaves with 77 where there is no npm, or no way to its registry.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
writer=$1 modules=$2
command -v node >/dev/null && command -v npm >/dev/null || {
  echo "no node or no npm (apt-get install nodejs npm)"
  exit 77
}
mkdir -p "$modules"
if ! cmp -s "$here/node/package-lock.json" "$modules/installed.json"; then
  cp "$here"/node/*.json "$modules"
  npm ci --no-audit --no-fund --fetch-retries 1 --prefix "$modules" || {
    echo "npm cannot install tests/interop/node"
    exit 77
  }
  cp "$here/node/package-lock.json" "$modules/installed.json"
fi
NODE_PATH=$modules/node_modules exec node "$here/read_packets.js" "$writer"
