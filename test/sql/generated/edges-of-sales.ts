/** Edges of what is sold, and to whom. */
import type { Question } from '../oracles/oracle.ts'
import { byId, groups, has, isWithin, text, total, wholeMonths } from './edges.ts'
import type { Edge } from './edges.ts'
import type { Generated, GeneratedTables } from './tables.ts'

export interface SoldLine {
  readonly line: Generated
  readonly sale: Generated
  readonly isReturn: boolean
}

/** Lines of posted documents of the period. */
export function sold(tables: GeneratedTables, question: Question): SoldLine[] {
  const sales = byId(tables.sales)
  return tables.sale_lines.flatMap(line => {
    const sale = sales.get(text(line, 'sale_id'))
    if (sale === undefined || sale['status'] !== 'posted') return []
    if (!isWithin(sale, 'shipped_at', question)) return []
    return [{ line, sale, isReturn: sale['kind'] === 'return' }]
  })
}

function revenues(lines: readonly SoldLine[], keyOf: (line: SoldLine) => string): bigint[] {
  const found = new Map<string, bigint>()
  for (const line of lines) {
    const amount = total([line.line])
    found.set(keyOf(line), (found.get(keyOf(line)) ?? 0n) + (line.isReturn ? -amount : amount))
  }
  return [...found.values()].toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0))
}

/** The running sum of what was sold is exactly this share of all of it, with something after it. */
function isAtBorder(share: bigint, list: readonly bigint[]): boolean {
  const positive = list.filter(revenue => revenue > 0n)
  const whole = positive.reduce((sum, revenue) => sum + revenue, 0n)
  let before = 0n
  return positive.some(revenue => {
    const isAt = before > 0n && before * 100n === share * whole
    before += revenue
    return isAt
  })
}

const customerOf = ({ sale }: SoldLine) => text(sale, 'counterparty_id')
const productOf = ({ line }: SoldLine) => text(line, 'product_id')

const borders: readonly Edge[] = [80n, 95n].flatMap(share => [
  {
    name: `customers that have exactly ${share} % of the revenue`,
    occurs: (t, q) => isAtBorder(share, revenues(sold(t, q), customerOf)),
  },
  {
    name: `products that have exactly ${share} % of the revenue`,
    occurs: (t, q) => isAtBorder(share, revenues(sold(t, q), productOf)),
  },
])

/** Quantities of a product that are the rhythm, month by month, over three whole months or more. */
function isRegular(rhythm: readonly string[], tables: GeneratedTables, question: Question) {
  if (wholeMonths(question) < 3) return false
  const lines = sold(tables, question).filter(({ isReturn }) => !isReturn)
  const byProduct = groups(
    lines.map(({ line }) => line),
    'product_id',
  )
  return [...byProduct.values()].some(
    rows =>
      rows.length === wholeMonths(question) &&
      rows.length % rhythm.length === 0 &&
      rows.every((row, at) => row['quantity'] === rhythm[at % rhythm.length]),
  )
}

function documents(name: string, is: (sale: Generated, tables: GeneratedTables) => boolean): Edge {
  return {
    name,
    occurs: (tables, q) =>
      tables.sales.some(
        sale => sale['status'] === 'posted' && isWithin(sale, 'shipped_at', q) && is(sale, tables),
      ),
  }
}

export const EDGES_OF_SALES: readonly Edge[] = [
  ...borders,
  documents('a sale without lines', ({ id, kind }, { sale_lines }) => {
    return kind === 'sale' && !sale_lines.some(line => line['sale_id'] === id)
  }),
  documents('a sale without customer', sale => !has(sale, 'counterparty_id')),
  documents('a sale without project', sale => !has(sale, 'project_id')),
  documents('a sale with project', sale => has(sale, 'project_id')),
  documents('a return', sale => sale['kind'] === 'return'),
  documents('a gift', ({ id }, { sale_lines }) =>
    sale_lines.some(line => line['sale_id'] === id && line['amount_kopecks'] === '0'),
  ),
  {
    name: 'a customer with revenue below 0',
    occurs: (t, q) => revenues(sold(t, q), customerOf).some(revenue => revenue < 0n),
  },
  {
    name: 'revenue of which no customer has more than 0',
    occurs: (t, q) => {
      const list = revenues(sold(t, q), customerOf)
      return list.length > 0 && list.every(revenue => revenue <= 0n)
    },
  },
  {
    name: 'products that tie',
    occurs: (t, q) => {
      const list = revenues(sold(t, q), productOf)
      return new Set(list).size < list.length
    },
  },
  {
    name: 'a document that is not posted',
    occurs: (t, q) =>
      t.sales.some(sale => sale['status'] !== 'posted' && isWithin(sale, 'shipped_at', q)),
  },
  {
    name: 'goods that move out of the period of their sale',
    occurs: (t, q) => {
      const lines = new Set(sold(t, q).map(({ line }) => text(line, 'id')))
      return t.stock_movements.some(
        row => lines.has(text(row, 'sale_line_id')) && !isWithin(row, 'moved_at', q),
      )
    },
  },
  { name: 'the same quantity in every month', occurs: (t, q) => isRegular(['10'], t, q) },
  { name: 'quantities on the border of X', occurs: (t, q) => isRegular(['9', '11'], t, q) },
  { name: 'quantities on the border of Y', occurs: (t, q) => isRegular(['3', '5'], t, q) },
  {
    name: 'sales in a period of fewer than three whole months',
    occurs: (t, q) => sold(t, q).length > 0 && wholeMonths(q) < 3,
  },
]
