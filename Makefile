# Everything around the code. `make help` lists what can be made.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
# One build at a time: each one uses all cores.
.NOTPARALLEL:
.ONESHELL:

SWIFT ?= swift
PYTHON ?= python3
PREFIX ?= /usr/local
DESTDIR ?=

# Each set of flags has a build folder of its own, or everything would be built anew at every change of flags.
STRICT := --scratch-path .build/debug-strict -Xswiftc -warnings-as-errors -Xcc -Wall -Xcc -Wextra -Xcc -Werror
THREADS := --scratch-path .build/tsan --sanitize=thread
# With the branches that are taken, so that the fuzzer learns from what it sends.
ADDRESSES := --scratch-path .build/asan --sanitize=address -Xswiftc -sanitize-coverage=edge,trace-pc-guard
# Without position independence the programs start about a millisecond sooner: nothing is left to relocate.
# SwiftPM hands --static-swift-stdlib on when it links programs, and forgets it for shared libraries.
RELEASE := -c release --static-swift-stdlib --scratch-path .build/release -Xswiftc -warnings-as-errors \
  -Xswiftc -static-stdlib -Xswiftc -Xclang-linker -Xswiftc -no-pie

# Tests that do nothing but compute, for seconds at a time: beside them, others would get no thread.
VALUE_TESTS := SchedulingTests SimulationTests

BUILT := $(CURDIR)/.build/debug-strict/debug
RELEASED := $(CURDIR)/.build/release/release
VENV := $(CURDIR)/.build/venv
# Where the clients of the end-to-end tests keep every reply.
REPLIES := $(CURDIR)/.build/replies

BUILD_PACKAGES := pkg-config libsystemd-dev libsqlite3-dev libjansson-dev
TEST_PACKAGES := $(BUILD_PACKAGES) python3 jq socat shellcheck procps systemd
# Looks at the pages of days.
BROWSER_PACKAGES := chromium
BENCH_PACKAGES := $(BUILD_PACKAGES) python3 gcc libc6-dev util-linux redis-server

# A test that is meant to end its process would otherwise wait for a backtrace.
export SWIFT_BACKTRACE := enable=no
export PYTHONDONTWRITEBYTECODE := 1

##@ To use

.PHONY: build
build: deps-build ## build everything but the tests, warnings being errors
	$(SWIFT) build $(STRICT)

.PHONY: demo
demo: deps build ## build, then walk through what Runner does
	RUNNER_BIN=$(BUILT) examples/demo.sh

.PHONY: run
run: build ## run the daemon in the foreground with the examples' bundles, in a temporary folder
	RUNNER_BIN=$(BUILT) .ci/run-daemon

.PHONY: release
release: deps-build ## build the programs as they are installed: optimised, with the Swift library inside
	$(SWIFT) build $(RELEASE) --product runnerd
	$(SWIFT) build $(RELEASE) --product runnerctl
	$(SWIFT) build $(RELEASE) --product runner-plugin-host

.PHONY: install
install: release ## install the programs and the units for the system and for users (PREFIX=/usr/local, DESTDIR=)
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(RELEASED)/runnerd $(RELEASED)/runnerctl "$(DESTDIR)$(PREFIX)/bin"
	install -d "$(DESTDIR)$(PREFIX)/libexec/runner"
	install -m 755 $(RELEASED)/runner-plugin-host "$(DESTDIR)$(PREFIX)/libexec/runner"
	for kind in system user; do
	  install -d "$(DESTDIR)$(PREFIX)/lib/systemd/$$kind"
	  sed 's|@bindir@|$(PREFIX)/bin|' Sources/runnerd/Units/$$kind/runner.service.in \
	    | install -m 644 /dev/stdin "$(DESTDIR)$(PREFIX)/lib/systemd/$$kind/runner.service"
	done

