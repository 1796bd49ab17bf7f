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
function generateCategories({ some, chance, whole, name, pick }: Setting): Generated[] {
  return some(12).map(id => ({
    id,
    parent_id: id > 2 && chance(0.6) ? whole(3) : null,
    name: name(),
    section: pick([...SECTIONS, 'income', 'operating']),
  }))
}

interface Directories {
  readonly accounts: readonly Generated[]
  readonly categories: readonly Generated[]
  readonly projects: readonly Generated[]
  readonly counterparties: readonly Generated[]
}

/** Posted payments are not after today, and only a paid advance is dated after it. */
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

/** Like another one: the rest of a payment, or a refund of all of it. */
function followUp(setting: Setting, id: number, operation: Generated): Generated {
  const { chance, amount } = setting
  if (operation['kind'] !== 'transfer' && chance(0.5)) {
    return { ...operation, id, amount_kopecks: negated(operation['amount_kopecks'] ?? '') }
  }
  const canBeUnpaid = operation['status'] === 'posted' && operation['paid_on'] !== null
  const isPast = String(operation['operation_date']) <= setting.question.today
  const rest = canBeUnpaid && isPast ? null : (operation['paid_on'] ?? null)
  return { ...operation, id, amount_kopecks: amount(), paid_on: rest }
}

export function generateMoney(setting: Setting, counterparties: readonly Generated[]) {
  const { some, name, chance, maybe, moment, pick } = setting
  const accounts = generateAccounts(setting)
  const categories = generateCategories(setting)
  const projects: Generated[] = some(5).map(id => ({
    id,
    name: name(),
    archived_at: maybe(() => instant(moment()), 0.2),
  }))
  const directories = { accounts, categories, projects, counterparties }
  const operations: Generated[] = []
  for (const id of some(60)) {
    operations.push(
      id > 0 && chance(0.2)
        ? followUp(setting, id, pick(operations))
        : generateOperation(setting, id, directories),
    )
  }
  return { accounts, categories, projects, operations }
}
