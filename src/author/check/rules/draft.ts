/** A definition as text, the input of text rules, whether or not it loads. Knows no database. */
import type { Node } from 'libpg-query'
import { PLACEHOLDERS } from '../../../definitions/definition.ts'
import { readFrontMatter, type MatterPath } from '../../../definitions/front-matter.ts'
import { DEFAULT_PRODUCT, type Product } from '../../../definitions/product.ts'
import { METRICS_SCHEMA, REPORT_SCHEMA } from '../../../definitions/schemas.ts'
import type { MetricsMatter, ReportMatter } from '../../../definitions/schemas.ts'
import type { SourceFile } from '../../../definitions/source-file.ts'
import type { ParsedSql, ParseSql } from '../../../definitions/sql/parsed-sql.ts'
import { as, offsetOf } from '../../../definitions/sql/syntax-tree.ts'
import { lineAt } from '../../../definitions/sql/text-positions.ts'
import { NO_TENANCY, type Tenancy } from '../../../definitions/tenancy.ts'
import { hasTotal } from '../../../definitions/totals.ts'
import type { FindRelation } from '../column-types.ts'
import { everySelect, expressionsOf, readQuery } from '../statement.ts'
import type { Query, Select } from '../statement.ts'
import type { Oracle } from '../../versions/other-version.ts'
import { sqlTextOf } from '../../sql/sql-text.ts'

export interface Draft {
  readonly file: string
  readonly text: string
  readonly tenancy: Tenancy
  readonly product: Product
  /** Undefined in a file of metrics, or if the front matter is invalid. */
  readonly report: ReportMatter | undefined
  readonly metrics: MetricsMatter | undefined
  readonly lineOf: (path: MatterPath) => number
  readonly statement: DraftPart
  readonly query: Query
  readonly totals: readonly DraftPart[]
  /** By the catalog; undefined without a database. */
  readonly findTable?: FindRelation | undefined
  /** The file beside the definition; undefined if there is none, or the definition does not load. */
  readonly oracle?: Oracle | undefined
}

/** SQL of a definition: its statement, or one of its totals. */
export interface DraftPart {
  /** Of the column or fact with this total. */
  readonly name?: string
  readonly sql: ParsedSql
  readonly root: Node
  /** For a total, a select of the total from the rows of the report. */
  readonly query: Query
  /** The line of a node or an offset in the file; for a total, the line of its key. */
  readonly line: (at: unknown) => number
  /** The SQL text of a node, for messages. */
  readonly written: (node: unknown) => string
}

/** Undefined if it is not a select that PostgreSQL can parse: loading reports that. */
export async function draftOf(
  { file, text }: SourceFile,
  kind: 'report' | 'metrics',
  parse: ParseSql,
  tenancy = NO_TENANCY,
  product = DEFAULT_PRODUCT,
): Promise<Draft | undefined> {
  const asReport = kind === 'report' ? readFrontMatter(text, REPORT_SCHEMA) : undefined
  const asMetrics = asReport === undefined ? readFrontMatter(text, METRICS_SCHEMA) : undefined
  const { sqlStart, lineOf } = (asReport ?? asMetrics)!
  const report = asReport?.matter
  const parameters = Object.keys((asReport ?? asMetrics)!.matter?.parameters ?? {})
  const placeholders = [...PLACEHOLDERS, ...parameters]
  const sql = await parse({ text, from: sqlStart, placeholders })
  const [first] = sql.statements
  const query = readQuery(first?.tree)
  if (first === undefined || query === undefined) return undefined
  const line = (at: unknown) =>
    lineAt(text, typeof at === 'number' ? at : (offsetOf(at) ?? first.start))
  return {
    file,
    text,
    tenancy,
    product,
    report,
    metrics: asMetrics?.matter,
    lineOf,
    statement: partOf(sql, first.tree, query, line),
    query,
    totals: report === undefined ? [] : await totalsOf(report, query, lineOf, parse),
  }
}

function partOf(sql: ParsedSql, root: Node, query: Query, line: DraftPart['line']): DraftPart {
  return { sql, root, query, line, written: node => sqlTextOf(sql, node) }
}

async function totalsOf(
  { columns, facts = {} }: ReportMatter,
  rows: Query,
  lineOf: Draft['lineOf'],
  parse: ParseSql,
): Promise<DraftPart[]> {
  const report = { name: 'report', offset: 0, columns: [], query: rows }
  const totals: DraftPart[] = []
  for (const [group, keys] of Object.entries({ columns, facts })) {
    for (const [name, { total }] of Object.entries(keys)) {
      if (!hasTotal(total)) continue
      const sql = await parse({ text: total, placeholders: PLACEHOLDERS, isExpression: true })
      const select = as(sql.statements[0]?.tree, 'SelectStmt')
      const root = {
        SelectStmt: { ...select, fromClause: [{ RangeVar: { relname: report.name } }] },
      }
      const query = readQuery(root, new Map([[report.name, report]]))
      // why: loading reports anything other than an aggregate
      const isAggregate = select?.fromClause === undefined && select?.targetList?.length === 1
      const line = lineOf([group, name, 'total'])
      if (isAggregate && query !== undefined)
        totals.push({ ...partOf(sql, root, query, () => line), name })
    }
  }
  return totals
}

/** The statement and every total. */
export function partsOf({ statement, totals }: Draft): DraftPart[] {
  return [statement, ...totals]
}

/** One select of the statement or of a total, with its own expressions. */
export interface Scope {
  readonly draft: Draft
  readonly part: DraftPart
  readonly select: Select
  readonly expressions: readonly object[]
}

export function scopesOf(draft: Draft): Scope[] {
  return partsOf(draft).flatMap(part =>
    everySelect(part.query).map(select => {
      return { draft, part, select, expressions: expressionsOf(select) }
    }),
  )
}
