/** Statements on children one to three levels below their tenant's table, and each by hand. */
export const TENANCY = `
orders: shop_id
lines: via orders (order_id = order_id)
parts: via lines (line_id = line_id)
notes: via parts (part_id = part_id)
`

export const PERIODS = [
  { start: '2025-03-01', end: '2025-04-01' },
  { start: '2025-01-01', end: '2026-01-01' },
] as const

export interface Price {
  readonly name: string
  readonly text: string
  /** Over tables of all organizations. */
  readonly byHand: string
}

const TABLES = ['lines', 'parts', 'notes'] as const
const KEYS = ['order_id', 'line_id', 'part_id'] as const
const OWN = 'orders.shop_id = :organization_id'

/** `lines.order_id = orders.order_id` for level 0. */
function linkOf(level: number, child: string = TABLES[level]!): string {
  const parent = level === 0 ? 'orders' : TABLES[level - 1]!
  return `${child}.${KEYS[level]} = ${parent}.${KEYS[level]}`
}

/** From the table of one level to that of another, downwards or upwards; -1 is the tenant's. */
function joined(from: number, to: number, join = 'join'): string {
  const step = from < to ? 1 : -1
  let text: string = TABLES[from] ?? 'orders'
  for (let at = from; at !== to; at += step) {
    const next = at + step
    text += ` ${join} ${TABLES[next] ?? 'orders'} on ${linkOf(Math.max(at, next))}`
  }
  return text
}

const during = (table: string) =>
  `${table}.made_on >= :period_start and ${table}.made_on < :period_end`
const figures = (table: string) => `select count(*) as rows, sum(${table}.amount) as amount from`

export const PRICES: readonly Price[] = [0, 1, 2].flatMap(level => {
  const leaf = TABLES[level]!
  const of = `${level + 1} below`
  const linked = (name: string, from: string, dated: string): Price => {
    const text = `${figures(leaf)} ${from} where ${during(dated)}`
    return { name: `${name}, ${of}`, text, byHand: `${text} and ${OWN}` }
  }
  const twice = `${joined(-1, level)} join ${leaf} as other on ${linkOf(level, 'other')} and other.amount = ${leaf}.amount`
  const alone = `${figures(leaf)} ${leaf} where ${during(leaf)}`
  return [
    linked('from the parent', joined(-1, level), 'orders'),
    linked('from the leaf', joined(level, -1), 'orders'),
    linked('left-joined', joined(-1, level, 'left join'), 'orders'),
    linked('by the date of the child', joined(-1, level), leaf),
    {
      name: `alone, ${of}`,
      text: alone,
      byHand: `${figures(leaf)} ${joined(level, -1)} where ${during(leaf)} and ${OWN}`,
    },
    ...(level === 0
      ? []
      : [
          {
            name: `joined to a child only, ${of}`,
            text: `${figures(leaf)} ${joined(level, 0)} where ${during(leaf)}`,
            byHand: `${figures(leaf)} ${joined(level, -1)} where ${during(leaf)} and ${OWN}`,
          },
        ]),
    ...(level === 2 ? [] : [linked('one child twice', twice, 'orders')]),
  ]
})
