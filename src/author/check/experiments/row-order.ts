/** The physical order of rows must not change a result: with names as they are, and with all of them equal. */
import { isReport } from '../../../definitions/any-definition.ts'
import { outputOrder } from '../output-columns.ts'
import type { ProductColumn } from '../product-tables.ts'
import { splitTotals } from '../result-faults.ts'
import { sharedValues } from '../row-identity.ts'
import { sameResult } from './same-result.ts'
import type { Experiment, Way } from './experiment.ts'
import { asItIs } from './other-rows.ts'

const FOUND_IN_TEXT = ['row-order', 'unordered-pick']

/**
 * Nested loops are off: the planner has no statistics on the rearranged rows and might choose them. Sorting in little
 * memory instead of hashing returns tied rows in another order.
 */
const NO_LOOPS = { enable_nestloop: 'off' }
const SORTED = { ...NO_LOOPS, enable_hashjoin: 'off', enable_hashagg: 'off', work_mem: '64kB' }

/** With the same times, since two instants of the data seldom are. */
export const physicalOrder: Experiment = {
  id: 'row-order',
  periods: ['twelve years'],
  unless: FOUND_IN_TEXT,
  find: sameResult(
    inOrders(column => (/date|instant/.test(column.kind) ? alike(column) : asItIs(column))),
    'the physical row order',
    () => 'an id at its end',
  ),
}

export const namesakes: Experiment = {
  id: 'row-order',
  // why: in a short period sums are few or 0 and therefore tie
  periods: ['this year', 'one day'],
  unless: FOUND_IN_TEXT,
  find: sameResult(
    inOrders(alike).slice(1),
    'the physical row order where names, dates or amounts are equal',
    () => 'an id at its end',
  ),
}

/** Rows whose amounts are 0 and whose names are the same differ in what ends an order alone, however they were grouped. */
export const zeros: Experiment = {
  ...namesakes,
  periods: ['this year'],
  find: async ({ definition, draft, question: { label }, execute }) => {
    const { columns = [], line = 1 } = outputOrder(draft) ?? {}
    if (!isReport(definition) || columns.length === 0) return undefined
    const result = await execute({
      columnOf: column =>
        column.kind === 'number' && !column.identifies
          ? `(${asItIs(column)} * 0)::${column.type}`
          : alike(column),
    })
    const rows = { ...result, rows: splitTotals(result).rows }
    // why: equal names may be keys, which is another finding
    const isTold = sharedValues(rows, definition.key) === undefined
    const tied = isTold ? sharedValues(rows, columns) : undefined
    const message = `two rows tie where names, dates or amounts are equal: ${columns.join(', ')} ${tied} (${label}), expected an order by that ends in a unique key`
    return tied === undefined ? undefined : { line, message }
  },
}

/** One order, its reverse and another one; views have no physical order, so that any will do that is unrelated to the statement's. */
function inOrders(columnOf: (column: ProductColumn) => string): Way[] {
  const orders: Array<[by: string, settings: Way['settings']]> = [
    ['hashtext(own::text)', NO_LOOPS],
    ['hashtext(own::text) desc', NO_LOOPS],
    ["hashtext(own::text || ' ')", SORTED],
  ]
  return orders.map(([by, settings]) => ({ columnOf, rest: () => ` order by ${by}`, settings }))
}

/** As many equal values as possible: one text for all, amounts of one size, dates truncated to months. */
export function alike(column: ProductColumn): string {
  const name = asItIs(column)
  if (column.identifies) return name
  switch (column.kind) {
    case 'text':
      return column.isChecked
        ? name
        : // why: a definition may parse dates or numbers from the text
          `case when ${name} is not null then max(${name}::text) over () end::${column.type}`
    case 'number':
      return `(sign(${name}) * 100)::${column.type}`
    case 'date':
      return `date_trunc('month', ${name}::timestamp)::date`
    case 'instant':
      return `date_trunc('month', ${name}, 'UTC')`
    case 'other':
      return name
  }
}
