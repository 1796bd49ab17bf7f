/** Debts at the end of a day: accrued by then and not paid. */
import type { IsoDate } from '../../../src/model/terms.ts'
import { count, sum } from './arithmetic.ts'
import { asOf, daysBetween, earlier } from './calendar.ts'
import { grouped, nameIn } from './grouped.ts'
import { postedOperations, type Operation } from './operations-facts.ts'
import { field, kopecks, maybe } from './oracle.ts'
import type { Answer, OrganizationRows, Question, RawRow } from './oracle.ts'

/** Unpaid income and expenses, including those that were paid after the day. */
export function unpaidOn(rows: OrganizationRows, day: IsoDate): Operation[] {
  return postedOperations(rows).filter(
    ({ kind, accruedOn, paidOn }) =>
      kind !== 'transfer' && accruedOn <= day && (paidOn === null || paidOn > day),
  )
}

/** The due date, or the operation's date if it has none. */
export function dueDay(operation: RawRow): IsoDate {
  return maybe(operation, 'due_on') ?? field(operation, 'operation_date')
}

function oldest(dates: readonly IsoDate[]): IsoDate | null {
  return dates.length === 0 ? null : dates.reduce(earlier)
}

function figures(debts: readonly RawRow[], day: IsoDate) {
  const owed = (condition: (debt: RawRow) => boolean) =>
    sum(debts.filter(condition).map(debt => kopecks(debt)))
  const ages = (from: bigint, to?: bigint) =>
    owed(debt => {
      const age = daysBetween(field(debt, 'operation_date'), day)
      return age >= from && (to === undefined || age <= to)
    })
  return {
    total: owed(() => true),
    days_0_30: ages(0n, 30n),
    days_31_60: ages(31n, 60n),
    days_61_90: ages(61n, 90n),
    days_over_90: ages(91n),
    overdue: owed(debt => dueDay(debt) < day),
    oldest: oldest(debts.map(debt => field(debt, 'operation_date'))),
  }
}

/** The reports of receivables and payables. */
export function debtsByCounterparty(
  rows: OrganizationRows,
  { period, today }: Question,
  kind: Operation['kind'],
  /** The name of a value of the summary: the number of counterparties with a debt above 0. */
  fact: string,
): Answer {
  const day = asOf(period, today)
  const innOf = nameIn(rows.counterparties, 'inn')
  const answer = grouped({
    facts: unpaidOn(rows, day)
      .filter(debt => debt.kind === kind)
      .map(debt => debt.row),
    column: 'counterparty_id',
    nameOf: nameIn(rows.counterparties, 'name', 'Без контрагента'),
    label: 'counterparty',
    figuresOf: debts => figures(debts, day),
    measure: 'total',
    summaryValues: lines => ({
      [fact]: count(lines.filter(({ id, total }) => id !== null && total > 0n)),
    }),
  })
  // Debts that sum to 0 make no row, and the oldest debt in the totals must be that of a row.
  const shown = answer.rows.flatMap(row => (typeof row['oldest'] === 'string' ? row['oldest'] : []))
  return {
    ...answer,
    rows: answer.rows.map(row => ({ ...row, inn: innOf(String(row['counterparty_id'])) })),
    totals: { ...answer.totals, oldest: oldest(shown) },
  }
}
