import { isNull } from '../../sql/expressions.ts'
import type { Rule } from './rule.ts'
import { nodes, onEach } from './text-rule.ts'

export const whenNull: Rule = {
  id: 'when-null',
  level: 'error',
  sentence: '`case x when null` is never true.',
  bad: ", case sales.note when null then 'none' end as note",
  good: ", case when sales.note is null then 'none' end as note",
  find: onEach(
    nodes('CaseWhen'),
    ({ node }) => isNull(node.expr) && 'when null is never true, expected case when ... is null',
  ),
}
