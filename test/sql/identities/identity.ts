/** What must hold between the numbers of ours, whatever the data. */
import { expect } from 'chai'
import type { IsoDate } from '../../../src/terms.ts'
import type { Ask } from '../ask.ts'
import { sum } from '../oracles/arithmetic.ts'
import { addDays, asOf, localDate, microseconds } from '../oracles/calendar.ts'
import { field } from '../oracles/oracle.ts'
import type { OrganizationRows, Question, RawRow } from '../oracles/oracle.ts'
import type { FieldRow } from '../run.ts'

export interface Identity {
  readonly name: string
  /** Where it holds; left out: everywhere. */
  readonly holds?: (rows: OrganizationRows, question: Question) => boolean
  /** @throws AssertionError where it does not hold. */
  readonly check: (ask: Ask, question: Question, rows: OrganizationRows) => Promise<void>
}

/** A field as an integer number of thousandths, so that quantities and kopecks add up alike. */
export function exact(row: FieldRow, name: string): bigint {
  const text = row[name]
  if (text === null || text === undefined) throw new Error(`${name} is ${String(text)}`)
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(3, '0'))
}

/** Kopecks of raw rows, in the thousandths of `exact`. */
export function thousandths(kopecks: bigint): bigint {
  return kopecks * 1000n
}

export function total(rows: readonly FieldRow[], name: string): bigint {
  return sum(rows.map(row => exact(row, name)))
}

/** Each totals row has what the first has, under the names given for it. */
export function expectSame(
  what: string,
  expected: FieldRow,
  ...others: readonly { of: FieldRow; by: Readonly<Record<string, string>> }[]
): void {
  for (const { of, by } of others) {
    for (const [name, expectedName] of Object.entries(by)) {
      expect(of[name], `${what}: ${name}`).to.equal(expected[expectedName])
    }
  }
}

/** Each row closes where the next one opens. */
export function expectChain(rows: readonly FieldRow[], opening: string, closing: string): void {
  for (const [at, row] of rows.slice(1).entries()) {
    expect(row[opening], `${opening} of row ${at + 2}`).to.equal(rows[at]?.[closing])
  }
}

export function over(question: Question, start: IsoDate, end: IsoDate): Question {
  return { ...question, period: { start, end } }
}

/** A period that ends where this one begins. */
export function previous(question: Question): Question {
  const { start } = question.period
  return over(question, addDays(start, -60), start)
}

/** A day inside of the period; its end where it is one day long. */
export function cutOf({ period }: Question): IsoDate {
  const days = (Date.parse(period.end) - Date.parse(period.start)) / 86_400_000
  return addDays(period.start, Math.ceil(days / 3))
}

/** The period is over or runs, or begins today. */
export function hasBegun(_rows: OrganizationRows, { period, today }: Question): boolean {
  return period.start <= asOf(period, today)
}

export function dayOf(row: RawRow, name: string, { timeZone }: Question): IsoDate {
  return localDate(microseconds(field(row, name)), timeZone)
}
