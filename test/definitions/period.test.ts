import { textsIn } from '../../src/texts/texts.ts'
import { expect } from 'chai'
import * as fc from 'fast-check'
import { addDays } from '../../src/definitions/calendar.ts'
import { parsePeriod, type PeriodQuery } from '../../src/definitions/period.ts'
import { Problem } from '../../src/model/errors.ts'

const now = Date.parse('2026-11-21T10:00:00Z')

function parse(query: PeriodQuery, timeZone = 'Europe/Moscow') {
  return parsePeriod(query, now, timeZone)
}

function refusal(query: PeriodQuery): Problem {
  try {
    parse(query)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error(`${JSON.stringify(query)} was accepted`)
}

describe('period', () => {
  it('defaults to the current year of the organization, for each end', () => {
    expect(parse({})).to.deep.equal({ start: '2026-01-01', end: '2027-01-01' })
    const newYearInVladivostok = Date.parse('2026-12-31T14:00:00Z')
    expect(parsePeriod({}, newYearInVladivostok, 'Asia/Vladivostok').start).to.equal('2027-01-01')
    expect(parsePeriod({}, newYearInVladivostok, 'Europe/Moscow').start).to.equal('2026-01-01')
    expect(parse({ from: '2026-03-01' }).end).to.equal('2027-01-01')
    expect(parse({ to: '2026-03-31' }).start).to.equal('2026-01-01')
  })

  const DAYS = {
    '2026-03-05':
      '2026-03-05|20260305|2026-03-05T23:30|2026-03-05T23|20260305T233015|20260305T2330|2026-03-05 00:00:00|2026-03-05 23:59:59.999999|2026-03-05 20:59:59Z|2026-03-05T20:59:59Z|2026-03-05T23:59:60+03:00',
    '2026-03-06':
      '2026-03-05T21:00:00Z|2026-03-05t21:00:00.000z|2026-03-05T21:00:00,5Z|2026-03-06T00:00:00+03:00|2026-03-06T00:00:00+0300|2026-03-06T00:00:00+03|2026-03-06T00:00:00 03:00|20260306T000000.25 03|2026-03-05T16:00:00-05:00|2026-03-06 00:00:00+03|2026-03-05 21:00:00 00:00|2026-03-06 00:00:00 03',
  }
  for (const [day, texts] of Object.entries(DAYS)) {
    for (const from of texts.split('|')) {
      it(`reads ${from} in Moscow as ${day}`, () => expect(parse({ from }).start).to.equal(day))
    }
  }

  const refused: Array<[PeriodQuery, string]> = [
    [{ to: '' }, 'Parameter to is empty'],
    [{ from: '1899-12-31' }, 'Parameter from is 1899-12-31, outside the years 1900-2999'],
    [{ to: '3000-01-01' }, 'outside the years 1900-2999'],
    [{ from: '1900-01-01T00:00:00+14:00' }, 'outside the years 1900-2999'],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'from (2026-03-02) is after to (2026-03-01)'],
    [{ from: '2027-03-02' }, 'from (2027-03-02) is after the default to (2026-12-31)'],
    [{ to: '2025-03-02' }, 'the default from (2026-01-01) is after to (2025-03-02)'],
    [{ from: '2026-03-01\n' }, 'is "2026-03-01?"'],
    [{ from: 'x'.repeat(500) }, `is "${'x'.repeat(40)}…"`],
  ]
  const NO_DATES =
    '2026-02-30|2026-02-30 00:00:00|2026-03-01 |2026-03-01  10:00|01.03.2026|2026-3-1|2026-03|2026-03-01T24:00|2026-03-01T10:60|2026-03-01T10:00+24:00|2026-03-01T1000| 2026-03-01|٢٠٢٦-03-01'
  for (const from of NO_DATES.split('|')) {
    refused.push([{ from }, `Parameter from is "${from}"; expected a date such as 2026-01-31`])
  }
  for (const [query, message] of refused) {
    it(`rejects ${JSON.stringify(query).slice(0, 60)}`, () => {
      const problem = refusal(query)
      expect(problem.code).to.equal('bad_range')
      expect(problem.message).to.contain(message)
      expect(problem.detail(textsIn('ru').problems)).to.match(
        /[а-я].*(?:from|to)|(?:from|to).*[а-я]/,
      )
    })
  }

  it('reads every pair of dates as written, inclusive, in every zone', () => {
    const date = fc
      .date({ min: new Date('1900-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
      .map(date => date.toISOString().slice(0, 10))
    const zone = fc.constantFrom('Europe/Moscow', 'Asia/Vladivostok', 'America/New_York', 'UTC')
    fc.assert(
      fc.property(date, date, zone, (a, b, timeZone) => {
        const [from, to] = a < b ? [a, b] : [b, a]
        expect(parse({ from, to: to.replaceAll('-', '') }, timeZone)).to.deep.equal({
          start: from,
          end: addDays(to, 1),
        })
      }),
    )
  })

  it('returns a period or throws bad_range for any text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{4}[0-9TZ:.+ -]{0,30}$/), from => {
        try {
          expect(parse({ from }).start).to.match(/^\d{4}-\d\d-\d\d$/)
        } catch (error) {
          expect(error).to.be.instanceOf(Problem)
        }
      }),
    )
  })
})
