/** Products of a generated organization, and their stock movements other than sales. */
import { instant } from './moments.ts'
import { costOf, post, QUANTITIES, type Goods } from './movements.ts'
import { generateSales } from './sales.ts'
import type { Setting } from './setting.ts'
import type { Generated } from './tables.ts'

const MINIMUMS = ['0', '1', '2.500', '1000']
const KINDS = [
  'receipt',
  'receipt',
  'receipt',
  'supplier_return',
  'transfer',
  'write_off',
  'surplus',
]

function generateProducts(setting: Setting, counterparties: readonly Generated[]): Generated[] {
  const { some, sells, maybe, name, pick, chance, amount, reference, moment } = setting
  const ids = sells === 'anyhow' ? some(7) : [0, 1, 2, 3]
  return ids.map(id => ({
    id,
    sku: maybe(name),
    name: name(),
    unit: pick(['шт', 'кг']),
    kind: chance(0.85) ? 'goods' : 'service',
    minimum_quantity: maybe(() => pick(MINIMUMS)),
    purchase_price_kopecks: maybe(amount),
    supplier_id: reference(counterparties),
    archived_at: maybe(() => instant(moment()), 0.2),
  }))
}

function moveStock(goods: Goods, setting: Setting): void {
  const { some, pick, chance, moment } = setting
  // Some products are never received.
  const received = goods.products.filter(() => chance(0.7))
  for (const id of some(30)) {
    const kind = pick(KINDS)
    const products = kind === 'receipt' ? received : goods.products
    if (products.length === 0) continue
    const movement = {
      moved_at: instant(moment()),
      product_id: pick(products)['id'] ?? null,
      quantity: pick(QUANTITIES),
      cost_kopecks: costOf(setting),
    }
    if (kind === 'transfer') {
      post(goods, setting, { ...movement, kind: 'transfer_out', transfer_id: id })
      post(goods, setting, { ...movement, kind: 'transfer_in', transfer_id: id })
      continue
    }
    post(goods, setting, { ...movement, kind })
    // A second one at the same instant with another price.
    if (kind === 'receipt' && chance(0.3)) {
      post(goods, setting, { ...movement, kind, cost_kopecks: costOf(setting) })
    }
  }
}

export function generateGoods(
  setting: Setting,
  parties: {
    readonly counterparties: readonly Generated[]
    readonly projects: readonly Generated[]
    readonly deals: readonly Generated[]
  },
): Goods {
  const goods: Goods = {
    products: generateProducts(setting, parties.counterparties),
    warehouses: setting.some(3).map(id => ({ id, name: setting.name() })),
    sales: [],
    sale_lines: [],
    stock_movements: [],
  }
  if (goods.warehouses.length > 0) moveStock(goods, setting)
  generateSales(goods, setting, parties)
  return goods
}
