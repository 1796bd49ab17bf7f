/** Whether a statement selects what its front matter declares, and with types that fit. */
import { isReport } from '../../definitions/any-definition.ts'
import type { Finding } from '../../definitions/findings.ts'
import type { MatterPath } from '../../definitions/front-matter.ts'
import { nearest } from '../../definitions/spelling.ts'
import { fitsType, losesFraction, OID, typesFor } from '../../serve/replica/column-types.ts'
import type { Field } from '../../serve/replica/prepared.ts'
import type { ColumnType, MetricFormat } from '../../model/terms.ts'
import { lostFraction, typeName } from './prepares.ts'
import type { Subject } from './subject.ts'
import { lineOfColumn } from './written.ts'

interface Declared {
  readonly name: string
  readonly type: ColumnType | MetricFormat
  readonly path: MatterPath
}

export interface CheckedColumns {
  readonly findings: readonly Finding[]
  /** Columns whose type is wrong. */
  readonly mistyped: ReadonlySet<string>
}

export async function checkColumns(
  subject: Subject,
  fields: readonly Field[],
): Promise<CheckedColumns> {
  const { definition, written, session } = subject
  const { lineOf, bringsTotals } = definition.source
  const declared = declaredColumns(subject)
  const names = fields.map(({ name }) => name)
  const ofTotalsRow = bringsTotals ? OF_TOTALS_ROW : []
  const known = new Set([...declared.map(({ name }) => name), ...ofTotalsRow])
  const extra = [...new Set(names)].filter(name => !known.has(name))
  const findings: Finding[] = []
  const mistyped = new Set<string>()

  for (const { name, type, path } of declared) {
    const field = fields.find(field => field.name === name)
    const find = (message: string) => findings.push({ line: lineOf(path), message })
    if (field === undefined) {
      const likely = nearest(name, extra)
      if (likely !== undefined) extra.splice(extra.indexOf(likely), 1)
      const meant = likely === undefined ? '' : `; did you mean "${likely}"?`
      find(`column "${name}" is not selected, expected it in the select${meant}`)
    } else if (!fitsType(field.typeId, type)) {
      mistyped.add(name)
      const found = await typeName(session, field.typeId)
      find(`column "${name}" is ${found}, expected ${typesFor(type)} for ${type}`)
    } else if (type === 'text' && [OID.timestamptz, OID.bool].some(oid => oid === field.typeId)) {
      mistyped.add(name)
      const found = await typeName(session, field.typeId)
      const isBoolean = field.typeId === OID.bool
      const readable = isBoolean
        ? 'words for it'
        : 'type datetime, or text in the time zone of the organization'
      find(`column "${name}" is ${found} as text, expected ${readable}`)
    } else if (type === 'percent' && losesFraction(field.typeId)) {
      mistyped.add(name)
      find(`column "${name}": ${lostFraction(await typeName(session, field.typeId))}`)
    }
  }
  for (const name of extra) {
    const field = fields.find(field => field.name === name)
    const found = field === undefined ? '' : ` (${await typeName(session, field.typeId)})`
    const where = isReport(definition) ? 'columns, with hidden: true if only totals' : 'metrics'
    findings.push({
      line: lineOfColumn(written, name),
      message: `column "${name}"${found} is selected and not declared, expected it among ${where}${isReport(definition) ? ' or the summary need it' : ''}`,
    })
  }
  for (const name of new Set(names.filter((name, at) => names.indexOf(name) < at))) {
    const line = lineOfColumn(written, name, 1)
    findings.push({ line, message: `column "${name}" is selected twice, expected it once` })
  }
  if (bringsTotals) findings.push(...(await checkTotalsRow(subject, fields)))
  return { findings, mistyped }
}

const OF_TOTALS_ROW = ['is_total', 'row_count']

async function checkTotalsRow(
  { written, session }: Subject,
  fields: readonly Field[],
): Promise<Finding[]> {
  const isTotal = fields.find(({ name }) => name === 'is_total')
  const rowCount = fields.find(({ name }) => name === 'row_count')
  const findings: Finding[] = []
  if (isTotal === undefined) {
    const message =
      'is_total stands in the statement and is not selected, expected it in the select'
    findings.push({ line: written.firstLine, message })
  } else if (isTotal.typeId !== OID.bool) {
    const found = await typeName(session, isTotal.typeId)
    const message = `column "is_total" is ${found}, expected boolean`
    findings.push({ line: lineOfColumn(written, 'is_total'), message })
  }
  if (rowCount !== undefined && !fitsType(rowCount.typeId, 'integer')) {
    const found = await typeName(session, rowCount.typeId)
    const message = `column "row_count" is ${found}, expected bigint`
    findings.push({ line: lineOfColumn(written, 'row_count'), message })
  }
  return findings
}

/** In the order of front matter. */
function declaredColumns({ definition }: Subject): Declared[] {
  if (!isReport(definition)) {
    return definition.metrics.map(({ code, format }) => ({
      name: code,
      type: format,
      path: ['metrics', code],
    }))
  }
  const { matter, bringsTotals } = definition.source
  const columns = Object.entries(matter.columns).map(([name, { type }]) => ({
    name,
    type,
    path: ['columns', name],
  }))
  // why: where the gateway makes the totals, a fact is a total and no column
  const facts = bringsTotals ? Object.entries(matter.facts ?? {}) : []
  return [...columns, ...facts.map(([name, { type }]) => ({ name, type, path: ['facts', name] }))]
}
