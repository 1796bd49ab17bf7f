/** Accounts, categories, projects and operations of a generated organization. */
import { addDays } from '../oracles/calendar.ts'
import { instant } from './moments.ts'
import type { Setting } from './setting.ts'
import type { Generated } from './tables.ts'

const SECTIONS = [
  'income',
  'cost_of_goods',
  'operating',
  'goods_purchase',
  'investing',
  'financing',
]

const INVESTED = ['goods_purchase', 'investing', 'investing', 'financing', 'financing']
const NAMES_OF_INVESTED = ['Кредит', 'Станок']

function generateAccounts({ some, name, pick, amount, maybe, moment }: Setting): Generated[] {
  return some(5).map(id => ({
    id,
    name: name(),
    kind: pick(['bank', 'cash', 'card']),
    opening_balance_kopecks: pick(['0', '0', '-500', amount()]),
    archived_at: maybe(() => instant(moment()), 0.4),
  }))
}

/** The first three are roots; most of the rest are under one of them. */
function generateCategories(setting: Setting): Generated[] {
  const { some, chance, invests, whole, name, pick } = setting
  const ids = invests ? [0, 1, 2, 3, 4, 5, 6, 7] : some(12)
  return ids.map(id => ({
    id,
    parent_id: id > 2 && chance(0.6) ? whole(3) : null,
    name: invests ? pick(NAMES_OF_INVESTED) : name(),
    section: pick(invests ? INVESTED : [...SECTIONS, 'income', 'operating']),
  }))
}

interface Directories {
  readonly accounts: readonly Generated[]
  readonly categories: readonly Generated[]
  readonly projects: readonly Generated[]
  readonly counterparties: readonly Generated[]
}

/** Posted payments are never after today. Only paid advances have a later operation date. */
function datesOf(setting: Setting, status: string, canPay: boolean) {
  const { chance, date, pastDate, pick, question, maybe } = setting
  const dueOn = maybe(date, 0.4)
  if (status === 'planned') return { operation_date: date(), paid_on: null, due_on: dueOn }
  const paid = canPay ? maybe(pastDate, 0.6) : null
  const advance = chance(0.3) ? addDays(question.today, pick([1, 9, 40])) : date()
  return { operation_date: paid === null ? pastDate() : advance, paid_on: paid, due_on: dueOn }
}

function generateOperation(setting: Setting, id: number, directories: Directories): Generated {
  const { chance, pick, amount, reference, maybe, name, moment } = setting
  const { accounts, categories, counterparties, projects } = directories
  const transfer = accounts.length > 1 && chance(0.15)
  const status = chance(0.75) ? 'posted' : pick(['planned', 'planned', 'cancelled'])
  const dates = datesOf(setting, status, accounts.length > 0)
  const from = transfer || dates.paid_on !== null ? reference(accounts, 1) : reference(accounts)
  const others = accounts.filter(account => account['id'] !== from)
  return {
    id,
    kind: transfer ? 'transfer' : pick(['income', 'income', 'expense', 'expense']),
    status,
    ...dates,
    amount_kopecks: !transfer && chance(0.25) ? `-${amount()}` : amount(),
    account_id: from,
    to_account_id: transfer ? reference(others, 1) : null,
    category_id: transfer ? null : reference(categories, 0.8),
    counterparty_id: reference(counterparties),
    project_id: reference(projects, 0.6),
    document_number: maybe(name, 0.5),
    description: maybe(name),
    updated_at: instant(moment()),
  }
}

function negated(amount: Generated[string]): string {
  const text = String(amount)
  return text.startsWith('-') ? text.slice(1) : `-${text}`
}

/** A variant of an operation: the rest of a payment, the same for a project, or a full refund. */
function followUp(
  setting: Setting,
  id: number,
  operation: Generated,
  projects: readonly Generated[],
): Generated {
  const { chance, amount, invests, pastDate, reference } = setting
  if (operation['kind'] !== 'transfer' && chance(invests ? 0.9 : 0.5)) {
    const date = chance(0.5) ? pastDate() : (operation['operation_date'] ?? null)
    const refund = negated(operation['amount_kopecks'] ?? '')
    return { ...operation, id, operation_date: date, amount_kopecks: refund }
  }
  if (chance(0.5)) return { ...operation, id, project_id: reference(projects) }
  const canBeUnpaid = operation['status'] === 'posted' && operation['paid_on'] !== null
  const isPast = String(operation['operation_date']) <= setting.question.today
  const rest = canBeUnpaid && isPast ? null : (operation['paid_on'] ?? null)
  return { ...operation, id, amount_kopecks: amount(), paid_on: rest }
}

function isDone(operation: Generated): boolean {
  return operation['status'] === 'cancelled' || operation['paid_on'] !== null
}

/** An overdue receivable. */
function isLate(operation: Generated, { question }: Setting): boolean {
  const day = operation['due_on'] ?? operation['operation_date']
  return (
    operation['status'] === 'posted' &&
    operation['kind'] === 'income' &&
    !String(operation['amount_kopecks']).startsWith('-') &&
    String(day) < question.today
  )
}

export function generateMoney(setting: Setting, counterparties: readonly Generated[]) {
  const { some, name, chance, invests, maybe, moment, pick, waits, whole } = setting
  const accounts = generateAccounts(setting)
  const categories = generateCategories(setting)
  const projects: Generated[] = some(5).map(id => ({
    id,
    name: name(),
    archived_at: maybe(() => instant(moment()), 0.2),
  }))
  const directories = { accounts, categories, projects, counterparties }
  const operations: Generated[] = []
  const count = invests ? 10 + whole(20) : some(60).length
  for (let id = 0; id < count; id++) {
    operations.push(
      id > 0 && chance(invests ? 0.4 : 0.2)
        ? followUp(setting, id, pick(invests ? operations.slice(-1) : operations), projects)
        : generateOperation(setting, id, directories),
    )
  }
  const isAllowed = (operation: Generated) => isDone(operation) || isLate(operation, setting)
  const allowed = waits ? operations.filter(isAllowed) : operations
  return { accounts, categories, projects, operations: allowed }
}
