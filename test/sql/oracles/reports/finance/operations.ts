/** Oracle of the report `operations`. */
import { sums } from '../../arithmetic.ts'
import { within } from '../../calendar.ts'
import { nameIn } from '../../grouped.ts'
import { postedOperations } from '../../operations-facts.ts'
import { byId, field, maybe, type RawRow, type ReportOracle } from '../../oracle.ts'
import { ascending, byIdentity, inOrder } from '../../order.ts'

const KINDS = { income: 'Доход', expense: 'Расход', transfer: 'Перевод' } as const

const SECTIONS = new Map<string | null, string>([
  ['income', 'Доходы'],
  ['cost_of_goods', 'Себестоимость'],
  ['operating', 'Операционные расходы'],
  ['goods_purchase', 'Закупка товаров'],
  ['investing', 'Инвестиции'],
  ['financing', 'Финансирование'],
])

function names(table: readonly RawRow[]) {
  return nameIn(byId(table), 'name', null)
}

export const oracle: ReportOracle = (rows, { period, today }) => {
  const category = names(rows.categories)
  const account = names(rows.accounts)
  const counterparty = names(rows.counterparties)
  const project = names(rows.projects)
  const found = postedOperations(rows)
    .filter(operation => within(operation.accruedOn, period))
    .toSorted(
      inOrder(
        ascending(operation => operation.accruedOn),
        byIdentity(operation => operation.id),
      ),
    )
    .map(({ id, kind, section, accruedOn, paidOn, amount, row }) => ({
      operation_id: id,
      date: accruedOn,
      paid_on: paidOn,
      kind: KINDS[kind],
      section: SECTIONS.get(section) ?? null,
      category: kind === 'transfer' ? null : (category(maybe(row, 'category_id')) ?? 'Без статьи'),
      account: account(maybe(row, 'account_id')),
      to_account: account(maybe(row, 'to_account_id')),
      counterparty: counterparty(maybe(row, 'counterparty_id')),
      project: project(maybe(row, 'project_id')),
      description: maybe(row, 'description'),
      income: kind === 'income' ? amount : 0n,
      expense: kind === 'expense' ? amount : 0n,
      transfer: kind === 'transfer' ? amount : 0n,
      updated_at: field(row, 'updated_at'),
    }))
  return {
    rows: found,
    totals: sums(found, ['income', 'expense', 'transfer']),
    facts: { advances: BigInt(found.filter(({ date }) => date > today).length) },
  }
}
