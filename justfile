# List the recipes.
default:
    @just --list

# What has to pass before a change goes in.
ci:
    .ci/run

# All tests.
test:
    cargo test --workspace

# The Python package for this interpreter, into the environment that is active (needs maturin).
python:
    cd crates/jourdain-python && maturin develop --profile dev --features as-tested

# Its tests: quantities, operations, types, the command (needs what `python` needs, pytest, hypothesis, mypy and pyright).
test-python *words: python
    python -m pytest crates/jourdain-python {{words}}

# Write the methods of the Python package anew from the engine: quantities and operations. A test says when that is due.
generate-python: python
    python crates/jourdain-python/generate.py

# What `.ci/run` asks of the form of Python files.
format-python:
    ruff check --fix crates/jourdain-python
    ruff format crates/jourdain-python

# Portable by zig: any Linux with glibc 2.17 or newer, any x86-64, any 64-bit ARM. The processor's vector instructions are asked for
# at run time.
# Wheels for Linux, in target/wheels (needs maturin, ziglang and the target aarch64-unknown-linux-gnu).
wheels:
    for machine in x86_64 aarch64; do \
        .ci/dist maturin build --manifest-path crates/jourdain-python/Cargo.toml --zig --target $machine-unknown-linux-gnu \
            --compatibility manylinux2014 --out ${CARGO_TARGET_DIR:-target}/wheels || exit 1; \
    done
    ls -sh ${CARGO_TARGET_DIR:-target}/wheels/jourdain-*-manylinux*.whl

# The ARM wheel of `just wheels` on an emulated processor against this one (needs Debian, qemu-user and an environment with jourdain).
check-arm-wheel:
    crates/jourdain-python/tests/arm_wheel

# Accept what the commands now print as what they should print. Read the difference first: git diff.
accept:
    INSTA_UPDATE=always cargo test -p jourdain-cli --test appearance

# Make all pictures of docs/gallery.md anew, with the commands on that page.
gallery:
    UPDATE_GALLERY=1 cargo test --release -p jourdain-cli --test gallery

# Measure every corner of docs/accuracy.md and write the page.
accuracy:
    UPDATE_DOCS=1 cargo test -p jourdain-cli --test accuracy

# How often intervals contain the truth in four thousand simulated logs with the ills of real ones; the tests take three hundred.
intervals:
    cargo test --release -p jourdain --test identify identify_ills -- --ignored --nocapture

# The lines that nothing reaches are named in target/coverage/missing.txt; `just coverage --report` reports anew from the last run.
# Which lines and regions of the crates the tests reach, in docs/coverage.md (needs the component llvm-tools, and Python).
coverage *words:
    .ci/coverage {{words}}

# Ten thousand random programs as machine code, on the tape and interpreted; the tests take two thousand.
programs:
    cargo test --release -p jourdain-symbolic --lib jit -- --ignored

# From the seeds of suite/; what is found new stays in fuzz/corpus, what breaks something in fuzz/artifacts. docs/fuzzing.md says more.
# Fuzz every target of fuzz/, or those named, so many minutes each, such as `just fuzz 5` (needs cargo-fuzz, Python and a C++ compiler).
fuzz minutes="1" *targets:
    fuzz/campaign --each {{minutes}} {{targets}}

# See that the fuzzer finds a planted bug in every target (needs what `fuzz` needs).
fuzz-planted *targets:
    fuzz/campaign --planted {{targets}}

# Fuzz for hours, faster targets more, such as `just fuzz-campaign --minutes 600 --jobs 2`; `--table` counts in docs/fuzzing.md.
fuzz-campaign *words:
    fuzz/campaign --keep-going {{words}}

# Machine code and crates with unsafe code under the address sanitizer, so many minutes each (needs what `fuzz` needs).
fuzz-asan minutes="1" *targets="program states_parquet mcap":
    fuzz/campaign --sanitizer address --each {{minutes}} {{targets}}

# Miri, sanitizers, valgrind, stress tests and allocation counters, with one summary in docs/safety.md; `just safety stress tsan` runs some.
safety *parts:
    .ci/safety {{parts}}

# All mutants of the folders with formulas of crates/jourdain/src, or of those named, in one build, each tried on the tests that reach it (docs/mutants.md); with
# `--again`, those that survived last time. Fails where one survives that mutants/explained.toml has no reason for.
# Mutation testing, such as `just mutants spatial`.
mutants *words:
    cargo run --manifest-path mutants/Cargo.toml -- {{words}}

# That the tool above finds what it should, on a small crate.
test-mutants:
    cargo test --manifest-path mutants/Cargo.toml

# Undefined behaviour outside machine code (needs nightly with the components miri and rust-src).
miri:
    .ci/safety miri

# Memory that machine code reads and writes (needs valgrind).
valgrind:
    .ci/safety valgrind

# Memory around machine code (needs nightly).
asan:
    .ci/safety asan

# Accesses of threads that nothing orders (needs nightly with the component rust-src).
tsan:
    .ci/safety tsan

# The same numbers where the compiler may use everything this processor has, and where there is no machine code at all.
native:
    .ci/safety native

# The same bits from run to run, on any number of threads and on emulated processors; writes docs/reproducibility.md (needs qemu-user).
reproducible:
    cargo build --release -p jourdain-cli
    .ci/reproducible ${CARGO_TARGET_DIR:-target}/release/jourdain

