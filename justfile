# List the recipes.
default:
    @just --list

# What has to pass before a change goes in.
ci:
    .ci/run

# All tests.
test:
    cargo test --workspace

# Accept what the commands now print as what they should print. Read the difference first: git diff.
accept:
    INSTA_UPDATE=always cargo test -p jourdain-cli --test appearance

# Licences, sources and known vulnerabilities of the dependencies (needs cargo-deny).
deny:
    cargo deny check

# The library's documentation in the browser.
doc:
    cargo doc --workspace --no-deps --open