.PHONY: uninstall
uninstall: ## remove what install put there; state, configuration and bundles stay
	rm -f "$(DESTDIR)$(PREFIX)/bin/runnerd" "$(DESTDIR)$(PREFIX)/bin/runnerctl"
	rm -f "$(DESTDIR)$(PREFIX)/libexec/runner/runner-plugin-host"
	rmdir "$(DESTDIR)$(PREFIX)/libexec/runner" 2> /dev/null || true
	rm -f "$(DESTDIR)$(PREFIX)/lib/systemd/system/runner.service" "$(DESTDIR)$(PREFIX)/lib/systemd/user/runner.service"

##@ To test

.PHONY: test
test: deps unit-tests end-to-end-tests check ## run every test and every check

.PHONY: build-tests
build-tests: deps-build
	$(SWIFT) build --build-tests $(STRICT)

.PHONY: unit-tests
unit-tests: build-tests ## run all tests but the end-to-end ones
	$(PYTHON) .ci/run-tests.py values --only $(VALUE_TESTS) --minutes 5 -- $(STRICT)
	$(PYTHON) .ci/run-tests.py unit --except EndToEndTests $(VALUE_TESTS) --minutes 10 -- $(STRICT)

.PHONY: end-to-end-tests
end-to-end-tests: deps deps-browser build-tests venv ## run the tests that start the real programs, and judge every reply they got
	rm -rf $(REPLIES)
	mkdir -p $(REPLIES)
	RUNNER_BIN=$(BUILT) RUNNER_RECORD_REPLIES=$(REPLIES) \
	  $(PYTHON) .ci/run-tests.py end-to-end --only EndToEndTests --minutes 15 --at-once 6 --parts 8 -- $(STRICT)
	$(VENV)/bin/python Tests/EndToEndTests/Support/check_replies.py --self-test
	$(VENV)/bin/python Tests/EndToEndTests/Support/check_replies.py $(REPLIES)

SECONDS ?= 60
SEED ?= $(shell date +%s)

.PHONY: fuzz
fuzz: deps-build ## fuzz the control service under the address sanitizer, and keep what takes new branches (SECONDS=60, SEED=the time)
	$(SWIFT) build $(ADDRESSES) --product runner-fuzz
	# The leak sanitizer does not recognise pointers in which Swift keeps bits; the program looks at its growth itself.
	ASAN_OPTIONS=detect_leaks=0:malloc_context_size=4 .build/asan/debug/runner-fuzz Tests/Fixtures/fuzz .build/fuzz $(SECONDS) $(SEED)

SOAK_DAYS := 10000
DAYS ?= $(SOAK_DAYS)
# One scenario, as a failure prints it; else as many as the days take.
SOAK_SEED ?=

.PHONY: soak
soak: deps-build ## live through random device-days with faults, against the shadow model (DAYS=10000, SOAK_SEED=one)
	$(SWIFT) build $(RELEASE) --product simulation-bench
	$(RELEASED)/simulation-bench soak --days $(DAYS) $(if $(SOAK_SEED),--seed $(SOAK_SEED),$(if $(filter $(SOAK_DAYS),$(DAYS)),--within 60))

.PHONY: bench
bench: deps-build deps-bench ## run the benchmarks, each beside its peer or limit
	RUNNER_RELEASE='$(RELEASE)' RUNNER_STRICT='$(STRICT)' Benchmarks/run

##@ To check

# The quick ones come first.
.PHONY: check
check: deps check-format check-layers check-tree check-scripts check-strict check-tests check-fuzz check-docs \
  check-protocol check-install soak check-threads ## run every check

.PHONY: check-format
check-format: ## the layout of the code
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests examples Benchmarks

.PHONY: check-layers
check-layers: ## what each target may import
	$(PYTHON) .ci/check-layers.py --self-test
	$(PYTHON) .ci/check-layers.py

.PHONY: check-tree
check-tree: ## no machine's paths, no secrets, nothing left for later
	$(PYTHON) .ci/check-tree.py --self-test
	$(PYTHON) .ci/check-tree.py

