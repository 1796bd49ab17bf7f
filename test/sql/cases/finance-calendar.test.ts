// The payment calendar, over rows made for it.
import { expect } from 'chai'
import { madeForIt, NOVEMBER_21 } from './made-for-it.ts'
import { account, expense, fields, income, plan } from './money.ts'

const YEAR_END = {
  ...NOVEMBER_21,
  period: { start: '2026-11-01', end: '2027-01-05' },
}

describe('expectations made for it', () => {
  const { run } = madeForIt(YEAR_END)

  it('payment_calendar goes by the week, and finds the first day without money', async () => {
    const { rows, totals } = await run('payment_calendar', {
      accounts: [account],
      operations: [
        { ...income, id: 1, due_on: '2026-11-21' },
        { ...income, id: 2, due_on: '2026-11-22', amount_kopecks: '-30' },
        { ...plan, id: 3, operation_date: '2026-11-20' },
        { ...plan, id: 4, operation_date: '2026-12-02', amount_kopecks: '1200' },
        { ...plan, id: 5, kind: 'income', operation_date: '2026-12-05', amount_kopecks: '500' },
        { ...plan, id: 6, operation_date: '2026-11-01', due_on: '2027-01-04' },
        { ...plan, id: 7, operation_date: '2027-01-05' },
        { ...income, id: 8, operation_date: '2026-11-22', due_on: '2026-11-25' },
      ],
    })
    const names = ['week_name', 'week', 'opening', 'receipts', 'payments', 'closing', 'lowest']
    expect(rows.map(row => fields(row, names))).to.deep.equal([
      ['21.11–22.11.2026', '2026-11-21', '1000', '100', '30', '1070', '1070'],
      ['23.11–29.11.2026', '2026-11-23', '1070', '0', '0', '1070', '1070'],
      ['30.11–06.12.2026', '2026-11-30', '1070', '500', '1200', '370', '-130'],
      ['07.12–13.12.2026', '2026-12-07', '370', '0', '0', '370', '370'],
      ['14.12–20.12.2026', '2026-12-14', '370', '0', '0', '370', '370'],
      ['21.12–27.12.2026', '2026-12-21', '370', '0', '0', '370', '370'],
      ['28.12–03.01.2027', '2026-12-28', '370', '0', '0', '370', '370'],
      ['04.01.2027', '2027-01-04', '370', '0', '100', '270', '270'],
    ])
    const all = ['opening', 'overdue_receipts', 'overdue_payments', 'closing', 'first_gap', 'gap']
    expect(fields(totals, all)).to.deep.equal(['1000', '0', '0', '270', '2026-12-02', '130'])
  })

  const overdue = [
    { ...income, id: 1, due_on: '2026-11-20', amount_kopecks: '70' },
    { ...income, id: 2, due_on: '2026-11-20', amount_kopecks: '-1030' },
    { ...expense, id: 3, amount_kopecks: '200' },
    { ...expense, id: 4, amount_kopecks: '-5' },
  ]
  const money = [
    'opening',
    'receipts',
    'payments',
    'overdue_payments',
    'closing',
    'lowest',
    'overdue_receipts',
  ]

  it('payment_calendar pays today what is overdue, and counts on nobody who is late', async () => {
    const period = { start: '2026-11-01', end: '2026-11-22' }
    const { rows, totals } = await run(
      'payment_calendar',
      { accounts: [account], operations: overdue },
      { ...YEAR_END, period },
    )
    const sums = ['1000', '0', '1230', '1230', '-230', '-230', '75']
    expect(rows.map(row => fields(row, ['week_name', 'week', ...money]))).to.deep.equal([
      ['21.11.2026', '2026-11-21', ...sums],
    ])
    expect(fields(totals, [...money, 'first_gap'])).to.deep.equal([...sums, '2026-11-21'])
  })

  it('payment_calendar has a row where others are late and nothing else is expected', async () => {
    const late = overdue.filter(({ id }) => id === 1 || id === 4)
    const { rows, totals } = await run('payment_calendar', {
      accounts: [account],
      operations: late,
    })
    expect(rows.map(row => fields(row, ['week_name', ...money]))).to.deep.equal([
      ['21.11–22.11.2026', '1000', '0', '0', '0', '1000', '1000', '75'],
    ])
    expect(fields(totals, ['overdue_receipts', 'first_gap', 'gap'])).to.deep.equal([
      '75',
      null,
      '0',
    ])
  })

  it('payment_calendar of a period to come opens with what is expected by then', async () => {
    const period = { start: '2026-12-06', end: '2026-12-07' }
    const { rows, totals } = await run(
      'payment_calendar',
      {
        accounts: [account],
        operations: [
          ...overdue,
          { ...plan, id: 5, kind: 'income', operation_date: '2026-12-05', amount_kopecks: '130' },
          { ...plan, id: 6, operation_date: '2026-12-07' },
        ],
      },
      { ...YEAR_END, period },
    )
    expect(rows).to.deep.equal([])
    expect(fields(totals, money)).to.deep.equal(['-100', '0', '0', '0', '-100', '-100', '0'])
    const facts = ['days_ahead', 'first_day', 'last_day', 'first_gap', 'gap']
    expect(fields(totals, facts)).to.deep.equal([
      '15',
      '2026-12-06',
      '2026-12-06',
      '2026-12-06',
      '100',
    ])
  })

  it('payment_calendar of a period that is over has its last balance alone', async () => {
    const period = { start: '2026-11-01', end: '2026-11-21' }
    const { rows, totals } = await run(
      'payment_calendar',
      {
        accounts: [account],
        operations: [
          ...overdue,
          { ...expense, id: 5, paid_on: '2026-11-20', amount_kopecks: '1007' },
          { ...income, id: 6, paid_on: '2026-11-21' },
          { ...plan, id: 7, operation_date: '2026-11-20' },
        ],
      },
      { ...YEAR_END, period },
    )
    expect(rows).to.deep.equal([])
    expect(fields(totals, money)).to.deep.equal(['-7', '0', '0', '0', '-7', '-7', '0'])
    expect(totals['first_gap']).to.equal(null)
  })
})
