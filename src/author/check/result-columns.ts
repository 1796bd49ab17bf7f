/** Whether a statement selects the columns of its front matter, with types that fit. */
import { isReport } from '../../definitions/any-definition.ts'
import type { Finding } from '../../definitions/findings.ts'
import type { MatterPath } from '../../definitions/front-matter.ts'
import { nearest } from '../../model/spelling.ts'
import type { ColumnType, MetricFormat } from '../../model/terms.ts'
import { callOf } from '../sql/expressions.ts'
import { lostFraction } from './prepares.ts'
import type { Draft } from './rules/draft.ts'
import { timeType } from './rules/time-type.ts'
import type { TypedField } from './session.ts'
import type { Subject } from './subject.ts'
import { lineOfColumn } from './output-columns.ts'
import { fitsType, losesFraction, OID, typesFor } from '../../serve/report/result-columns.ts'

interface Declared {
  readonly name: string
  readonly type: ColumnType | MetricFormat
  readonly path: MatterPath
}

type DeclaredType = { readonly type: ColumnType } | { readonly format: MetricFormat }

export interface CheckedColumns {
  readonly findings: readonly Finding[]
  /** Columns whose type is wrong. */
  readonly mistyped: ReadonlySet<string>
}

export function checkColumns(
  { definition, draft }: Subject,
  fields: readonly TypedField[],
): CheckedColumns {
  const { lineOf, returnsTotals, firstLine } = definition.source
  const declared = declaredColumns(definition)
  const known = new Set(declared.map(({ name }) => name))
  if (returnsTotals) for (const name of Object.keys(OF_TOTALS_ROW)) known.add(name)
  const extra = new Map(fields.map(field => [field.name, field]))
  for (const name of known) extra.delete(name)
  const findings: Finding[] = []
  const mistyped = new Set<string>()
  const fieldOf = (name: string) => fields.find(field => field.name === name)

  for (const { name, type, path } of declared) {
    const field = fieldOf(name)
    if (field === undefined) {
      const likely = nearest(name, [...extra.keys()])
      if (likely !== undefined) extra.delete(likely)
      const hint = likely === undefined ? '' : `; did you mean "${likely}"?`
      const message = `column "${name}" is not selected, expected it in the select${hint}`
      findings.push({ line: lineOf(path), message })
      continue
    }
    const problem = wrongType(field, type)
    if (problem === undefined) continue
    const instant = type === 'datetime' ? instantOf(draft, name) : undefined
    const cure = instant === undefined ? '' : `: ${instant}`
    mistyped.add(name)
    findings.push({ line: lineOf(path), message: `column "${name}"${problem}${cure}` })
  }
  const where = isReport(definition)
    ? 'columns, with hidden: true if only totals or the summary need it'
    : 'metrics'
  for (const { name, typeName } of extra.values()) {
    const message = `column "${name}" (${typeName}) is selected and not declared, expected it among ${where}`
    findings.push({ line: lineOfColumn(draft, name), message })
  }
  const names = fields.map(({ name }) => name)
  for (const name of new Set(names.filter((name, at) => names.indexOf(name) < at))) {
    const line = lineOfColumn(draft, name, 1)
    findings.push({ line, message: `column "${name}" is selected twice, expected it once` })
  }
  if (!returnsTotals) return { findings, mistyped }

  if (fieldOf('is_total') === undefined) {
    const message =
      'is_total is used in the statement and is not selected, expected it in the select'
    findings.push({ line: firstLine, message })
  }
  for (const [name, { expected, typeIds }] of Object.entries(OF_TOTALS_ROW)) {
    const field = fieldOf(name)
    if (field === undefined || typeIds.includes(field.typeId)) continue
    const message = `column "${name}" is ${field.typeName}, expected ${expected}`
    findings.push({ line: lineOfColumn(draft, name), message })
  }
  return { findings, mistyped }
}

const OF_TOTALS_ROW: Record<string, { expected: string; typeIds: number[] }> = {
  is_total: { expected: 'boolean', typeIds: [OID.BOOL] },
  row_count: { expected: 'bigint', typeIds: [OID.INT2, OID.INT4, OID.INT8, OID.NUMERIC] },
}

function wrongType(
  { typeId, typeName }: TypedField,
  type: ColumnType | MetricFormat,
): string | undefined {
  if (!fitsType(typeId, type)) return ` is ${typeName}, expected ${typesFor(type)} for ${type}`
  const readable = type === 'text' ? UNREADABLE.get(typeId) : undefined
  if (readable !== undefined) return ` is ${typeName} as text, expected ${readable}`
  return type === 'percent' && losesFraction(typeId) ? `: ${lostFraction(typeName)}` : undefined
}

/** SQL of the instant that a column shows as a timestamp. */
function instantOf(draft: Draft, name: string): string | undefined {
  const [select] = draft.query.selects
  const expression = select?.items.find(item => item.name === name)?.expression
  if (select === undefined || expression === undefined) return undefined
  const [, time] = callOf(expression, ['timezone'])?.args ?? []
  const { written } = draft.statement
  if (timeType(time, select, draft) === 'instant') return written(time)
  const isUtc = timeType(expression, select, draft) === 'utc'
  return isUtc ? `${written(expression)} at time zone 'UTC'` : undefined
}

/** Types whose text form a reader of the report would not understand. */
const UNREADABLE: ReadonlyMap<number, string> = new Map([
  [OID.BOOL, 'words for it'],
  [OID.DATE, 'type date, or text in a format of its own'],
  [OID.TIMESTAMPTZ, 'type datetime, or text in the time zone of the organization'],
])

/** In the order of the front matter. */
function declaredColumns({ source }: Subject['definition']): Declared[] {
  const { matter, returnsTotals } = source
  const sections: Record<string, Record<string, DeclaredType>> = 'metrics' in matter
    ? { metrics: matter.metrics }
    : // why: where the gateway computes the totals, a fact is a total, not a column
      { columns: matter.columns, facts: returnsTotals ? (matter.facts ?? {}) : {} }
  return Object.entries(sections).flatMap(([section, all]) =>
    Object.entries(all).map(([name, declaredColumn]) => {
      const type = 'format' in declaredColumn ? declaredColumn.format : declaredColumn.type
      return { name, type, path: [section, name] }
    }),
  )
}
