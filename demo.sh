#!/bin/sh
# Shows what Rewright does with three kernels: check, interpret, compile, run, compare; and what a schedule makes of a
# kernel of each level of the BLAS.
set -eu
bin=$1
cd "$(dirname "$0")"
rewright=$bin/rewright
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

show() { # name, arguments of `run`
    name=$1
    shift
    file=testsuite/corpus/ok/$name.py
    printf '\n=== %s ===\n' "$name"
    "$rewright" check "$file"
    "$rewright" run "$file" "$name" "$@" --seed 1 | head -n 12
    "$rewright" compile "$file" -o "$out" --cc-check
    printf '\nThe first lines of its C:\n\n'
    sed -n "/^void $name(/,\$p" "$out/$name.c" | head -n 16
}

show gemm
show conv1d
show blur
"$bin/kernels"
printf '\n=== sgemm ===\n'
"$bin/sgemm" target/sgemm
printf '\nDone: the interpreter and all the C that was run agree.\n'
