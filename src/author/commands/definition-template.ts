/** Built-in templates of `svodka new` for definitions and access files, used if the folder has no templates. */
import type { StartingTable } from './starting-table.ts'

/** Names to fill in, used without a database. */
export const NO_TABLE = {
  name: 'your_table',
  dateColumn: 'created_on',
  dateType: 'date',
  isShared: false,
  tenancyLine: 'your_table: organization_id\n',
} as const

const FILL_IN =
  '-- Fill in the names of your table and column: your_table, also in tenancy.yaml, and created_on (a date).\n'

const EVERY_KEY =
  '# sql/README.md of svodka explains every key. Change this step by step, and run it after each change.'

/**
 * A report that counts rows by month.
 * @param code makes the title unique
 */
export function reportTemplate(code: string, table: StartingTable = NO_TABLE): string {
  const { name, dateColumn, dateType } = table
  const column = `${name}.${dateColumn}`
  const day = dateType === 'date' ? column : `${column} at time zone :time_zone`
  const matter = `title: Новый отчёт (${code})
columns:
  month:   { title: Месяц, type: text }
  records: { title: Записей, type: integer, total: sum(records) }
key: [month]
chart: { kind: bars, measures: [records], label: month, order: rows }
summary: >-
  За {period} {records, plural, one {# запись} few {# записи} many {# записей} other {# записи}}.
maxRows: 10000`
  const columns = `
    to_char(${day}, 'YYYY-MM') as month,
    count(*) as records`
  return `${template(matter, columns, table)}group by to_char(${day}, 'YYYY-MM')
order by month
`
}

/** @param code of the file, the prefix of its metrics */
export function metricsTemplate(code: string, table: StartingTable = NO_TABLE): string {
  const matter = `metrics:
  ${code}_records: { title: Записей (${code}), format: integer }`
  return template(matter, ` count(*) as ${code}_records`, table)
}

function template(matter: string, columns: string, table: StartingTable): string {
  const { name, dateColumn, dateType, isShared } = table
  const at = dateType === 'date' ? '' : '_at'
  return `/*---
${EVERY_KEY}
${matter}${isShared ? '\nshared: true' : ''}
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
---*/
${table === NO_TABLE ? FILL_IN : ''}select${columns}
from ${name}
where ${name}.${dateColumn} >= :period_start${at}
  and ${name}.${dateColumn} < :period_end${at}
`
}

/** By file name in `access/`. */
export const ACCESS_TEMPLATES = {
  'organization_by_key.sql': `-- Fill in the names of your tables. Maps API keys to organizations: one row for each key that is valid now.
select
    -- bytea, the 32 bytes of the key's SHA-256; a column with an index; if the table has texts: sql/README.md, "An index for the hash"
    api_keys.key_sha256 as key_hash,
    -- one column of any type
    organizations.id as organization_id,
    -- an IANA name; if all organizations have the same: 'Europe/Moscow' as time_zone
    organizations.time_zone,
    -- boolean: whether it may use the API
    true as entitled
from api_keys
join organizations on organizations.id = api_keys.organization_id
where api_keys.key_sha256 = any (:key_hashes)
`,
  'organizations.sql': `-- Fill in the names of your tables. Organizations for --org of the command line. \`svodka check\` uses those that have a
-- nickname: choose a large, a small and an empty one.
select
    organizations.id as organization_id,
    case organizations.id::text when '1' then 'large' when '2' then 'small' end as nickname,
    organizations.time_zone
from organizations
`,
} as const
