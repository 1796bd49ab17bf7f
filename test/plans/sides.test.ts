// The sides of a nested loop, by the columns that EXPLAIN prints under the inner one.
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { PlanNode } from '../../src/author/plans/plan.ts'
import { sidesOf } from '../../src/author/plans/sides.ts'

function node(own: Partial<PlanNode>): PlanNode {
  return { output: [], details: [], children: [], loops: 1, rows: 1, ...own } as unknown as PlanNode
}

describe('the inner side of a nested loop', () => {
  for (const [alias, condition, isLookedUp] of [
    ['s', '(x.shop_id = s.id)', true],
    ['s', '(orders.id = 5)', false],
    ['s', '("s".id = 5)', true],
    ['s', '("a.s".id = 5)', false],
    ['Orders', '(x.order_id = "Orders".id)', true],
    ['a b', '(x.order_id = "a b".id)', true],
  ] as const) {
    it(`is ${isLookedUp ? '' : 'not '}looked up per row of ${alias} by ${condition}`, () => {
      const outer = node({ type: 'Seq Scan', alias, rows: 100 })
      const details = [{ kind: 'Index Cond', text: condition }]
      const inner = node({ type: 'Index Scan', alias: 'x', loops: 100, rows: 250, details })
      const sides = sidesOf(node({ type: 'Nested Loop', children: [outer, inner], rows: 250 }))
      expect(sides?.[1].ownRows).to.equal(isLookedUp ? undefined : 2.5)
    })
  }
})
