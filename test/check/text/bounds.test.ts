import { expect } from 'chai'
import { foundIn } from './report-around.ts'

describe('rules of the text on bounds of the period', () => {
  const wrong = {
    'sales.day < :period_end + 1': '< :period_end + 1 takes in the day after the period',
    'sales.day < :period_end - 1': "< :period_end - 1 leaves out the period's last day",
    "sales.sold_at >= :period_start_at and sales.sold_at <= :period_end_at - interval '1 second'":
      'leaves out what happens in the last 1 second, expected < :period_end_at',
    'sales.sold_at >= :period_end_at and sales.sold_at < :period_start_at':
      'is never true, expected start and end the other way round',
    'not (sales.paid_on > :period_end)':
      'not (sales.paid_on > :period_end) takes in the day after the period',
    "sales.day <@ daterange(:period_start, :period_end, '[]')":
      "daterange(..., :period_end, '[]') takes in the day after the period",
    "sales.sold_at <@ tstzrange(:period_start_at, :period_end_at, '[]')":
      "tstzrange(..., :period_end_at, '[]') takes in the moment after the period",
    '(sales.day, sales.day + 1) overlaps (:period_start, :period_end + 1)':
      'expected :period_end: overlaps leaves out the end',
    "sales.day in (select generate_series(:period_start, :period_end::timestamp, interval '1 month'))":
      'generate_series(..., :period_end::timestamp) gives the day after the period too',
    "timezone('UTC', sales.sold_at) > '1900-01-01'":
      "time zone 'UTC' is not that of every organization",
    "date_bin('1 day', sales.sold_at, '2000-01-01') < :now":
      'date_bin() of sales.sold_at is taken in the time zone of the session',
  }
  for (const [condition, message] of Object.entries(wrong)) {
    it(`find: ${condition}`, () => {
      const found = foundIn({ where: `and ${condition}` })
      expect(found, found.join('\n')).to.have.lengthOf(1)
      expect(found[0]).to.contain(message)
    })
  }

  const right = [
    'sales.day <= :period_end - 1',
    'sales.due_on < :period_end + 1',
    "sales.sold_at <= :period_end_at - interval '1 microsecond'",
    'sales.sold_at >= :period_start_at and sales.made_at < :period_end_at',
    'not (sales.day >= :period_end)',
    "sales.day <@ daterange(:period_start, :period_end, '[)')",
    '(sales.day, sales.day + 1) overlaps (:period_start, :period_end)',
    "sales.day in (select generate_series(:period_start, :period_end - 1, interval '1 month'))",
    'extract(year from sales.day) = extract(year from :period_start)',
    "timezone(:time_zone, timezone('UTC', sales.made)) < :period_end",
    "date_bin('15 minutes', sales.sold_at, '2000-01-01') < :now",
  ]
  for (const condition of right) {
    it(`let pass ${condition}`, () => {
      expect(foundIn({ where: `and ${condition}` })).to.deep.equal([])
    })
  }
})
