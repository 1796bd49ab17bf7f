/** A file under `sql/reports/` becomes a report, or the list of what is wrong with it. */
import { PLACEHOLDERS, type ReportDefinition, type Totals } from './definition.ts'
import type { Parsed } from './findings.ts'
import { matterSchema, readFrontMatter } from './front-matter.ts'
import { lex, significant } from './lexer.ts'
import { checkReport } from './report-rules.ts'
import { checkStatement } from './rules.ts'
import { DEFAULTS, REPORT_SCHEMA, type ReportMatter } from './schemas.ts'
import { commonOf, statementSql, writtenAs, type SourceFile } from './source-file.ts'
import { compileStatement } from './statement.ts'
import { compileSummary } from './summary.ts'
import { bringsTotals, summaryTypes, withTotals } from './totals.ts'

export const isReportMatter = matterSchema<ReportMatter>(REPORT_SCHEMA)

/** @param group the folder that the file lies in; its code is the file's name */
export function parseReport(source: SourceFile, group: string): Parsed<ReportDefinition> {
  const { matter, findings, lineOf, sqlStart } = readFrontMatter(source.text, isReportMatter)
  const tokens = significant(lex(source.text, sqlStart))
  const ownTotals = bringsTotals(tokens)
  const all = [
    ...findings,
    // why: front matter without its end takes the SQL with it
    ...(sqlStart === source.text.length && findings.length > 0
      ? []
      : checkStatement(tokens, {
          placeholders: PLACEHOLDERS,
          required: 'organization_id',
          ordered: true,
          clock: false,
        })),
    ...(matter === undefined ? [] : checkReport(matter, lineOf, ownTotals)),
  ]
  if (matter === undefined || all.length > 0) return { findings: all }

  const sql = statementSql(source.text, tokens)
  const statement = compileStatement(sql)
  const columns = Object.entries(matter.columns)
  const visible = columns.filter(([, { hidden }]) => hidden !== true)
  const types = summaryTypes(matter, ownTotals)
  const summary = compileSummary(matter.summary, types)
  const emptySummary = compileSummary(matter.emptySummary ?? DEFAULTS.emptySummary, types)
  return {
    findings: [],
    value: {
      ...commonOf(source, matter),
      name: source.code,
      code: source.code,
      title: matter.title,
      group,
      statement: ownTotals ? statement : compileStatement(withTotals(sql, matter)),
      source: writtenAs(source, matter, lineOf, statement, tokens, ownTotals),
      columns: visible.map(([key, { title, type }]) => ({ key, title, type })),
      labelColumn: visible.find(([, { type }]) => type === 'text')?.[0] ?? '',
      key: matter.key ?? [],
      summaryColumns: types,
      maxRows: matter.maxRows ?? DEFAULTS.maxRows,
      summarize: (totals: Totals) =>
        (totals.rowCount === 0 ? emptySummary : summary).format(totals),
    },
  }
}
