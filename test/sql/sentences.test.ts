// The summaries of the shipped reports, as text to proofread.
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Period, RawField } from '../../src/model/terms.ts'
import { ourCatalog } from './subject.ts'

const TODAY = '2026-11-21'

const MAY: Period = { start: '2026-05-01', end: '2026-06-01' }
const PERIODS: Readonly<Record<string, Period>> = {
  year: { start: '2026-01-01', end: '2027-01-01' },
  quarter: { start: '2026-01-01', end: '2026-04-01' },
  march: { start: '2026-03-01', end: '2026-04-01' },
  may: MAY,
  december: { start: '2026-12-12', end: '2027-01-01' },
}

/**
 * Two lines each: the report with a period and totals, and the summary. A line that begins with `or` repeats the case
 * above with some totals replaced.
 */
const SENTENCES = readFileSync('test/sql/sentences.txt', 'utf8')

interface Case {
  readonly code: string
  readonly period: Period
  readonly totals: Readonly<Record<string, RawField>>
  readonly sentence: string
}

function readCases(text: string): Case[] {
  const lines = text.split('\n').filter(line => line !== '')
  let first: Case | undefined
  return Array.from({ length: lines.length / 2 }, (_, at) => {
    const [head = '', ...rest] = (lines[2 * at] ?? '').split(' ')
    const given = Object.fromEntries(
      rest.flatMap(word => {
        const [name = '', value = ''] = word.split('=')
        return value === '' ? [] : [[name, value === 'null' ? null : value]]
      }),
    )
    const sentence = lines[2 * at + 1] ?? ''
    if (head === 'or' && first !== undefined) {
      return { ...first, totals: { ...first.totals, ...given }, sentence }
    }
    const period = PERIODS[rest[0] ?? '']
    if (period === undefined) throw new Error(`no period in: ${lines[2 * at]}`)
    first = { code: head, period, totals: given, sentence }
    return first
  })
}

const { reports } = ourCatalog()

function reportNamed(code: string) {
  const report = reports.get(code)
  if (report === undefined) throw new Error(`no report ${code}`)
  return report
}

/** With plain spaces: tests of `definitions/` cover no-break spaces. */
function summaryOf({
  code,
  period,
  totals: { rows = '30', ...fields },
}: Omit<Case, 'sentence'>): string {
  const report = reportNamed(code)
  return report
    .summarize({
      fields: new Map(Object.entries(fields)),
      rowCount: Number(rows),
      currencyOf: () => report.currency,
      period,
      today: TODAY,
    })
    .replaceAll(/[\u00a0\u202f]/g, ' ')
}

describe('the summary of', () => {
  const cases = readCases(SENTENCES)

  for (const { sentence, ...request } of cases) {
    it(`${request.code}: ${sentence}`, () => expect(summaryOf(request)).to.equal(sentence))
  }

  for (const code of reports.keys()) {
    it(`${code} names period and subject if there are no rows`, () => {
      const empty = summaryOf({ code, period: MAY, totals: { rows: '0' } })
      expect(empty).to.match(/^(За май|На 31 мая) 2026 года .*(нет|не было|не ожидается)\.?/)
    })
  }
})
