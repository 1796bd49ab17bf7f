/** A definition as psql takes it: its placeholders as psql's variables, its SQL as its author wrote it. */
import { addDays, asOf } from './calendar.ts'
import type { Bindings, Definition, Placeholder } from './definition.ts'
import { lex } from './lexer.ts'

/**
 * Text to paste into psql. The statement is the definition's own, without totals of the gateway's making.
 * @param idType the PostgreSQL type of an organization's id
 * @param settings of the session, by name
 */
export function psqlScript(
  { name, source }: Definition,
  bindings: Bindings,
  idType: string,
  settings: Readonly<Record<string, string>>,
): string {
  const { organizationId, period } = bindings
  const [matter] = lex(source.text)
  const sql = source.text.slice(matter?.end).trim()
  const last = lex(sql).findLast(({ kind }) => kind !== 'comment')
  const used = new Set(
    lex(sql).flatMap(({ kind, text }) => (kind === 'placeholder' ? [text.slice(1)] : [])),
  )
  const variables = Object.entries(literals(bindings, idType)).filter(([key]) => used.has(key))
  return [
    `-- ${name} of organization ${oneLine(organizationId)} from ${period.start} to ${addDays(period.end, -1)}`,
    ...Object.entries(settings).map(([setting, value]) => `set ${setting} = ${quoted(value)};`),
    ...variables.map(([key, literal]) => `\\set ${key} ${metaQuoted(literal)}`),
    sql,
    ...(last?.text === ';' ? [] : [';']),
    '',
  ].join('\n')
}

function literals(bindings: Bindings, idType: string): Record<Placeholder, string> {
  const { organizationId, period, today, now, timeZone } = bindings
  const date = (text: string) => `${quoted(text)}::date`
  const zone = `${quoted(timeZone)}::text`
  const instant = (day: string) => `(${date(day)}::timestamp at time zone ${zone})`
  return {
    organization_id: `${quoted(organizationId)}::${idType}`,
    period_start: date(period.start),
    period_end: date(period.end),
    period_start_at: instant(period.start),
    period_end_at: instant(period.end),
    today: date(today),
    as_of: date(asOf(period, today)),
    now: `${quoted(now)}::timestamptz`,
    time_zone: zone,
  }
}

/** A string of SQL's. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** @see https://www.postgresql.org/docs/current/app-psql.html#APP-PSQL-META-COMMANDS */
function metaQuoted(text: string): string {
  return `'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll(/[\n\r]/g, '\\n')}'`
}

/** What stands in a comment must not end it. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?')
}
