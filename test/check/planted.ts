/** Small definitions over the real product, each with a fault of its own, and what the standby says of them. */
import type { MetricsDefinition, ReportDefinition } from '../../src/definitions/definition.ts'
import { parseMetrics } from '../../src/definitions/metrics.ts'
import { parseReport } from '../../src/definitions/report.ts'

const FILE = 'sql/reports/planted/planted.sql'

/** The statement begins in line 12, whatever the front matter. */
const STATEMENT_LINE = 12

export interface Planted {
  /** Lines of YAML under `columns`. */
  readonly columns?: readonly string[]
  /** More lines of YAML, such as `key: [name]`. */
  readonly more?: readonly string[]
  readonly sql: string
}

const COLUMNS = [
  'name: { title: Имя, type: text }',
  'amount: { title: Сумма, type: money, total: sum(amount) }',
]

/** @throws Error where it does not load: that is no fault for a replica to find. */
export function planted({ columns = COLUMNS, more = [], sql }: Planted): ReportDefinition {
  const head = [
    '/*---',
    'title: Подсаженный',
    'columns:',
    ...columns.map(line => `  ${line}`),
    'summary: Строк {row_count}.',
    ...more,
  ]
  const blank = Array.from({ length: STATEMENT_LINE - 2 - head.length }, () => '#')
  const text = [...head, ...blank, '---*/', sql.trim(), ''].join('\n')
  const { value, findings } = parseReport(
    { file: FILE, code: 'planted', text, version: '0' },
    'planted',
  )
  if (value === undefined) throw new Error(findings.map(({ message }) => message).join('; '))
  return value
}

export function plantedMetrics(sql: string): MetricsDefinition {
  const matter = 'metrics:\n  figure: { title: Число, format: integer }'
  const text = `/*---\n${matter}\n---*/\n${sql.trim()}\n`
  const source = { file: 'sql/metrics/planted.sql', code: 'planted', text, version: '0' }
  const { value, findings } = parseMetrics(source)
  if (value === undefined) throw new Error(findings.map(({ message }) => message).join('; '))
  return value
}
