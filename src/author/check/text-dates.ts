/** Finds texts that are compared with the period: they sort as dates only if they begin with the year. */
import knex from 'knex'
import type { Node } from 'libpg-query'
import type { Finding } from '../../definitions/findings.ts'
import { as } from '../../definitions/sql/syntax-tree.ts'
import {
  callOf,
  operatorOf,
  placeholdersIn,
  stringOf,
  typeOf,
  withoutCasts,
} from '../sql/expressions.ts'
import { comparedIn } from './compared-values.ts'
import { isText, type ColumnTypes, type ReadColumn, type TypedColumn } from './column-types.ts'
import { inEachSelect, type Draft } from './rules/draft.ts'
import { unlessRefused, type Session } from './session.ts'

export async function checkTextDates(
  draft: Draft,
  types: ColumnTypes,
  session: Session,
): Promise<Finding[]> {
  /** Text columns whose values are compared as dates. */
  const suspects: ReadColumn[] = []
  const findings = inEachSelect(draft, (expressions, select, part) =>
    comparedIn(expressions).flatMap(({ left, right, sign }): Finding[] => {
      if (!/^([<>]=?|between)$/.test(sign) || !namesPeriod(right)) return []
      const format = formatOf(left)
      if (format !== undefined) {
        const isSorted = SORTED.test(format) && (formatOf(right) ?? format) === format
        if (isSorted || !isTextExpression(right)) return []
        const message = `${part.written(left)} is compared as text, which does not sort as days do, expected a comparison of dates`
        return [{ line: part.line(left), message }]
      }
      const cast = as(left, 'TypeCast')
      const isCastToDate = cast !== undefined && /^(date|timestamp)/.test(typeOf(cast.typeName))
      const columns = types.columnsOf(withoutCasts(left), select)
      for (const column of columns) {
        if (!isText(column.type) || !(isCastToDate || isTextExpression(right))) continue
        suspects.push({ column, written: part.written(left), line: part.line(left) })
      }
      return []
    }),
  )
  for (const { column, written, line } of suspects) {
    const unsorted = await unsortedText(session, column)
    if (unsorted === undefined) continue
    const message = `${written} is text such as '${unsorted}' and is compared with the period, expected a date: to_date(...) with its format`
    findings.push({ line, message })
  }
  return findings
}

/** Formats that begin with year, month and day in this order. */
const SORTED = /^(YYYY([-./ ]?MM([-./ ]?DD)?)?|IYYY([-./ ]?IW)?)$/i

/** The format of `to_char(x, 'DD.MM.YYYY')`. */
function formatOf(node: Node): string | undefined {
  const call = callOf(node, ['to_char'])
  if (call !== undefined) return stringOf(call.args[1])
  const cast = as(node, 'TypeCast')
  const isIso =
    isText(typeOf(cast?.typeName)) && as(withoutCasts(cast?.arg), 'ParamRef') !== undefined
  return isIso ? 'YYYY-MM-DD' : undefined
}

function namesPeriod(node: Node): boolean {
  return placeholdersIn(node).some(name => name !== 'organization_id' && name !== 'time_zone')
}

/** Whether the expression certainly is a text. */
function isTextExpression(node: Node): boolean {
  const cast = as(node, 'TypeCast')
  if (cast !== undefined) return isText(typeOf(cast.typeName))
  return operatorOf(node) === '||' || callOf(node, TEXTS) !== undefined
}

const TEXTS = ['to_char', 'left', 'substr', 'substring', 'concat', 'format', 'replace']

/** The number of rows to read. */
const SAMPLE = 1000
const TIMEOUT_MS = 3000

/** why: it names tables and columns; the gateway starts without it, because loading it takes 60 ms */
const sql = knex({ client: 'pg' })

/** A text that does not begin with year and month; undefined if the sample has none. */
async function unsortedText(
  session: Session,
  { table, name }: TypedColumn,
): Promise<string | undefined> {
  const rows = sql(table.name)
    .withSchema(table.schema)
    .select(name)
    .whereNotNull(name)
    .limit(SAMPLE)
  const text = sql
    .select(sql.raw('left(??, 40) as text', name))
    .from(rows.as('sample'))
    .whereRaw(String.raw`?? !~ '^\d{4}(-\?\d{2}){0,2}([ T].*)\?$'`, name)
    .limit(1)
    .toQuery()
  const result = await unlessRefused(session.query({ text, values: [], timeoutMs: TIMEOUT_MS }))
  return result?.rows[0]?.[0] ?? undefined
}