# What is shipped: target/dist/jourdain, the same bytes wherever it is built. `just dist --twice` builds it twice and compares.
dist *words:
    .ci/dist {{words}}

# What the programs are built from, as a CycloneDX document: target/jourdain.cdx.json.
sbom:
    mkdir -p ${CARGO_TARGET_DIR:-target}
    .ci/sbom --check
    .ci/sbom > ${CARGO_TARGET_DIR:-target}/jourdain.cdx.json

# Everything that takes too long for `.ci/run`, one after the other, with a summary in docs/nightly.md; `just nightly safety fuzz` runs some.
nightly *parts:
    .ci/nightly {{parts}}

# Benches of the library for this very processor, such as `just bench dynamics`.
bench *names:
    CARGO_TARGET_DIR=target/native RUSTFLAGS="-C target-cpu=native" \
        cargo bench -p jourdain $(for name in {{names}}; do echo --bench $name; done)

# xacro files of the package rtb-data, or of other folders, expanded by the package xacro and by us (needs both packages).
compare-xacro *places:
    cargo build --release -p jourdain-cli
    ${JOURDAIN_PYTHON:-python3} suite/peers/compare_xacro.py {{places}}

# Compare with Pinocchio on the URDF files of example-robot-data, or on those named (needs pin, example-robot-data and numpy).
compare-urdf *places:
    cargo build --release -p jourdain-cli
    ${JOURDAIN_PYTHON:-python3} suite/peers/urdf.py {{places}}

# Needs Python with pin, mujoco or roboticstoolbox-python; what is not installed is left out.
# Every row of docs/from-pinocchio.md, from-mujoco.md and from-rtb.md, evaluated in both programs.
compare-names:
    cargo build -p jourdain-cli
    ${JOURDAIN_PYTHON:-python3} suite/peers/same_names.py target/debug/jourdain

# `just campaign` is all of it, hours on two processors; it goes on where it was stopped (target/campaign) and writes docs/campaign.md.
# `just campaign slice` is what CI runs, `just campaign STAGE --first SEED --count N` a few, `just campaign show SEED` a robot.
# Random robots, arms, targets and structures against independent witnesses (needs Python with pin and mujoco, and gcc).
campaign *words="all":
    cargo build --release -p jourdain-campaign
    nice -n 19 ${CARGO_TARGET_DIR:-target}/release/jourdain-campaign {{words}}

# Run the notebooks and write the pages of the book from them (needs the Python package, nbclient, ipykernel, matplotlib, pandas).
notebooks *names:
    ${JOURDAIN_PYTHON:-python3} examples/notebooks/render.py {{names}}

# Licences, sources and known vulnerabilities of the dependencies (needs cargo-deny).
deny:
    .ci/deny

# Every MJCF file of the installed packages, and random ones: masses, inertias, M and bias force.
# MJCF models against MuJoCo (needs its Python package).
compare-mjcf *paths:
    cargo build --release -p jourdain-cli
    ${JOURDAIN_PYTHON:-python3} suite/peers/mjcf.py {{paths}}
    ${JOURDAIN_PYTHON:-python3} suite/peers/mjcf_random.py

# The library's documentation in the browser.
doc:
    cargo doc --workspace --no-deps --open

# Robots written as MJCF and URDF against MuJoCo and Pinocchio (needs Python with mujoco and pin).
compare-convert *robots:
    cargo build -p jourdain-cli
    ${JOURDAIN_PYTHON:-python3} suite/peers/convert.py --jourdain ${CARGO_TARGET_DIR:-target}/debug/jourdain {{robots}}

# SDF files against Drake (needs the Python package drake): `just compare-sdf FILE…`.
compare-sdf *files:
    cargo build -p jourdain-cli
    ${JOURDAIN_PYTHON:-python3} suite/peers/sdf.py target/debug/jourdain {{files}}

# Fleets: the work on one and two threads, what engines add, memory (needs the package as it is installed; Dask and Ray if they are to be timed).
bench-fleet *words:
    ${JOURDAIN_PYTHON:-python3} benches/fleet/run {{words}}

# Calls and batches from Python beside Pinocchio and the library (needs the package as it is installed; pin if it is to be compared).
bench-python *words:
    ${JOURDAIN_PYTHON:-python3} benches/python/run {{words}}

# Another compiler gives other bytes: CI compares with those that are committed only under the same one.
# The module that the page computes with, as it is committed (needs the target wasm32-unknown-unknown).
engine:
    studio/engine.sh

# The module against the command: numbers, sizes, times (needs Node).
test-engine:
    cargo build -p jourdain-cli
    gzip -dc studio/dist/engine.wasm.gz > target/engine.wasm
    node crates/jourdain-wasm/tests/module.mjs target/engine.wasm target/debug/jourdain --time

# The page, as it is committed (needs Node).
page:
    cd studio && npm ci && npm run check && npm run build

# The page in Chromium, served, exported and published; pictures go to target/screenshots (needs Node and Chromium).
test-page *words:
    cargo build -p jourdain-cli
    gzip -dc studio/dist/engine.wasm.gz > target/engine.wasm
    cd studio && npm ci && npm test && ENGINE=$PWD/../target/engine.wasm JOURDAIN=$PWD/../target/debug/jourdain \
        SHOTS=$PWD/../target/screenshots npm run browser {{words}}
