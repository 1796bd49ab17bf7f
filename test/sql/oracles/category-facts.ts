/** Profit and loss by category: one line for each category that is used directly, with shares of the total. */
import { count, percent, sum, sums } from './arithmetic.ts'
import { idText, split } from './grouped.ts'
import { byId, field, maybe, type Answer, type AnswerRow, type OrganizationRows } from './oracle.ts'
import { sorted } from './order.ts'
import type { ProfitFact } from './profit-facts.ts'
import { withShares } from './shares.ts'

type CategoryLine = AnswerRow & Readonly<Record<'operations' | 'amount', bigint>>

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
  const used = facts.filter(({ operation }) => operation !== null)
  return [...split(used, ({ operation }) => maybe(operation!.row, 'category_id'))].map(
    ([id, here]) => ({
      ...namesOf(rows, id),
      id,
      category_id: idText(id),
      operations: count(here),
      amount: sum(here.map(({ amount }) => amount)),
    }),
  )
}

/** Sorts the lines and adds shares. */
export function sharesOfLines(lines: readonly CategoryLine[]): Answer {
  const rows = withShares(sorted(lines, '-amount', 'category', '#id'), 'amount')
  const totals = sums(rows, ['operations', 'amount'])
  const [best] = rows
  return {
    rows,
    totals: { ...totals, share: percent(totals.amount, totals.amount) },
    facts: {
      best: best?.['category'] ?? null,
      best_amount: best?.amount ?? null,
      best_share: best?.share ?? null,
    },
  }
}
