/** Edges of what is expected to come and go. */
import type { IsoDate } from '../../../src/terms.ts'
import { addDays, daysBetween, later, within } from '../oracles/calendar.ts'
import type { Question } from '../oracles/oracle.ts'
import { dueDay, flow, has, isOpen, isOpenOn } from './edges.ts'
import type { Edge } from './edges.ts'
import type { Generated, GeneratedTables } from './tables.ts'

function isPlan(operation: Generated, { today }: Question): boolean {
  return (
    operation['status'] === 'planned' &&
    operation['kind'] !== 'transfer' &&
    dueDay(operation) >= today
  )
}

function isOverdue(operation: Generated, { today }: Question): boolean {
  return isOpenOn(operation, today) && dueDay(operation) < today
}

function isOverdueReceipt(operation: Generated, question: Question): boolean {
  return isOverdue(operation, question) && flow(operation) > 0n
}

function expected({ operations }: GeneratedTables, question: Question): Generated[] {
  return operations.filter(row => isOpenOn(row, question.today) || isPlan(row, question))
}

function begin({ period, today }: Question): IsoDate {
  return later(period.start, today)
}

/** Days of the calendar on which something is expected, overdue receipts among them, in order. */
function expectedDays(tables: GeneratedTables, question: Question): IsoDate[] {
  const { period, today } = question
  return expected(tables, question)
    .map(row => later(dueDay(row), today))
    .filter(day => within(day, { start: begin(question), end: period.end }))
    .toSorted((a, b) => (a < b ? -1 : 1))
}

function runs({ period, today }: Question): boolean {
  return within(today, period)
}

/** 1 is Monday, 0 is Sunday. */
function weekday(day: IsoDate): number {
  return new Date(day).getUTCDay()
}

function overdue(name: string, kind: string, is: (operation: Generated) => boolean): Edge {
  return {
    name,
    occurs: ({ operations }, question) =>
      runs(question) &&
      operations.some(row => row['kind'] === kind && isOverdue(row, question) && is(row)),
  }
}

export const EDGES_OF_CALENDAR: readonly Edge[] = [
  overdue('a customer that is late', 'income', row => flow(row) > 0n),
  overdue('a refund that a customer waits for too long', 'income', row => flow(row) < 0n),
  overdue('a supplier that is paid late', 'expense', row => flow(row) < 0n),
  overdue('a refund that a supplier is late with', 'expense', row => flow(row) > 0n),
  {
    name: 'a running period that expects nothing but overdue receipts',
    occurs: (tables, question) => {
      const days = expectedDays(tables, question)
      const late = tables.operations.filter(row => isOverdueReceipt(row, question))
      return runs(question) && late.length > 0 && late.length === days.length
    },
  },
  {
    name: 'a running period that expects nothing, though there is money',
    occurs: (tables, question) =>
      runs(question) &&
      tables.accounts.length > 0 &&
      expectedDays(tables, question).length === 0 &&
      tables.operations.length > 0,
  },
  {
    name: 'a period that is over, with what was overdue at its end',
    occurs: ({ operations }, question) =>
      question.period.end <= question.today &&
      operations.some(
        row => isOpen(row, question) && dueDay(row) < addDays(question.period.end, -1),
      ),
  },
  {
    name: 'a period that is over, with what was planned for its last day',
    occurs: ({ operations }, { period, today }) =>
      period.end <= today &&
      operations.some(
        row => row['status'] === 'planned' && dueDay(row) === addDays(period.end, -1),
      ),
  },
  {
    name: 'a period that was over yesterday',
    occurs: ({ operations }, { period, today }) => period.end === today && operations.length > 0,
  },
  {
    name: 'a period to come, with overdue receipts of today and with what is expected before it',
    occurs: (tables, question) =>
      question.period.start > question.today &&
      expected(tables, question).some(row => isOverdueReceipt(row, question)) &&
      expected(tables, question).some(
        row => !isOverdueReceipt(row, question) && dueDay(row) < question.period.start,
      ),
  },
  {
    name: 'an expectation on the last day, and one on the next',
    occurs: (tables, question) => {
      const { end } = question.period
      const days = new Set(expected(tables, question).map(dueDay))
      return end > question.today && days.has(addDays(end, -1)) && days.has(end)
    },
  },
  {
    name: 'a week of one day at the beginning',
    occurs: (tables, question) =>
      weekday(begin(question)) === 0 && expectedDays(tables, question).length > 0,
  },
  {
    name: 'a week of one day at the end',
    occurs: (tables, question) => {
      const last = addDays(question.period.end, -1)
      return weekday(last) === 1 && expectedDays(tables, question).includes(last)
    },
  },
  {
    name: 'a week without expectations between others',
    occurs: (tables, question) => {
      const days = expectedDays(tables, question)
      return days.some((day, at) => daysBetween(days[at - 1] ?? day, day) > 13n)
    },
  },
  {
    name: 'overdue of both directions beside a plan of today',
    occurs: ({ operations }, question) => {
      const late = operations.filter(row => isOverdue(row, question))
      const isNow = (row: Generated) => isPlan(row, question) && dueDay(row) === question.today
      return (
        runs(question) &&
        late.some(row => flow(row) > 0n) &&
        late.some(row => flow(row) < 0n) &&
        operations.some(isNow)
      )
    },
  },
  {
    name: 'a debt of no due day that is overdue by its date',
    occurs: ({ operations }, question) =>
      runs(question) && operations.some(row => isOverdue(row, question) && !has(row, 'due_on')),
  },
]
