#!/usr/bin/env bash
# Runs a script of this folder with the packages of package.json. Arguments: a folder that npm may fill,
# the script, its arguments. Leaves with 77 where there is no npm.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
modules=$1 script=$2
shift 2
command -v node >/dev/null && command -v npm >/dev/null || {
  echo "no node or no npm (apt-get install nodejs npm)"
  exit 77
}
mkdir -p "$modules"
(
  flock 9  # tests run side by side
  if ! cmp -s "$here/package-lock.json" "$modules/installed.json"; then
    cp "$here"/package*.json "$modules"
    npm ci --ignore-scripts --no-audit --no-fund --fetch-retries 1 --prefix "$modules"
    cp "$here/package-lock.json" "$modules/installed.json"
  fi
) 9>"$modules/.lock"
NODE_PATH=$modules/node_modules exec node "$here/$script" "$@"
