/** ClickHouse: changed months of one report into a table with a partition for each month. */
import type { ColumnType } from '../../model/terms.ts'
import type { KitSource } from './kit-source.ts'
import { nameReports, quoteShell } from './quote.ts'
import { shellLoader } from './shell.ts'

const TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'String',
  month: 'String',
  date: 'Date32',
  datetime: 'DateTime64(6)',
  integer: 'Int64',
  money: 'Int64',
  number: 'Decimal(38, 10)',
  percent: 'Decimal(38, 10)',
}

const quoteName = (name: string): string => JSON.stringify(name)

export function clickhouse(source: KitSource): string {
  const { code, columns, key, shape } = source.reports[0]!
  const types = columns.map(
    ({ key: name, type, nullable }) =>
      `  ${quoteName(name)} ${nullable ? `Nullable(${TYPES[type]})` : TYPES[type]}`,
  )
  return shellLoader(source, {
    comment: `# ${nameReports(source)}: изменившиеся месяцы в таблицу ClickHouse; деньги — целые копейки.
# Нужны curl 7.76 и clickhouse-client, чьи адрес и пароль — в ~/.clickhouse-client/config.xml.
# Запуск: export SVODKA_KEY=...; sh svodka_load.sh ${code} [С [ПО]]
# Прерванную загрузку продолжит повторный запуск: месяц — партиция, которая заменяется целиком.`,
    functions: String.raw`shape=${quoteShell(shape)}
columns=${quoteShell(types.join(',\n').trim())}
sql() {
  query=$1
  shift
  clickhouse-client --param_report="$report" --param_shape="$shape" --param_ping="$(cat "$work/ping")" "$@" --query "$query"
}

# Строку определяют организация, месяц и key.
create_tables() {
  [ "$report" = ${quoteShell(code)} ] || {
    echo "Скрипт — для отчёта ${code}: для $report получите другой" >&2
    exit 1
  }
  grep -q "\"shape\":\"$shape\"" "$work/schema" || {
    echo "Схема отчёта изменилась: получите скрипт заново и удалите таблицу $report" >&2
    exit 1
  }
  sql 'create table if not exists svodka_loads (organization String, report String, month Date32, fingerprint String, shape String,
    loaded_at DateTime64(3) default now64(3)) engine = ReplacingMergeTree(loaded_at) order by (organization, report, month)'
  # Таблицу удалили: загрузить все месяцы.
  [ "$(sql "exists table \"$report\"")" = 1 ] || sql 'delete from svodka_loads where report = {report:String}'
  for table in "\"$report\"" "\"${'${report}'}_stage\""; do
    sql "create table if not exists $table (_organization String, _month Date32, $columns) engine = MergeTree
      partition by (_organization, _month) order by (${['_organization', '_month', ...key].join(', ')})"
  done
}

# Строки «с|по|отпечаток». Отпечатка нет, если строки зависят от текущего времени: такой месяц — каждый раз.
list_changed() {
  sql "select concat(item.from, '|', item.to, '|', ifNull(item.fingerprint, ''))
    from (select arrayJoin(JSONExtract({periods:String}, 'periods',
      'Array(Tuple(from String, to String, fingerprint Nullable(String)))')) as item) as listed
    left join (select toString(month) as month, fingerprint as known from svodka_loads final where report = {report:String}
      and organization = JSONExtractString({ping:String}, 'organizationId') and shape = {shape:String}) as loads on loads.month = item.from
    where if(item.fingerprint is null, $attempt = 1, ifNull(item.fingerprint, '') <> loads.known)
    order by item.from format TSVRaw" --param_periods="$(cat "$work/periods")"
}

replace_month() {
  sql "truncate table \"${'${report}'}_stage\""
  sql "insert into \"${'${report}'}_stage\" select JSONExtractString({ping:String}, 'organizationId'), toDate32({first:String}), *
    from input('$columns') format JSONEachRow" --param_first="$first" --date_time_input_format=best_effort <"$work/rows"
  partition="partition (JSONExtractString({ping:String}, 'organizationId'), toDate32({first:String}))"
  if [ -s "$work/rows" ]; then
    sql "alter table \"$report\" replace $partition from \"${'${report}'}_stage\"" --param_first="$first"
  else
    sql "alter table \"$report\" drop $partition" --param_first="$first"
  fi
  sql "insert into svodka_loads (organization, report, month, fingerprint, shape) select JSONExtractString({ping:String},
    'organizationId'), {report:String}, {first:String}, {fingerprint:String}, {shape:String}" --param_first="$first" --param_fingerprint="$fingerprint"
}`,
  })
}
