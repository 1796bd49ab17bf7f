#!/bin/sh
# __TITLE__: ⟦a period as a table of DuckDB; money is integers of the smallest unit of its currency (BIGINT). Needs duckdb and curl 7.76.⟧
# ⟦Run: export SVODKA_KEY=...; sh svodka_duckdb.sh CODE [FROM [TO]]; then: duckdb svodka.duckdb⟧
set -eu
: "${SVODKA_KEY:?⟦an API key is required:⟧ export SVODKA_KEY=...}"
url='__URL__'
values='__VALUES__' suffix='__SUFFIX__' # ⟦of the report's parameters, and in names that are made⟧
report=${1:-'__CODE__'} from=${2:-'__FROM__'} to=${3:-'__TO__'}
: "${report:?⟦the code of a report is required⟧}"
database=${SVODKA_DATABASE:-svodka.duckdb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ⟦httpfs does not obey Retry-After, so curl gets the file: it waits at 429 and 503; the key is not in the list of processes.⟧
printf 'X-Api-Key: %s\n' "$SVODKA_KEY" |
  curl --silent --show-error --fail-with-body --retry 10 --retry-connrefused \
    --header @- --header 'Accept-Language: __LANGUAGE__' --output "$work/report.parquet" \
    "$url/reports/$report.parquet?from=$from${to:+&to=$to}$values" || {
  cat "$work/report.parquet" >&2 && echo >&2 # ⟦the response with detail and requestId⟧
  exit 1
}
# ⟦The table is replaced as a whole in one transaction.⟧
duckdb "$database" <<SQL
create or replace table "$report$suffix" as select * from read_parquet('$work/report.parquet');
select count(*) as rows from "$report$suffix";
SQL
