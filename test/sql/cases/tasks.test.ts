// Months of tasks_by_month that the demo's data do not have.
import { expect } from 'chai'
import { madeForIt, NOVEMBER_21 } from './made-for-it.ts'

const SPRING = {
  ...NOVEMBER_21,
  period: { start: '2026-03-10', end: '2026-06-05' },
}

describe('tasks of an organization made for it', () => {
  const { run } = madeForIt(SPRING)

  const task = { title: 'Задача', created_at: '2026-04-10T09:00:00Z' }
  const told = (row: Readonly<Record<string, unknown>>) =>
    ['month', 'at_start', 'created', 'open', 'overdue'].map(key => row[key])

  it('tasks_by_month begins with the first task, and takes a task as overdue from the next day', async () => {
    const { rows, totals } = await run('tasks_by_month', {
      tasks: [
        { ...task, id: 1, due_on: '2026-04-30' },
        { ...task, id: 2, due_on: '2026-04-29', completed_at: '2026-05-31T20:59:59Z' },
        { ...task, id: 3, due_on: '2026-04-29', completed_at: '2026-05-31T21:00:00Z' },
        { ...task, id: 4, due_on: null },
        { ...task, id: 5, due_on: '2026-01-01', created_at: '2026-06-04T20:59:59Z' },
        { ...task, id: 6, due_on: '2026-06-04' },
      ],
    })
    expect(rows.map(told)).to.deep.equal([
      ['2026-04', '0', '5', '5', '2'],
      ['2026-05', '5', '0', '4', '2'],
      ['2026-06', '4', '1', '4', '2'],
    ])
    expect(told(totals)).to.deep.equal([null, '0', '6', '4', '2'])
  })

  it('tasks_by_month goes back to a first task that has ended before the period', async () => {
    const { rows } = await run('tasks_by_month', {
      tasks: [
        {
          ...task,
          id: 1,
          created_at: '2026-01-10T09:00:00Z',
          cancelled_at: '2026-02-01T09:00:00Z',
        },
        { ...task, id: 2, created_at: '2026-06-01T09:00:00Z' },
      ],
    })
    expect(rows.map(row => row['month'])).to.deep.equal([
      '2026-03',
      '2026-04',
      '2026-05',
      '2026-06',
    ])
  })

  it('tasks_by_month has no months for a period that has not begun, and still its totals', async () => {
    const restOfMonth = { ...SPRING, period: { start: '2026-11-22', end: '2026-12-01' } }
    const { rows, totals } = await run(
      'tasks_by_month',
      { tasks: [{ ...task, id: 1, due_on: '2026-11-20' }] },
      restOfMonth,
    )
    expect(rows).to.deep.equal([])
    expect(told(totals)).to.deep.equal([null, '1', '0', '1', '1'])
  })
})