.PHONY: check-scripts
check-scripts: ## the scripts
	.ci/check-scripts
	$(PYTHON) .ci/check-workflow.py --self-test

.PHONY: check-strict
check-strict: build-tests ## warnings are errors, in the tests too

.PHONY: check-tests
check-tests: build-tests ## no test without @Test, no sleeps, and not fewer tests than before
	$(PYTHON) .ci/check-tests.py --self-test
	$(PYTHON) .ci/check-tests.py functions
	$(SWIFT) test list --skip-build $(STRICT) > .build/test-list
	$(PYTHON) .ci/check-tests.py count .build/test-list

.PHONY: test-count-update
test-count-update: build-tests ## write the number of tests of today into .ci/test-count
	$(SWIFT) test list --skip-build $(STRICT) > .build/test-list
	$(PYTHON) .ci/check-tests.py count .build/test-list --update

.PHONY: check-fuzz
check-fuzz: build-tests ## twenty seconds of fuzzing
	$(BUILT)/runner-fuzz Tests/Fixtures/fuzz .build/fuzz 20 1

.PHONY: check-docs
check-docs: build-tests ## the documentation of everything public
	$(PYTHON) .ci/check-abstracts.py --self-test
	.ci/check-docs $(STRICT)

.PHONY: check-protocol
check-protocol: build ## docs/control-protocol.md says what the daemon says
	$(PYTHON) .ci/protocol-page.py --self-test
	$(PYTHON) .ci/protocol-page.py $(BUILT)/runnerd --check

.PHONY: docs
docs: build ## write the generated parts of docs/control-protocol.md anew
	$(PYTHON) .ci/protocol-page.py $(BUILT)/runnerd

.PHONY: check-install
check-install: release ## what install puts where, the units, and that a Swift plugin runs there
	$(SWIFT) build $(RELEASE) --product mail-plugin
	$(SWIFT) build $(RELEASE) --product Mail
	RUNNER_RELEASED=$(RELEASED) .ci/check-install

# Not one of `check`, since it builds the whole kit anew: for changes of the templates, the products or the kit.
.PHONY: check-new-plugin
check-new-plugin: build ## what a new plugin in Swift needs: it is made, built, run, expired and ended
	.ci/check-new-plugin $(BUILT) .build/new-plugin

.PHONY: check-threads
check-threads: deps-build ## the unit tests under the thread sanitizer
	RUNNER_SANITIZER=thread $(SWIFT) build --build-tests $(THREADS)
	RUNNER_SANITIZER=thread RUNNER_HISTORIES=300 $(PYTHON) .ci/run-tests.py threads --except EndToEndTests --minutes 20 --at-once 16 -- $(THREADS)

##@ To set up

.PHONY: deps
deps: ## install the Debian packages that building and testing need, where they are missing
	@.ci/install-packages $(TEST_PACKAGES)

.PHONY: deps-build
deps-build: ## only those that building needs
	@command -v $(SWIFT) > /dev/null || { echo "Install a Swift 6.3 toolchain and put it on PATH." >&2; exit 1; }
	.ci/install-packages $(BUILD_PACKAGES)

.PHONY: deps-browser
deps-browser: ## the browser that the end-to-end tests look at pages with
	@.ci/install-packages $(BROWSER_PACKAGES)

.PHONY: deps-bench
deps-bench: ## those of the benchmarks
	@.ci/install-packages $(BENCH_PACKAGES)

.PHONY: venv
venv: .build/venv/.complete ## Python packages of test clients, in .build/venv

.build/venv/.complete: .ci/requirements.txt
	.ci/install-packages python3-venv
	/usr/bin/python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --requirement .ci/requirements.txt
	touch $@

.PHONY: clean
clean: ## remove everything that was built
	rm -rf .build

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' Makefile
