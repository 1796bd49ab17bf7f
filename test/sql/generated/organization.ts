/** A small organization of edge cases: rows at local midnight, around the period's ends and today, ties and nulls. */
import type { Question } from '../oracles/oracle.ts'
import { generateDeals } from './deals.ts'
import { generateGoods } from './goods.ts'
import { generateMoney } from './money.ts'
import { settingOf } from './setting.ts'
import { NO_ROWS, type GeneratedTables } from './tables.ts'
import { addTies } from './ties.ts'
import { generateRequests, generateTasks } from './tasks-and-requests.ts'

export function generateOrganization(seed: number, question: Question): GeneratedTables {
  const setting = settingOf(seed, question)
  const { chance, some, name, maybe, pastDate, sells } = setting
  if (chance(0.03)) return NO_ROWS
  const employees = some(4).map(id => ({
    id,
    full_name: name(),
    dismissed_on: maybe(pastDate),
  }))
  const people = sells === 'at borders' ? [0, 1, 2, 3] : some(5)
  const counterparties = people.map(id => ({
    id,
    name: name(),
    inn: maybe(() => `77010000${id}0`, 0.5),
  }))
  const money = generateMoney(setting, counterparties)
  const deals = generateDeals(setting, employees, counterparties)
  const parties = { counterparties, projects: money.projects, deals: deals.deals }
  const tables = {
    employees,
    counterparties,
    ...money,
    ...deals,
    ...generateGoods(setting, parties),
    tasks: generateTasks(setting, employees),
    ...generateRequests(setting, employees, counterparties),
  }
  if (chance(0.2)) addTies(setting, tables)
  return fromOne(tables)
}

/** Ids begin with 0 above; as in the product, none is 0. */
function fromOne(tables: GeneratedTables): GeneratedTables {
  const isId = (column: string) => column === 'id' || column.endsWith('_id')
  const changed = Object.entries(tables).map(([table, rows]) => [
    table,
    rows.map(row =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          isId(column) && value !== null ? Number(value) + 1 : value,
        ]),
      ),
    ),
  ])
  return Object.fromEntries(changed) as GeneratedTables
}
