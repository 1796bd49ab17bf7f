/** Parses a file under `sql/reports/`. */
import { basename, dirname } from 'node:path'
import { commonOf, readDefinitionFile } from './definition-file.ts'
import { PLACEHOLDERS, type ReportDefinition } from './definition.ts'
import type { Parsed } from './findings.ts'
import type { MatterPath } from './front-matter.ts'
import { isolate } from './isolate.ts'
import { namedObjects, type NamedObject } from './named-objects.ts'
import { DEFAULT_PRODUCT } from './product.ts'
import { fieldsOf, type ReportField } from './report-fields.ts'
import { checkReport } from './report-rules.ts'
import { DEFAULTS, REPORT_SCHEMA } from './schemas.ts'
import type { SourceFile } from './source-file.ts'
import type { ParsedSql, ParseSql } from './sql/parsed-sql.ts'
import type { SqlPieces } from './sql/sql-pieces.ts'
import type { Tenancy } from './tenancy.ts'
import { textsIn } from '../texts/texts.ts'
import { compileSummary, summaryBy } from './summary.ts'
import { aggregateOf, hasTotal, returnsTotals, summaryTypes, withTotals } from './totals.ts'

/** After every position. */
const LAST = 1000

/** The code is the file's name, the group is its folder. */
export async function parseReport(
  file: SourceFile,
  parse: ParseSql,
  tenancy: Tenancy,
  product = DEFAULT_PRODUCT,
): Promise<Parsed<ReportDefinition>> {
  const read = await readDefinitionFile(file, file.code, REPORT_SCHEMA, true, parse, tenancy)
  const { matter, lineOf, sql } = read
  if (matter === undefined) return { findings: read.findings }
  const fields = fieldsOf(matter)
  const types = new Map(fields.map(({ name, type }) => [name, type]))
  const summary = compileSummary(matter.summary, types, product.language)
  const emptyText = matter.emptySummary ?? textsIn(product.language).bodies.emptySummary
  const emptySummary = compileSummary(emptyText, types, product.language)
  const totals = await parseTotals(fields, parse)
  const returned = returnsTotals(sql)
  const report = { matter, fields, lineOf, totals, summary, emptySummary, tenancy }
  const findings = [...read.findings, ...checkReport({ ...report, returnsTotals: returned })]
  if (findings.length > 0) return { findings }

  const aggregates = new Map<string, SqlPieces>()
  const objectsOfTotals: NamedObject[] = []
  for (const field of fields) {
    const total = totals.get(field.name)
    if (total === undefined) continue
    const line = lineOf([field.section, field.name, 'total'])
    const insertions = isolate(total, tenancy).insertions(() => [])
    aggregates.set(field.name, aggregateOf(total, insertions, line))
    objectsOfTotals.push(...namedObjects(total, () => line))
  }
  const { maxRows = DEFAULTS.maxRows } = matter
  const visible = Object.entries(matter.columns).filter(([, { hidden }]) => hidden !== true)
  return {
    findings,
    value: {
      ...commonOf(file, matter, read, tenancy, product, {
        totals: aggregates,
        objectsOfTotals,
        returnsTotals: returned,
        around: returned ? undefined : totalsAround(fields, aggregates, lineOf),
      }),
      name: file.code,
      code: file.code,
      title: matter.title,
      group: basename(dirname(file.file)),
      description: matter.description,
      dateBasis: matter.dateBasis,
      keywords: matter.keywords ?? [],
      position: matter.position ?? LAST,
      deprecated: matter.deprecated,
      columns: visible.map(([key, { title, type, currency }]) => {
        const column = { key, title, type }
        return currency === undefined
          ? column
          : Object.assign(column, { currency: { column: currency } })
      }),
      labelColumn: fields.find(({ role }) => role === 'label')?.name ?? '',
      key: matter.key ?? [],
      chart: matter.chart,
      summaryColumns: summaryTypes(matter, returned),
      textsUseToday:
        matter.dateBasis === 'state' ||
        [summary, emptySummary].some(({ names }) => names.has('as_of')),
      maxRows,
      summarize: summaryBy(summary, emptySummary),
    },
  }
}

// why: these are outside of `parseReport`, since a closure holds all that its function's closures refer to, as syntax trees
function totalsAround(
  fields: readonly ReportField[],
  aggregates: ReadonlyMap<string, SqlPieces>,
  lineOf: (path: MatterPath) => number,
) {
  return (rows: SqlPieces): SqlPieces => withTotals(rows, fields, aggregates, lineOf)
}

/** By column or fact. */
async function parseTotals(
  fields: readonly ReportField[],
  parse: ParseSql,
): Promise<ReadonlyMap<string, ParsedSql>> {
  const parsed = fields.flatMap(({ name, total: text }) => {
    if (!hasTotal(text)) return []
    const source = { text, placeholders: PLACEHOLDERS, isExpression: true }
    return [parse(source).then(sql => [name, sql] as const)]
  })
  return new Map(await Promise.all(parsed))
}
