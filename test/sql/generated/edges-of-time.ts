/** Edges of periods, days and instants, and of rows of any table. */
import { addDays, localDate, microseconds } from '../oracles/calendar.ts'
import type { Question } from '../oracles/oracle.ts'
import { dayOf, has, text } from './edges.ts'
import type { Edge } from './edges.ts'
import { midnight } from './moments.ts'
import { offsetChanges, ZONES } from './question.ts'
import { TABLES } from './tables.ts'
import type { Generated, GeneratedTables } from './tables.ts'

const INSTANTS = {
  stock_movements: ['moved_at'],
  sales: ['shipped_at'],
  tasks: ['created_at', 'completed_at', 'cancelled_at'],
  requests: ['received_at', 'closed_at'],
  deals: ['created_at', 'won_at', 'lost_at'],
  deal_stage_visits: ['entered_at', 'left_at'],
} as const

function instantsOf(tables: GeneratedTables): string[] {
  return Object.entries(INSTANTS).flatMap(([table, columns]) =>
    rowsOf(tables, table).flatMap(row =>
      columns.filter(column => has(row, column)).map(column => text(row, column)),
    ),
  )
}

function rowsOf(tables: GeneratedTables, name: string): Generated[] {
  const table = TABLES.find(table => table === name)
  if (table === undefined) throw new Error(`no table ${name}`)
  return tables[table]
}

/** Something happens at this many microseconds from the midnight that begins a day. */
function happensAt(date: string, after: bigint, tables: GeneratedTables, question: Question) {
  const at = midnight(date, question.timeZone) + after
  return instantsOf(tables).some(text => microseconds(text) === at)
}

function isNewYear(date: string): boolean {
  return date.endsWith('-01-01')
}

/** Zones where the year ends inside of the data or of the period. */
function yearsEnds({ period }: Question): string[] {
  return ['2026-01-01', period.start, period.end].filter(isNewYear)
}

const ofZones: readonly Edge[] = ZONES.flatMap(timeZone => [
  {
    name: `something at the local midnight that begins or ends the period, in ${timeZone}`,
    occurs: (tables, question) =>
      question.timeZone === timeZone &&
      [question.period.start, question.period.end].some(date =>
        happensAt(date, 0n, tables, question),
      ),
  },
  {
    name: `something at the year's end in ${timeZone}, a microsecond before and after`,
    occurs: (tables, question) =>
      question.timeZone === timeZone &&
      yearsEnds(question).some(date =>
        [-1n, 0n, 1n].some(after => happensAt(date, after, tables, question)),
      ),
  },
  {
    name: `something on a day when ${timeZone} changes its offset`,
    occurs: (tables, question) =>
      question.timeZone === timeZone &&
      instantsOf(tables).some(at =>
        offsetChanges(timeZone).includes(localDate(microseconds(at), timeZone)),
      ),
  },
])

export const EDGES_OF_TIME: readonly Edge[] = [
  ...ofZones,
  ...TABLES.filter(table => table !== 'deal_stages').flatMap((table): Edge[] => [
    { name: `no ${table}`, occurs: tables => tables[table].length === 0 },
    { name: `one row of ${table}`, occurs: tables => tables[table].length === 1 },
  ]),
  { name: 'no rows at all', occurs: t => TABLES.every(table => t[table].length === 0) },
  {
    name: 'a period that begins on a day without midnight, and something in its first instant',
    occurs: (tables, question) =>
      question.timeZone === 'America/Santiago' &&
      question.period.start === '2026-09-06' &&
      happensAt(question.period.start, 0n, tables, question),
  },
  {
    name: 'a period that begins or ends when the clock goes back',
    occurs: (_, { period, timeZone }) =>
      [period.start, period.end].includes(offsetChanges(timeZone)[1] ?? ''),
  },
  {
    name: 'something on 29 February',
    occurs: (tables, question) =>
      tables.operations.some(o => text(o, 'operation_date').endsWith('-02-29')) &&
      tables.tasks.some(t => dayOf(t, 'created_at', question)?.endsWith('-02-29') === true),
  },
  { name: 'a period in the past', occurs: (_, q) => q.period.end <= q.today },
  { name: 'a period in the future', occurs: (_, q) => q.period.start > q.today },
  {
    name: 'the current year',
    occurs: (_, { period, today }) =>
      period.start === `${today.slice(0, 4)}-01-01` && period.end.endsWith('-01-01'),
  },
  { name: 'one day', occurs: (_, { period }) => period.end === addDays(period.start, 1) },
  { name: 'today alone', occurs: (_, q) => q.period.start === q.today },
  {
    name: 'text with quotes, commas, line breaks and emoji',
    occurs: tables => {
      const names = JSON.stringify(TABLES.map(table => tables[table]))
      return ['\\"', ',', '\\n', '🙂'].every(character => names.includes(character))
    },
  },
  {
    name: 'two of one name',
    occurs: ({ counterparties }) =>
      new Set(counterparties.map(row => row['name'])).size < counterparties.length,
  },
]
