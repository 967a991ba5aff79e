# make help lists the targets.

GO ?= go
export GO

# Looked up when a recipe runs: setup may have changed them.
TAGS = $(shell scripts/tags)

.DEFAULT_GOAL := help
.PHONY: help setup build playground site vsix prove coq values check test full race fuzz bench profile lint release release-check clean distclean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-14s %s\n", $$1, $$2 }'

setup: ## link Z3, installing what is missing if possible
	@scripts/setup

# For go commands that run with -buildvcs=false. A release has a VERSION.
REVISION = $(shell git rev-parse --short=12 HEAD 2>/dev/null)

build: setup ## bin/mancheck
	$(GO) build $(TAGS) -ldflags "-X main.revision=$(REVISION)" -o bin/mancheck ./cmd/mancheck

prove: build ## decide every claim of the examples and proof files but those of proofs/values
	bin/mancheck prove examples proofs/*.sow

coq: ## compile the theory in Coq of proofs/coq, in bin/coq, and print what its theorems assume. Needs Coq
	@scripts/coq

# The endgame tables of proofs/values are kept: a table for other rules is refused, and this makes it again.
SEEDS ?= 20

# What is hot stays inlined; the rest is smaller without, and a browser loads all of it.
COLD = all=-l
HOT = runtime internal/runtime/... $(addprefix github.com/mancheck/mancheck/,checker/pack checker/residual checker/store \
	checker/value rules/exec)
WEB = cmd/playground/web

playground: ## bin/playground: the tool as a folder for a web server. Needs node and npm
	mkdir -p bin/playground
	GOOS=js GOARCH=wasm $(GO) build -trimpath -gcflags='$(COLD)' $(HOT:%=-gcflags='%=') \
		-ldflags "-s -w -X main.version=$(or $(VERSION),$(REVISION))" -o bin/playground/mancheck.wasm ./cmd/playground
	cd $(WEB) && npm ci --no-audit --no-fund --silent
	node $(WEB)/build.mjs bin/playground
	scripts/licences bin/playground/LICENSES-go.txt ./cmd/playground js/wasm
	node $(WEB)/size.mjs bin/playground

site: playground ## bin/site: the documentation with the gallery and the playground. Needs node and npm
	@scripts/site

vsix: ## bin/mancheck-VERSION.vsix: the extension for VS Code. Needs node and npm
	@scripts/vsix

values: build ## decide the claims of proofs/values, with endgame tables of SEEDS=20: takes half an hour
	mkdir -p bin/tables
	for rule in true false; do \
		table=bin/tables/kalah-$$rule-$(SEEDS).table; \
		bin/mancheck table verify proofs/fairkalah.sow $$table --variant FairKalah -p empty_capture=$$rule --sample 100_000 || \
		bin/mancheck table build proofs/fairkalah.sow --variant FairKalah -p empty_capture=$$rule --seeds $(SEEDS) -o $$table --force || exit; \
	done
	bin/mancheck prove --long proofs/values --tables bin/tables --max-states 10_000_000_000

# Random tests draw the same cases in each run, so that what fails belongs to the change at hand. make fuzz draws others.
check test full race: export RAPID_SEED ?= 1

# Random tests have 100 cases by default, and with -short a fifth: 10 in make check, 30 in make test, 100 in make full.
check: export RAPID_CHECKS ?= 50
test: export RAPID_CHECKS ?= 30

# A package of tests may take longer than the ten minutes that go test allows, on a busy machine.
LONG = -timeout 60m

# Short tests have small heaps: with the usual GOGC they would collect garbage for a quarter of the time.
check: setup ## go vet and the quick tests, in about a minute: for every commit
	$(GO) vet $(TAGS) ./...
	GOGC=400 $(GO) test -vet=off -short $(LONG) $(TAGS) ./...

# internal/tier says what belongs to make check, make test and make full.
test: setup ## go vet and every kind of test, and which packages took how much processor time
	$(GO) vet $(TAGS) ./...
	@mkdir -p bin && rm -f bin/cpu.txt
	GOGC=400 $(GO) test -vet=off $(LONG) -exec "$(CURDIR)/scripts/cpu $(CURDIR)/bin/cpu.txt" $(TAGS) ./...
	@scripts/cpu bin/cpu.txt

full: setup ## all cases of all tests: takes an hour
	MANCHECK_FULL=1 $(GO) test $(LONG) $(TAGS) ./...

race: setup ## the quick tests with the race detector, in random order: takes minutes
	$(GO) test -race -shuffle=on -short $(LONG) $(TAGS) ./...

FUZZTIME ?= 10m
FUZZCHECKS ?= 1000
LIMITRUNS ?= 15000

fuzz: setup ## all tests, random ones with FUZZCHECKS=1000 new cases each; for FUZZTIME=10m each, engines against a judge and the fuzz targets
	@failed=0; \
	MANCHECK_FULL=1 RAPID_SEED=0 RAPID_CHECKS=$(FUZZCHECKS) $(GO) test $(TAGS) -short -count=1 -timeout 12h ./... || failed=1; \
	$(GO) run $(TAGS) ./proofs/internal/judge/fuzz -time $(FUZZTIME) $(FUZZFLAGS) || failed=1; \
	scripts/fuzz $(FUZZTIME) || failed=1; \
	$(GO) build $(TAGS) -o bin/mancheck ./cmd/mancheck && $(GO) run ./scripts/limits -runs $(LIMITRUNS) || failed=1; \
	exit $$failed

BENCHFLAGS ?=

bench: setup ## mancheck beside other programs, as in docs/performance.md, then all Go benchmarks
	$(GO) run ./scripts/bench $(BENCHFLAGS)
	$(GO) test $(TAGS) -run '^$$' -bench . -benchmem ./...

CASE ?= kalah43

profile: setup ## cpu.prof and mem.prof of one case of the benchmarks, CASE=kalah43
	$(GO) run ./scripts/bench -profile -case $(CASE)

lint: setup ## formatting, go vet, staticcheck
	@scripts/lint

release: ## a release of the tagged commit, on GitHub as a draft: docs/releasing.md. Needs node and npm
	scripts/release

release-check: ## make a release twice without publishing it, compare, and look at what it made: takes a quarter of an hour
	scripts/release-check

clean: ## remove what was built
	rm -rf bin cpu.prof mem.prof mancheck.test

distclean: clean ## remove what setup made, too
	rm -rf .deps go.work go.work.sum
