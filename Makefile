# The commands of the README. Each does all its set-up: Rust, a C compiler, make and pip are all they ask for.

.PHONY: demo test bench bench-exo bench-halide lint build docs deps audit mutants nightly install install-files library wheel test-python test-wheel

# Checks, interprets, compiles, runs and compares three kernels; then schedules a matrix product.
demo: deps
	cargo build --release --quiet --bin rewright --bin kernels --bin sgemm
	@./demo.sh target/release

# Every test: units, corpora, properties, examples of the specification.
test: deps
	cargo test --workspace --quiet --no-run
	@$(MAKE) --no-print-directory test-python
	@.ci/tests

# The Python module, with what the other tests have built, in a folder of its own, and tested there. PYTEST is what pytest
# is told.
python = .deps/python/bin/python
pytest = $(python) -m pytest --quiet --numprocesses 2 --dist worksteal $(PYTEST)
test-python: deps .deps/python/ready .deps/exo/ready .deps/halide/ready
	@cargo build --workspace --lib --tests --features rewright-python/mutants --quiet
	@rm -rf target/python && mkdir -p target/python
	@cp -r python/rewright target/python/
	@cp target/debug/lib_rewright.so target/python/rewright/_rewright.abi3.so
	PYTHONPATH=target/python $(pytest)

# The same tests of the wheel.
test-wheel: wheel .deps/exo/ready .deps/halide/ready
	@rm -rf target/python
	@$(python) -m pip install --quiet --disable-pip-version-check --no-deps --target target/python target/wheels/rewright-*.whl
	PYTHONPATH=target/python $(pytest)

# The Python module for others, at target/wheels.
wheel: deps .deps/python/ready
	@$(python) -m maturin build --release --quiet --out target/wheels

# Throughput of the parser, the checker, the printer, the interpreter and the solver; what the Python module adds.
bench: deps openblas
	cargo bench --workspace --quiet --bench '*'
	@$(MAKE) --no-print-directory wheel
	@rm -rf target/bench-python
	@$(python) -m pip install --quiet --disable-pip-version-check --no-deps --target target/bench-python target/wheels/rewright-*.whl
	PYTHONPATH=target/bench-python $(python) python/bench.py

# Schedules as Exo's users write them, by Exo and by rewright.exo: the processor time of each, and the ratio. Exo takes minutes.
bench-exo: wheel .deps/exo/ready
	@rm -rf target/bench-python
	@$(python) -m pip install --quiet --disable-pip-version-check --no-deps --target target/bench-python target/wheels/rewright-*.whl
	@PYTHONPATH=target/bench-python $(python) python/bench_exo --exo .deps/exo

# The C of the Halide model beside Halide 21, on one thread: blur and unsharp mask.
bench-halide: build wheel .deps/halide/ready
	@rm -rf target/bench-python
	@$(python) -m pip install --quiet --disable-pip-version-check --no-deps --target target/bench-python target/wheels/rewright-*.whl
	PYTHONPATH=target/bench-python:.deps/halide $(python) -P python/bench_halide.py

# Formatting and lints, warnings denied.
lint: deps
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings

# Leaves the command at target/release/rewright.
build: deps
	cargo build --release --quiet --bin rewright

# Installs the command, the z3 library beside it, manual pages and completions: `make install PREFIX=~/.local`.
# DESTDIR goes before PREFIX, for packages.
PREFIX ?= /usr/local
BIN ?= target/release/rewright
dest = $(DESTDIR)$(PREFIX)

install: build
	@$(MAKE) --no-print-directory install-files

install-files: deps
	install -d $(dest)/bin $(dest)/lib/rewright $(dest)/share/man/man1 $(dest)/share/bash-completion/completions \
		$(dest)/share/zsh/site-functions $(dest)/share/fish/vendor_completions.d
	install -m 755 $(BIN) $(dest)/bin/rewright
	install -m 644 .deps/z3/lib/libz3.so $(dest)/lib/rewright/libz3.so
	$(dest)/bin/rewright man -o $(dest)/share/man/man1
	$(dest)/bin/rewright completions bash > $(dest)/share/bash-completion/completions/rewright
	$(dest)/bin/rewright completions zsh > $(dest)/share/zsh/site-functions/_rewright
	$(dest)/bin/rewright completions fish > $(dest)/share/fish/vendor_completions.d/rewright.fish

# The specification as a book, and the crates' pages: target/docs/index.html. Also asks for node and npm.
docs: deps .deps/mdbook/ready .deps/book/ready
	@.ci/book/build

# A program outside of this workspace that adds a primitive of its own, built and run: spec/library.md.
library: deps
	cargo test --package rewright-cli --test library --quiet -- --ignored

# A BLAS: kernels in C for each processor, their derivations, librewright_blas.{a,so} and what others need to link them, in
# target/blas. `make -C target/blas install PREFIX=~/.local` installs it. `make blas PROFILE=1` says how long each primitive took.
.PHONY: blas test-blas bench-blas
blas: deps
	@cargo run --release --quiet --package rewright-library --bin rewright-blas -- $(if $(PROFILE),--profile) target/blas
	@$(MAKE) --no-print-directory --quiet -C target/blas

