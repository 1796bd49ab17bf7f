/** Oracle of the report `balance_sheet`. */
import type { IsoDate } from '../../../../../src/model/terms.ts'
import { sum } from '../../arithmetic.ts'
import { addDays, asOf, earlier, localDate, microseconds } from '../../calendar.ts'
import { unpaidOn } from '../../debt-facts.ts'
import { flow, moneyOn, postedOperations, type Operation } from '../../operations-facts.ts'
import { field, maybe, stockMovements } from '../../oracle.ts'
import type { OrganizationRows, RawRow, ReportOracle } from '../../oracle.ts'
import { byIdentity, byName, inOrder } from '../../order.ts'

interface Line {
  readonly id: string
  readonly item: string
  readonly side: 'Активы' | 'Обязательства' | 'Финансирование'
  /** At the end of a day; negative for liabilities and capital. */
  readonly on: (day: IsoDate) => bigint
}

function amountOf(operations: readonly Operation[], kind: Operation['kind']): bigint {
  return sum(operations.filter(other => other.kind === kind).map(other => other.amount))
}

/** Operations that were paid by the end of a day and accrued after it. */
function advancesOn(rows: OrganizationRows, day: IsoDate): Operation[] {
  return postedOperations(rows).filter(
    ({ paidOn, accruedOn }) => paidOn !== null && paidOn <= day && accruedOn > day,
  )
}

/** Payments minus receipts of the operations that `is` selects, accrued by the end of a day. */
function spentOn(rows: OrganizationRows, day: IsoDate, is: (operation: Operation) => boolean) {
  const operations = postedOperations(rows).filter(is)
  return -sum(operations.filter(({ accruedOn }) => accruedOn <= day).map(flow))
}

const OF_PURCHASES = new Set(['receipt', 'supplier_return'])

/** The cost of movements by the end of a day. */
function costOn(movements: readonly RawRow[], day: IsoDate, timeZone: string): bigint {
  return sum(
    movements
      .filter(({ moved_at }) => localDate(microseconds(moved_at ?? ''), timeZone) <= day)
      .map(movement => BigInt(field(movement, 'cost_kopecks'))),
  )
}

function ownLines(rows: OrganizationRows, timeZone: string): Line[] {
  // A received service is no longer in transit, although it is not stock.
  const received = rows.stock_movements.filter(row => OF_PURCHASES.has(field(row, 'kind')))
  const asset = (id: string, item: string, on: Line['on']): Line => {
    return { id, item, side: 'Активы', on }
  }
  return [
    asset('money', 'Деньги на счетах', day => moneyOn(rows, day)),
    asset('receivables', 'Задолженность покупателей', day =>
      amountOf(unpaidOn(rows, day), 'income'),
    ),
    asset('advances_paid', 'Авансы выданные', day => amountOf(advancesOn(rows, day), 'expense')),
    asset('stock', 'Товары на складах', day => costOn(stockMovements(rows), day, timeZone)),
    asset(
      'in_transit',
      'Закупки в пути',
      day =>
        spentOn(rows, day, ({ section }) => section === 'goods_purchase') -
        costOn(received, day, timeZone),
    ),
  ]
}

function owedLines(rows: OrganizationRows): Line[] {
  const debt = (id: string, item: string, on: Line['on']): Line => {
    return { id, item, side: 'Обязательства', on }
  }
  return [
    debt('payables', 'Задолженность поставщикам', day => -amountOf(unpaidOn(rows, day), 'expense')),
    debt(
      'advances_received',
      'Авансы полученные',
      day => -amountOf(advancesOn(rows, day), 'income'),
    ),
  ]
}

function linesOfCategories(rows: OrganizationRows, section: string, side: Line['side']): Line[] {
  return rows.categories
    .filter(category => field(category, 'section') === section)
    .toSorted(
      inOrder(
        byName(category => field(category, 'name')),
        byIdentity(category => field(category, 'id')),
      ),
    )
    .map(category => ({
      id: field(category, 'id'),
      item: field(category, 'name'),
      side,
      on: day =>
        spentOn(rows, day, ({ row }) => maybe(row, 'category_id') === field(category, 'id')),
    }))
}

export const oracle: ReportOracle = (rows, { period, today, timeZone }) => {
  const before = earlier(addDays(period.start, -1), today)
  const lines = [
    ...ownLines(rows, timeZone),
    ...linesOfCategories(rows, 'investing', 'Активы'),
    ...owedLines(rows),
    ...linesOfCategories(rows, 'financing', 'Финансирование'),
  ].map(({ id, item, side, on }) => {
    const [opening, closing] = [on(before), on(asOf(period, today))]
    return { item, side, item_id: id, opening, change: closing - opening, closing }
  })
  const closingOf = (side: Line['side']) =>
    sum(lines.filter(line => line.side === side).map(line => line.closing))
  return {
    rows: lines.filter(({ opening, closing }) => opening !== 0n || closing !== 0n),
    totals: {
      opening: sum(lines.map(line => line.opening)),
      change: sum(lines.map(line => line.change)),
      closing: sum(lines.map(line => line.closing)),
    },
    facts: {
      assets: closingOf('Активы'),
      liabilities: -closingOf('Обязательства'),
      financing: -closingOf('Финансирование'),
    },
  }
}
