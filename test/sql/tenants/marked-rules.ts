/** What the product's schema and its rules ask of rows beyond the types of their columns. */

export type MarkedRow = Record<string, string | number | null>
export type MarkedTables = Record<string, MarkedRow[]>

/** The same number in [0, 1) for the same words (FNV-1a, mixed). */
export function chance(...words: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const letter of words.join('|')) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296
}

/** Rows of each table that others refer to: those with the first ids. */
export const REFERRED = 120

export function isTwin(id: number): boolean {
  return id % 3 === 0
}

/** Rows of both organizations, none of them twins, in which all is null that may be. */
export function isBare(id: number): boolean {
  return id % 12 === 7
}

/** Rows of both organizations, none of them twins, whose money is 0. */
export function isForNothing(id: number): boolean {
  return id % 12 === 5
}

const FIRST_OPERATION = {
  kind: 'income',
  status: 'posted',
  operation_date: '2020-02-20',
  paid_on: '2020-02-20',
  account_id: 1,
  to_account_id: null,
  category_id: 1,
}

/** A date or an instant so many days later. */
function later(value: string | number | null | undefined, days: number): string {
  const text = String(value)
  const moved = new Date(Date.parse(text) + days * 86_400_000).toISOString()
  return moved.slice(0, text.length)
}

/** A date as far from another one as the part says of all days until today. */
function untilToday(date: string | number | null | undefined, part: number): string {
  const days = (Date.parse('2026-11-21') - Date.parse(String(date))) / 86_400_000
  return later(date, Math.floor(days * part))
}

/** Negative where asked, else positive. */
function signed(value: string | number | null | undefined, negative: boolean): number {
  const size = Math.abs(Number(value))
  return negative ? -size : size
}

/**
 * Changes rows, so that the database takes them and reports have something to show.
 * @param firstSection of the category of the very first operation, which is an income
 */
export function keepTheRules(tables: MarkedTables, word: string, firstSection: string): void {
  const each = (table: string, change: (row: MarkedRow, of: (what: string) => number) => void) => {
    for (const row of tables[table] ?? []) {
      const id = Number(row['id'])
      change(row, what => chance(isTwin(id) ? '' : word, table, what, id))
    }
  }
  const rowsOf = (table: string) => tables[table] ?? []
  const find = (table: string, id: unknown) => rowsOf(table).find(row => row['id'] === id)

  // Two levels: the first ids are of parents.
  const parents = REFERRED / 3
  each('categories', (row, of) => {
    const hasParent = Number(row['id']) > parents && of('parent') < 0.6
    row['parent_id'] = hasParent ? 1 + Math.floor(of('which') * parents) : null
    if (row['id'] === FIRST_OPERATION.category_id) row['section'] = firstSection
  })
  each('accounts', (row, of) => {
    row['opening_balance_kopecks'] = signed(row['opening_balance_kopecks'], of('sign') < 0.2)
  })

  each('operations', (row, of) => {
    row['kind'] = of('kind') < 0.2 ? 'transfer' : of('kind') < 0.6 ? 'income' : 'expense'
    row['status'] = of('status') < 0.75 ? 'posted' : of('status') < 0.95 ? 'planned' : 'cancelled'
    const transfer = row['kind'] === 'transfer'
    const unpaid = row['status'] === 'planned' || of('paid') < 0.35
    if (transfer || !unpaid) row['account_id'] ??= 1
    row['to_account_id'] = transfer ? (Number(row['account_id']) % REFERRED) + 1 : null
    if (transfer) row['category_id'] = null
    row['amount_kopecks'] = signed(row['amount_kopecks'], !transfer && of('sign') < 0.15)
    if (unpaid) row['paid_on'] = null
    else row['paid_on'] ??= untilToday(row['operation_date'], of('wait'))
    // An advance, a plan, a debt that falls due after today.
    if (row['status'] === 'planned' || (!unpaid && of('advance') < 0.15)) {
      row['operation_date'] = later('2026-11-21', 1 + Math.floor(of('ahead') * 200))
    }
    if (row['id'] === 1) Object.assign(row, FIRST_OPERATION)
    if (row['due_on'] !== null) row['due_on'] = later(row['operation_date'], of('due') * 120 - 20)
  })

  each('deal_stages', row => {
    row['position'] = row['id'] ?? null
  })
  each('deals', (row, of) => {
    const kind = find('deal_stages', row['stage_id'])?.['kind']
    row['created_at'] = later(row['created_at'], -60)
    const end = later(row['created_at'], of('end') * 50)
    row['won_at'] = kind === 'won' ? end : null
    row['lost_at'] = kind === 'lost' ? end : null
    if (kind !== 'lost') row['lost_reason'] = null
    // Some are too long for an index.
    if (row['lost_reason'] !== null && of('long') < 0.4) {
      row['lost_reason'] = `${row['lost_reason']} ${'я'.repeat(500)}`
    }
  })
  each('deal_stage_visits', (row, of) => {
    const deal = find('deals', row['deal_id'])
    row['left_at'] = of('left') < 0.3 ? null : later(row['entered_at'], of('stay') * 30)
    const next = of('next') < 0.5 ? deal?.['stage_id'] : 1 + Math.floor(of('to') * REFERRED)
    row['to_stage_id'] = row['left_at'] === null ? null : (next ?? null)
  })

  each('products', (row, of) => {
    row['kind'] = of('kind') < 0.8 ? 'goods' : 'service'
    if (of('archived') < 0.8) row['archived_at'] = null
  })
  each('sales', (row, of) => {
    row['kind'] = of('kind') < 0.75 ? 'sale' : 'return'
    row['status'] = of('status') < 0.85 ? 'posted' : String(row['status'])
    if (isBare(Number(row['id'])) && of('draft') < 0.4) row['status'] = 'draft'
    else row['shipped_at'] ??= '2026-05-05T10:00:00Z'
  })
  each('stock_movements', (row, of) => {
    const kind = String(row['kind'])
    const incoming = ['receipt', 'customer_return', 'transfer_in', 'surplus'].includes(kind)
    row['quantity'] = signed(row['quantity'], !incoming) * (kind === 'receipt' ? 5 : 1)
    row['cost_kopecks'] = signed(row['cost_kopecks'], !incoming) * (kind === 'receipt' ? 5 : 1)
    const line = 1 + Math.floor(of('line') * REFERRED)
    row['sale_line_id'] = kind === 'sale' || kind === 'customer_return' ? line : null
    row['transfer_id'] = kind.startsWith('transfer') ? line : null
  })

  each('tasks', (row, of) => {
    const end = later(row['created_at'], of('end') * 40)
    row['completed_at'] = of('done') < 0.5 ? end : null
    row['cancelled_at'] = of('done') > 0.85 ? end : null
  })
  each('requests', (row, of) => {
    const answered = later(row['received_at'], of('answer') * 3)
    const promised = later(row['received_at'], of('promise') * 3)
    row['promised_at'] = isBare(Number(row['id'])) ? null : promised
    row['first_answer_at'] = of('answered') < 0.7 ? answered : null
    row['closed_at'] = of('closed') < 0.7 ? later(answered, of('close') * 20) : null
  })
}
