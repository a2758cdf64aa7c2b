#!/usr/bin/env bash
# Passes all tests: formatting, lints, documentation, unit, physics, gallery, interface and real-window tests.
# Installs the Debian packages that are missing. Ends with the sum over all test binaries.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '\n== %s\n' "$*"; }

# What the window needs to open, a display without a screen, and hands to use it with.
packages=(gcc libc6-dev xvfb libxcursor1 libxi6 libxkbcommon-x11-0 libegl1 libgl1-mesa-dri xdotool imagemagick openbox python3-venv)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  say "installing missing Debian packages: ${missing[*]}"
  as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# Programs of others that read what is exported. Without a network the tests that need them say so.
if ! target/oracles/bin/python -c 'import numpy, meshio, trimesh, pygltflib, pxr, skfem' 2>/dev/null; then
  say "installing Python modules into target/oracles"
  /usr/bin/python3 -m venv target/oracles &&
    target/oracles/bin/pip install --quiet --disable-pip-version-check numpy meshio trimesh pygltflib usd-core scikit-fem ||
    echo "the Python modules cannot be installed; what needs them is skipped" >&2
fi

# Nothing here builds a second time: what shortens later builds takes gigabytes, and is kept up only where it is already in use.
[ -d target/debug/incremental ] || export CARGO_INCREMENTAL="${CARGO_INCREMENTAL:-0}"

say "formatting"
cargo fmt --all --check

say "lints"
cargo clippy --quiet --locked --workspace --all-targets -- -D warnings

say "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --quiet --locked --workspace --no-deps

say "build"
cargo build --quiet --locked --workspace --bin aplomb

say "tests"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
cargo test --locked --workspace --no-fail-fast -- --show-output 2>&1 | tee "$log" || status=$?

skipped=$(grep -c '^SKIPPED:' "$log" || true)
if [ "$skipped" -gt 0 ]; then
  say "skipped"
  grep '^SKIPPED:' "$log" | sort | uniq -c
fi
passed=$(awk '/^test result:/ { sum += $4 } END { print sum + 0 }' "$log")
failed=$(awk '/^test result:/ { sum += $6 } END { print sum + 0 }' "$log")
# A test that found no data has run, but it has not tested anything.
printf '\n%d passed, %d failed, %d skipped\n' "$((passed - skipped))" "$failed" "$skipped"
[ "$passed" -gt 0 ] || { echo "no test ran" >&2; exit 1; }
exit "$status"
