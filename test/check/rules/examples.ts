/** Tables of examples for text rules. */
import { draftOf } from '../../../src/author/check/rules/draft.ts'
import type { TextRule } from '../../../src/author/check/rules/text-rule.ts'
import { dateFormats } from '../../../src/author/check/rules/date-formats.ts'
import { localDays } from '../../../src/author/check/rules/instants.ts'
import { partsOfIntervals } from '../../../src/author/check/rules/intervals.ts'
import { literals } from '../../../src/author/check/rules/literals.ts'
import { bothEnds } from '../../../src/author/check/rules/period-ends.ts'
import { halfOpen, onlyYear, somePeriod } from '../../../src/author/check/rules/period.ts'
import { ranges, seriesEnds } from '../../../src/author/check/rules/ranges.ts'
import { otherZones } from '../../../src/author/check/rules/zones.ts'
import { findingsTable } from '../../harness/findings-table.ts'
import { parseSql } from '../../harness/parse-sql.ts'

interface Definition {
  /** Columns of a report: `amount: money, share: percent`. */
  readonly columns?: string
  /** Metrics in the same form. */
  readonly metrics?: string
  /** The total of the first column, at line 1. */
  readonly total?: string
  /** The statement of examples that are totals. */
  readonly totalOf?: string
}

/** Template tag for a table of statements, parts of them, or totals. */
export function examples(title: string, rule: TextRule, definition: Definition = {}) {
  return ({ raw }: TemplateStringsArray): void => {
    describe(title, () =>
      findingsTable(raw.join(''), async sql => {
        const { text, firstLine, kind } = fileOf(sql, definition)
        const source = { file: `sql/${kind}.sql`, version: '', code: 'example', text }
        const draft = await draftOf(source, kind, parseSql)
        if (draft === undefined) throw new Error('the statement is not parsed')
        return rule(draft, [draft]).map(
          ({ line, message }) => `${line - firstLine + 1}: ${message}`,
        )
      }),
    )
  }
}

function fileOf(sql: string, definition: Definition) {
  const { columns = 'a: integer', metrics, totalOf } = definition
  const total = totalOf === undefined ? definition.total : sql
  const entries = (list: string, key: string) =>
    list.split(', ').map((entry, at) => {
      const [name, type] = entry.split(': ')
      const ofFirst = at > 0 || total === undefined ? '' : `, total: ${JSON.stringify(total)}`
      return `  ${name}: { title: ${name}, ${key}: ${type}${ofFirst} }`
    })
  const head =
    metrics === undefined
      ? [
          'title: A',
          'columns:',
          ...entries(columns, 'type'),
          `key: [${columns.split(':')[0]}]`,
          'summary: "{row_count}"',
        ]
      : ['metrics:', ...entries(metrics, 'format')]
  const lines = ['/*---', ...head, '---*/']
  return {
    kind: metrics === undefined ? ('report' as const) : ('metrics' as const),
    text: [...lines, totalOf ?? statementOf(sql)].join('\n'),
    firstLine: total === undefined ? lines.length + 1 : 4,
  }
}

const RULES_ON_TIME: readonly TextRule[] = [
  bothEnds,
  dateFormats,
  halfOpen,
  literals,
  localDays,
  onlyYear,
  otherZones,
  partsOfIntervals,
  ranges,
  seriesEnds,
  somePeriod,
]

/** All rules on time. */
export const onTime: TextRule = (draft, all) => RULES_ON_TIME.flatMap(rule => rule(draft, all))

/** @param sql a statement, or a part of one on sales: a condition (`and ...`) or an item (`, ...`) */
function statementOf(sql: string): string {
  if (!/^(?:and|,) /.test(sql)) return sql
  const [item, condition] = sql.startsWith(',') ? [sql, ''] : ['', ` ${sql}`]
  return `select sales.day, sales.sold_at, sales.paid_on${item}
from sales
where sales.day >= :period_start and sales.day < :period_end${condition}`
}
