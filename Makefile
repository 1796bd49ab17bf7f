# make prints these targets; each does its own set-up.
.DEFAULT_GOAL := help
BIN := node_modules/.bin
# the code that runs in browsers
PAGE := src/page

.PHONY: help run watch check test prove mutations tuned bench bench-quick faults attacks lint format format-check build hooks clean free-ports

help: ## 1 s: print the targets; times are those of 2 cores
	@awk -F ':.*## |: ' '/^[a-z-]+:.*## / { printf "make %-13s %-7s %s\n", $$1, $$2, $$3 }' $(MAKEFILE_LIST)

run: free-ports build ## 10 s: serve DATABASE_URL, or a demo without it; 1 min the first time
	@node dist/src/main.js $(if $(DATABASE_URL)$(DATABASE_URL_FILE),serve,demo)

watch: free-ports build ## 10 s: run, and reload definitions as they are saved
	@node dist/src/main.js watch

check: build ## 1 min: find faults in definitions; CODE=profit_loss for one
	@node dist/src/main.js check $(CODE) $(if $(DATABASE_URL)$(DATABASE_URL_FILE),,--demo)

test: build ## 3 min: test on a real primary and standby; ONLY=contract/cors for one file
	@$(BIN)/mocha --config config/mocha.cjs

# other organizations than those of make test; the environment's win
prove: export GENERATED_SEED ?= 100001
prove: export GENERATED_ORGANIZATIONS ?= 3000
prove: build ## 80 min: prove what is too slow for make test; ONLY=clients for a part
	@node dist/test/prove/main.js

# why: the program takes ids as arguments
mutations: build ## 10 min: mutate the source, and see which tests notice; ONLY=revoked-key for one
	@node dist/test/mutations/main.js $(ONLY)

tuned: build ## 1 min: measure time and buffers of definitions; REPORT=profit_loss for one
	@node dist/test/sql/cost/tuned.js

bench: build ## 15 min: measure against targets, with wrk and pgbench; ONLY=hits for one group
	@node dist/test/bench/main.js

bench-quick: build ## 6 min: the same with fewer and shorter rounds
	@BENCH_QUICK=1 node dist/test/bench/main.js

faults: build ## 8 min: break servers, networks and gateways; ONLY=F12 for one
	@node dist/test/faults/main.js

attacks: build ## 27 min: attack the gateway with crowds and bytes; ONLY=A10 for one
	@node dist/test/attacks/main.js

# before the build, which takes a minute the first time
free-ports:
	@node src/demo/free-ports.js

lint: node_modules/.installed ## 5 s: check the code and what folders import
	@$(BIN)/oxlint --config config/oxlint.config.mjs --type-aware --deny-warnings src test

format: node_modules/.installed ## 1 s: format the code
	@$(BIN)/oxfmt --config config/oxfmt.json src test '!**/*.css'

format-check: node_modules/.installed ## 1 s: check the format
	@$(BIN)/oxfmt --config config/oxfmt.json --check src test '!**/*.css'

# npx looks for svodka among the packages first: without the link it would install the checkout into its own cache
build: node_modules/.installed ## 5 s: compile to dist/
	@$(BIN)/tsc
	@$(BIN)/tsc -p $(PAGE)
	@cp $(PAGE)/style.css dist/$(PAGE)/
	@mkdir -p dist/src/kit && cp $(filter-out %.ts,$(wildcard src/kit/*)) dist/src/kit/
	@mkdir -p dist/src/author/templates && cp src/author/templates/* dist/src/author/templates/
	@node config/stale-outputs.js
	@echo "$(or $(SVODKA_REVISION),$(shell git describe --always --dirty --exclude '*' --abbrev=12 2>/dev/null))" >dist/revision
	@chmod +x dist/src/main.js
	@ln -sfn ../../dist/src/main.js $(BIN)/svodka

hooks: ## 1 s: optional, a commit-msg hook that checks subjects
	@hook=$$(git rev-parse --git-path hooks/commit-msg) || exit; own=$(CURDIR)/config/commit-msg; \
	if [ "$$(readlink "$$hook")" = "$$own" ]; then echo "$$hook is installed already."; \
	elif [ -e "$$hook" ] || [ -L "$$hook" ] || git config core.hooksPath >/dev/null; then \
	  echo "Hooks of yours are in $${hook%/*}: nothing is changed. Your commit-msg hook may call $$own \"\$$1\"." >&2; exit 1; \
	else mkdir -p "$${hook%/*}" && ln -s "$$own" "$$hook" && echo "Installed $$hook; to undo it: rm $$hook"; fi

# data that the servers' user could not reach in .demo
MOVED = $(shell cat .demo/*/moved-to .demo/*/*/moved-to 2>/dev/null)
LOCKS = $(wildcard .demo/*/lock .demo/*/*/lock $(addsuffix /lock,$(MOVED)))

clean: ## 1 s: remove packages, the build and the demo's data
	@[ ! -f dist/src/demo/folders-in-use.js ] || node dist/src/demo/folders-in-use.js $(LOCKS:/lock=)
	rm -rf dist .demo node_modules test/clients/generators/node_modules $(MOVED)

node_modules/.installed: package.json package-lock.json
	@echo "Installing packages ..."
	@npm ci --include=dev --include=optional --no-audit --no-fund --loglevel=error
	@touch $@
