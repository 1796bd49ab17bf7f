#!/bin/sh
# __TITLE__: ⟦changed months into a table of PostgreSQL; money is integers of the smallest unit of its currency. Needs psql and curl 7.76.⟧
# ⟦Run: export SVODKA_KEY=... PGHOST=... PGDATABASE=...; sh svodka_load.sh CODE [FROM TO]⟧
# ⟦Another run continues an interrupted load.⟧
set -eu
: "${SVODKA_KEY:?⟦an API key is required:⟧ export SVODKA_KEY=...}"
url='__URL__'
values='__VALUES__' suffix='__SUFFIX__' # ⟦of the report's parameters, and in names that are made⟧
report=${1:-'__CODE__'} from=${2:-'__FROM__'} to=${3:-'__TO__'}
: "${report:?⟦the code of a report is required⟧}"
work=$(mktemp -d)
export work
trap 'rm -rf "$work"' EXIT

# get PATH FILE [ETAG]. ⟦At 429 and 503 curl waits as long as Retry-After says; the key is not in the list of processes.⟧
get() {
  status=$(printf 'X-Api-Key: %s\n' "$SVODKA_KEY" |
    curl --silent --show-error --fail-with-body --compressed --retry 10 --retry-connrefused \
      --header @- --header 'Accept-Language: __LANGUAGE__' --header "If-None-Match: ${3:-}" \
      --dump-header "$2.head" --output "$2" --write-out '%{http_code}' "$url$1") && return
  cat "$2" >&2 && echo >&2 # ⟦the response with detail and requestId⟧
  return 1
}

sql() {
  psql -XqAt -v ON_ERROR_STOP=1 -v report="$report$suffix" -v values="$values" \
    -v ping="$(cat "$work/ping")" -v schema="$(cat "$work/schema")" "$@"
}

# ⟦A row has the key of organization, month and key. If the schema has changed, the table is created again.⟧
create_tables() {
  sql <<'SQL'
set client_min_messages = warning;
create table if not exists svodka_loads (organization text, report text, month date, etag text, shape text,
  primary key (organization, report, month));
begin;
delete from svodka_loads where report = :'report' and to_regclass(quote_ident(report)) is null; -- ⟦the table was dropped⟧
select format('drop table %I', report) from svodka_loads
  where report = :'report' and shape <> :'schema'::jsonb ->> 'shape' || :'values' limit 1 \gexec
delete from svodka_loads where report = :'report' and shape <> :'schema'::jsonb ->> 'shape' || :'values';
select format('create table if not exists %I (_organization text, _month date, %s, primary key (_organization, _month, %s))',
    :'report',
    string_agg(format('%I %s', item ->> 'key', case item ->> 'type' when 'date' then 'date' when 'datetime' then 'timestamptz'
      when 'integer' then 'bigint' when 'money' then 'bigint' when 'number' then 'numeric' when 'percent' then 'numeric'
      else 'text' end), ', ' order by at),
    (select string_agg(quote_ident(name), ', ') from jsonb_array_elements_text(:'schema'::jsonb -> 'key') as name))
  from jsonb_array_elements(:'schema'::jsonb -> 'columns') with ordinality as listed (item, at) \gexec
commit;
SQL
}

# ⟦Lines from|to|ETag; ETag is empty if the month is not loaded yet.⟧
list_months() {
  sql -v from="$from" -v to="$to" <<'SQL'
select to_char(start, 'YYYY-MM-DD'), to_char(least(start + interval '1 month - 1 day', last), 'YYYY-MM-DD'), etag
from (select coalesce(nullif(:'to', '')::timestamp, date_trunc('year', localtimestamp) + interval '1 year - 1 day') as last) as period
cross join generate_series(date_trunc('month', :'from'::timestamp), last, '1 month') as start
left join svodka_loads on organization = :'ping'::jsonb ->> 'organizationId' and report = :'report' and month = start
order by start;
SQL
}

replace_month() {
  sql -v first="$first" -v etag="$etag" <<'SQL'
select :'ping'::jsonb ->> 'organizationId' as organization, :'schema'::jsonb ->> 'shape' || :'values' as shape \gset
begin;
create temp table svodka_rows (line jsonb) on commit drop;
\copy svodka_rows from program 'cat "$work/rows"' with (format csv, delimiter e'\x01', quote e'\x02')
delete from :"report" where _organization = :'organization' and _month = :'first';
insert into :"report" select loaded.* from svodka_rows, jsonb_populate_record(cast(null as :"report"),
  line || jsonb_build_object('_organization', :'organization', '_month', :'first')) as loaded;
insert into svodka_loads values (:'organization', :'report', :'first', nullif(:'etag', ''), :'shape')
  on conflict (organization, report, month) do update set etag = excluded.etag, shape = excluded.shape;
commit;
SQL
}

get /ping "$work/ping"
get "/reports/$report/schema" "$work/schema"
create_tables
list_months >"$work/months"
while IFS='|' read -r first last etag; do
  get "/reports/$report.ndjson?from=$first&to=$last$values" "$work/rows" "$etag"
  [ "$status" = 304 ] && continue # ⟦the month has not changed⟧
  etag=$(sed -n 's/^[Ee][Tt]ag: *//p' "$work/rows.head" | tr -d '\r' | tail -n 1)
  touch "$work/rows" # ⟦curl does not write an empty response⟧
  replace_month
  echo "$report$suffix $first⟦: loaded⟧"
  rm "$work/rows"
done <"$work/months"
