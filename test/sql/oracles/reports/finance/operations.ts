/** Oracle of the report `operations`. */
import { count, sums } from '../../arithmetic.ts'
import { within } from '../../calendar.ts'
import { operationColumns, postedOperations } from '../../operations-facts.ts'
import type { ReportOracle } from '../../oracle.ts'
import { sorted } from '../../order.ts'

const KINDS = { income: 'Доход', expense: 'Расход', transfer: 'Перевод' } as const
const SECTIONS: Readonly<Record<string, string>> = {
  income: 'Доходы',
  cost_of_goods: 'Себестоимость',
  operating: 'Операционные расходы',
  goods_purchase: 'Закупка товаров',
  investing: 'Инвестиции',
  financing: 'Финансирование',
}

export const oracle: ReportOracle = (rows, { period, today }) => {
  const columns = operationColumns(rows)
  const found = postedOperations(rows)
    .filter(operation => within(operation.accruedOn, period))
    .map(operation => {
      const { id, kind, section, accruedOn, amount } = operation
      return {
        ...columns(operation),
        id,
        accruedOn,
        kind: KINDS[kind],
        section: SECTIONS[section ?? ''] ?? null,
        income: kind === 'income' ? amount : 0n,
        expense: kind === 'expense' ? amount : 0n,
        transfer: kind === 'transfer' ? amount : 0n,
      }
    })
  return {
    rows: sorted(found, 'accruedOn', '#id'),
    totals: sums(found, ['income', 'expense', 'transfer']),
    facts: { advances: count(found.filter(({ accruedOn }) => accruedOn > today)) },
  }
}
