/** Oracle of the report `expenses_by_category`. */
import { sum } from '../../arithmetic.ts'
import { within } from '../../calendar.ts'
import { categoryLines, withShares, type CategoryLine } from '../../category-facts.ts'
import type { ReportOracle } from '../../oracle.ts'
import { profitFacts } from '../../profit-facts.ts'

const KINDS = [
  {
    kind: 'cost',
    section: 'Себестоимость',
    ofStock: 'Себестоимость проданных товаров',
    code: 'cost_of_goods',
  },
  {
    kind: 'operating',
    section: 'Операционные расходы',
    ofStock: 'Списания и недостачи',
    code: 'losses',
  },
] as const

export const oracle: ReportOracle = (rows, { period, timeZone }) => {
  const counted = profitFacts(rows, timeZone).filter(fact => within(fact.date, period))
  const lines = KINDS.flatMap(({ kind, section, ofStock, code }): CategoryLine[] => {
    const facts = counted.filter(fact => fact.kind === kind)
    const amount = sum(facts.filter(fact => fact.movement !== null).map(fact => fact.amount))
    const names = {
      parent: 'Склад',
      category: ofStock,
      category_id: code,
      operations_category_id: null,
    }
    const stock = { ...names, section, operations: 0n, amount }
    return categoryLines(rows, facts)
      .map(({ id, row }): CategoryLine => {
        return { id, row: { ...row, section, operations_category_id: row.category_id } }
      })
      .concat(amount === 0n ? [] : { id: null, row: stock })
  })
  return withShares(lines)
}
