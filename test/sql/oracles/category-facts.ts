/** Profit and loss by category: one line for each category that is used itself, and shares of the whole. */
import { percent, sum } from './arithmetic.ts'
import { byId, field, maybe } from './oracle.ts'
import type { Answer, AnswerRow, OrganizationRows } from './oracle.ts'
import { byIdentity, byName, descending, inOrder } from './order.ts'
import type { ProfitFact } from './profit-facts.ts'

export interface CategoryLine {
  /** Of the category; null for «Без статьи» and for what is no category. */
  readonly id: string | null
  readonly row: AnswerRow & {
    readonly parent: string
    readonly category: string
    readonly operations: bigint
    readonly amount: bigint
  }
}

function namesOf(rows: OrganizationRows, id: string | null) {
  if (id === null) return { parent: 'Без статьи', category: 'Без статьи' }
  const categories = byId(rows.categories)
  const nameOf = (known: string) => field(categories.get(known) ?? {}, 'name')
  const parent = maybe(categories.get(id) ?? {}, 'parent_id')
  if (parent !== null) return { parent: nameOf(parent), category: nameOf(id) }
  const hasChildren = rows.categories.some(category => maybe(category, 'parent_id') === id)
  return { parent: nameOf(id), category: hasChildren ? `Прочее: ${nameOf(id)}` : nameOf(id) }
}

/** Of operations alone: movements of stock have no category. */
export function categoryLines(rows: OrganizationRows, facts: readonly ProfitFact[]) {
  const used = facts.flatMap(({ operation, amount }) =>
    operation === null ? [] : [{ amount, id: maybe(operation.row, 'category_id') }],
  )
  return [...new Set(used.map(({ id }) => id))].map(id => {
    const here = used.filter(other => other.id === id)
    const amount = sum(here.map(other => other.amount))
    return { id, row: { ...namesOf(rows, id), operations: BigInt(here.length), amount } }
  })
}

/** The whole of the shares is what is above 0, so that a negative line has a negative share. */
export function withShares(lines: readonly CategoryLine[]): Answer {
  const amounts = lines.map(({ row }) => row.amount)
  const whole = sum(amounts.filter(amount => amount > 0n))
  return {
    rows: lines
      .toSorted(
        inOrder(
          descending(({ row }) => row.amount),
          byName(({ row }) => row.category),
          byIdentity(({ id }) => id),
        ),
      )
      .map(({ row }) => Object.assign({ share: percent(row.amount, whole) }, row)),
    totals: {
      category: null,
      operations: sum(lines.map(({ row }) => row.operations)),
      amount: sum(amounts),
      share: percent(sum(amounts), whole),
    },
  }
}
