/**
 * Compiles placeholders to typed `$n`, one for each name. The types are casts in the text, so that all values can be
 * sent as text.
 */
import { asOf } from './calendar.ts'
import type { Bindings, Parameter, Placeholder, Statement, StatementText } from './definition.ts'
import { valueType } from './parameter-value.ts'
import { placeholderIn, writtenSql, type SqlPieces } from './sql/sql-pieces.ts'
import { positionsIn } from './sql/text-positions.ts'
import type { RawField } from '../model/terms.ts'

/** The type and the value of a `$n`. The type of the organization's id depends on the product's schema. */
type Bound = readonly [type: string | undefined, value: (bindings: Bindings) => RawField]

/** `period_start_at` and `period_end_at` are expressions over others. */
const BOUND: Record<Exclude<Placeholder, 'period_start_at' | 'period_end_at'>, Bound> = {
  organization_id: [undefined, bindings => bindings.organizationId],
  period_start: ['date', bindings => bindings.period.start],
  period_end: ['date', bindings => bindings.period.end],
  today: ['date', bindings => bindings.today],
  as_of: ['date', bindings => asOf(bindings.period, bindings.today)],
  now: ['timestamptz', bindings => bindings.now],
  time_zone: ['text', bindings => bindings.timeZone],
}

/** Names of those that a placeholder stands for. */
function boundNamesOf(placeholder: string | undefined): string[] {
  if (placeholder === undefined) return []
  const [, day] = /^(period_.*)_at$/.exec(placeholder) ?? []
  return day === undefined ? [placeholder] : [day, 'time_zone']
}

function boundOf({ name, type, default: ownDefault }: Parameter): [name: string, Bound] {
  const valueOf = ({ parameters }: Bindings): RawField => {
    const value = parameters?.get(name)
    return value === undefined ? ownDefault : value
  }
  return [name, [valueType(type).cast, valueOf]]
}

/**
 * SQL for the first instant with a local date, by PostgreSQL's time zone tables. Of a midnight that comes twice,
 * `at time zone` returns the later; the earlier is 24 hours after the midnight before.
 * why: only immutable functions, so that it is a constant for the planner; `timestamptz + interval` is not
 */
export function startOfDay(date: string, zone: string): string {
  const midnightOf = (day: string) => `${day}::timestamp at time zone ${zone}`
  const nextDay = `${midnightOf(`(${date} - 1)`)} at time zone interval '24 hours' at time zone 'UTC'`
  return `(case ${nextDay} at time zone ${zone} when ${date} then ${nextDay} else ${midnightOf(date)} end)`
}

/** @param sql all its placeholders must be known, or parameters */
export function compileStatement(sql: SqlPieces, parameters: readonly Parameter[] = []): Statement {
  const known = new Map([...Object.entries(BOUND), ...parameters.map(boundOf)])
  const used = sql.flatMap(piece => boundNamesOf(placeholderIn(piece)))
  const bound = [...new Set(used)]

  const writtenFor = (idType: string): string[] => {
    const fault = idTypeFault(idType)
    if (fault !== undefined) throw new Error(fault)
    const typed = (name: string) =>
      `($${bound.indexOf(name) + 1}::${known.get(name)![0] ?? idType})`
    return writtenSql(sql, placeholder => {
      const [name = '', zone] = boundNamesOf(placeholder).map(typed)
      return zone === undefined ? name : startOfDay(name, zone)
    })
  }
  let last: { idType: string; text: StatementText } | undefined
  return {
    pieces: sql,
    text(idType) {
      if (last?.idType !== idType)
        last = { idType, text: writtenFor(idType).join('') as StatementText }
      return last.text
    },
    placeOf(idType, position) {
      let left = positionsIn(this.text(idType)).ofCharacter(position - 1)
      for (const [index, { length }] of writtenFor(idType).entries()) {
        const piece = sql[index]!
        if (left >= length) left -= length
        else if (typeof piece === 'string') return {}
        else return { ...piece, at: piece.at && piece.at + ('text' in piece ? left : 0) }
      }
      return {}
    },
    parameterCount: bound.length,
    values: bindings => bound.map(name => known.get(name)![1](bindings)),
    usesToday: bound.some(name => name === 'today' || name === 'as_of' || name === 'now'),
  }
}

/** As `format_type(type, -1)` prints a name. */
const IDENTIFIER = '(?:[a-z_][a-z0-9_]*|"(?:[^"]|"")+")'
const OF_TWO_WORDS =
  'character varying|bit varying|double precision|time(?:stamp)? with(?:out)? time zone'
const TYPE_NAME = new RegExp(
  String.raw`^(?:${OF_TWO_WORDS}|${IDENTIFIER}(?:\.${IDENTIFIER})?)(?:\[\])?$`,
)

/** In a cast these have length 1: longer values would be truncated. */
const OF_LENGTH_ONE: ReadonlySet<string> = new Set(['character', 'char', 'bit'])
/** Text cannot be cast to these. */
const PSEUDO_TYPES: ReadonlySet<string> = new Set(['record', 'record[]', 'unknown'])

/**
 * Why ids of a type cannot be bound as text with a cast; undefined if they can. PostgreSQL requires of a type that it
 * reads what it prints as the same value (dumps depend on it), so that no id is read back.
 */
export function idTypeFault(idType: string): string | undefined {
  const found = `organization_id is of the type ${JSON.stringify(idType)}`
  if (!TYPE_NAME.test(idType)) return `${found}, which is not a type name`
  if (OF_LENGTH_ONE.has(idType)) return `${found}, and a cast to it truncates text to a length of 1`
  if (PSEUDO_TYPES.has(idType)) return `${found}, and no text can be cast to it`
  return undefined
}
