#!/bin/sh
# Runs the tests of others with a BLAS before theirs: `others.sh FOLDER LIBRARY [netlib|python]`. FOLDER holds Debian's
# packages, unpacked. Fails where one of them finds a failure, or says less than it should.
set -eu
root=$(cd "$1" && pwd)/usr
library=$(realpath "$2")
what=${3:-netlib}
lib=$root/lib/$(uname -m)-linux-gnu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH="$lib:$lib/blas:$lib/lapack"
cd "$work"

# The testers' input without what we do not have: banded and packed matrices.
ours() {
    sed -E '/^(cblas_[sd]|[SD])(gbmv|sbmv|spmv|tbmv|tpmv|tbsv|tpsv|spr2?) /I s/ T / F /' "$1"
}

# Runs a tester, and counts what passed.
tester() {
    name=$1 input=$2 passes=$3
    ours "$input" > input
    LD_PRELOAD=$library "$lib/blas/$name" < input > output 2>&1 || true
    cat ./*.out >> output 2>/dev/null || true
    rm -f ./*.out
    if grep -E 'FAIL|\*\*\*' output; then
        echo "$name: FAILED"
        exit 1
    fi
    passed=$(grep -cE 'PASSED|----- PASS -----' output || true)
    echo "$name: $passed passed"
    [ "$passed" -eq "$passes" ] || { echo "$name: $passes were expected"; exit 1; }
}

case $what in
netlib)
    for kernels in avx512 avx2 portable; do
        export REWRIGHT_BLAS_KERNELS=$kernels
        echo "with the kernels of $kernels, if this processor runs them:"
        for p in s d; do
            tester "xblat1$p" /dev/null 13
            tester "xblat2$p" "$lib/blas/${p}blat2.in" 14
            tester "xblat3$p" "$lib/blas/${p}blat3.in" 12
            tester "x${p}cblat1" /dev/null 10
            tester "x${p}cblat2" "$lib/blas/${p}in2" 21
            tester "x${p}cblat3" "$lib/blas/${p}in3" 18
        done
    done
    ;;
python)
    export PYTHONPATH="$root/lib/python3/dist-packages"
    for tests in numpy/linalg/tests scipy/linalg/tests; do
        LD_PRELOAD=$library /usr/bin/python3 -m pytest -q -p no:cacheprovider "$PYTHONPATH/$tests" > output 2>&1 || true
        tail -n 1 output
        sed -n 's/^FAILED //p' output | sed 's/ - .*//; s/^.*dist-packages.//' > ours.txt
        /usr/bin/python3 -m pytest -q -p no:cacheprovider "$PYTHONPATH/$tests" > output 2>&1 || true
        tail -n 1 output
        sed -n 's/^FAILED //p' output | sed 's/ - .*//; s/^.*dist-packages.//' > theirs.txt
        # What fails with Debian's own BLAS, too, is not ours.
        if grep -vxFf theirs.txt ours.txt; then
            echo "$tests: these fail with ours alone"
            exit 1
        fi
    done
    ;;
esac
