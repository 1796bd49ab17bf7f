/** A small organization made of edges: rows at local midnight, around the period's ends and today, ties and empties. */
import type { Client } from 'pg'
import { addDays, localDate, microseconds } from './oracles/calendar.ts'
import type { Question } from './oracles/oracle.ts'

type Generated = Record<string, string | number | boolean | null>

/** Parents before children, as foreign keys want it. */
const ORDER = [
  'employees',
  'counterparties',
  'accounts',
  'categories',
  'projects',
  'operations',
  'deal_sources',
  'deal_stages',
  'deals',
  'deal_stage_visits',
  'products',
  'warehouses',
  'sales',
  'sale_lines',
  'stock_movements',
  'tasks',
  'request_channels',
  'requests',
] as const
export type GeneratedTables = Record<(typeof ORDER)[number], Generated[]>

export const NO_ROWS: GeneratedTables = {
  employees: [],
  counterparties: [],
  accounts: [],
  categories: [],
  projects: [],
  operations: [],
  deal_sources: [],
  deal_stages: [],
  deals: [],
  deal_stage_visits: [],
  products: [],
  warehouses: [],
  sales: [],
  sale_lines: [],
  stock_movements: [],
  tasks: [],
  request_channels: [],
  requests: [],
}

/** A generator of numbers in [0, 1) that gives the same ones for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The first instant of a local date, in microseconds; zones change their offset on whole quarters. */
function midnight(date: string, timeZone: string): bigint {
  let at = microseconds(`${addDays(date, -1)}T00:00:00Z`)
  while (localDate(at, timeZone) < date) at += 900_000_000n
  return at
}

function instant(at: bigint): string {
  const text = new Date(Number(at / 1000n)).toISOString().slice(0, -1)
  return `${text}${String(at % 1000n).padStart(3, '0')}Z`
}

const NAMES = ['Заря', 'заря', 'Ёлка, «ООО»', 'a "b"\nc', '🙂 смайл', 'Zebra', 'Яр', '']
const AMOUNTS = [
  '1',
  '100',
  '333',
  '99999',
  '150050',
  '9007199254740993',
  '250000000000000001',
  '9223372036854775807',
]

