/** Edges of products and of how their stock moves. */
import { addDays } from '../oracles/calendar.ts'
import type { Question } from '../oracles/oracle.ts'
import { byId, dayOf, has, isWithin, lastDay, text } from './edges.ts'
import type { Edge } from './edges.ts'
import type { Generated, GeneratedTables } from './tables.ts'

function moved(name: string, is: (movement: Generated, question: Question) => boolean): Edge {
  return { name, occurs: ({ stock_movements }, q) => stock_movements.some(row => is(row, q)) }
}

function isReceived(product: Generated, { stock_movements }: GeneratedTables): boolean {
  return stock_movements.some(
    movement => movement['kind'] === 'receipt' && movement['product_id'] === product['id'],
  )
}

const watched: readonly Edge[] = [true, false].flatMap(received =>
  [true, false].map(priced => ({
    name: `a watched product ${received ? 'with' : 'without'} receipts, ${priced ? 'with' : 'without'} a price`,
    occurs: (tables: GeneratedTables) =>
      tables.products.some(
        product =>
          product['kind'] === 'goods' &&
          !has(product, 'archived_at') &&
          Number(product['minimum_quantity']) > 0 &&
          isReceived(product, tables) === received &&
          has(product, 'purchase_price_kopecks') === priced,
      ),
  })),
)

const kinds: readonly Edge[] = [
  'receipt',
  'supplier_return',
  'sale',
  'customer_return',
  'transfer_in',
  'write_off',
  'surplus',
].map(kind =>
  moved(`${kind} in the period`, (m, q) => m['kind'] === kind && isWithin(m, 'moved_at', q)),
)

/** Of goods and services alike, as in the cost of goods. */
function costOfSales(tables: GeneratedTables, question: Question): bigint {
  return -tables.stock_movements
    .filter(row => ['sale', 'customer_return'].includes(text(row, 'kind')))
    .filter(row => isWithin(row, 'moved_at', question))
    .reduce((sum, row) => sum + BigInt(text(row, 'cost_kopecks')), 0n)
}

export const EDGES_OF_GOODS: readonly Edge[] = [
  ...watched,
  ...kinds,
  { name: 'returns that cost more than sales', occurs: (t, q) => costOfSales(t, q) < 0n },
  {
    name: 'stock and no sales',
    occurs: (t, q) => t.stock_movements.length > 0 && costOfSales(t, q) === 0n,
  },
  {
    name: 'a service that is sold and moved',
    occurs: ({ products, stock_movements }) => {
      const kindOf = byId(products)
      return stock_movements.some(
        row =>
          row['kind'] === 'sale' && kindOf.get(text(row, 'product_id'))?.['kind'] === 'service',
      )
    },
  },
  {
    name: 'two receipts of one product in the same instant at different prices',
    occurs: ({ stock_movements }) =>
      stock_movements.some((row, at) =>
        stock_movements
          .slice(0, at)
          .some(
            other =>
              row['kind'] === 'receipt' &&
              ['kind', 'moved_at', 'product_id'].every(key => row[key] === other[key]) &&
              row['cost_kopecks'] !== other['cost_kopecks'],
          ),
      ),
  },
  ...[29, 30, 89, 90].map(days =>
    moved(
      `a last sale ${days} days ago`,
      (m, q) => m['kind'] === 'sale' && dayOf(m, 'moved_at', q) === addDays(lastDay(q), -days),
    ),
  ),
]
