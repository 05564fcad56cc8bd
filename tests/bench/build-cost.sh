#!/usr/bin/env bash
# The cost of building the smallest agent, with this runtime and with the official SDK: `cargo check` from nothing, and
# `cargo check` after a change of its source. The two agents take turns. The script downloads all dependencies first.
#
# Usage: tests/bench/build-cost.sh [ROUNDS]
#
# The build from nothing is not incremental, because cargo builds crates of a registry in this way. An incremental build
# would also write files for our crates, because they come from a checkout. Only the authors of a crate use such files.
set -euo pipefail
cd "$(dirname "$0")"
rounds=${1:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
TIMEFORMAT='%R %U %S'

check() { # agent: seconds of wall, user, system
    { time cargo check --quiet --offline --locked --package "minimal-$1" --target-dir "$folder/$1" 2>"$folder/log"; } 2>&1 ||
        { cat "$folder/log" >&2; exit 1; }
}

crates() { # agent: how many crates it is made of, itself included
    cargo tree --offline --locked --package "minimal-$1" --edges normal,build --prefix none --no-dedupe |
        awk '{ print $1, $2 }' | sort -u | wc -l
}

median() { # file, column
    awk -v column="$2" '{ print $column }' "$1" | sort -n | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'
}

cargo fetch --quiet --locked
for ((round = 1; round <= rounds; round++)); do
    agents="official ours"
    ((round % 2)) || agents="ours official"
    for agent in $agents; do
        rm -rf "${folder:?}/$agent"
        CARGO_INCREMENTAL=0 check "$agent" | awk '{ print $1, $2 + $3 }' >>"$folder/$agent.cold"
        check "$agent" >/dev/null # fills what incremental compilation keeps
        touch "minimal/$agent/src/main.rs"
        check "$agent" | awk '{ print $1, $2 + $3 }' >>"$folder/$agent.again"
        echo "round $round: $agent $(tail -n 1 "$folder/$agent.cold")" >&2
    done
done

row() { # title, theirs, ours, goal
    awk -v title="$1" -v theirs="$2" -v ours="$3" -v goal="$4" 'BEGIN {
        ratio = ours / theirs
        value = goal == 45 ? ours : ratio
        printf "| %s | %s | %s | %.2f | ≤ %s | %s |\n", title, theirs, ours, ratio, goal, value <= goal ? "met" : "**missed**"
    }'
}
echo "| | official SDK | ours | ratio | goal | |"
echo "|---|--:|--:|--:|--:|---|"
row "\`cargo check\` from nothing: CPU, s" "$(median "$folder/official.cold" 2)" "$(median "$folder/ours.cold" 2)" 0.9
row "the same: wall, s" "$(median "$folder/official.cold" 1)" "$(median "$folder/ours.cold" 1)" 0.9
row "crates" "$(crates official)" "$(crates ours)" 45
row "after a touch of the agent: wall, s" "$(median "$folder/official.again" 1)" "$(median "$folder/ours.again" 1)" 1
