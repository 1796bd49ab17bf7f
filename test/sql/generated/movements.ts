/** Goods of a generated organization, and the posting of their movements. */
import type { Setting } from './setting.ts'
import type { Generated } from './tables.ts'

export interface Goods {
  readonly products: Generated[]
  readonly warehouses: Generated[]
  readonly sales: Generated[]
  readonly sale_lines: Generated[]
  readonly stock_movements: Generated[]
}

export const QUANTITIES = ['1', '1', '2', '0.001', '2.5', '100', '3.333']

const INCOMING = new Set(['receipt', 'surplus', 'customer_return', 'transfer_in'])

/** Posts a movement with the signs of its kind. */
export function post(
  { stock_movements: movements, warehouses }: Goods,
  { pick }: Setting,
  movement: { kind: string; moved_at: string; product_id: Generated[string] } & Generated,
): void {
  const sign = INCOMING.has(movement.kind) ? '' : '-'
  movements.push({
    id: movements.length,
    warehouse_id: pick(warehouses)['id'] ?? null,
    sale_line_id: null,
    transfer_id: null,
    ...movement,
    quantity: `${sign}${movement['quantity']}`,
    cost_kopecks: `${sign}${movement['cost_kopecks']}`,
  })
}

/** Small or 0; huge if the organization's amounts are. */
export function costOf({ pick, amount }: Setting): string {
  return pick(['0', '1', '77', '150050', amount()])
}
