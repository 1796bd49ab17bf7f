import { expect } from 'chai'
import * as fc from 'fast-check'
import { addDays, daysBetween } from '../../src/definitions/calendar.ts'
import {
  comparedPeriods,
  COMPARISONS,
  createMonthPairs,
} from '../../src/definitions/comparison-period.ts'
import type { ComparisonKind } from '../../src/definitions/comparison-period.ts'

const TODAY = '2026-11-23'

function compared(kind: ComparisonKind, from: string, to: string, today = TODAY) {
  const { period, comparison } = comparedPeriods({ start: from, end: addDays(to, 1) }, kind, today)
  return [period, comparison].map(({ start, end }) => `${start} ${addDays(end, -1)}`)
}

/** Kind, requested period, used period if it differs, comparison period; all dates inclusive. */
const CASES: ReadonlyArray<readonly [ComparisonKind, string, string, string, string?]> = [
  // whole months
  ['year', '2025-01-01 2025-12-31', '', '2024-01-01 2024-12-31'],
  ['year', '2026-03-01 2026-03-31', '', '2025-03-01 2025-03-31'],
  ['previous', '2026-03-01 2026-03-31', '', '2026-02-01 2026-02-28'],
  ['previous', '2026-02-01 2026-02-28', '', '2026-01-01 2026-01-31'],
  ['previous', '2026-01-01 2026-03-31', '', '2025-10-01 2025-12-31'],
  ['previous', '2025-01-01 2025-12-31', '', '2024-01-01 2024-12-31'],
  ['previous', '2024-02-01 2024-02-29', '', '2024-01-01 2024-01-31'],
  // days
  ['year', '2026-03-10 2026-03-20', '', '2025-03-10 2025-03-20'],
  ['previous', '2026-03-10 2026-03-20', '', '2026-02-27 2026-03-09'],
  ['previous', '2026-03-01 2026-03-01', '', '2026-02-28 2026-02-28'],
  ['previous', '2026-03-02 2026-04-01', '', '2026-01-30 2026-03-01'],
  ['previous', '2026-03-01 2026-03-30', '', '2026-01-30 2026-02-28'],
  // a whole month and days
  ['previous', '2026-02-01 2026-03-15', '', '2025-12-01 2026-01-15'],
  ['previous', '2026-01-01 2026-11-23', '', '2025-02-01 2025-12-23'],
  ['previous', '2026-02-01 2026-03-30', '', '2025-12-01 2026-01-30'],
  ['previous', '2026-03-01 2026-04-30', '2026-03-01 2026-04-30', '2026-01-01 2026-02-28'],
  // leap years
  ['year', '2024-02-29 2024-02-29', '', '2023-02-28 2023-02-28'],
  ['year', '2025-02-28 2025-02-28', '', '2024-02-29 2024-02-29'],
  ['year', '2024-02-01 2024-02-28', '', '2023-02-01 2023-02-28'],
  ['year', '2024-02-01 2024-02-29', '', '2023-02-01 2023-02-28'],
  ['year', '2025-02-01 2025-02-28', '', '2024-02-01 2024-02-29'],
  ['year', '2025-02-01 2025-02-27', '', '2024-02-01 2024-02-27'],
  ['year', '2024-02-29 2024-03-15', '', '2023-02-28 2023-03-15'],
  // unfinished
  ['year', '2026-01-01 2026-12-31', '2026-01-01 2026-11-23', '2025-01-01 2025-11-23'],
  ['previous', '2026-01-01 2026-12-31', '2026-01-01 2026-11-23', '2025-01-01 2025-11-23'],
  ['previous', '2026-11-01 2026-11-30', '2026-11-01 2026-11-23', '2026-10-01 2026-10-23'],
  ['previous', '2026-10-01 2026-12-31', '2026-10-01 2026-11-23', '2026-07-01 2026-08-23'],
  ['previous', '2026-11-20 2026-11-29', '2026-11-20 2026-11-23', '2026-11-10 2026-11-13'],
  ['year', '2026-11-23 2026-11-29', '2026-11-23 2026-11-23', '2025-11-23 2025-11-23'],
  ['year', '2026-11-01 2026-11-23', '', '2025-11-01 2025-11-23'],
  ['year', '2026-11-01 2026-11-22', '', '2025-11-01 2025-11-22'],
  [
    'previous',
    '2026-03-01 2026-03-31',
    '2026-03-01 2026-03-30',
    '2026-02-01 2026-02-28',
    '2026-03-30',
  ],
  [
    'previous',
    '2026-10-01 2026-12-31',
    '2026-10-01 2026-11-30',
    '2026-07-01 2026-08-31',
    '2026-11-30',
  ],
  ['year', '2025-01-01 2025-12-31', '2025-01-01 2025-02-28', '2024-01-01 2024-02-29', '2025-02-28'],
  // not begun
  ['year', '2027-01-01 2027-12-31', '', '2026-01-01 2026-12-31'],
  ['previous', '2026-12-01 2026-12-31', '', '2026-11-01 2026-11-30'],
  // the limits of the API
  ['previous', '1900-01-01 2999-12-31', '', '0800-01-01 1899-12-31', '2999-12-31'],
  ['previous', '1900-01-02 2999-12-31', '', '0800-01-03 1900-01-01', '2999-12-31'],
  ['year', '1900-01-01 1900-12-31', '', '1899-01-01 1899-12-31'],
]

