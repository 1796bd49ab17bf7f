/** A file under `sql/metrics/` becomes a definition of metrics, or the list of what is wrong with it. */
import { PLACEHOLDERS, type MetricsDefinition } from './definition.ts'
import type { Finding, Parsed } from './findings.ts'
import { matterSchema, readFrontMatter } from './front-matter.ts'
import { lex, significant } from './lexer.ts'
import { checkStatement } from './rules.ts'
import { METRICS_SCHEMA, type MetricsMatter } from './schemas.ts'
import {
  checkCommon,
  commonOf,
  NAME,
  NAME_EXPECTED,
  statementSql,
  writtenAs,
  type SourceFile,
} from './source-file.ts'
import { compileStatement } from './statement.ts'

export const isMetricsMatter = matterSchema<MetricsMatter>(METRICS_SCHEMA)

/** The area is the file's name; the lines of its metrics are for messages about duplicates. */
export function parseMetrics(source: SourceFile): Parsed<MetricsDefinition> & {
  readonly lineOfMetric: (code: string) => number
} {
  const { matter, findings, lineOf, sqlStart } = readFrontMatter(source.text, isMetricsMatter)
  const tokens = significant(lex(source.text, sqlStart))
  const all: Finding[] = [
    ...findings,
    // why: front matter without its end takes the SQL with it
    ...(sqlStart === source.text.length && findings.length > 0
      ? []
      : checkStatement(tokens, {
          placeholders: PLACEHOLDERS,
          required: 'organization_id',
          ordered: false,
          clock: false,
        })),
  ]
  const lineOfMetric = (code: string) => lineOf(['metrics', code])
  if (matter === undefined) return { findings: all, lineOfMetric }

  all.push(...checkCommon(matter, lineOf))
  const metrics = Object.entries(matter.metrics)
  for (const [code] of metrics) {
    if (NAME.test(code)) continue
    const message = `metrics.${code}: bad code "${code}", ${NAME_EXPECTED}`
    all.push({ line: lineOfMetric(code), message })
  }
  if (all.length > 0) return { findings: all, lineOfMetric }
  const statement = compileStatement(statementSql(source.text, tokens))
  return {
    findings: [],
    lineOfMetric,
    value: {
      ...commonOf(source, matter),
      name: `metrics/${source.code}`,
      area: source.code,
      statement,
      source: writtenAs(source, matter, lineOf, statement, tokens, false),
      metrics: metrics.map(([code, { title, format }]) => ({ code, title, format })),
    },
  }
}
