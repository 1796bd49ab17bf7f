/** Finds texts that are compared with the period: they sort as dates only if they begin with the year. */
import knex from 'knex'
import type { Node } from 'libpg-query'
import type { Finding } from '../../definitions/findings.ts'
import { as } from '../../definitions/sql/syntax-tree.ts'
import { callOf, operatorOf, placeholdersIn, stringOf, typeOf } from '../sql/expressions.ts'
import { comparedIn } from './compared-values.ts'
import { isText, type ColumnsOf, type TypedColumn } from './column-types.ts'
import { inEachSelect, type Draft } from './rules/draft.ts'
import { unlessRefused, type Session } from './session.ts'

interface Suspect {
  readonly text: string
  readonly line: number
  /** Undefined for a text that surely is no sorted date. */
  readonly column: TypedColumn | undefined
}

export async function checkTextDates(
  draft: Draft,
  columnsOf: ColumnsOf,
  session: Session,
): Promise<Finding[]> {
  const suspects = inEachSelect(draft, (expressions, select, part) =>
    comparedIn(expressions).flatMap(({ left, right, sign }): Suspect[] => {
      if (!/^([<>]=?|between)$/.test(sign) || !namesPeriod(right)) return []
      const written = { text: part.written(left), line: part.line(left) }
      const [, format] = callOf(left, ['to_char'])?.args ?? []
      if (format !== undefined && !SORTED.test(stringOf(format) ?? '') && isTextExpression(right))
        return [{ ...written, column: undefined }]
      const isDate = /^(date|timestamp)/.test(typeOf(as(left, 'TypeCast')?.typeName))
      if (!isDate && !isTextExpression(right)) return []
      return columnsOf(left, select).flatMap(column =>
        column !== undefined && isText(column.type) ? [{ ...written, column }] : [],
      )
    }),
  )
  const findings: Finding[] = []
  for (const { column, text, line } of suspects) {
    const unsorted = column && (await unsortedText(session, column))
    if (column !== undefined && unsorted === undefined) continue
    const found = unsorted === undefined ? 'is compared as text' : `is text such as '${unsorted}'`
    const message = `${text} ${found}, which does not sort as days do, expected a comparison of dates: to_date(...) with its format`
    findings.push({ line, message })
  }
  return findings
}

/** Formats that begin with year, month and day in this order. */
const SORTED = /^(YYYY([-./ ]?MM([-./ ]?DD)?)?|IYYY([-./ ]?IW)?)$/i

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
