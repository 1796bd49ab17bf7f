# make prints these targets; each does its own set-up.
.DEFAULT_GOAL := help
BIN := node_modules/.bin

.PHONY: help run watch check test prove tuned bench bench-quick faults attacks lint format format-check build clean

help: ## print the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## serve: DATABASE_URL if it is set, else a demo primary and hot standby
	@node dist/src/main.js $(if $(DATABASE_URL)$(DATABASE_URL_FILE),serve,demo)

watch: build ## run, and reload definitions as they are saved
	@node dist/src/main.js watch

check: build ## all that is wrong with definitions, CODE=profit_loss with one; on DATABASE_URL if it is set, else on the demo
	@node dist/src/main.js check $(CODE) $(if $(DATABASE_URL)$(DATABASE_URL_FILE),,--demo)

test: build ## test on a real primary and hot standby, in about 2 minutes on 2 cores; ONLY=contract or ONLY=contract/dates files, else tests by title
	@$(BIN)/mocha --config config/mocha.cjs

# other organizations than those of make test; the environment's win
prove: export GENERATED_SEED ?= 100001
prove: export GENERATED_ORGANIZATIONS ?= 3000
prove: build ## prove what is too slow for make test, part by part, in about 40 minutes; ONLY=clients one part, PROVE_MINUTES=20 what fits
	@node dist/test/prove/main.js

tuned: build ## time and buffers of definitions on the demo's data, REPORT=code for one
	@node dist/test/sql/cost/tuned.js

bench: build ## measure against its targets, about 18 minutes, on a quiet machine with wrk and pgbench; ONLY=hits one group
	@ONLY=$(ONLY) node dist/test/bench/main.js

bench-quick: build ## the same with fewer and shorter rounds, about 3 minutes
	@ONLY=$(ONLY) BENCH_QUICK=1 node dist/test/bench/main.js

faults: build ## break servers, networks and gateways on purpose, scenario by scenario, in about 8 minutes; ONLY=F12, ONLY=promotion or ONLY=restarts some
	@ONLY=$(ONLY) node dist/test/faults/main.js

attacks: build ## attack the gateway with crowds, strangers and bytes, row by row, in about 27 minutes; ONLY=A10 or ONLY=crowds some
	@ONLY=$(ONLY) node dist/test/attacks/main.js

lint: node_modules/.installed ## check the code, and which folder imports which
	@$(BIN)/oxlint --config config/oxlint.config.mjs --type-aware --deny-warnings src test

format: node_modules/.installed ## format the code
	@$(BIN)/oxfmt --config config/oxfmt.json src test

format-check: node_modules/.installed ## check the format
	@$(BIN)/oxfmt --config config/oxfmt.json --check src test

# npx looks for svodka among the packages first: without the link it would install the checkout into its own cache
build: node_modules/.installed ## compile to dist/
	@$(BIN)/tsc
	@node config/stale-outputs.js
	@chmod +x dist/src/main.js
	@ln -sfn ../../dist/src/main.js $(BIN)/svodka

clean: ## remove what was built and the demo's data
	@cat .demo/*/moved-to .demo/*/*/moved-to 2>/dev/null | xargs rm -rf
	rm -rf dist .demo node_modules

node_modules/.installed: package.json package-lock.json
	@echo "Installing packages ..."
	@npm ci --include=dev --include=optional --no-audit --no-fund --loglevel=error
	@touch $@
