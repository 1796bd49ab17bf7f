import type { Node } from 'libpg-query'
import { as, namesOf } from '../../../definitions/sql/syntax-tree.ts'
import { isNull, withoutCasts } from '../../sql/expressions.ts'
import type { Rule } from './rule.ts'
import { nodes, onEach } from './text-rule.ts'

export const nullComparison: Rule = {
  id: 'null-comparison',
  level: 'error',
  sentence: 'A comparison with null is never true.',
  bad: 'and sales.note = null',
  good: 'and sales.note is null',
  find: onEach(nodes('A_Expr'), ({ node: { kind, name, lexpr, rexpr } }) => {
    const sign = namesOf(name).at(-1) ?? ''
    if (kind === 'AEXPR_IN' && sign === '<>' && hasNull(as(rexpr, 'List')?.items))
      return 'not in (..., null) is never true, expected is not null as a condition of its own'
    const expected = { '=': 'is null', '<>': 'is not null' }[sign]
    const isTest = kind === 'AEXPR_OP' && hasNull([lexpr, rexpr])
    return isTest && expected && `${sign} null is never true, expected ${expected}`
  }),
}

function hasNull(all: readonly (Node | undefined)[] = []): boolean {
  return all.some(node => isNull(withoutCasts(node)))
}
