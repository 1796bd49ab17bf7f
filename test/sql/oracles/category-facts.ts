/** Profit and loss by category: one line for each category that is used directly, with shares of the total. */
import { sum } from './arithmetic.ts'
import { idText } from './grouped.ts'
import { byId, field, maybe, type Answer, type AnswerRow, type OrganizationRows } from './oracle.ts'
import { ranked } from './order.ts'
import type { ProfitFact } from './profit-facts.ts'
import { sharesOf, totalShare } from './shares.ts'

export interface CategoryLine {
  /** The category's id; null for «Без статьи» and lines without a category. */
  readonly id: string | null
  readonly row: AnswerRow & {
    readonly parent: string
    readonly category: string
    readonly category_id: string
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

/** Operations only: stock movements have no category. */
export function categoryLines(rows: OrganizationRows, facts: readonly ProfitFact[]) {
  const used = facts.flatMap(({ operation, amount }) =>
    operation === null ? [] : [{ amount, id: maybe(operation.row, 'category_id') }],
  )
  return [...new Set(used.map(({ id }) => id))].map(id => {
    const here = used.filter(other => other.id === id)
    const amount = sum(here.map(other => other.amount))
    const row = { ...namesOf(rows, id), category_id: idText(id) }
    return { id, row: { ...row, operations: BigInt(here.length), amount } }
  })
}

/** Sorts the lines and adds shares. */
export function withShares(lines: readonly CategoryLine[]): Answer {
  const ordered = lines
    .toSorted(
      ranked(
        ({ row }) => row.amount,
        ({ row }) => row.category,
        ({ id }) => id,
      ),
    )
    .map(({ row }) => row)
  const amounts = ordered.map(row => row.amount)
  const rows = sharesOf(ordered, row => row.amount).map(({ row, share }) =>
    Object.assign({ share }, row),
  )
  const [best] = rows
  return {
    rows,
    totals: {
      operations: sum(ordered.map(row => row.operations)),
      amount: sum(amounts),
      share: totalShare(amounts),
    },
    facts: {
      best: best?.category ?? null,
      best_amount: best?.amount ?? null,
      best_share: best?.share ?? null,
    },
  }
}
