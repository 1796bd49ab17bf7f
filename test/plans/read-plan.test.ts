import { expect } from 'chai'
import { readPlan } from '../../src/author/plans/read-plan.ts'
import { ourCatalog, questions } from '../sql/subject.ts'
import { LARGE, nodeOf, useStandby } from './standby.ts'

describe('a plan', () => {
  const standby = useStandby()

  it('distributes its buffers and its time over the nodes', async () => {
    const { reports, metricsFiles } = ourCatalog()
    const [thisYear] = questions(Date.now, LARGE.timeZone)
    for (const { name, statement } of [...reports.values(), ...metricsFiles.values()]) {
      const values = statement.values({ organizationId: LARGE.id, ...thisYear!.question })
      const plan = await standby.plan(bound(statement.text('uuid'), values))
      const sum = (figure: 'buffers' | 'spilledBlocks') =>
        plan.nodes.reduce((total, node) => total + node[figure], 0)
      expect([sum('buffers'), sum('spilledBlocks')], name).to.deep.equal([
        plan.buffers,
        plan.spilledBlocks,
      ])
      expect(plan.nodes.every(({ ms }) => ms !== undefined && ms >= 0)).to.equal(true)
    }
  })

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
    const join = nodeOf(plan, 'Nested Loop')
    const inner = join.children.find(({ relationship }) => relationship === 'Inner')
    expect(inner?.loops).to.equal(50)
    expect(inner?.rows).to.be.closeTo(join.rows, 1)
  })

  it('counts the cost of a shared CTE once', async () => {
    const plan = await standby.plan(
      `with counted as materialized (select count(*) as n from operations where organization_id = $1)
       select (select n from counted), n from counted`,
    )
    const root = plan.nodes.find(({ subplan }) => subplan === 'CTE counted')
    const [scan] = root?.children ?? []
    expect(scan?.buffers).to.be.above(0).and.equal(plan.buffers)
    for (const { buffers, cte } of plan.nodes) if (cte !== undefined) expect(buffers).to.equal(0)
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
    const { root } = readPlan([
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
    expect(root.ms).to.equal(2)
    expect(root.children[0]).to.include({ ms: 10, rows: 300, loops: 3 })
  })

  it('rejects input that is not a plan', () => {
    expect(() => readPlan([{ rows: [] }])).to.throw('found no plan, expected the output of explain')
  })
})

/** Inlines the values, for a client that binds only the organization. */
function bound(text: string, values: readonly string[]): string {
  return text.replaceAll(/\$(\d+)/g, (_, number) => `'${values[Number(number) - 1]}'`)
}
