/** Oracle of the report `balance_sheet`. */
import type { IsoDate } from '../../../../../src/terms.ts'
import { sum } from '../../arithmetic.ts'
import { addDays, asOf, earlier, localDate, microseconds } from '../../calendar.ts'
import { unpaidOn } from '../../debt-facts.ts'
import { flow, moneyOn, postedOperations } from '../../operations-facts.ts'
import type { Operation } from '../../operations-facts.ts'
import { field, stockMovements } from '../../oracle.ts'
import type { OrganizationRows, ReportOracle } from '../../oracle.ts'

type Kind = Operation['kind']

function amountOf(operations: readonly Operation[], kind: Kind): bigint {
  return sum(operations.filter(other => other.kind === kind).map(other => other.amount))
}

function itemsOn(rows: OrganizationRows, day: IsoDate, timeZone: string) {
  const posted = postedOperations(rows)
  const unpaid = unpaidOn(rows, day)
  const advances = posted.filter(
    ({ paidOn, accruedOn }) => paidOn !== null && paidOn <= day && accruedOn > day,
  )
  const financing = posted.filter(
    ({ section, accruedOn }) => section === 'financing' && accruedOn <= day,
  )
  const moved = stockMovements(rows).filter(
    movement => localDate(microseconds(field(movement, 'moved_at')), timeZone) <= day,
  )
  return [
    { item: 'Деньги на счетах', side: 'Активы', amount: moneyOn(rows, day) },
    { item: 'Задолженность покупателей', side: 'Активы', amount: amountOf(unpaid, 'income') },
    { item: 'Авансы выданные', side: 'Активы', amount: amountOf(advances, 'expense') },
    {
      item: 'Товары на складах',
      side: 'Активы',
      amount: sum(moved.map(movement => BigInt(field(movement, 'cost_kopecks')))),
    },
    {
      item: 'Задолженность поставщикам',
      side: 'Обязательства',
      amount: -amountOf(unpaid, 'expense'),
    },
    { item: 'Авансы полученные', side: 'Обязательства', amount: -amountOf(advances, 'income') },
    {
      item: 'Кредиты, займы и деньги собственника',
      side: 'Обязательства',
      amount: -sum(financing.map(flow)),
    },
  ]
}

export const oracle: ReportOracle = (rows, { period, today, timeZone }) => {
  const before = itemsOn(rows, earlier(addDays(period.start, -1), today), timeZone)
  const after = itemsOn(rows, asOf(period, today), timeZone)
  const items = after.map(({ item, side, amount: closing }, at) => {
    const opening = before[at]?.amount ?? 0n
    return { item, side, opening, change: closing - opening, closing }
  })
  return {
    rows: items.filter(({ opening, closing }) => opening !== 0n || closing !== 0n),
    totals: {
      side: null,
      opening: sum(items.map(item => item.opening)),
      change: sum(items.map(item => item.change)),
      closing: sum(items.map(item => item.closing)),
    },
  }
}
