# The commands of the README. Each does all its set-up: Rust, a C compiler and make are all it asks for.

.PHONY: demo test bench lint build

# Checks, interprets, compiles, runs and compares three kernels.
demo: build
	@./demo.sh target/release/rewright

# Every test: units, corpora, properties, examples of the specification.
test:
	cargo test --workspace --quiet

# Throughput of the parser, the checker, the printer and the interpreter.
bench:
	cargo bench --workspace --quiet

# Formatting and lints, warnings denied.
lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings

# Leaves the command at target/release/rewright.
build:
	cargo build --release --quiet
