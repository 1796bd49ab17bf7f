import { expect } from 'chai'
import { firstLooks } from '../../src/author/plans/first-looks.ts'
import { readPlan } from '../../src/author/plans/read-plan.ts'
import { nodeOf, useStandby } from './standby.ts'

describe('a plan', () => {
  const standby = useStandby()

  it('counts rows that a filter removed as base rows', async () => {
    const plan = await standby.plan(
      'select id from products where organization_id = $1 and id % 10 = 0',
      ['enable_indexscan = off', 'enable_bitmapscan = off'],
    )
    const { rows } = await standby.client.query<{ all: string }>(
      'select count(*) as all from products',
    )
    const { rows: returned, removedRows } = nodeOf(plan, 'Seq Scan')
    expect(returned).to.be.above(0)
    expect(plan.baseRows)
      .to.equal(Number(rows[0]?.all))
      .and.equal(returned + removedRows)
  })

  it('counts rows over all loops', async () => {
    const plan = await standby.plan(
      `select count(*) from (select id from sales where organization_id = $1 and id > 0 limit 50) as chosen
       join sale_lines on sale_lines.organization_id = $1 and sale_lines.sale_id = chosen.id`,
      [
        'enable_hashjoin = off',
        'enable_mergejoin = off',
        'enable_material = off',
        'enable_memoize = off',
      ],
    )
    const inner = plan.nodes.find(({ table }) => table === 'sale_lines')
    expect(inner?.loops).to.equal(50)
    expect(inner?.rows).to.be.closeTo(nodeOf(plan, 'Nested Loop').rows, 1)
  })

  it('counts the cost of a shared CTE once', async () => {
    const plan = await standby.plan(
      `with counted as materialized (select count(*) as n from operations where organization_id = $1)
       select (select n from counted), n from counted`,
    )
    const costly = plan.nodes.filter(({ buffers }) => buffers > 0)
    expect(costly.map(({ table }) => table)).to.deep.equal(['operations'])
    expect(costly[0]?.buffers).to.equal(plan.buffers)
  })

  it('names the nodes of most time and buffers, rows read in vain, wrong estimates and spill', async () => {
    const plan = await standby.plan(
      `select description from operations
       where organization_id = $1 and id % 2 = 0 and (id * 2) % 4 = 0
       order by description || id`,
      [
        'enable_indexscan = off',
        'enable_bitmapscan = off',
        'max_parallel_workers_per_gather = 0',
        "work_mem = '64kB'",
      ],
    )
    const looks = firstLooks(plan)
    const expected = [
      /^time: \d+ % of [\d.,]+ ms in (?:Sort|Seq Scan on operations)$/,
      /^buffers: 100 % of [\d,]+ in Seq Scan on operations$/,
      /^removed rows: [\d,]+ read in vain for [\d,]+ rows of Seq Scan on operations$/,
      /^estimate: [\d,]+ rows in place of [\d,]+ in (?:Sort|Seq Scan on operations)$/,
      /^spill: .* written and read, expected work_mem$/,
    ]
    expect(looks).to.have.length(expected.length)
    for (const [at, pattern] of expected.entries()) expect(looks[at]).to.match(pattern)
  })

  it('recognizes a node that was not executed', async () => {
    const plan = await standby.plan(
      `select 1
       union all select 2 from tasks where organization_id = $1 and (select false)`,
    )
    const never = plan.nodes.filter(({ table }) => table === 'tasks')
    expect(never.length).to.be.above(0)
    expect(
      never.map(({ loops, rows, estimatedRows }) => [loops, rows, estimatedRows])[0],
    ).to.deep.equal([0, 0, 0])
  })

  it('counts parallel processes by elapsed time', () => {
    const scan = {
      'Node Type': 'Seq Scan',
      'Plan Rows': 100,
      'Actual Rows': 100,
    }
    const { nodes } = readPlan([
      {
        Plan: {
          'Node Type': 'Gather',
          'Plan Rows': 300,
          'Actual Rows': 300,
          'Actual Loops': 1,
          'Actual Total Time': 12,
          Plans: [{ ...scan, 'Actual Loops': 3, 'Actual Total Time': 10 }],
        },
      },
    ])
    expect(nodes[0]?.ms).to.equal(2)
    expect(nodes[1]).to.include({ ms: 10, rows: 300, loops: 3 })
  })
})
