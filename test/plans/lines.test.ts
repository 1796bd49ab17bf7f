import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { linesOf } from '../../src/author/plans/lines.ts'
import { multipliedSums } from '../../src/author/plans/multiplied-sums.ts'
import { isTableScan } from '../../src/author/plans/plan.ts'
import type { Plan, PlanNode } from '../../src/author/plans/plan.ts'
import { explain } from '../sql/cost/explain.ts'
import { ourCatalog, questions } from '../sql/subject.ts'
import { LARGE, nodeOf, useStandby } from './ask.ts'

/** A statement, what names a scan in its plan, and the line of each. */
const SCANS: ReadonlyArray<
  [what: string, sql: string, name: (node: PlanNode) => string, lines: object]
> = [
  [
    'where its table stands after from, a comma or join',
    `
      select sales.id, sales.accounts -- from sale_lines
      from (select *, 1 as accounts from sales) as sales,
          accounts
      join public.sale_lines as l on l.organization_id = $1
      where sales.organization_id = $1 and l.sale_id = sales.id`,
    ({ alias = '' }) => alias,
    { sales: 3, accounts: 4, l: 5 },
  ],
  [
    'told by its conditions where a table is named several times',
    `
      select count(*) from operations where organization_id = $1 and paid_on >= '2026-01-01'
      union all
      select count(*) from operations where organization_id = $1 and operation_date < '2026-01-01'
      union all
      select count(*) from operations where organization_id = $1 and kind = 'transfer'`,
    ({ conditions }) => /paid_on|operation_date|transfer/.exec(conditions.join())?.[0] ?? '',
    { paid_on: 2, operation_date: 4, transfer: 6 },
  ],
  [
    'told by the CTE that it lies in',
    `
      with first_ones as materialized (
          select id from products where organization_id = $1 order by id limit 5),
      last_ones as materialized (
          select id from products where organization_id = $1 order by id desc limit 5)
      select count(*) from first_ones union all
      select count(*) from last_ones`,
    ({ alias = '' }) => alias,
    { products: 3, products_1: 5 },
  ],
  [
    'unknown where nothing tells one from another',
    `
      select count(*) from tasks where organization_id = $1
      union all
      select count(*) from tasks where organization_id = $1`,
    ({ alias = '' }) => alias,
    { tasks: undefined, tasks_1: undefined },
  ],
]

describe('the line of a node', () => {
  const standby = useStandby()

  for (const [what, sql, name, expected] of SCANS) {
    it(`is ${what}`, async () => {
      const plan = await standby.plan(sql)
      const lines = linesOf(plan, sql)
      const found = plan.nodes.filter(isTableScan).map(node => [name(node), lines.ofNode(node)])
      expect(Object.fromEntries(found)).to.deep.equal(expected)
    })
  }

  it('is that of what a join adds, of a join', async () => {
    const text = `
      select count(*) from sales
      join counterparties
          on counterparties.organization_id = $1 and counterparties.id = sales.counterparty_id
      where sales.organization_id = $1`
    const plan = await standby.plan(text, ['enable_nestloop = off', 'enable_mergejoin = off'])
    expect(linesOf(plan, text).ofNode(nodeOf(plan, 'Hash Join'))).to.be.oneOf([2, 3])
  })

  it('is known of every table that a definition of ours reads', async function () {
    this.timeout(60_000)
    const { reports, metricsFiles } = ourCatalog()
    const [thisYear] = questions(Date.now, LARGE.timeZone)
    const unknown: string[] = []
    for (const definition of [...reports.values(), ...metricsFiles.values()]) {
      const plan = await explain(standby.client, definition, LARGE.id, thisYear!.question)
      const text = readFileSync(definition.file, 'utf8')
      const lines = linesOf(plan, text)
      for (const node of plan.nodes.filter(isTableScan)) {
        const line = lines.ofNode(node)
        const source = text.split('\n')[(line ?? 0) - 1] ?? ''
        const isIt = new RegExp(`\\b(from|join)\\b.*\\b${node.table}\\b`).test(source)
        if (!isIt) unknown.push(`${definition.name}: ${node.alias} is at ${line}: ${source}`)
      }
    }
    expect(unknown.length, unknown.join('\n')).to.be.below(5)
  })
})

describe('the line of a call', () => {
  const standby = useStandby()

  it('is that of the one call with its columns', async () => {
    const text = `
      select
          sum(sale_lines.amount_kopecks) as lines,
          sum(sales.project_id)
              filter (where sales.status = 'posted') as sales
      from sales
      join sale_lines on sale_lines.organization_id = $1 and sale_lines.sale_id = sales.id
      where sales.organization_id = $1`
    const plan = await standby.plan(text)
    const [wrong] = multipliedSums(plan)
    expect(wrong && linesOf(plan, text).ofCall(wrong)).to.equal(4)
  })

  it('is unknown where there are two such', () => {
    const text = 'select sum(a.x),\nsum(a.x + 1)\nfrom a'
    const root = { type: 'Result', children: [], conditions: [], output: [] }
    const plan = { root, nodes: [] } as unknown as Plan
    const call = { name: 'sum', columns: [{ alias: 'a', column: 'x' }] }
    expect(linesOf(plan, text).ofCall(call)).to.equal(undefined)
  })
})
