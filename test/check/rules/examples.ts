/** Examples for the rules on time: SQL, and the findings of all of them. */
import { expect } from 'chai'
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
import { parseSql } from '../../harness/parse-sql.ts'

const RULES: readonly TextRule[] = [
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

/**
 * A statement, or a part of one: a condition (`and ...`), an item (`, ...`), a total (`= ...`).
 * Expected findings have the line of the statement, or `total`, and words of the message.
 */
export type Example = readonly [sql: string, ...expected: string[]]

const MATTER = `/*---
title: Продажи
columns:
  name: { title: Имя, type: text }
  day: { title: День, type: date, total: TOTAL }
key: [name]
summary: Строк {row_count}.
---*/
`
const LINES = MATTER.split('\n').length - 1
const TOTAL_LINE = 5

export function expectExamples(examples: readonly Example[]): void {
  for (const [sql, ...expected] of examples) {
    it(`${expected.length === 0 ? 'right' : 'wrong'}: ${sql.replaceAll(/\s+/g, ' ')}`, async () => {
      const text = MATTER.replace(
        'TOTAL',
        sql.startsWith('= ') ? JSON.stringify(sql.slice(2)) : 'none',
      )
      const source = { file: 'sql/reports/sales/sales.sql', version: '', code: 'sales' }
      const draft = await draftOf({ ...source, text: text + statementOf(sql) }, 'report', parseSql)
      if (draft === undefined) throw new Error(`not parsed: ${sql}`)
      const found = RULES.flatMap(rule => rule(draft, [draft]))
      const all = found.map(({ line, message }) => {
        const place = line === TOTAL_LINE ? 'total: ' : `${line - LINES}: `
        const isOf = (one: string) =>
          one.startsWith(place) && message.includes(one.slice(place.length))
        return expected.find(isOf) ?? place + message
      })
      expect(all).to.have.members(expected)
    })
  }
}

function statementOf(sql: string): string {
  if (!/^(?:and|,|=) /.test(sql)) return sql
  const [item, condition] = [sql.startsWith(',') ? sql : '', sql.startsWith('and') ? sql : '']
  return `select sales.day, sales.sold_at, sales.paid_on${item}
from sales
where sales.day >= :period_start and sales.day < :period_end ${condition}`
}
