/** Another collation must not change a result. */
import type { ProductColumn } from '../product-tables.ts'
import { collatedOrder } from '../collated-order.ts'
import type { Experiment } from './experiment.ts'
import { asItIs } from './other-rows.ts'
import { alike } from './row-order.ts'
import { sameResult } from './same-result.ts'

export const collation: Experiment = {
  id: 'collation',
  periods: ['this year'],
  unless: ['row-order', 'unordered-pick'],
  find: sameResult(
    ['C', 'und-x-icu'].map(name => ({
      columnOf: column =>
        // why: names decide the order only where the amounts and days before them tie
        column.kind === 'text' ? `${inTwoCases(column)} collate "${name}"` : alike(column),
    })),
    "the database's collation",
    collatedOrder,
  ),
}

/** Half of the texts in lower case: collations differ most in how they sort capitals. */
function inTwoCases(column: ProductColumn): string {
  const name = asItIs(column)
  if (column.identifies || column.isChecked) return name
  return `case when hashtext(${name}::text) % 2 = 0 then lower(${name}) else ${name} end`
}
