/** DuckDB: a period as a table, from Parquet. */
import type { KitSource } from './kit-source.ts'
import { nameReports } from './quote.ts'
import { SHELL_GET, shellSettings } from './shell.ts'

export function duckdb(source: KitSource): string {
  return String.raw`
#!/bin/sh
# ${nameReports(source)}: период в таблицу DuckDB; деньги — целые копейки (BIGINT). Нужны duckdb и curl 7.76.
# Запуск: export SVODKA_KEY=...; sh svodka_duckdb.sh КОД [С [ПО]]; затем: duckdb svodka.duckdb
${shellSettings(source)}
database=${'${SVODKA_DATABASE:-svodka.duckdb}'}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

${SHELL_GET}

# httpfs не ждёт Retry-After, поэтому файл скачивает curl; таблица заменяется целиком одной транзакцией.
get "/reports/$report.parquet?from=$from${'${to:+&to=$to}'}" "$work/report.parquet"
duckdb "$database" <<SQL
create or replace table "$report" as select * from read_parquet('$work/report.parquet');
select count(*) as rows from "$report";
SQL`
}
