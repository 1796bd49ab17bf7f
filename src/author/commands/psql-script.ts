/** A definition as a psql script: the SQL that the gateway sends, with psql variables for placeholders. */
import { escapeLiteral } from 'pg'
import { addDays, asOf } from '../../definitions/calendar.ts'
import type { Bindings, Definition, Parameter, Placeholder } from '../../definitions/definition.ts'
import { valueType } from '../../definitions/parameter-value.ts'
import { placeholderIn, textOf } from '../../definitions/sql/sql-pieces.ts'
import { startOfDay } from '../../definitions/statement.ts'

/**
 * The statement is without totals that the gateway adds.
 * @param idType the PostgreSQL type of an organization's id
 * @param settings of the session, by name
 */
export function psqlScript(
  { name, source, parameters }: Definition,
  bindings: Bindings,
  idType: string,
  settings: Readonly<Record<string, string>>,
): string {
  const { organizationId, period } = bindings
  const { text, sqlStart, start, end, statement } = source
  const used = new Set(statement.pieces.map(placeholderIn))
  const sql = `${text.slice(sqlStart, start)}${textOf(statement.pieces)}${text.slice(end)}`.trim()
  const ofParameters = parameters.map(one => [one.name, literalOf(one, bindings)] as const)
  const all = [...Object.entries(literals(bindings, idType)), ...ofParameters]
  const variables = all.filter(([key]) => used.has(key))
  return [
    `-- ${name} of organization ${organizationId} from ${period.start} to ${addDays(period.end, -1)}`,
    ...Object.entries(settings).map(
      ([setting, value]) => `set ${setting} = ${escapeLiteral(value)};`,
    ),
    ...variables.map(([key, literal]) => `\\set ${key} ${metaQuoted(literal)}`),
    sql,
    // why: a comment may precede the semicolon, and a second semicolon is harmless
    ...(text.slice(end).trimStart().startsWith(';') ? [] : [';']),
    '',
  ].join('\n')
}

const date = (text: string) => `${escapeLiteral(text)}::date`

function literals(bindings: Bindings, idType: string): Record<Placeholder, string> {
  const { organizationId, period, today, now, timeZone } = bindings
  const zone = `${escapeLiteral(timeZone)}::text`
  const instant = (day: string) => startOfDay(date(day), zone)
  return {
    organization_id: `${escapeLiteral(organizationId)}::${idType}`,
    period_start: date(period.start),
    period_end: date(period.end),
    period_start_at: instant(period.start),
    period_end_at: instant(period.end),
    today: date(today),
    as_of: date(asOf(period, today)),
    now: `${escapeLiteral(now)}::timestamptz`,
    time_zone: zone,
  }
}

function literalOf({ name, type, default: ownDefault }: Parameter, { parameters }: Bindings) {
  const value = parameters?.get(name) ?? ownDefault
  return `${value === null ? 'null' : escapeLiteral(value)}::${valueType(type).cast}`
}

/** @see https://www.postgresql.org/docs/current/app-psql.html#APP-PSQL-META-COMMANDS */
function metaQuoted(text: string): string {
  return `'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll(/[\n\r]/g, '\\n')}'`
}
