# Kingdomino from a fresh clone. `make` alone lists the targets.
#
# Everything is built into .venv and target/, and only if its sources have changed: a second
# `make play` starts at once. Python sources are installed editable and never need a rebuild.

BIN := .venv/bin
EXTENSION := python/kingdomino/_core.abi3.so
INSTALLED := .venv/.installed
TOOLS := .venv/.tools
DOCS := .venv/.docs
# Drives Firefox, if it is installed.
GECKODRIVER := $(if $(shell command -v firefox-esr),$(BIN)/geckodriver)
SOURCES := pyproject.toml uv.lock tools/engine.py Cargo.toml $(wildcard Cargo.lock) \
    $(shell find crates -type f -not -path '*/tests/*' -not -path '*/benches/*' -not -path '*/examples/*')

# First the toolchain from tools/get_rust.py. Last rustup's folder, which a shell opened earlier does not know yet.
export PATH := $(CURDIR)/.rust/bin:$(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin
# uv finds a Python that is new enough and installs into .venv, one `make` at a time.
UV := $(or $(shell command -v uv),.uv/bin/uv)
# Installs the packages of uv.lock, checked by hashes, and keeps all others.
SYNC = $(UV) sync --quiet --locked --inexact
PYTEST := $(BIN)/pytest -n auto --dist worksteal
export UV_PYTHON_DOWNLOADS := never
export VIRTUAL_ENV := $(CURDIR)/.venv
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
unexport CONDA_PREFIX PYTHONHOME PYTHONPATH
# Without compiled modules, the servers that the tests start take twice as long.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: missing help play engine test test-browser test-rest check docs site bench format lock dist npm sbom audit

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

play: $(INSTALLED) ## play in the browser, against a bot or with friends
	@exec $(BIN)/kingdomino play

engine: | $(UV) ## build the engine for the page, as every installation does
	@$(check_rust)
	$(UV) run --quiet --no-project --script tools/engine.py

test: $(INSTALLED) $(TOOLS) ## run the tests of the engine, the library, the bots and the server
	cargo test --workspace --exclude kingdomino-python --all-features --quiet
	$(PYTEST) -m 'not services and not slow' --ignore tests/browser

test-browser: $(INSTALLED) $(TOOLS) $(GECKODRIVER) ## run the tests of the pages, in Chromium, Firefox and WebKit
	$(PYTEST) tests/browser

test-rest: $(INSTALLED) $(TOOLS) ## run the slow tests, and those that need PostgreSQL, a proxy, many connections or root
	$(PYTEST) -m 'services or slow' tests

check: $(INSTALLED) $(TOOLS) ## lint, formatting, types (Python's and the browser client's), stubs, layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/stubtest kingdomino._core
	$(BIN)/lint-imports --no-logo
	$(BIN)/node .venv/node/node_modules/typescript/bin/tsc -p tools/node
	$(BIN)/node .venv/node/node_modules/typescript/bin/tsc -p tools/node/worker.json
	$(BIN)/hadolint deploy/Dockerfile
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.compose-spec deploy/compose.yml
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features --quiet -- -D warnings

docs: $(INSTALLED) $(DOCS) ## build the site of the documents, which the server shows at /docs/
	$(BIN)/python -m tools.site

site: docs ## write the site of plain files into dist/site, for any static host
	$(BIN)/python -m tools.plain_site

bench: $(INSTALLED) $(TOOLS) ## measure the engine and the environments on this machine
	$(BIN)/python benches/run.py
	$(BIN)/python -m benches.envs

format: $(INSTALLED) $(TOOLS) ## put every source file into its standard form
	$(BIN)/python -m tools.stub_docs
	$(BIN)/python -m tools.client_types
	$(BIN)/python -m tools.settings_table
	$(BIN)/python -m tools.metrics_table
	$(BIN)/python -m tools.pools_table
	$(BIN)/python -m tools.licences
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	cargo fmt --all

lock: | $(UV) ## write what pyproject.toml asks for into uv.lock (UPGRADE=--upgrade takes the current releases)
	$(UV) lock $(UPGRADE)

dist: | $(UV) ## build the source distribution into dist/, and a wheel from it; list what a server needs beside it
	@$(check_rust)
	CARGO_TARGET_DIR="$(CURDIR)/target" $(UV) build --quiet --out-dir dist
	$(UV) export --quiet --locked --no-default-groups --no-emit-project --extra postgresql \
	    --output-file dist/requirements.txt

npm: $(INSTALLED) $(TOOLS) ## pack the engine for JavaScript into dist/npm
	$(BIN)/python -m tools.npm_package

sbom: | $(UV) ## list the Python packages that are installed beside the wheel in dist/python.cdx.json (CycloneDX)
	@mkdir -p dist
	$(UV) export --quiet --locked --preview-features sbom-export --format cyclonedx1.5 --all-extras \
	    --output-file dist/python.cdx.json

audit: | $(UV) ## check licences, sources and known vulnerabilities of what the lock files name
	UV=$(UV) .ci/audit

# A missing interpreter or extension makes the installation out of date. A newer one
# does not: pip builds the extension, too.
$(BIN)/python: ;

$(INSTALLED): $(SOURCES) $(if $(wildcard $(EXTENSION)),,missing) $(BIN)/python | $(UV)
	@$(check_rust)
	$(UV) venv --quiet --allow-existing .venv
	@touch .venv/.started
	$(SYNC) --extra server --group build --no-build-isolation-package kingdomino --reinstall-package kingdomino
	@# A source that was edited during the build is newer than .started, so the next make builds again.
	@mv .venv/.started $@

$(TOOLS): pyproject.toml tools/node/package-lock.json | $(INSTALLED)
	$(SYNC) --group tools --no-install-project
	mkdir -p .venv/node && cp tools/node/package*.json .venv/node
	$(BIN)/npm ci --loglevel=error --no-audit --no-fund --prefix .venv/node >/dev/null
	@touch $@

# Without optimisation it builds in half the time. If the build fails, pytest skips the tests in Firefox.
$(BIN)/geckodriver: | $(INSTALLED)
	-CARGO_PROFILE_DEV_DEBUG=0 cargo install --quiet --debug --locked --no-track --root .venv geckodriver@0.37.1

$(DOCS): pyproject.toml uv.lock | $(INSTALLED)
	$(SYNC) --group docs --no-install-project
	@touch $@

.uv/bin/uv:
	python3 -m venv .uv
	.uv/bin/python -m pip install --quiet --disable-pip-version-check uv

# Needs a C compiler that links, and a Rust compiler that builds for WebAssembly and is as new as Cargo.toml asks for;
# otherwise rustup gets one. If rustup cannot, a new enough compiler without WebAssembly will do.
check_rust = echo 'int main(void) { return 0; }' | cc -x c -o /dev/null - 2>/dev/null || { echo "$$NO_CC" >&2; exit 1; }; \
    $(is_new) && $(UV) run --quiet --no-project --script tools/engine.py --check || \
    $(UV) run --quiet --no-project --script tools/get_rust.py || { $(is_new) && echo "$$NO_ENGINE" >&2; } || \
    { echo "$$NO_RUST" >&2; exit 1; }
is_new = command -v cargo >/dev/null && [ "$$(rustc --version | sed 's/^rustc 1\.\([0-9]*\).*/\1/')" -ge \
    "$$(sed -n 's/^rust-version = "1\.\([0-9]*\).*/\1/p' Cargo.toml)" ]
define NO_CC
Rust programs are linked by a C compiler, and this machine has none that works. Install gcc and the C library's headers
(Debian: apt install gcc libc6-dev; Fedora: dnf install gcc; macOS: xcode-select --install), then try again.
endef
define NO_RUST
Kingdomino's engine is written in Rust, and this machine has no Rust toolchain that is new enough.
Get it from https://rustup.rs (or run `rustup update`), then try again.
endef
define NO_ENGINE
No engine for the page: this Rust cannot build for WebAssembly (Debian: apt install rust-web-src lld-22, then make engine).
endef
export NO_CC NO_RUST NO_ENGINE
