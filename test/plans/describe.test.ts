import { expect } from 'chai'
import { describePlan } from '../../src/author/plans/describe.ts'
import type { Plan } from '../../src/author/plans/plan.ts'
import { LARGE, useStandby } from './standby.ts'

const PLAIN = { colour: false, width: 100, budget: undefined }

describe('a plan as text', () => {
  const standby = useStandby()
  let plan: Plan

  before(async () => {
    plan = await standby.plan(
      `select categories.name, count(operations.description) from operations
       left join categories on categories.organization_id = $1 and categories.id = operations.category_id
       where operations.organization_id = $1
       group by categories.name`,
      ['enable_indexscan = off', 'enable_bitmapscan = off', 'max_parallel_workers_per_gather = 0'],
    )
  })

  it('aligns figures in columns, and indents nodes by depth', () => {
    const tree = describePlan(plan, PLAIN).split('\n\n').at(-1)?.trimEnd().split('\n') ?? []
    const [head = '', ...lines] = tree
    const ends = ['ms', 'buffers', 'expected', 'rows', 'loops'].map(
      name => head.indexOf(` ${name} `) + name.length,
    )
    const nodes = lines.filter(line => /\d/.test(line.slice(0, ends.at(-1))))
    expect(nodes).to.have.length(plan.nodes.length)
    for (const line of nodes) {
      for (const end of ends) expect(line.slice(end, end + 2), line).to.match(/^\d $/)
    }
    expect(nodes[0]?.slice(ends.at(-1))).to.match(/^. {2}\w/)
    expect(nodes[1]?.slice(ends.at(-1))).to.match(/^. {4}\w/)
  })

  it('has conditions under their nodes, without casts, truncated to the width', () => {
    const wide = describePlan(plan, { ...PLAIN, width: 1000 })
    const begin = LARGE.id.slice(0, 8)
    expect(wide).to.contain(`Filter: (operations.organization_id = '${begin}…')\n`)
    const narrow =
      describePlan(plan, { ...PLAIN, width: 70 })
        .split('\n\n')
        .at(-1) ?? ''
    expect(narrow).to.match(/\n +Filter: .*…\n/)
    for (const line of narrow.split('\n')) expect(line.length, line).to.be.at.most(70)
  })

  it('has colours if requested, and the same text', () => {
    const coloured = describePlan(plan, { ...PLAIN, colour: true })
    // oxlint-disable-next-line no-control-regex -- why: escape sequences of colours
    const without = coloured.replaceAll(/\u001B\[\d+m/g, '')
    expect(without).to.equal(describePlan(plan, PLAIN)).and.not.equal(coloured)
  })
})
