/** Edges of what is owned and owed, at the eve of the period and at its end. */
import type { IsoDate } from '../../../src/terms.ts'
import { addDays, earlier } from '../oracles/calendar.ts'
import type { Question } from '../oracles/oracle.ts'
import { byId, dayOf, flow, groups, has, isWithin, lastDay, posted, text } from './edges.ts'
import type { Edge } from './edges.ts'
import type { Generated, GeneratedTables } from './tables.ts'

function ofSection(tables: GeneratedTables, section: string): Generated[] {
  const categories = byId(tables.categories)
  return posted(tables).filter(
    row => categories.get(text(row, 'category_id'))?.['section'] === section,
  )
}

function upTo(operations: readonly Generated[], day: IsoDate): Generated[] {
  return operations.filter(row => text(row, 'operation_date') <= day)
}

function came(operations: readonly Generated[]): bigint {
  return operations.reduce((sum, row) => sum + flow(row), 0n)
}

/** Categories of a section that have a line: something at the end of the last day. */
function lines(tables: GeneratedTables, section: string, question: Question): Generated[] {
  const known = groups(upTo(ofSection(tables, section), lastDay(question)), 'category_id')
  return tables.categories.filter(category => came(known.get(text(category, 'id')) ?? []) !== 0n)
}

function namesOf(rows: readonly Generated[]): string[] {
  return rows.map(row => text(row, 'name'))
}

function some(
  name: string,
  section: string,
  is: (operation: Generated, question: Question) => boolean,
): Edge {
  return { name, occurs: (tables, q) => ofSection(tables, section).some(row => is(row, q)) }
}

function moves(name: string, product: string, kinds: readonly string[]): Edge {
  return {
    name,
    occurs: (tables, question) => {
      const products = byId(tables.products)
      return tables.stock_movements.some(
        row =>
          kinds.includes(text(row, 'kind')) &&
          text(row, 'cost_kopecks') !== '0' &&
          products.get(text(row, 'product_id'))?.['kind'] === product &&
          isWithin(row, 'moved_at', question),
      )
    },
  }
}

const ofCategories: readonly Edge[] = ['investing', 'financing'].flatMap((section): Edge[] => [
  {
    name: `two lines of one name in ${section}`,
    occurs: (tables, question) => {
      const names = namesOf(lines(tables, section, question))
      return new Set(names).size < names.length
    },
  },
  {
    name: `a line in ${section} of a category and of one above it`,
    occurs: (tables, question) => {
      const shown = lines(tables, section, question)
      const ids = new Set(shown.map(row => row['id']))
      return shown.some(row => has(row, 'parent_id') && ids.has(row['parent_id']))
    },
  },
  {
    name: `a line in ${section} that is there at the beginning and nothing at the end`,
    occurs: (tables, question) => {
      const eve = earlier(addDays(question.period.start, -1), question.today)
      return [...groups(ofSection(tables, section), 'category_id').values()].some(
        list => came(upTo(list, eve)) !== 0n && came(upTo(list, lastDay(question))) === 0n,
      )
    },
  },
  {
    name: `operations of ${section} that come to nothing`,
    occurs: (tables, question) =>
      [...groups(upTo(ofSection(tables, section), lastDay(question)), 'category_id').values()].some(
        list => list.length > 1 && came(list) === 0n,
      ),
  },
  some(`an income of ${section} in the period`, section, (row, question) => {
    return row['kind'] === 'income' && isWithinDates(row, question)
  }),
  some(`an expense of ${section} in the period`, section, (row, question) => {
    return row['kind'] === 'expense' && isWithinDates(row, question)
  }),
  some(`an unpaid operation of ${section}`, section, row => !has(row, 'paid_on')),
  some(
    `an advance of ${section} at the end`,
    section,
    (row, question) =>
      has(row, 'paid_on') &&
      text(row, 'paid_on') <= lastDay(question) &&
      text(row, 'operation_date') > lastDay(question),
  ),
])

function isWithinDates(row: Generated, question: Question): boolean {
  const day = text(row, 'operation_date')
  return day >= question.period.start && day <= lastDay(question)
}

export const EDGES_OF_BALANCE: readonly Edge[] = [
  ...ofCategories,
  {
    name: 'a line in investing and one in financing of one name',
    occurs: (tables, question) => {
      const owed = new Set(namesOf(lines(tables, 'financing', question)))
      return namesOf(lines(tables, 'investing', question)).some(name => owed.has(name))
    },
  },
  {
    name: 'purchases paid for and nothing received by the end',
    occurs: (tables, question) =>
      upTo(ofSection(tables, 'goods_purchase'), lastDay(question)).length > 0 &&
      !tables.stock_movements.some(row => row['kind'] === 'receipt'),
  },
  {
    name: 'purchases paid for in one period and received in the next',
    occurs: (tables, question) =>
      upTo(ofSection(tables, 'goods_purchase'), addDays(question.period.start, -1)).length > 0 &&
      tables.stock_movements.some(
        row => row['kind'] === 'receipt' && isWithin(row, 'moved_at', question),
      ),
  },
  {
    name: 'goods received after the last day',
    occurs: ({ stock_movements }, question) =>
      stock_movements.some(
        row =>
          row['kind'] === 'receipt' &&
          (dayOf(row, 'moved_at', question) ?? '') >= question.period.end,
      ),
  },
  some('a purchase in the period', 'goods_purchase', isWithinDates),
  some('money back for a purchase', 'goods_purchase', row => flow(row) > 0n),
  some(
    'a purchase that is paid and dated after the end',
    'goods_purchase',
    (row, question) =>
      has(row, 'paid_on') &&
      text(row, 'paid_on') <= lastDay(question) &&
      text(row, 'operation_date') > lastDay(question),
  ),
  moves('goods received', 'goods', ['receipt']),
  moves('goods returned to a supplier', 'goods', ['supplier_return']),
  moves('a service received into stock', 'service', ['receipt']),
  moves('a service returned to a supplier', 'service', ['supplier_return']),
  moves('a service sold from stock', 'service', ['sale', 'customer_return']),
  moves('a service lost or found', 'service', ['write_off', 'surplus']),
  moves('a service moved between warehouses', 'service', ['transfer_in']),
]
