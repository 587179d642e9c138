# Kingdomino from a fresh clone. `make` alone lists what there is.
#
# Everything is built into .venv and target/ and only when its sources have changed: a second
# `make play` starts at once. Python sources are installed editable and never need a rebuild.

PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11
INTERPRETER := .venv/bin/python
EXTENSION := python/kingdomino/_core.abi3.so
INSTALLED := .venv/.installed
TOOLS := .venv/.tools
SOURCES := pyproject.toml Cargo.toml $(wildcard Cargo.lock) \
    $(shell find crates -type f -not -path '*/tests/*' -not -path '*/benches/*' -not -path '*/examples/*')

# rustup puts cargo here, and a shell that was open before does not know it yet.
export PATH := $(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin
# Whatever environment happens to be active, ours is the one that is built for and installed into.
export VIRTUAL_ENV := $(CURDIR)/.venv
export PYO3_PYTHON := $(CURDIR)/$(INTERPRETER)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_QUIET := 1
unexport CONDA_PREFIX PYTHONHOME PYTHONPATH

.PHONY: help play test check bench format wheel

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

play: $(INSTALLED) ## play in the browser, against a bot or with friends
	@exec .venv/bin/kingdomino play

test: $(INSTALLED) $(TOOLS) ## run every test, the engine's own first
	cargo test --workspace --exclude kingdomino-python --quiet
	.venv/bin/pytest -n auto --dist worksteal

check: $(INSTALLED) $(TOOLS) ## lint, formatting, types, stubs, layers
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/stubtest kingdomino._core
	.venv/bin/lint-imports --no-logo
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings

bench: $(INSTALLED) $(TOOLS) ## measure the engine and the environments on this machine
	.venv/bin/python benches/run.py
	.venv/bin/python -m benches.envs

format: $(INSTALLED) $(TOOLS) ## put every source file into its standard form
	.venv/bin/python -m tools.stub_docs
	.venv/bin/ruff check --fix
	.venv/bin/ruff format
	cargo fmt --all

wheel: $(INSTALLED) ## build a wheel into dist/
	.venv/bin/maturin build --release --out dist

# An interpreter or an extension that has gone missing makes the installation out of date.
$(INTERPRETER) $(EXTENSION): ;

ifndef LOCKED

# One installation at a time: whoever comes second waits, then finds the work done.
$(INSTALLED): $(SOURCES) $(EXTENSION) $(INTERPRETER)
	@$(python) -c "$$LOCK" $(MAKE) --no-print-directory LOCKED=yes $@

$(TOOLS): pyproject.toml | $(INSTALLED)
	@$(python) -c "$$LOCK" $(MAKE) --no-print-directory LOCKED=yes $@

else

$(INSTALLED): $(SOURCES) $(EXTENSION) $(INTERPRETER)
	@$(rust) || { echo "$$NO_RUST" >&2; exit 1; }
	@$(INTERPRETER) -c 'import pip; $(suitable)' 2>/dev/null || $(python) -m venv --clear .venv
	@touch .venv/.started
	$(INTERPRETER) -m pip install 'pip>=25.1' 'maturin>=1.16,<2'
	.venv/bin/maturin develop --release
	@# What is edited while this runs is newer than it.
	@touch -r .venv/.started $(EXTENSION) && mv .venv/.started $@

$(TOOLS): pyproject.toml | $(INSTALLED)
	$(INTERPRETER) -m pip install --group tools
	@touch $@

endif

# The first of $(PYTHON) that is new enough and whole: Debian ships it without its venv module.
suitable := import sys, ensurepip, fcntl, venv; sys.exit(sys.version_info < (3, 11))
python = $(or $(shell for python in $(PYTHON); do \
    $$python -c '$(suitable)' 2>/dev/null && echo $$python && break; done),$(error $(NO_PYTHON)))
NO_PYTHON = Python 3.11 or newer with its venv module is needed (on Debian: apt-get install python3-venv); \
    `make PYTHON=/path/to/python` names one that is not on the PATH

# There is a cargo, and a compiler as new as Cargo.toml asks for.
rust = command -v cargo >/dev/null && [ \
    "$$(rustc --version | sed 's/^rustc 1\.\([0-9]*\).*/\1/')" -ge \
    "$$(sed -n 's/^rust-version = "1\.\([0-9]*\).*/\1/p' Cargo.toml)" ]
define NO_RUST
Kingdomino's engine is written in Rust, and there is no Rust toolchain here that is new enough.
Get it from https://rustup.rs (or run `rustup update`), then try again.
endef
export NO_RUST

# Runs a command while holding the project's lock, which the system takes back however this ends.
define LOCK
import fcntl, signal, subprocess, sys
signal.signal(signal.SIGINT, lambda *_: None)  # the command hears it too, and answers for both
with open(".venv.lock", "w") as lock:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("waiting for another make in this folder", file=sys.stderr)
        fcntl.flock(lock, fcntl.LOCK_EX)
    sys.exit(subprocess.call(sys.argv[1:], close_fds=False))
endef
export LOCK