/** Periods, and by month the compared one, with `!` if the two have other days. */
const PAIRS = [
  ['2025-02-01 2025-02-28', '2025-01-01 2025-01-31', '2025-02 2025-01'],
  ['2024-02-01 2024-02-29', '2023-02-01 2023-02-28', '2024-02 2023-02'],
  ['2026-02-01 2026-02-28', '2026-01-01 2026-01-28', '2026-02 2026-01!'],
  ['2026-11-01 2026-11-28', '2026-10-01 2026-10-28', '2026-11 2026-10'],
  ['2026-03-01 2026-03-30', '2026-02-01 2026-02-28', '2026-03 2026-02'],
  ['2026-03-10 2026-03-20', '2026-02-27 2026-03-09', '2026-03 2026-02!, 2026-04 null!'],
  ['2026-01-15 2026-02-28', '2025-12-01 2026-01-14', '2026-01 2025-12!, 2026-02 2026-01!'],
  ['2025-12-15 2026-01-20', '2024-12-15 2025-01-20', '2025-12 2024-12, 2026-01 2025-01'],
  // a month of a row that no period is cut by, such as that of a contract
  ['2026-03-10 2026-03-20', '2025-03-10 2025-03-20', '2020-01 2019-01'],
] as const

describe('the comparison period', () => {
  for (const [ours, theirs, expected] of PAIRS) {
    it(`has pairs of months: ${ours} after ${theirs}`, () => {
      const [period, comparison] = [ours, theirs].map(dates => {
        const [start = '', last = ''] = dates.split(' ')
        return { start, end: addDays(last, 1) }
      })
      const pairOf = createMonthPairs({ period: period!, comparison: comparison! })
      const pairs = expected.split(', ').map(pair => {
        const [month = ''] = pair.split(' ')
        const { compared, isAlike } = pairOf(month)
        return `${month} ${compared}${isAlike ? '' : '!'}`
      })
      expect(pairs.join(', ')).to.equal(expected)
    })
  }

  for (const [kind, requested, used, comparison, today] of CASES) {
    it(`is ${comparison} for ${kind} of ${requested}${today ? ` on ${today}` : ''}`, () => {
      const [from = '', to = ''] = requested.split(' ')
      expect(compared(kind, from, to, today)).to.deep.equal([used || requested, comparison])
    })
  }

  it('is earlier, never empty, and of the same length but for the lengths of months', () => {
    const date = fc
      .date({ min: new Date('1900-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
      .map(found => found.toISOString().slice(0, 10))
    fc.assert(
      fc.property(date, date, date, fc.constantFrom(...COMPARISONS), (a, b, today, kind) => {
        const [from, to] = a < b ? [a, b] : [b, a]
        const requested = { start: from, end: addDays(to, 1) }
        const { period, comparison } = comparedPeriods(requested, kind, today)
        expect(period.end <= requested.end && period.start === from).to.equal(true)
        expect(comparison.start < period.start && comparison.end < period.end).to.equal(true)
        expect(comparison.start < comparison.end).to.equal(true)
        const days = daysBetween(period.start, period.end)
        const differing = Math.abs(daysBetween(comparison.start, comparison.end) - days)
        expect(differing).to.be.at.most(kind === 'year' ? 1 : 31)
      }),
    )
  })
})
