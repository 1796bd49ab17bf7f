import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { linesOf } from '../../src/plans/lines.ts'
import { multipliedSums } from '../../src/plans/multiplied-sums.ts'
import { isTableScan } from '../../src/plans/plan.ts'
import type { Plan } from '../../src/plans/plan.ts'
import { explain } from '../sql/cost/explain.ts'
import { ourCatalog, questions } from '../sql/subject.ts'
import { LARGE, nodeOf, useStandby } from './ask.ts'

describe('the line of a node', () => {
  const standby = useStandby()

  /** By the alias that the plan has for it. */
  function linesByAlias(plan: Plan, text: string): Record<string, number | undefined> {
    const lines = linesOf(plan, text)
    const scans = plan.nodes.filter(
      ({ alias, type }) => alias !== undefined && type !== 'Subquery Scan',
    )
    return Object.fromEntries(scans.map(node => [node.alias, lines.ofNode(node)]))
  }

  it('is where its table stands after from or join', async () => {
    const text = `
      select sales.id -- from sale_lines
      from sales
      join public.sale_lines as l on l.organization_id = $1 and l.sale_id = sales.id
      where sales.organization_id = $1`
    expect(linesByAlias(await standby.plan(text), text)).to.deep.equal({ sales: 3, l: 4 })
  })

  it('is told by its conditions where a table is named several times', async () => {
    const text = `
      select count(*) from operations where organization_id = $1 and paid_on >= '2026-01-01'
      union all
      select count(*) from operations where organization_id = $1 and operation_date < '2026-01-01'
      union all
      select count(*) from operations where organization_id = $1 and kind = 'transfer'`
    const plan = await standby.plan(text)
    const lines = linesOf(plan, text)
    const found = plan.nodes.filter(isTableScan).map(node => {
      const said = node.conditions.join()
      const what = /paid_on|operation_date|transfer/.exec(said)?.[0] ?? said
      return [what, lines.ofNode(node)]
    })
    expect(Object.fromEntries(found)).to.deep.equal({ paid_on: 2, operation_date: 4, transfer: 6 })
  })

  it('is told by the CTE that it lies in', async () => {
    const text = `
      with first_ones as materialized (
          select id from products where organization_id = $1 order by id limit 5),
      last_ones as materialized (
          select id from products where organization_id = $1 order by id desc limit 5)
      select count(*) from first_ones union all
      select count(*) from last_ones`
    const plan = await standby.plan(text)
    const lines = linesOf(plan, text)
    const byCte = plan.nodes
      .filter(({ subplan }) => subplan !== undefined)
      .map(node => [node.subplan, lines.ofNode(node.children[0]!)])
    expect(Object.fromEntries(byCte)).to.deep.equal({ 'CTE first_ones': 3, 'CTE last_ones': 5 })
  })

  it('is unknown where nothing tells one from another', async () => {
    const text = `
      select count(*) from tasks where organization_id = $1
      union all
      select count(*) from tasks where organization_id = $1`
    expect(linesByAlias(await standby.plan(text), text)).to.deep.equal({
      tasks: undefined,
      tasks_1: undefined,
    })
  })

  it('is that of what a join adds, of a join', async () => {
    const text = `
      select count(*) from sales
      join counterparties
          on counterparties.organization_id = $1 and counterparties.id = sales.counterparty_id
      where sales.organization_id = $1`
    const plan = await standby.plan(text, ['enable_nestloop = off', 'enable_mergejoin = off'])
    const join = nodeOf(plan, 'Hash Join')
    expect(linesOf(plan, text).ofNode(join)).to.be.oneOf([2, 3])
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
