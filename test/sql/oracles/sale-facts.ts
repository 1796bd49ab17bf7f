/** Sale documents for oracles: posted ones only; returns are negative. */
import type { IsoDate } from '../../../src/model/terms.ts'
import { scaled } from './arithmetic.ts'
import { localDate, microseconds, within } from './calendar.ts'
import { field, maybe, type OrganizationRows, type Question } from './oracle.ts'
import { split } from './grouped.ts'

export interface ShippedLine {
  readonly id: string
  readonly product: string
  readonly shippedOn: IsoDate
  /** In thousandths; negative in a return. */
  readonly quantity: bigint
  /** Negative in a return. */
  readonly amount: bigint
}

export interface ShippedDocument {
  readonly kind: string
  readonly customer: string | null
  readonly lines: readonly ShippedLine[]
}

/** Documents shipped in the period. */
export function shippedDocuments(rows: OrganizationRows, question: Question): ShippedDocument[] {
  const linesOf = split(rows.sale_lines, line => field(line, 'sale_id'))
  return rows.sales
    .filter(sale => field(sale, 'status') === 'posted')
    .map(sale => ({
      sale,
      shippedOn: localDate(microseconds(field(sale, 'shipped_at')), question.timeZone),
    }))
    .filter(({ shippedOn }) => within(shippedOn, question.period))
    .map(({ sale, shippedOn }) => {
      const kind = field(sale, 'kind')
      const sign = kind === 'return' ? -1n : 1n
      const lines = (linesOf.get(field(sale, 'id')) ?? []).map(line => ({
        id: field(line, 'id'),
        product: field(line, 'product_id'),
        shippedOn,
        quantity: sign * scaled(field(line, 'quantity'), 3),
        amount: sign * BigInt(field(line, 'amount_kopecks')),
      }))
      return { kind, customer: maybe(sale, 'counterparty_id'), lines }
    })
}
