#!/usr/bin/env bash
# The module that the page computes with, studio/dist/engine.wasm.gz: small, and the same bytes from the same sources and the same
# compiler wherever it is built. Needs the target wasm32-unknown-unknown.
#
#   studio/engine.sh            builds it and puts it into its place
#   studio/engine.sh --check    says whether it is of these sources: builds it if they are others than those it is said to be from
#   studio/engine.sh --compare  builds it in any case and compares the bytes
#
# Paths of this machine are in messages of panics, and would be in the module: they are mapped to names. Another compiler gives
# other bytes; studio/dist/engine.from has the one that gave those that are committed, with a digest of their sources. A check with
# another compiler compares nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

kept=studio/dist/engine.wasm.gz
said=studio/dist/engine.from
mode=${1:-}
compiler=$(rustc --version)
digest() {
  local crate places=(Cargo.lock robots arms crates/jourdain-wasm/build.rs)
  for crate in jourdain-symbolic jourdain jourdain-kit jourdain-wasm; do
    places+=("crates/$crate/Cargo.toml" "crates/$crate/src")
  done
  {
    # How tests are compiled is not how the module is.
    awk '/^\[/ { other = /^\[profile\.(dev|test|bench)[].]/ } !other' Cargo.toml
    find "${places[@]}" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
  } | sha256sum | cut -c 1-64
}
from=$(printf '%s\n' "$compiler" "$(digest)")

if [ -n "$mode" ] && [ "$compiler" != "$(head -n 1 "$said")" ]; then
  echo "$kept was built with $(head -n 1 "$said"), and this is $compiler: not compared"
  exit 0
fi
if [ "$mode" = --check ] && [ "$from" = "$(cat "$said")" ]; then
  echo "$kept is said to be from these sources: studio/engine.sh --compare builds it anew"
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
if [ -n "$mode" ]; then
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
  echo "$from" > "$said"
fi
