/** Columns of a result that the gateway takes, though nobody reads or understands them; and what an instant needs. */
import type { Finding } from '../../definitions/findings.ts'
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import { isReport } from '../../definitions/any-definition.ts'
import type { Field } from '../../serve/database/rows.ts'
import { losesFraction, OID } from '../../serve/report/result-columns.ts'
import { callOf } from '../sql/expressions.ts'
import { lineOfColumn } from './output-columns.ts'
import type { Draft } from './rules/draft.ts'
import { timeType } from './rules/time-type.ts'

const UNREADABLE: ReadonlyMap<number, string> = new Map([
  [OID.BOOL, 'a truth value as text, expected words for it'],
  [OID.DATE, 'a date as text, expected type date, or text in a format of its own'],
  [OID.TIMESTAMPTZ, 'an instant as text, expected type datetime'],
])

const LOST = 'an integer, expected numeric: a division of integers loses its fraction'

/** @param fields of the statement without the gateway's totals */
export function columnFindings(
  definition: AnyDefinition,
  draft: Draft,
  fields: readonly Field[],
): Finding[] {
  const declared = isReport(definition)
    ? definition.columns.map(({ key, type }) => ['columns', key, type] as const)
    : definition.metrics.map(({ code, format }) => ['metrics', code, format] as const)
  const { matter, returnsTotals } = definition.source
  const known = new Set<string>(declared.map(([, name]) => name))
  if ('columns' in matter) for (const name of Object.keys(matter.columns)) known.add(name)
  const extra = returnsTotals ? [] : fields.filter(({ name }) => !known.has(name))
  const ofExtra = extra.map(({ name }) => {
    const message = `column "${name}" is selected and not declared, expected it in the front matter, or hidden`
    return { line: lineOfColumn(draft, name), message }
  })
  const ofTypes = declared.flatMap(([group, name, type]) => {
    const { typeId = 0 } = fields.find(field => field.name === name) ?? {}
    const lost = type === 'percent' && losesFraction(typeId) ? LOST : undefined
    const fault = lost ?? (type === 'text' ? UNREADABLE.get(typeId) : undefined)
    const line = definition.source.lineOf([group, name])
    return fault === undefined ? [] : [{ line, message: `column "${name}" is ${fault}` }]
  })
  return [...ofTypes, ...ofExtra]
}

/** SQL of the instant that a column of type `datetime` shows as a timestamp. @param rejected such as `column "at" is ...` */
export function instantFor({ query, statement, ...draft }: Draft, rejected: string) {
  const [, name] = /column "(\w+)" is timestamp, .* for datetime/.exec(rejected) ?? []
  const [select] = query.selects
  const expression = select?.items.find(item => item.name === name)?.expression
  if (name === undefined || select === undefined || expression === undefined) return undefined
  const [, time] = callOf(expression, ['timezone'])?.args ?? []
  if (timeType(time, select, draft) === 'instant') return statement.written(time)
  const isUtc = timeType(expression, select, draft) === 'utc'
  return isUtc ? `${statement.written(expression)} at time zone 'UTC'` : undefined
}
