import { expect } from 'chai'
import { buffersPerThousandRows } from '../../src/author/plans/plan.ts'
import { readPlan } from '../../src/author/plans/read-plan.ts'
import { ourCatalog, questions } from '../sql/subject.ts'
import { LARGE, nodeOf, useStandby } from './ask.ts'

describe('a plan', () => {
  const standby = useStandby()

  it('has in its nodes what it cost, each page and each moment in one of them', async function () {
    this.timeout(60_000)
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

  it('counts rows that a filter has thrown away among those that tables gave', async () => {
    const plan = await standby.plan(
      'select id from products where organization_id = $1 and id % 10 = 0',
      ['enable_indexscan = off', 'enable_bitmapscan = off'],
    )
    const { rows } = await standby.client.query<{ all: string }>(
      'select count(*) as all from products',
    )
    const { rows: kept, removedRows } = nodeOf(plan, 'Seq Scan')
    expect(kept).to.be.above(0)
    expect(plan.baseRows)
      .to.equal(Number(rows[0]?.all))
      .and.equal(kept + removedRows)
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

  it('has a CTE that several read cost once, where it runs', async () => {
    const plan = await standby.plan(
      `with counted as materialized (select count(*) as n from operations where organization_id = $1)
       select (select n from counted), n from counted`,
    )
    const root = plan.nodes.find(({ subplan }) => subplan === 'CTE counted')
    const [scan] = root?.children ?? []
    expect(scan?.buffers).to.be.above(0).and.equal(plan.buffers)
    for (const { buffers, cte } of plan.nodes) if (cte !== undefined) expect(buffers).to.equal(0)
  })

  it('knows a node that never ran', async () => {
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

  it('has estimates, conditions and output where it was not run', async () => {
    const plan = await standby.plan(
      'select amount_kopecks from operations where organization_id = $1 and id = 5',
      [],
      { analyze: false },
    )
    const [scan] = plan.nodes
    expect(plan).to.include({ ms: 0, buffers: 0, baseRows: 0 })
    expect(scan).to.include({ schema: 'public', table: 'operations', loops: 0, ms: undefined })
    expect(scan?.estimatedRows).to.be.above(0)
    expect(scan?.conditions.join()).to.contain('operations.organization_id').and.contain(LARGE.id)
    expect(scan?.output).to.deep.equal(['amount_kopecks'])
  })

  it('counts the work of processes that ran at once by the clock on the wall', () => {
    const scan = {
      'Node Type': 'Seq Scan',
      'Parallel Aware': true,
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
    expect(root.children[0]).to.include({ ms: 10, rows: 300, loops: 3, parallel: true })
  })

  it('counts a run of a few rows as one of ten thousand', () => {
    const plan = readPlan([{ Plan: { 'Node Type': 'Result', 'Plan Rows': 1 } }])
    expect(buffersPerThousandRows({ ...plan, buffers: 30, baseRows: 10 })).to.equal(3)
    expect(buffersPerThousandRows({ ...plan, buffers: 30, baseRows: 20_000 })).to.equal(1.5)
  })

  it('refuses what is no plan', () => {
    expect(() => readPlan([{ rows: [] }])).to.throw('found no plan, expected what explain')
  })
})

/** Its values in its text, for a client that binds the organization alone. */
function bound(text: string, values: readonly string[]): string {
  return text.replaceAll(/\$(\d+)/g, (_, number) => `'${values[Number(number) - 1]}'`)
}
