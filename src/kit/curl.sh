#!/bin/sh
# __TITLE__: ⟦a period as a file. Needs curl 7.76 or newer.⟧
# __SHOWN__.
# ⟦Rows are in the order of the report, not of the screen (there⟧ __ORDER__).
# ⟦Run: export SVODKA_KEY=...; sh svodka.sh CODE [FROM [TO [FORMAT [COMPARE]]]]; formats: csv, xlsx, ndjson, json, parquet; compare: previous, year.⟧
set -eu
: "${SVODKA_KEY:?⟦an API key is required:⟧ export SVODKA_KEY=...}"
url='__URL__'
values='__VALUES__' suffix='__SUFFIX__' # ⟦of the report's parameters, and in names that are made⟧
report=${1:-'__CODE__'} from=${2:-'__FROM__'} to=${3:-'__TO__'} format=${4:-csv} compare=${5:-'__COMPARE__'}
: "${report:?⟦the code of a report is required⟧}"
file="$report${suffix}_$from${to:+_$to}${compare:+_$compare}.$format"
trap 'rm -f "$file.part"' EXIT

# ⟦The file appears as a whole: the next run repeats an interrupted download.⟧
# ⟦At 429 and 503 curl waits as long as Retry-After says; the key is not in the list of processes.⟧
# ⟦To resume one: without --compressed, with -C - and --header "If-Match: ETag of the first part".⟧
printf 'X-Api-Key: %s\n' "$SVODKA_KEY" |
  curl --silent --show-error --fail-with-body --compressed --retry 10 --retry-connrefused \
    --header @- --header 'Accept-Language: __LANGUAGE__' --output "$file.part" \
    "$url/reports/$report.$format?from=$from${to:+&to=$to}${compare:+&compare=$compare}$values" || {
  cat "$file.part" >&2 && echo >&2 # ⟦the response with detail and requestId⟧
  exit 1
}
touch "$file.part" # ⟦curl does not write an empty response⟧
mv "$file.part" "$file"
echo "$file"
