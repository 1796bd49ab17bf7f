/** Edges of rows that tie: what decides between them is an id, or the bytes of a name. */
import { daysBetween, within } from '../oracles/calendar.ts'
import type { Question } from '../oracles/oracle.ts'
import { byId, groups, has, isOpen, isWithin, lastDay, posted, text, total } from './edges.ts'
import type { Edge } from './edges.ts'
import { sold } from './edges-of-sales.ts'
import type { Generated, GeneratedTables } from './tables.ts'

const russian = new Intl.Collator('ru')

function areOrderedOtherwise(one: string, other: string): boolean {
  const bytes = Buffer.compare(Buffer.from(one), Buffer.from(other))
  return bytes * russian.compare(one, other) < 0
}

/** Two of the rows that have one measure. */
function somePair<T>(
  rows: readonly T[],
  measure: (row: T) => string,
  is: (one: T, other: T) => boolean,
): boolean {
  return rows.some((one, at) =>
    rows.slice(0, at).some(other => measure(one) === measure(other) && is(one, other)),
  )
}

/** Rows by the one in a directory that they refer to; those that refer to none are left out. */
function referring(rows: readonly Generated[], column: string, directory: readonly Generated[]) {
  const known = byId(directory)
  return [...groups(rows, column)].flatMap(([id, own]) => {
    const row = known.get(id)
    return row === undefined ? [] : [{ row, own }]
  })
}

/** Of a debt's age, the part that reports tell apart. */
function agesOf(debts: readonly Generated[], question: Question): string {
  const ages = debts.map(debt => daysBetween(text(debt, 'operation_date'), lastDay(question)))
  return ages.map(age => (age > 90n ? 3 : age > 60n ? 2 : age > 30n ? 1 : 0)).join()
}

function debtors(kind: string): Edge {
  return {
    name: `two of one name with as much unpaid ${kind}, of other ages`,
    occurs: ({ counterparties, operations }, question) => {
      const open = operations.filter(row => row['kind'] === kind && isOpen(row, question))
      return somePair(
        referring(open, 'counterparty_id', counterparties),
        ({ row, own }) => `${text(row, 'name')} ${total(own)}`,
        (one, other) => agesOf(one.own, question) !== agesOf(other.own, question),
      )
    },
  }
}

function categoriesOf(kind: string, sections: readonly string[]): Edge {
  return {
    name: `two categories of ${kind} with one name and one amount, under parents of other names`,
    occurs: (tables, { period }) => {
      const known = byId(tables.categories)
      const parent = (row: Generated) => text(known.get(text(row, 'parent_id')) ?? {}, 'name')
      const own = posted(tables)
        .filter(row => row['kind'] === kind)
        .filter(row => within(text(row, 'operation_date'), period))
      return somePair(
        referring(own, 'category_id', tables.categories).filter(
          ({ row }) => sections.includes(text(row, 'section')) && has(row, 'parent_id'),
        ),
        ({ row, own: operations }) => `${text(row, 'name')} ${total(operations)}`,
        (one, other) => parent(one.row) !== parent(other.row),
      )
    },
  }
}

function soldAmount(lines: readonly Generated[]): bigint {
  return lines.reduce((sum, line) => sum + BigInt(text(line, 'signed_amount')), 0n)
}

/** Lines of the period, with what a return takes back as negative. */
function signedLines(tables: GeneratedTables, question: Question): Generated[] {
  return sold(tables, question).map(({ line, sale, isReturn }) => {
    const sign = isReturn ? -1 : 1
    const signed = {
      counterparty_id: sale['counterparty_id'] ?? null,
      signed_amount: String(BigInt(sign) * total([line])),
      signed_quantity: sign * Number(line['quantity']),
    }
    return Object.assign(signed, line)
  })
}

export const EDGES_OF_ORDER: readonly Edge[] = [
  debtors('income'),
  debtors('expense'),
  categoriesOf('income', ['income']),
  categoriesOf('expense', ['cost_of_goods', 'operating']),
  {
    name: 'a product that came back at another cost: no quantity, no revenue',
    occurs: (tables, question) => {
      const lines = signedLines(tables, question)
      const moved = groups(tables.stock_movements, 'sale_line_id')
      return [...groups(lines, 'product_id').values()].some(own => {
        const movements = own.flatMap(line => moved.get(text(line, 'id')) ?? [])
        const cost = movements.reduce((sum, row) => sum + BigInt(text(row, 'cost_kopecks')), 0n)
        const quantity = own.reduce((sum, line) => sum + Number(line['signed_quantity']), 0)
        return cost !== 0n && quantity === 0 && soldAmount(own) === 0n
      })
    },
  },
  {
    name: 'managers who won nothing, and whose names bytes and Russian order otherwise',
    occurs: ({ deals, employees }, question) => {
      const made = deals.filter(deal => isWithin(deal, 'created_at', question))
      const managers = referring(made, 'manager_id', employees).filter(
        ({ row }) => !deals.some(deal => deal['manager_id'] === row['id'] && has(deal, 'won_at')),
      )
      const nameOf = ({ row }: (typeof managers)[number]) => text(row, 'full_name')
      return somePair(
        managers,
        () => '',
        (a, b) => areOrderedOtherwise(nameOf(a), nameOf(b)),
      )
    },
  },
  {
    name: 'customers who bought as much, and whose names bytes and Russian order otherwise',
    occurs: (tables, question) =>
      somePair(
        referring(signedLines(tables, question), 'counterparty_id', tables.counterparties),
        ({ own }) => String(soldAmount(own)),
        (a, b) => areOrderedOtherwise(text(a.row, 'name'), text(b.row, 'name')),
      ),
  },
]
