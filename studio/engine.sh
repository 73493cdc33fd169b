#!/usr/bin/env bash
# The module that the page computes with, studio/dist/engine.wasm.gz: small, and the same bytes from the same sources and the same
# compiler wherever it is built. Needs the target wasm32-unknown-unknown.
#
#   studio/engine.sh            builds it and puts it into its place
#   studio/engine.sh --check    builds it and says whether it is what is committed
#
# Paths of this machine are in messages of panics, and would be in the module: they are mapped to names. Another compiler gives
# other bytes; the one that gave those that are committed is in studio/dist/engine.rustc, and a check with another one compares nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

compiler=$(rustc --version)
kept=studio/dist/engine.wasm.gz
said=studio/dist/engine.rustc
if [ "${1:-}" = --check ] && [ "$compiler" != "$(cat "$said")" ]; then
  echo "$kept was built with $(cat "$said"), and this is $compiler: not compared"
  exit 0
fi
target=${CARGO_TARGET_DIR:-target}
flags="--remap-path-prefix=$PWD=jourdain --remap-path-prefix=$(rustc --print sysroot)=rust"
# Crates are unpacked into a folder that is named after where they came from.
cargo fetch --locked --target wasm32-unknown-unknown
for folder in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*; do
  flags+=" --remap-path-prefix=$folder=crates"
done
RUSTFLAGS=$flags cargo build --locked -p jourdain-wasm --target wasm32-unknown-unknown --profile web
module=$target/wasm32-unknown-unknown/web/jourdain_wasm.wasm
if [ "${1:-}" = --check ]; then
  if gzip -dc "$kept" | cmp - "$module"; then
    echo "$kept is what its sources give"
  else
    echo "$kept is not what its sources give: run studio/engine.sh and commit it" >&2
    exit 1
  fi
else
  # Zopfli packs 4 % closer than gzip, in the same form; what is checked is what is inside.
  if command -v zopfli >/dev/null; then
    zopfli --i5 -c "$module" > "$kept"
  else
    echo "no zopfli: $kept is larger than it need be" >&2
    gzip -9nc "$module" > "$kept"
  fi
  echo "$compiler" > "$said"
fi
