/** Rows of a generated organization that differ only by an id, a byte of a name, or a cost. */
import { addDays, asOf } from '../oracles/calendar.ts'
import { instant } from './moments.ts'
import { post } from './movements.ts'
import type { Setting } from './setting.ts'
import type { Generated, GeneratedTables } from './tables.ts'

/** In byte order; the Russian order differs. */
const NAMES = ['Ёлка', 'Берёза', 'Яблоня', 'берёза', 'ель', 'ёж']

/** Ages of debts in separate columns. */
const AGES = [5, 45, 75, 120]

function add(rows: Generated[], row: Generated): number {
  const id = rows.length
  rows.push({ id, ...row })
  return id
}

function shuffled<T>({ whole }: Setting, list: readonly T[]): T[] {
  return list.reduce<T[]>((done, item) => done.toSpliced(whole(done.length + 1), 0, item), [])
}

function unpaid(tables: GeneratedTables, operation: Generated): void {
  const nextId = 1 + Math.max(-1, ...tables.operations.map(row => Number(row['id'])))
  tables.operations.push({
    id: nextId,
    status: 'posted',
    updated_at: '2020-02-20T10:00:00Z',
    ...operation,
  })
}

/** Two of the same name owe the same amount for different times. */
function addDebts(setting: Setting, tables: GeneratedTables, project_id: number): void {
  const { period, today } = setting.question
  const day = asOf(period, today)
  for (const kind of ['income', 'expense']) {
    const [name, amount_kopecks] = [setting.name(), setting.amount()]
    for (const age of shuffled(setting, AGES).slice(0, 2)) {
      const counterparty_id = add(tables.counterparties, { name })
      const operation_date = addDays(day, -age)
      unpaid(tables, { kind, operation_date, amount_kopecks, counterparty_id, project_id })
    }
  }
}

/** Two of the same name with equal amounts, under parents of different names. */
function addCategories(setting: Setting, tables: GeneratedTables, project_id: number): void {
  const { period, today } = setting.question
  if (period.start > today) return
  for (const [section, kind] of [
    ['income', 'income'],
    ['operating', 'expense'],
  ] as const) {
    const [name, amount_kopecks] = [setting.name(), setting.amount()]
    for (const parent of shuffled(setting, NAMES).slice(0, 2)) {
      const parent_id = add(tables.categories, { name: parent, section })
      const category_id = add(tables.categories, { parent_id, name, section })
      const operation_date = period.start
      unpaid(tables, { kind, operation_date, amount_kopecks, category_id, project_id })
    }
  }
}

/** Managers who won nothing; byte order and Russian order of their names differ. */
function addManagers(setting: Setting, tables: GeneratedTables): void {
  const stage = tables.deal_stages.find(({ kind }) => kind === 'open')
  if (stage === undefined) return
  for (const full_name of shuffled(setting, NAMES)) {
    const manager_id = add(tables.employees, { full_name })
    const created_at = instant(setting.pick(setting.momentsWithin))
    const stage_id = stage['id'] ?? null
    const deal_id = add(tables.deals, {
      title: setting.name(),
      amount_kopecks: setting.amount(),
      stage_id,
      manager_id,
      created_at,
      updated_at: created_at,
    })
    add(tables.deal_stage_visits, { deal_id, stage_id, entered_at: created_at })
  }
}

function addProduct({ name }: Setting, tables: GeneratedTables): number {
  return add(tables.products, { name: name(), unit: 'шт', kind: 'goods' })
}

/** One unit, sold or returned in the period. @returns the line and its instant */
function ship(setting: Setting, tables: GeneratedTables, sale: Generated, line: Generated) {
  const at = instant(setting.pick(setting.momentsWithin))
  const sale_id = add(tables.sales, { status: 'posted', shipped_at: at, ...sale })
  return { at, sale_line_id: add(tables.sale_lines, { sale_id, quantity: '1', ...line }) }
}

/** All sales were returned, at another cost: quantity and revenue are 0. */
function addReturned(setting: Setting, tables: GeneratedTables): void {
  const product_id = addProduct(setting, tables)
  const line = { product_id, amount_kopecks: setting.amount() }
  for (const [kind, movement, cost_kopecks] of [
    ['sale', 'sale', '77'],
    ['return', 'customer_return', '50'],
  ] as const) {
    const { at, sale_line_id } = ship(setting, tables, { kind }, line)
    const moved = { product_id, quantity: '1', cost_kopecks, sale_line_id }
    post(tables, setting, { kind: movement, moved_at: at, ...moved })
  }
}

/** Customers with equal revenue; byte order and Russian order of their names differ. */
function addCustomers(setting: Setting, tables: GeneratedTables): void {
  const amount_kopecks = setting.amount()
  for (const name of shuffled(setting, NAMES)) {
    const counterparty_id = add(tables.counterparties, { name })
    const product_id = addProduct(setting, tables)
    ship(setting, tables, { kind: 'sale', counterparty_id }, { product_id, amount_kopecks })
  }
}

/** Only if they do not disturb the organization's other purpose. */
export function addTies(setting: Setting, tables: GeneratedTables): void {
  const { sells, waits, invests, momentsWithin } = setting
  if (!waits && !invests) {
    // A separate project, so that shared expenses do not change.
    const project_id = add(tables.projects, { name: setting.name() })
    addDebts(setting, tables, project_id)
    addCategories(setting, tables, project_id)
  }
  if (momentsWithin.length === 0) return
  addManagers(setting, tables)
  if (sells !== 'anyhow') return
  if (tables.warehouses.length > 0) addReturned(setting, tables)
  addCustomers(setting, tables)
}
