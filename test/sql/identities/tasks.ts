/** Identities of tasks. */
import { expect } from 'chai'
import type { FieldRow } from '../run.ts'
import { exact, expectChain, expectSame, previous } from './identity.ts'
import type { Identity } from './identity.ts'

const COLUMNS = [
  'at_start',
  'created',
  'done',
  'cancelled',
  'open',
  'overdue',
  'done_with_due',
  'done_on_time',
  'on_time',
]

function expectOpen(row: FieldRow): void {
  expect(
    exact(row, 'at_start') + exact(row, 'created') - exact(row, 'done') - exact(row, 'cancelled'),
  ).to.equal(exact(row, 'open'))
}

export const TASKS: readonly Identity[] = [
  {
    name: 'tasks come, end and stay, by assignee',
    async check(ask, question) {
      const { rows, totals } = await ask.report('tasks_by_assignee', question)
      for (const row of [...rows, totals]) expectOpen(row)
      const before = await ask.report('tasks_by_assignee', previous(question))
      expect(before.totals['open']).to.equal(totals['at_start'])
    },
  },
  {
    name: 'tasks by assignee are those of the metrics',
    async check(ask, question) {
      const { totals } = await ask.report('tasks_by_assignee', question)
      expectSame('the metrics', totals, {
        of: await ask.metrics('tasks', question),
        by: { tasks_open: 'open', tasks_overdue: 'overdue', tasks_on_time: 'on_time' },
      })
    },
  },
  {
    name: 'tasks come, end and stay, by month',
    async check(ask, question) {
      const { rows, totals } = await ask.report('tasks_by_month', question)
      for (const row of [...rows, totals]) expectOpen(row)
      expectChain(rows, 'at_start', 'open')
    },
  },
  {
    name: 'tasks by month are tasks by assignee',
    async check(ask, question) {
      const assignees = await ask.report('tasks_by_assignee', question)
      const { totals } = await ask.report('tasks_by_month', question)
      const by = Object.fromEntries(COLUMNS.map(column => [column, column]))
      expectSame('by month', assignees.totals, { of: totals, by })
    },
  },
]
