/** Oracle of the report `expenses_by_category`. */
import { sum } from '../../arithmetic.ts'
import { categoryLines, sharesOfLines } from '../../category-facts.ts'
import type { ReportOracle } from '../../oracle.ts'
import { profitFactsWithin } from '../../profit-facts.ts'

/** With the line of stock movements in each section. */
const SECTIONS = [
  ['cost', 'Себестоимость', 'Себестоимость проданных товаров', 'cost_of_goods'],
  ['operating', 'Операционные расходы', 'Списания и недостачи', 'losses'],
] as const

export const oracle: ReportOracle = (rows, question) => {
  const counted = profitFactsWithin(rows, question)
  const lines = SECTIONS.flatMap(([kind, section, category, category_id]) => {
    const facts = counted.filter(fact => fact.kind === kind)
    const amount = sum(facts.filter(fact => fact.movement !== null).map(fact => fact.amount))
    const names = { parent: 'Склад', category, category_id, operations_category_id: null }
    const stock = { ...names, id: null, operations: 0n, amount }
    const ofCategories = categoryLines(rows, facts).map(line => {
      return { ...line, operations_category_id: line.category_id }
    })
    const all = [...ofCategories, ...(amount === 0n ? [] : [stock])]
    return all.map(line => ({ ...line, section }))
  })
  return sharesOfLines(lines)
}
