/** psql: changed months into PostgreSQL. */
import type { KitSource } from './kit-source.ts'
import { nameReports } from './quote.ts'
import { shellLoader } from './shell.ts'

export function psql(source: KitSource): string {
  return shellLoader(source, {
    comment: `# ${nameReports(source)}: изменившиеся месяцы в таблицу PostgreSQL; деньги — целые копейки. Нужны psql и curl 7.76.
# Запуск: export SVODKA_KEY=... PGHOST=... PGDATABASE=...; sh svodka_load.sh КОД [С ПО]
# Прерванную загрузку продолжит повторный запуск: месяц заменяется целиком одной транзакцией.`,
    functions: String.raw`sql() { psql -XqAt -v ON_ERROR_STOP=1 -v report="$report" -v ping="$(cat "$work/ping")" -v schema="$(cat "$work/schema")" "$@"; }

# Строку определяют организация, месяц и key. Если схема изменилась, таблица создаётся заново.
create_tables() {
  sql <<'SQL'
set client_min_messages = warning;
create table if not exists svodka_loads (organization text, report text, month date, fingerprint text, shape text,
  primary key (organization, report, month));
begin;
delete from svodka_loads where report = :'report' and to_regclass(quote_ident(report)) is null; -- таблицу удалили
select format('drop table %I', report) from svodka_loads
  where report = :'report' and shape <> :'schema'::jsonb ->> 'shape' limit 1 \gexec
delete from svodka_loads where report = :'report' and shape <> :'schema'::jsonb ->> 'shape';
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

# Строки «с|по|отпечаток». Отпечатка нет, если строки зависят от текущего времени: такой месяц — каждый раз.
list_changed() {
  sql -v periods="$(cat "$work/periods")" -v attempt="$attempt" <<'SQL'
select item ->> 'from', item ->> 'to', item ->> 'fingerprint'
from jsonb_array_elements(:'periods'::jsonb -> 'periods') as item
left join svodka_loads on organization = :'ping'::jsonb ->> 'organizationId' and report = :'report'
  and month = (item ->> 'from')::date
where item ->> 'fingerprint' is distinct from fingerprint or (item ->> 'fingerprint' is null and :attempt = 1);
SQL
}

replace_month() {
  sql -v first="$first" -v fingerprint="$fingerprint" <<'SQL'
select :'ping'::jsonb ->> 'organizationId' as organization, :'schema'::jsonb ->> 'shape' as shape \gset
begin;
create temp table svodka_rows (line jsonb) on commit drop;
\copy svodka_rows from program 'cat "$work/rows"' with (format csv, delimiter e'\x01', quote e'\x02')
delete from :"report" where _organization = :'organization' and _month = :'first';
insert into :"report" select loaded.* from svodka_rows, jsonb_populate_record(cast(null as :"report"),
  line || jsonb_build_object('_organization', :'organization', '_month', :'first')) as loaded;
insert into svodka_loads values (:'organization', :'report', :'first', nullif(:'fingerprint', ''), :'shape')
  on conflict (organization, report, month) do update set fingerprint = excluded.fingerprint, shape = excluded.shape;
commit;
SQL
}`,
  })
}
