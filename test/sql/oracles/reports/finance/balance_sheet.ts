/** Oracle of the report `balance_sheet`. */
import type { IsoDate } from '../../../../../src/model/terms.ts'
import { sum, sums } from '../../arithmetic.ts'
import { addDays, asOf, dayOf, earlier } from '../../calendar.ts'
import { unpaidOn } from '../../debt-facts.ts'
import { flow, moneyOn, postedOperations, type Operation } from '../../operations-facts.ts'
import { field, kopecks, maybe, type OrganizationRows, type ReportOracle } from '../../oracle.ts'
import { sorted } from '../../order.ts'
import { costOf, stockFacts } from '../../stock-facts.ts'

type Side = 'Активы' | 'Обязательства' | 'Финансирование'
/** The amount at the end of a day is negative for liabilities and capital. */
type Line = readonly [item_id: string, item: string, side: Side, on: (day: IsoDate) => bigint]

function linesOf(rows: OrganizationRows, timeZone: string): Line[] {
  const operations = postedOperations(rows)
  const amounts = (list: readonly Operation[], kind: Operation['kind']) =>
    sum(list.filter(one => one.kind === kind).map(({ amount }) => amount))
  /** Paid by the end of a day, and accrued after it. */
  const advances = (day: IsoDate) =>
    operations.filter(
      ({ paidOn, accruedOn }) => paidOn !== null && paidOn <= day && accruedOn > day,
    )
  /** Payments minus receipts, accrued by the end of a day. */
  const spent = (day: IsoDate, is: (operation: Operation) => boolean) =>
    -sum(operations.filter(one => one.accruedOn <= day && is(one)).map(flow))
  const stock = stockFacts(rows, timeZone)
  // A received service is no longer in transit, although it is not stock.
  const received = rows.stock_movements.filter(row =>
    ['receipt', 'supplier_return'].includes(field(row, 'kind')),
  )
  const receivedBy = (day: IsoDate) =>
    sum(
      received
        .filter(row => dayOf(row, 'moved_at', timeZone) <= day)
        .map(row => kopecks(row, 'cost_kopecks')),
    )
  const ofCategories = (section: string, side: Side): Line[] => {
    const categories = rows.categories
      .filter(category => field(category, 'section') === section)
      .map(category => ({ id: field(category, 'id'), name: field(category, 'name') }))
    return sorted(categories, 'name', '#id').map(({ id, name }) => {
      const isHere = ({ row }: Operation) => maybe(row, 'category_id') === id
      return [id, name, side, day => spent(day, isHere)]
    })
  }
  const isPurchase = ({ section }: Operation) => section === 'goods_purchase'
  const unpaid = (day: IsoDate, kind: Operation['kind']) => amounts(unpaidOn(rows, day), kind)
  return [
    ['money', 'Деньги на счетах', 'Активы', day => moneyOn(rows, day)],
    ['receivables', 'Задолженность покупателей', 'Активы', day => unpaid(day, 'income')],
    ['advances_paid', 'Авансы выданные', 'Активы', day => amounts(advances(day), 'expense')],
    ['stock', 'Товары на складах', 'Активы', day => costOf(stock.filter(one => one.date <= day))],
    ['in_transit', 'Закупки в пути', 'Активы', day => spent(day, isPurchase) - receivedBy(day)],
    ...ofCategories('investing', 'Активы'),
    ['payables', 'Задолженность поставщикам', 'Обязательства', day => -unpaid(day, 'expense')],
    [
      'advances_received',
      'Авансы полученные',
      'Обязательства',
      day => -amounts(advances(day), 'income'),
    ],
    ...ofCategories('financing', 'Финансирование'),
  ]
}

export const oracle: ReportOracle = (rows, { period, today, timeZone }) => {
  const before = earlier(addDays(period.start, -1), today)
  const lines = linesOf(rows, timeZone).map(([item_id, item, side, on]) => {
    const [opening, closing] = [on(before), on(asOf(period, today))]
    return { item, side, item_id, opening, change: closing - opening, closing }
  })
  const closingOf = (side: Side) =>
    sum(lines.filter(line => line.side === side).map(line => line.closing))
  return {
    rows: lines.filter(({ opening, closing }) => opening !== 0n || closing !== 0n),
    totals: sums(lines, ['opening', 'change', 'closing']),
    facts: {
      assets: closingOf('Активы'),
      liabilities: -closingOf('Обязательства'),
      financing: -closingOf('Финансирование'),
    },
  }
}
