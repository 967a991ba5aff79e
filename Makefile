# make help says what there is to make.

GO ?= go

.DEFAULT_GOAL := help
.PHONY: help setup build prove test bench lint clean

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-8s %s\n", $$1, $$2 }'

setup: ## see whether this machine has what the build needs
	@scripts/setup

build: setup ## bin/mancheck
	$(GO) build -o bin/mancheck ./cmd/mancheck

prove: build ## decide every claim of the examples
	bin/mancheck check examples/*.sow

test: setup ## go vet and all tests
	$(GO) vet ./...
	$(GO) test ./...

bench: setup ## all benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

lint: setup ## formatting, go vet, staticcheck
	@scripts/lint

clean: ## remove what was built
	rm -rf bin
