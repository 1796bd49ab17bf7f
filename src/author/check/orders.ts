/** Variations: rows that lie in another order, are more alike, or sort by another collation, give the same answer. */
import type { Finding } from '../../definitions/findings.ts'
import { difference, saidOf, type Difference } from './differences.ts'
import type { ProductColumn } from './product-tables.ts'
import type { Question } from './questions.ts'
import { asItIs } from './shadows.ts'
import { ask, type Variation, type Varied } from './varied.ts'
import { lineOfColumn } from './written.ts'

/**
 * Other ways to group and to join give rows that tie in another order. Without loops, for the planner knows nothing of
 * rows that are laid out anew, and might join them one by one.
 */
const WAYS = {
  forth: { enable_nestloop: 'off' },
  back: { enable_nestloop: 'off' },
  shuffled: { enable_nestloop: 'off', enable_hashjoin: 'off', enable_hashagg: 'off' },
}

export const physicalOrder: Variation = (subject, question) =>
  inOrders(subject, question, asItIs, 'the order in which rows happen to lie')

export const namesakes: Variation = (subject, question) =>
  inOrders(
    subject,
    question,
    alike,
    'the order in which rows happen to lie where names, dates or amounts are the same',
  )

async function inOrders(
  subject: Varied,
  question: Question,
  columnOf: (column: ProductColumn) => string,
  cause: string,
): Promise<Finding | undefined> {
  const { id: organizationId } = question.organization
  const put = (order: keyof typeof WAYS) => {
    const shadows = subject.tables.map(table => ({ table, organizationId, order, columnOf }))
    return ask(subject, question, shadows, WAYS[order])
  }
  const forth = await put('forth')
  for (const order of ['back', 'shuffled'] as const) {
    const answer = forth && (await put(order))
    const differs = forth && answer && difference(forth, answer)
    if (differs !== undefined) return hanging(subject, question, differs, cause)
  }
  return undefined
}

/** As many rows alike as there can be: constants for names, the same size for amounts, whole months for days. */
export function alike(column: ProductColumn): string {
  const name = asItIs(column)
  if (column.identifies) return name
  switch (column.kind) {
    case 'text':
      return column.isChecked
        ? name
        : `case when ${name} is not null then 'one' end::${column.type}`
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

/** Half of the texts in small letters: capitals are what collations differ about most. */
function inTwoCases(column: ProductColumn): string {
  const name = asItIs(column)
  if (column.identifies || column.isChecked) return name
  return `case when hashtext(${name}::text) % 2 = 0 then lower(${name}) else ${name} end`
}

export const collation: Variation = async (subject, question) => {
  const { id: organizationId } = question.organization
  const collated = (name: string) =>
    ask(
      subject,
      question,
      subject.tables.map(table => ({
        table,
        organizationId,
        columnOf: column =>
          // why: names decide an order where the amounts and days before them tie
          column.kind === 'text' ? `${inTwoCases(column)} collate "${name}"` : alike(column),
      })),
    )
  const bytes = await collated('C')
  const words = bytes && (await collated('und-x-icu'))
  const differs = bytes && words && difference(bytes, words)
  if (differs === undefined) return undefined
  return hanging(
    subject,
    question,
    differs,
    "the database's collation",
    'collate "C" behind each text in it',
  )
}

function hanging(
  { written }: Varied,
  { said }: Question,
  differs: Difference,
  cause: string,
  cure = 'an id at its end',
): Finding {
  const { orderBy, firstLine } = written
  if (differs.isOrderAlone || orderBy === undefined) {
    const message = `the order of the rows hangs on ${cause} (${said}: ${saidOf(differs)}), expected an order by with ${cure}`
    return { line: orderBy?.line ?? firstLine, message }
  }
  const message = `column "${differs.column}" hangs on ${cause} (${said}: ${saidOf(differs)}), expected every order in it with ${cure}`
  return { line: lineOfColumn(written, differs.column), message }
}