export function generateOrganization(seed: number, question: Question): GeneratedTables {
  const { period, today, now, timeZone } = question
  const next = numbers(seed)
  const whole = (limit: number) => Math.floor(next() * limit)
  const chance = (of: number) => next() < of
  const pick = <T>(list: readonly T[]): T => {
    const found = list[whole(list.length)]
    if (found === undefined) throw new Error('nothing to pick from')
    return found
  }
  const some = (size: number) => Array.from({ length: chance(0.15) ? 0 : whole(size) }, (_, i) => i)
  const nowAt = microseconds(now)

  const edges = [period.start, period.end, today].flatMap(date =>
    [-2, -1, 0, 1].map(days => addDays(date, days)),
  )
  // Some begin in the period: then its first month is that of their first fact.
  const birth = chance(0.3) ? addDays(period.start, -1) : '0000-00-00'
  const dates = [
    ...edges,
    '2024-02-29',
    '2025-12-31',
    '2026-01-01',
    addDays(period.start, -400),
    addDays(period.start, 40),
    `${addDays(period.start, 40).slice(0, 7)}-01`,
  ].filter(date => date >= birth)
  const pastDates = dates.filter(date => date <= today)
  const pastDate = () => (pastDates.length === 0 ? '2020-01-01' : pick(pastDates))
  const instants = dates
    .flatMap(date => {
      const begin = midnight(date, timeZone)
      return [begin - 1n, begin, begin + 1n, begin + 43_200_123_456n]
    })
    .filter(at => at <= nowAt)
  const moment = () => (instants.length === 0 ? nowAt : pick(instants))
  const laterThan = (at: bigint) => {
    const found = [...instants.filter(other => other >= at), at, at + 4_500_000_000n]
    return pick(found.filter(other => other <= nowAt || other === at))
  }
  const maybe = <T>(value: () => T, of = 0.7): T | null => (chance(of) ? value() : null)
  const amount = () => pick(AMOUNTS)
  const ids = (rows: readonly Generated[]) => rows.map(row => row['id'] ?? null)
  const reference = (rows: readonly Generated[], of = 0.7) =>
    rows.length > 0 && chance(of) ? pick(ids(rows)) : null

  const employees = some(4).map(id => ({
    id,
    full_name: pick(NAMES),
    dismissed_on: maybe(pastDate),
  }))
  const counterparties = some(4).map(id => ({ id, name: pick(NAMES) }))
  const accounts = some(4).map(id => ({
    id,
    name: pick(NAMES),
    kind: pick(['bank', 'cash', 'card']),
    opening_balance_kopecks: pick(['0', '0', '-500', amount()]),
    archived_at: maybe(() => instant(moment()), 0.4),
  }))
  const categories: Generated[] = some(7).map(id => ({
    id,
    parent_id: id > 2 && chance(0.5) ? 0 : null,
    name: pick(NAMES),
    section: pick([
      'income',
      'cost_of_goods',
      'operating',
      'goods_purchase',
      'investing',
      'financing',
    ]),
  }))
  const projects = some(3).map(id => ({ id, name: pick(NAMES), archived_at: null }))
  const operations = some(40).map(id => {
    const transfer = accounts.length > 1 && chance(0.2)
    const kind = transfer ? 'transfer' : pick(['income', 'income', 'expense'])
    const status = chance(0.8) ? 'posted' : pick(['planned', 'cancelled'])
    const paid = status !== 'planned' && accounts.length > 0 ? maybe(pastDate) : null
    const from = transfer || paid !== null ? pick(ids(accounts)) : reference(accounts)
    return {
      id,
      kind,
      status,
      operation_date: paid === null ? pastDate() : pick(dates),
      paid_on: paid,
      due_on: maybe(() => pick(dates), 0.4),
      amount_kopecks: !transfer && chance(0.25) ? `-${amount()}` : amount(),
      account_id: from,
      to_account_id: transfer ? pick(ids(accounts).filter(other => other !== from)) : null,
      category_id: transfer ? null : reference(categories),
      counterparty_id: reference(counterparties),
      project_id: reference(projects),
      document_number: null,
      description: maybe(() => pick(NAMES)),
      updated_at: instant(moment()),
    }
  })

  const dealSources = some(3).map(id => ({ id, name: pick(NAMES) }))
  const dealStages = [
    { id: 5, name: pick(NAMES), position: 1, kind: 'open' },
    { id: 1, name: pick(NAMES), position: 2, kind: 'open' },
    { id: 9, name: pick(NAMES), position: 4, kind: 'open' },
    { id: 2, name: pick(NAMES), position: 7, kind: 'won' },
    { id: 3, name: pick(NAMES), position: 8, kind: 'lost' },
  ]
  const openStages = [5, 1, 9]
  const visits: Generated[] = []
  const deals = some(15).map(id => {
    let at = moment()
    let stage = pick(openStages)
    const deal = {
      id,
      title: pick(NAMES),
      amount_kopecks: pick(['0', amount()]),
      stage_id: stage,
      source_id: reference(dealSources),
      manager_id: reference(employees),
      counterparty_id: reference(counterparties),
      created_at: instant(at),
      won_at: null as string | null,
      lost_at: null as string | null,
      lost_reason: null,
      updated_at: instant(moment()),
    }
    for (;;) {
      const stays = ![2, 3].includes(stage) && chance(0.7)
      const until = stays ? laterThan(at) : null
      const to = stays ? pick([...openStages, 2, 2, 3].filter(other => other !== stage)) : null
      visits.push({
        id: visits.length,
        deal_id: id,
        stage_id: stage,
        entered_at: instant(at),
        left_at: until === null ? null : instant(until),
        to_stage_id: to,
      })
      if (until === null || to === null) break
      stage = to
      at = until
      deal.stage_id = to
      if (to === 2) deal.won_at = instant(until)
      if (to === 3) deal.lost_at = instant(until)
    }
    return deal
  })

  const products = some(6).map(id => ({
    id,
    sku: maybe(() => pick(NAMES)),
    name: pick(NAMES),
    unit: pick(['шт', 'кг']),
    kind: chance(0.85) ? 'goods' : 'service',
    minimum_quantity: maybe(() => pick(['0', '1', '2.500', '1000'])),
    purchase_price_kopecks: maybe(amount),
    supplier_id: reference(counterparties),
    archived_at: maybe(() => instant(moment()), 0.2),
  }))
  const warehouses = some(3).map(id => ({ id, name: pick(NAMES) }))
  const sales: Generated[] = []
  const saleLines: Generated[] = []
  const movements: Generated[] = []
  for (const id of products.length > 0 && warehouses.length > 0 ? some(40) : []) {
    const kind = pick([
      'receipt',
      'receipt',
      'supplier_return',
      'sale',
      'sale',
      'customer_return',
      'transfer',
      'write_off',
      'surplus',
    ])
    const incoming = ['receipt', 'customer_return', 'surplus'].includes(kind)
    const quantity = pick(['1', '0.001', '2.5', '100', '3.333'])
    const cost = pick(['0', '1', '77', '150050', '9007199254740993'])
    const line = kind === 'sale' || kind === 'customer_return' ? saleLines.length : null
    const product = pick(ids(products))
    const at = instant(moment())
    if (line !== null) {
      sales.push({ id: line, kind: incoming ? 'return' : 'sale', status: 'posted', shipped_at: at })
      saleLines.push({
        id: line,
        sale_id: line,
        product_id: product,
        quantity,
        amount_kopecks: amount(),
      })
    }
    const movement = (kind: string, sign: '' | '-', transfer: number | null) =>
      movements.push({
        id: movements.length,
        kind,
        moved_at: at,
        product_id: product,
        warehouse_id: pick(ids(warehouses)),
        quantity: `${sign}${quantity}`,
        cost_kopecks: `${sign}${cost}`,
        sale_line_id: line,
        transfer_id: transfer,
      })
    if (kind === 'transfer') {
      movement('transfer_out', '-', id)
      movement('transfer_in', '', id)
    } else {
      movement(kind, incoming ? '' : '-', null)
    }
  }

  const tasks = some(25).map(id => {
    const created = moment()
    const ended = maybe(() => instant(laterThan(created)))
    const done = chance(0.75)
    return {
      id,
      title: pick(NAMES),
      assignee_id: reference(employees),
      created_at: instant(created),
      due_on: maybe(() => pick(dates)),
      completed_at: done ? ended : null,
      cancelled_at: done ? null : ended,
    }
  })
  const channels = some(4).map(id => ({ id, name: pick(NAMES), promise_minutes: maybe(() => 60) }))
  const requests = some(25).map(id => {
    const received = moment()
    const answered = maybe(() => laterThan(received))
    return {
      id,
      channel_id: reference(channels),
      assignee_id: reference(employees),
      counterparty_id: reference(counterparties),
      received_at: instant(received),
      promised_at: maybe(() =>
        instant(pick([received + 3_600_000_000n, answered ?? received, nowAt])),
      ),
      first_answer_at: answered === null ? null : instant(answered),
      closed_at: maybe(() => instant(laterThan(answered ?? received))),
    }
  })
  return {
    employees,
    counterparties,
    accounts,
    categories,
    projects,
    operations,
    deal_sources: dealSources,
    deal_stages: chance(0.1) && deals.length === 0 ? [] : dealStages,
    deals,
    deal_stage_visits: visits,
    products,
    warehouses,
    sales,
    sale_lines: saleLines,
    stock_movements: movements,
    tasks,
    request_channels: channels,
    requests,
  }
}

/** To be rolled back by the caller. */
export async function insertOrganization(
  client: Client,
  id: string,
  timeZone: string,
  tables: GeneratedTables,
): Promise<void> {
  await client.query(
    `insert into organizations (id, name, tier, time_zone) values ($1, 'Сгенерированная', 'business', $2)`,
    [id, timeZone],
  )
  for (const table of ORDER) {
    const rows = tables[table].map(row => ({ ...row, organization_id: id }))
    await client.query(
      `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)],
    )
  }
}
