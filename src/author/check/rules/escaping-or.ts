import type { Node } from 'libpg-query'
import { as, offsetOf } from '../../../definitions/sql/syntax-tree.ts'
import { conjunctsOf, placeholdersIn } from '../../sql/expressions.ts'
import { ENDS, STARTS } from './bounds.ts'
import type { DraftPart } from './draft.ts'
import type { Rule } from './rule.ts'
import { onEach } from './text-rule.ts'

/** What a condition may be on, and the placeholders that show it. */
const CONDITIONS = [
  ['the period', new Set([...STARTS, ...ENDS])],
  ['the organization', new Set(['organization_id'])],
] as const

export const escapingOr: Rule = {
  id: 'escaping-or',
  level: 'warning',
  sentence: '`and` binds before `or`: the rows of one side are of all time.',
  bad: "select sales.day from sales where day >= :period_start and day < :period_end and kind = 'a' or kind = 'b'",
  good: "select sales.day from sales where day >= :period_start and day < :period_end and (kind = 'a' or kind = 'b')",
  find: onEach(
    ({ select: { node, relations } }) => {
      const inner = relations.flatMap(({ join, on }) => (join === 'inner' ? [on] : []))
      const all = [node.whereClause, ...inner].flatMap(conjunctsOf)
      return all.map(one => ({ node: one, others: all.filter(other => other !== one) }))
    },
    ({ node, others }, { part }) => {
      const { boolop, args = [] } = as(node, 'BoolExpr') ?? {}
      if (boolop !== 'OR_EXPR') return undefined
      for (const [what, names] of CONDITIONS) {
        const isOn = (one: Node) => placeholdersIn(one).some(name => names.has(name))
        const escaping = args.find(arm => !isOn(arm))
        const isBound = args.some(arm => isOn(arm) && isUnbracketed(arm, part))
        if (escaping !== undefined && isBound && !others.some(isOn))
          return `or ${part.written(escaping)} is without the condition on ${what}, expected brackets around what or joins`
      }
      return undefined
    },
  ),
}

/** Whether it is `a and b` without brackets, which its author may have read otherwise. */
function isUnbracketed(arm: Node, { sql: { text } }: DraftPart): boolean {
  const before = text.slice(0, offsetOf(arm)).trimEnd()
  return as(arm, 'BoolExpr')?.boolop === 'AND_EXPR' && !before.endsWith('(')
}