# The tests of others with it: Netlib's testers, then NumPy's and SciPy's tests of linear algebra; and two programs of ours.
test-blas: blas .deps/netlib/ready
	library/blas/others.sh .deps/netlib $(CURDIR)/target/blas/librewright_blas.so netlib
	library/blas/others.sh .deps/netlib $(CURDIR)/target/blas/librewright_blas.so python
	@for program in thin edges; do \
		$(CC) -O1 -Itarget/blas testsuite/tests/blas/$$program.c target/blas/librewright_blas.a -lm -o target/blas/$$program && \
			target/blas/$$program && echo || exit 1; \
	done

# Its speed beside that of other libraries, by the harness in the folder BLAS_BENCH.
bench-blas: blas
	$(if $(BLAS_BENCH),,$(error set BLAS_BENCH to the folder of a harness: spec/blas.md))
	$(BLAS_BENCH)/run.sh ours=$(CURDIR)/target/blas/librewright_blas.so table=$(CURDIR)/library/blas/bench.csv \
		-o $(CURDIR)/target/blas/bench.csv $(BENCH)
	python3 $(BLAS_BENCH)/summarize.py target/blas/bench.csv

# The image pipelines in C, and beside Halide 21, on one thread.
.PHONY: images bench-images
images: deps
	@cargo run --release --quiet --package rewright-library --bin rewright-images -- target/images

bench-images: images .deps/python/ready .deps/halide/ready
	PYTHONPATH=.deps/halide $(python) -P python/bench_images.py target/images

# Debian's packages of the testers, unpacked.
.deps/netlib/ready: .ci/netlib.txt
	@rm -rf .deps/netlib
	@mkdir -p .deps/netlib/packages
	@cd .deps/netlib/packages && apt-get download -qq $$(cat $(CURDIR)/.ci/netlib.txt)
	@for package in .deps/netlib/packages/*.deb; do dpkg -x $$package .deps/netlib || exit 1; done
	@touch $@

# Every exported obligation before a second solver.
audit: deps .deps/cvc5/ready
	cargo test --package rewright-effects --test audit --quiet -- --ignored --nocapture
	cargo test --package rewright-testsuite --test effects --test audit --quiet -- --ignored --nocapture

# Every definition of testsuite/mutants.txt, broken on purpose, before the tests that must notice; and every
# primitive without each of its conditions, which writes testsuite/MUTANTS.md.
mutants: deps
	cargo test --package rewright-testsuite --test spec --quiet -- --ignored --nocapture mutants::
	cargo test --release --package rewright-testsuite --test primitives --quiet -- --ignored --nocapture mutants::

# All of the above and more: hours. See .ci/nightly for how to shorten it.
nightly: deps
	@.ci/nightly

# The z3 library, in .deps/z3.
deps: .deps/z3/ready

.deps/z3/ready: .ci/z3.txt .ci/deps
	@.ci/deps

# What `bench` compares the matrix product with, where it can be fetched.
.PHONY: openblas
openblas: .deps/openblas/ready

.deps/openblas/ready: .ci/openblas.txt
	@rm -rf .deps/openblas
	@python3 -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
		--target .deps/openblas -r .ci/openblas.txt || echo "OpenBLAS could not be fetched: nothing to compare with"
	@mkdir -p .deps/openblas
	@touch $@

# Where the Python module is built and tested.
.deps/python/ready: .ci/python.txt .ci/z3.txt
	@python3 -m venv .deps/python
	@.deps/python/bin/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes \
		-r .ci/python.txt -r .ci/z3.txt
	@touch $@

# Exo, for the tests of `rewright.shadow`, which put it under test.
.deps/exo/ready: .ci/exo.txt .deps/python/ready
	@rm -rf .deps/exo
	@.deps/python/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
		--no-binary asdl --require-hashes --target .deps/exo -r .ci/exo.txt
	@touch $@

# Halide, for the tests of `rewright.halide`, which runs it beside the model; where there is no wheel they skip.
.deps/halide/ready: .ci/halide.txt .deps/python/ready
	@rm -rf .deps/halide
	@.deps/python/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
		--require-hashes --target .deps/halide -r .ci/halide.txt || \
		echo "Halide could not be fetched: the tests that run it skip"
	@mkdir -p .deps/halide
	@touch $@

# The second solver: a Python package, used by `audit` alone.
.deps/cvc5/ready: .ci/cvc5.txt
	@rm -rf .deps/cvc5
	@python3 -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
		--target .deps/cvc5 -r .ci/cvc5.txt
	@touch $@

# What makes a book of chapters, and what sets their formulas: used by `docs` alone.
.deps/mdbook/ready: .ci/book/mdbook.txt
	@cargo install --quiet --locked --root .deps/mdbook --no-default-features --features search "mdbook@$$(cat $<)"
	@touch $@

.deps/book/ready: .ci/book/package.json .ci/book/package-lock.json
	@rm -rf .deps/book
	@mkdir -p .deps/book
	@cp .ci/book/package.json .ci/book/package-lock.json .deps/book
	@cd .deps/book && npm ci --silent --ignore-scripts --no-audit --no-fund
	@touch $@
