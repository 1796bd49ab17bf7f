import { as, offsetOf } from '../../../definitions/sql/syntax-tree.ts'
import type { Node } from 'libpg-query'
import { conjunctsOf, placeholdersIn } from '../../sql/expressions.ts'
import { ENDS, STARTS } from './bounds.ts'
import type { DraftPart } from './draft.ts'
import { onEach, type Rule } from './rule.ts'

export const escapingOr: Rule = {
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
      const escaping = boolop === 'OR_EXPR' ? args.find(arm => !isOfPeriod(arm)) : undefined
      // why: a bound alone, as in `ended_on is null or ended_on >= :period_start`, is meant so
      const isBound = args.some(arm => isOfPeriod(arm) && isUnbracketed(arm, part))
      return (
        escaping !== undefined &&
        isBound &&
        !others.some(isOfPeriod) &&
        `or ${part.written(escaping)} is without the condition on the period, expected brackets around what or joins`
      )
    },
  ),
}

/** Whether it is `a and b` without brackets, which its author may have read otherwise. */
function isUnbracketed(arm: Node, { sql: { text } }: DraftPart): boolean {
  const before = text.slice(0, offsetOf(arm)).trimEnd()
  return as(arm, 'BoolExpr')?.boolop === 'AND_EXPR' && !before.endsWith('(')
}

function isOfPeriod(node: Node): boolean {
  return placeholdersIn(node).some(name => STARTS.has(name) || ENDS.has(name))
}
