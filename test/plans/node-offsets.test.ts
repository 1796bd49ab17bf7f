import { expect } from 'chai'
import { lineAt, positionAt } from '../../src/definitions/sql/text-positions.ts'
import { lineOfPosition } from '../../src/definitions/source-lines.ts'
import { isTableScan } from '../../src/author/plans/plan.ts'
import type { PlanNode } from '../../src/author/plans/plan.ts'
import { ourCatalog, questions } from '../sql/subject.ts'
import { LARGE, nodeOf, useStandby } from './standby.ts'

/** A statement, the function that names its scans, and the line of each scan. */
const SCANS: ReadonlyArray<
  [what: string, sql: string, name: (node: PlanNode) => string, lines: object]
> = [
  [
    'that of its table after from, a comma or join',
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
    'known by conditions if a table is named several times',
    `
      select count(*) from operations where organization_id = $1 and paid_on >= '2026-01-01'
      union all
      select count(*) from operations where organization_id = $1 and operation_date < '2026-01-01'
      union all
      select count(*) from operations where organization_id = $1 and kind = 'transfer'`,
    ({ details }) => /paid_on|operation_date|transfer/.exec(JSON.stringify(details))?.[0] ?? '',
    { paid_on: 2, operation_date: 4, transfer: 6 },
  ],
  [
    'known by the surrounding CTE',
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
    'known for equal scans by their order',
    `
      select count(*) from tasks where organization_id = $1
      union all
      select count(*) from tasks where organization_id = $1`,
    ({ alias = '' }) => alias,
    { tasks: 2, tasks_1: 4 },
  ],
]

describe('the offset of a node', () => {
  const standby = useStandby()

  for (const [what, sql, name, expected] of SCANS) {
    it(`is ${what}`, async () => {
      const { plan, offsetOf } = await standby.explained(sql)
      const found = plan.nodes
        .filter(isTableScan)
        .map(node => [name(node), lineAt(sql, offsetOf(node) ?? 0)])
      expect(Object.fromEntries(found)).to.deep.equal(expected)
    })
  }

  it('of a join is that of a joined relation', async () => {
    const text = `
      select count(*) from sales
      join counterparties
          on counterparties.organization_id = $1 and counterparties.id = sales.counterparty_id
      where sales.organization_id = $1`
    const settings = ['enable_nestloop = off', 'enable_mergejoin = off']
    const { plan, offsetOf } = await standby.explained(text, settings)
    const joined = offsetOf(nodeOf(plan, 'Hash Join'))
    expect(joined).to.be.oneOf([text.indexOf('sales'), text.indexOf('counterparties')])
  })

  it('of a grouping is that of its CTE', async () => {
    const text = `
      with of_kinds as materialized (
          select kind, count(*) from operations where organization_id = $1 group by kind)
      select * from of_kinds`
    const { plan, offsetOf } = await standby.explained(text)
    expect(offsetOf(nodeOf(plan, 'Aggregate'))).to.equal(text.indexOf('of_kinds'))
  })

  it('is unknown if the statement does not allow other aliases', async () => {
    const text =
      'select row_to_json(accounts), accounts.id from accounts where organization_id = $1'
    const { plan, offsetOf } = await standby.explained(text)
    expect(offsetOf(plan.root)).to.equal(undefined)
  })

  it('is known for every table in the shipped definitions', async function () {
    this.timeout(60_000)
    const { reports, metricsFiles } = ourCatalog()
    const [thisYear] = questions(Date.now, LARGE.timeZone)
    const unknown: string[] = []
    for (const definition of [...reports.values(), ...metricsFiles.values()]) {
      const { statement, source } = definition
      const text = statement.text('uuid')
      const values = statement.values({ organizationId: LARGE.id, ...thisYear!.question })
      const { plan, offsetOf } = await standby.explained(text, [], values)
      for (const node of plan.nodes.filter(isTableScan)) {
        const position = positionAt(text, offsetOf(node) ?? 0)
        const line = lineOfPosition(definition, 'uuid', position)
        const written = source.text.split('\n')[line - 1] ?? ''
        const isIt = new RegExp(`\\b(from|join)\\b.*\\b${node.table}\\b`).test(written)
        if (!isIt) unknown.push(`${definition.name}: ${node.alias} is at ${line}: ${written}`)
      }
    }
    expect(unknown).to.deep.equal([])
  })
})
