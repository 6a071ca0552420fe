#!/usr/bin/env bash
# Runs a script of JavaScript with the packages of the package.json beside it. Arguments: a folder that npm
# may fill, the script, its arguments. Leaves with 77 where there is no npm.
set -euo pipefail
modules=$1 script=$2
packages=$(cd "$(dirname "$script")" && pwd)
shift 2
command -v node >/dev/null && command -v npm >/dev/null || {
  echo "no node or no npm (apt-get install nodejs npm)"
  exit 77
}
mkdir -p "$modules"
(
  flock 9  # tests run side by side
  if ! cmp -s "$packages/package-lock.json" "$modules/installed.json"; then
    cp "$packages"/package*.json "$modules"
    # A registry that is slow for a moment is no fault of ours.
    npm ci --ignore-scripts --no-audit --no-fund --fetch-retries 4 --fetch-retry-mintimeout 2000 \
      --fetch-retry-maxtimeout 10000 --prefix "$modules"
    cp "$packages/package-lock.json" "$modules/installed.json"
  fi
) 9>"$modules/.lock"
NODE_PATH=$modules/node_modules exec node "$script" "$@"
