/** Sale documents for oracles: posted ones only; returns are negative. */
import { scaled } from './arithmetic.ts'
import { dateOf, happened } from './calendar.ts'
import { split } from './grouped.ts'
import { field, kopecks, maybe, type OrganizationRows, type Question } from './oracle.ts'

/** Documents shipped in the period. */
export function shippedDocuments(rows: OrganizationRows, question: Question) {
  const linesOf = split(rows.sale_lines, line => field(line, 'sale_id'))
  return rows.sales
    .filter(sale => field(sale, 'status') === 'posted')
    .map(sale => ({ sale, shippedOn: dateOf(sale, 'shipped_at', question.timeZone)! }))
    .filter(({ shippedOn }) => happened(shippedOn, question))
    .map(({ sale, shippedOn }) => {
      const kind = field(sale, 'kind')
      const sign = kind === 'return' ? -1n : 1n
      const lines = (linesOf.get(field(sale, 'id')) ?? []).map(line => ({
        id: field(line, 'id'),
        product: field(line, 'product_id'),
        shippedOn,
        /** In thousandths. */
        quantity: sign * scaled(field(line, 'quantity'), 3),
        amount: sign * kopecks(line),
      }))
      return { kind, customer: maybe(sale, 'counterparty_id'), lines }
    })
}
