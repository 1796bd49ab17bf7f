/** Edges of income and expenses by category and by project. */
import { within } from '../oracles/calendar.ts'
import type { Question } from '../oracles/oracle.ts'
import { byId, groups, has, posted, text, total } from './edges.ts'
import type { Edge } from './edges.ts'
import type { Generated, GeneratedTables } from './tables.ts'

const BEYOND_DOUBLES = 2n ** 53n

function accrued(tables: GeneratedTables, { period }: Question): Generated[] {
  return posted(tables).filter(operation => within(text(operation, 'operation_date'), period))
}

function sectionOf(tables: GeneratedTables): (operation: Generated) => string {
  const categories = byId(tables.categories)
  return operation => {
    const category = categories.get(text(operation, 'category_id'))
    const bare = operation['kind'] === 'income' ? 'income' : 'operating'
    return category === undefined ? bare : text(category, 'section')
  }
}

/** Income and direct expenses of the period by project. */
function byProject(tables: GeneratedTables, question: Question, kind: string): bigint[] {
  const section = sectionOf(tables)
  const counted = accrued(tables, question).filter(
    operation =>
      operation['kind'] === kind && (kind === 'income') === (section(operation) === 'income'),
  )
  return [...groups(counted, 'project_id').values()].map(total)
}

/** Expenses of the period without project, those of profit and loss. */
function shared(tables: GeneratedTables, question: Question): bigint {
  const section = sectionOf(tables)
  return total(
    accrued(tables, question).filter(
      operation =>
        operation['kind'] === 'expense' &&
        ['cost_of_goods', 'operating'].includes(section(operation)) &&
        !has(operation, 'project_id'),
    ),
  )
}

export const EDGES_OF_PROJECTS: readonly Edge[] = [
  {
    name: 'income above 2^53',
    occurs: (tables, question) =>
      total(accrued(tables, question).filter(o => o['kind'] === 'income')) > BEYOND_DOUBLES,
  },
  {
    name: 'income above 2^63',
    occurs: (tables, question) =>
      total(accrued(tables, question).filter(o => o['kind'] === 'income')) > 2n ** 63n,
  },
  {
    name: 'expenses and no income',
    occurs: (tables, question) =>
      byProject(tables, question, 'income').every(income => income === 0n) &&
      byProject(tables, question, 'expense').some(expense => expense !== 0n),
  },
  {
    name: 'income below 0',
    occurs: (tables, question) =>
      byProject(tables, question, 'income').reduce((sum, income) => sum + income, 0n) < 0n,
  },
  {
    name: 'several projects, one with an income below 0',
    occurs: (tables, question) => {
      const incomes = byProject(tables, question, 'income')
      return incomes.length > 2 && incomes.some(income => income < 0n)
    },
  },
  {
    name: 'a project whose income comes to 0',
    occurs: (tables, question) => byProject(tables, question, 'income').includes(0n),
  },
  {
    name: 'projects that tie',
    occurs: (tables, question) => {
      const incomes = byProject(tables, question, 'income')
      return new Set(incomes).size < incomes.length
    },
  },
  {
    name: 'shared expenses above 0 with nothing to share them by',
    occurs: (tables, question) =>
      byProject(tables, question, 'income').every(income => income <= 0n) &&
      shared(tables, question) > 0n,
  },
  {
    name: 'shared expenses above 0 over several projects',
    occurs: (tables, question) =>
      byProject(tables, question, 'income').filter(income => income > 0n).length > 1 &&
      shared(tables, question) > 0n,
  },
  {
    name: 'shared expenses below 0 over several projects',
    occurs: (tables, question) =>
      byProject(tables, question, 'income').filter(income => income > 0n).length > 1 &&
      shared(tables, question) < 0n,
  },
  {
    name: 'a category with children that is used directly',
    occurs: (tables, question) => {
      const parents = new Set(tables.categories.map(category => text(category, 'parent_id')))
      parents.delete('')
      return accrued(tables, question).some(row => parents.has(text(row, 'category_id')))
    },
  },
  {
    name: 'a category with a parent, and one without either',
    occurs: (tables, question) => {
      const categories = byId(tables.categories)
      const used = accrued(tables, question).map(row => categories.get(text(row, 'category_id')))
      const parents = new Set(tables.categories.map(category => text(category, 'parent_id')))
      return (
        used.some(category => category !== undefined && has(category, 'parent_id')) &&
        used.some(
          category =>
            category !== undefined &&
            !has(category, 'parent_id') &&
            !parents.has(text(category, 'id')),
        )
      )
    },
  },
  {
    name: 'a category whose operations come to 0',
    occurs: (tables, question) =>
      [...groups(accrued(tables, question), 'category_id').values()].some(
        rows => total(rows) === 0n,
      ),
  },
  {
    name: 'kind and section that disagree',
    occurs: (tables, question) => {
      const section = sectionOf(tables)
      return accrued(tables, question).some(
        row => row['kind'] === 'expense' && section(row) === 'income',
      )
    },
  },
]
