/** Sales and returns of a generated organization, with their stock movements. */
import { addDays, asOf, months, type Microseconds } from '../oracles/calendar.ts'
import { instant, midnight } from './moments.ts'
import { costOf, post, QUANTITIES, type Goods } from './movements.ts'
import type { Setting } from './setting.ts'
import type { Generated } from './tables.ts'

interface Parties {
  readonly counterparties: readonly Generated[]
  readonly projects: readonly Generated[]
  readonly deals: readonly Generated[]
}

interface Line {
  readonly product: Generated[string]
  readonly quantity: string
  readonly amount: string
}

type Seller = (document: Generated, at: Microseconds | null, lines: readonly Line[]) => void

/** A posted document ships its lines; in consistent data, at its own instant, once and completely. */
function sellerOf(goods: Goods, setting: Setting, parties: Parties): Seller {
  const { chance, moment, orderly, pick, reference } = setting
  const ship = (line: Generated, kind: Generated[string], at: Microseconds) =>
    post(goods, setting, {
      kind: kind === 'sale' ? 'sale' : 'customer_return',
      moved_at: instant(orderly || chance(0.5) ? at : moment()),
      product_id: line['product_id'] ?? null,
      quantity: line['quantity'] ?? null,
      cost_kopecks: costOf(setting),
      sale_line_id: line['id'] ?? null,
    })
  return (document, at, lines) => {
    const sale = {
      id: goods.sales.length,
      kind: 'sale',
      status: 'posted',
      shipped_at: at === null ? null : instant(at),
      counterparty_id: reference(parties.counterparties),
      deal_id: reference(parties.deals, 0.2),
      project_id: reference(parties.projects, 0.6),
      ...document,
    }
    goods.sales.push(sale)
    for (const { product, quantity, amount } of lines) {
      const line = {
        id: goods.sale_lines.length,
        sale_id: sale.id,
        product_id: product,
        quantity,
        amount_kopecks: amount,
      }
      goods.sale_lines.push(line)
      if (at === null || goods.warehouses.length === 0) continue
      const ships = sale.status === 'posted' ? chance(0.85) : !orderly && chance(0.2)
      for (let times = ships ? pick([1, 1, 1, 2]) : 0; times > 0; times--) {
        ship(line, sale.kind, at)
      }
    }
  }
}

function sellAnyhow(setting: Setting, products: readonly Generated[], sell: Seller): void {
  const { some, whole, chance, pick, amount, moment, maybe } = setting
  for (const _ of some(30)) {
    const status = chance(0.85) ? 'posted' : pick(['draft', 'cancelled'])
    const at = status === 'posted' ? moment() : maybe(moment)
    const lines = Array.from({ length: chance(0.15) ? 0 : 1 + whole(3) }, () => ({
      product: pick(products)['id'] ?? null,
      quantity: pick(QUANTITIES),
      amount: chance(0.1) ? '0' : amount(),
    }))
    sell({ kind: chance(0.75) ? 'sale' : 'return', status }, at, lines)
  }
}

/** Revenues whose running sum is exactly 80 % or 95 % of the total, by customer and by product. */
const BORDERS = [
  [80, 15, 5],
  [40, 40, 15, 5],
  [80, 10, 5, 5],
  [50, 30, 15, 5],
]

function sellAtBorders(setting: Setting, products: readonly Generated[], sell: Seller): void {
  const { pick, momentsWithin } = setting
  if (momentsWithin.length === 0) return
  const unit = pick([1n, 20n, 90_071_992_547_409_93n])
  for (const [at, part] of pick(BORDERS).entries()) {
    const product = products[at]!['id'] ?? null
    const amount = String(BigInt(part) * unit)
    sell({ counterparty_id: at }, pick(momentsWithin), [{ product, quantity: '1', amount }])
  }
}

/** Quantities by month: constant, on both borders of XYZ (for an even number of months), and erratic. */
const RHYTHMS = [['10'], ['9', '11'], ['3', '5'], ['1', '9'], ['2.5', '2.500', '2.501']]

function sellByMonth(setting: Setting, products: readonly Generated[], sell: Seller): void {
  const { pick, chance, whole, amount, question } = setting
  const { period, today, timeZone } = question
  const lastDay = asOf(period, today)
  const isWhole = (month: string) =>
    `${month}-01` >= period.start &&
    addDays(`${addDays(`${month}-01`, 31).slice(0, 7)}-01`, -1) <= lastDay
  const rhythms = products.map(() => pick(RHYTHMS))
  for (const [at, month] of months(period.start, lastDay).filter(isWhole).entries()) {
    const shipped = midnight(`${month}-0${1 + whole(9)}`, timeZone) + BigInt(whole(2))
    const lines = products.map(({ id }, of) => {
      const rhythm = rhythms[of]!
      return { product: id ?? null, quantity: rhythm[at % rhythm.length]!, amount: amount() }
    })
    sell({}, shipped, lines)
    if (chance(0.05)) sell({ kind: 'return' }, shipped, lines.slice(0, 1))
  }
}

export function generateSales(goods: Goods, setting: Setting, parties: Parties): void {
  if (goods.products.length === 0) return
  const sell = sellerOf(goods, setting, parties)
  if (setting.sells === 'at borders') sellAtBorders(setting, goods.products, sell)
  else if (setting.sells === 'by month') sellByMonth(setting, goods.products, sell)
  else sellAnyhow(setting, goods.products, sell)
}
