/** A definition as its author wrote it, loaded or not: what the rules of the text look at. Knows no database. */
import { PLACEHOLDERS } from '../../../definitions/definition.ts'
import type { Finding } from '../../../definitions/findings.ts'
import { readFrontMatter, type MatterPath } from '../../../definitions/front-matter.ts'
import { lex, significant, type Token } from '../../../definitions/lexer.ts'
import { isMetricsMatter } from '../../../definitions/metrics.ts'
import { isReportMatter } from '../../../definitions/report.ts'
import type { MetricsMatter, ReportMatter } from '../../../definitions/schemas.ts'
import type { SourceFile } from '../../../definitions/source-file.ts'
import { bringsTotals, hasTotal } from '../../../definitions/totals.ts'
import type { ColumnType } from '../../../model/terms.ts'
import { nest, type Nodes } from './nodes.ts'
import { readQuery, type Query } from './read-query.ts'

export interface Draft {
  readonly file: string
  readonly text: string
  /** Undefined in a file of metrics, and where front matter is broken. */
  readonly report: ReportMatter | undefined
  readonly metrics: MetricsMatter | undefined
  readonly lineOf: (path: MatterPath) => number
  /** Of the statement, without comments. */
  readonly tokens: readonly Token[]
  readonly nodes: Nodes
  readonly query: Query
  readonly totals: readonly Total[]
  readonly bringsTotals: boolean
  /** False where a placeholder is misspelt: what is missing may be meant by it. */
  readonly knowsPlaceholders: boolean
}

/** An aggregate of front matter. */
export interface Total {
  readonly name: string
  readonly type: ColumnType
  readonly line: number
  readonly nodes: Nodes
  /** False for a fact. */
  readonly isColumn: boolean
}

/** What is wrong with a definition, given all of them. */
export type TextRule = (draft: Draft, all: readonly Draft[]) => Finding[]

/** Undefined where brackets or quotes do not close: loading has said so. */
export function draftOf(source: SourceFile, kind: 'report' | 'metrics'): Draft | undefined {
  const { file, text } = source
  const read =
    kind === 'report'
      ? readFrontMatter(text, isReportMatter)
      : readFrontMatter(text, isMetricsMatter)
  const tokens = firstStatement(significant(lex(text, read.sqlStart)))
  const nodes = nest(tokens)
  if (nodes === undefined || nodes.length === 0) return undefined
  const report = kind === 'report' ? (read.matter as ReportMatter | undefined) : undefined
  const metrics = kind === 'metrics' ? (read.matter as MetricsMatter | undefined) : undefined
  return {
    file,
    text,
    report,
    metrics,
    lineOf: read.lineOf,
    tokens,
    nodes,
    query: readQuery(nodes),
    totals: report === undefined ? [] : totalsOf(report, read.lineOf),
    bringsTotals: bringsTotals(tokens),
    knowsPlaceholders: tokens.every(
      ({ kind, text }) => kind !== 'placeholder' || PLACEHOLDERS.some(name => text === `:${name}`),
    ),
  }
}

function firstStatement(tokens: readonly Token[]): readonly Token[] {
  const end = tokens.findIndex(({ text }) => text === ';')
  return end === -1 ? tokens : tokens.slice(0, end)
}

function totalsOf({ columns, facts = {} }: ReportMatter, lineOf: Draft['lineOf']): Total[] {
  const read = (
    group: string,
    name: string,
    type: ColumnType,
    total: string | undefined,
  ): Total[] => {
    const nodes = hasTotal(total) ? nest(significant(lex(total))) : undefined
    if (nodes === undefined) return []
    const isColumn = group === 'columns'
    return [{ name, type, line: lineOf([group, name, 'total']), nodes, isColumn }]
  }
  return [
    ...Object.entries(columns).flatMap(([name, { type, total }]) =>
      read('columns', name, type, total),
    ),
    ...Object.entries(facts).flatMap(([name, { type, total }]) => read('facts', name, type, total)),
  ]
}

/** The statement and every total. */
export function allNodes({ nodes, totals }: Draft): Nodes[] {
  return [nodes, ...totals.map(total => total.nodes)]
}

/** The same at another line. */
export function atLine<T extends { readonly line: number }>(found: T, line: number): T {
  return { ...found, line }
}

/** Comparisons and calls of a total have the line of its key. */
export function withLines<T extends { readonly line: number }>(
  { nodes, totals }: Draft,
  find: (nodes: Nodes) => readonly T[],
): T[] {
  return [
    ...find(nodes),
    ...totals.flatMap(total => find(total.nodes).map(found => atLine(found, total.line))),
  ]
}
