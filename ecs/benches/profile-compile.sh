#!/usr/bin/env bash
# Where the compiler's time goes in a generated program: ecs/benches/profile-compile.sh [COUNT [LIBRARY]]
#
# How to read what it prints:
# - "time": `typeck_root`, `mir_borrowck`, `mir_built`, `check_well_formed` and `compare_impl_item` grow with the number
#   of bodies, so with the items that the macros write for each component and system: write fewer, or make them
#   defaults of a trait. `eval_to_allocation_raw` is constants: the checks. `evaluate_obligation` and
#   `normalize_canonicalized_projection` are trait bounds: bundles and queries. `expand_proc_macro` is the macros
#   themselves. `LLVM_*`, `codegen_*` and `items_of_instance` grow with the number of instances: see below.
# - "expansion": lines, bytes and count of what the macros wrote, by the kind of item.
# - "instances": functions that are compiled for a type each, how often each. A function that is there once for each
#   component is worth making independent of the type.
set -euo pipefail
cd "$(dirname "$0")/../.."
count=${1:-200} library=${2:-ecs}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cargo run --quiet --release --manifest-path ecs/benches/Cargo.toml -- --compile-source "$library" "$count" "$folder/leaf"
cd "$folder/leaf"
export CARGO_TARGET_DIR="$folder/target"
rustc() { cargo +nightly rustc --quiet "$@"; }
again() { touch src/main.rs; rm -rf "$CARGO_TARGET_DIR"/debug/incremental/*; }

if ! cargo +nightly --version >"$folder/nightly" 2>/dev/null; then
    echo "No nightly compiler: passes, expansion and instances are left out. Units by time, from --timings:"
    cargo build --quiet && again
    cargo build --timings
    cp "$CARGO_TARGET_DIR"/cargo-timings/cargo-timing.html "${TMPDIR:-/tmp}/compile-$library-$count.html"
    echo "see ${TMPDIR:-/tmp}/compile-$library-$count.html"
    exit
fi
cat "$folder/nightly"
cargo +nightly check --quiet
cargo +nightly build --quiet

for task in check build; do
    again
    profile=dev
    [ "$task" = check ] && profile=check
    printf '\n== time of %s, %s with %s components\n' "$task" "$library" "$count"
    if command -v summarize >/dev/null; then
        rustc --profile "$profile" -- -Zself-profile="$folder/$task" >/dev/null 2>&1
        summarize summarize "$folder/$task"/*.mm_profdata >"$folder/summary"
        head -30 "$folder/summary"
    else
        echo "(no \`summarize\` of the measureme project: passes only, those of 20 ms and more)"
        rustc --profile "$profile" -- -Ztime-passes 2>&1 | awk '$1 == "time:" && $2 + 0 >= 0.02'
    fi
done

printf '\n== expansion: bytes, lines, items\n'
again
rustc --profile check -- -Zunpretty=expanded >"$folder/expanded.rs"
# An item begins at the margin; numbers are taken out of its head, so that all of a kind are one.
awk '
    /^(pub|const|unsafe|impl|fn|struct|enum|trait|type|static|mod|use) / {
        kind = $0; gsub(/[0-9]+/, "N", kind); kind = substr(kind, 1, 70); items[kind]++
    }
    /^#\[/ { kind = "attributes of items" }
    { bytes[kind] += length($0) + 1; lines[kind]++; all += length($0) + 1 }
    END {
        for (kind in bytes) printf "%9d %7d %5d  %s\n", bytes[kind], lines[kind], items[kind], kind
        printf "%9d %7d %5s  all\n", all, NR, ""
    }
' "$folder/expanded.rs" | sort -rn >"$folder/kinds"
head -20 "$folder/kinds"

printf '\n== instances\n'
again
rustc --profile dev -- -Zprint-mono-items >"$folder/instances" 2>/dev/null
grep -c '^MONO_ITEM' "$folder/instances"
sed -nE 's/ @@.*//; s/^MONO_ITEM //p' "$folder/instances" |
    sed -E 's/[0-9]+/N/g' | sort | uniq -c | sort -rn >"$folder/groups"
head -60 "$folder/groups" | cut -c 1-160
