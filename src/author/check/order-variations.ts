/** Variations of rows that must not change the result: other physical orders, equal names or amounts, collations. */
import { isReport } from '../../definitions/any-definition.ts'
import { splitTotals } from './result-faults.ts'
import { describeDifference } from './differences.ts'
import { lineOfColumn, outputOrder } from './output-columns.ts'
import type { ProductColumn } from './product-tables.ts'
import { sharedValues } from './row-identity.ts'
import { asItIs } from './other-rows.ts'
import { firstDifference, type Variation, type View } from './question-variations.ts'

/**
 * Nested loops are off: the planner has no statistics on the rearranged rows and might choose them. Sorting instead of
 * hashing returns tied rows in another order.
 */
const NO_LOOPS = { enable_nestloop: 'off' }
const SORTED = { ...NO_LOOPS, enable_hashjoin: 'off', enable_hashagg: 'off' }

function inOrders(columnOf: (column: ProductColumn) => string): View[] {
  return [
    { order: 'forth', columnOf, settings: NO_LOOPS },
    { order: 'back', columnOf, settings: NO_LOOPS },
    { order: 'shuffled', columnOf, settings: SORTED },
  ]
}

/** With the same times, since two instants of the data seldom are. */
export const physicalOrder = sameResultIn(
  inOrders(column => (/date|instant/.test(column.kind) ? alike(column) : asItIs(column))),
  'the physical row order',
  'an id at its end',
)

export const namesakes = sameResultIn(
  inOrders(alike),
  'the physical row order where names, dates or amounts are equal',
  'an id at its end',
)

export const collation = sameResultIn(
  ['C', 'und-x-icu'].map(name => ({
    columnOf: column =>
      // why: names decide the order only where the amounts and days before them tie
      column.kind === 'text' ? `${inTwoCases(column)} collate "${name}"` : alike(column),
  })),
  "the database's collation",
  'collate "C" behind each text in it',
)

function sameResultIn(views: readonly View[], cause: string, cure: string): Variation {
  return async ({ definition, draft }, { label }, ask) => {
    const differs = await firstDifference(views, ask)
    if (differs === undefined) return undefined
    const orderBy = outputOrder(draft)
    if (differs.isOrderAlone || orderBy === undefined) {
      const message = `the order of the rows depends on ${cause} (${label}: ${describeDifference(differs)}), expected an order by with ${cure}`
      return { line: orderBy?.line ?? definition.source.firstLine, message }
    }
    const message = `column "${differs.column}" depends on ${cause} (${label}: ${describeDifference(differs)}), expected every order in it with ${cure}`
    return { line: lineOfColumn(draft, differs.column), message }
  }
}

/** Keys must be unique even if all names are equal. */
export const keys: Variation = async ({ definition }, { label }, ask) => {
  if (!isReport(definition)) return undefined
  const result = await ask({ order: 'forth', columnOf: alikeTexts, settings: NO_LOOPS })
  const { rows } = splitTotals(result)
  if (sharedValues({ ...result, rows }, definition.key) === undefined) return undefined
  const message = `key: rows whose names are the same have one ${definition.key.join(', ')} (${label}), expected columns that make a row unique, as an id does`
  return { line: definition.source.lineOf(['key']), message }
}

/** As many equal values as possible: one text for all, amounts of one size, dates truncated to months. */
function alike(column: ProductColumn): string {
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

function alikeTexts(column: ProductColumn): string {
  return column.kind === 'text' ? alike(column) : asItIs(column)
}

/** Half of the texts in lower case: collations differ most in how they sort capitals. */
function inTwoCases(column: ProductColumn): string {
  const name = asItIs(column)
  if (column.identifies || column.isChecked) return name
  return `case when hashtext(${name}::text) % 2 = 0 then lower(${name}) else ${name} end`
}
