import { expect } from 'chai'
import { useStandby } from './standby.ts'

const LINES = 'sale_lines on sale_lines.organization_id = $1 and sale_lines.sale_id = sales.id'
const OF_SALES = 'sales.organization_id = $1 and sales.shipped_at is not null'
const VISITS =
  'deal_stage_visits on deal_stage_visits.organization_id = $1 and deal_stage_visits.deal_id = deals.id'
const SALES_OF_EACH =
  'left join sales on sales.organization_id = $1 and sales.counterparty_id = counterparties.id'
const OPERATIONS_OF_EACH =
  'left join operations on operations.organization_id = $1 and operations.counterparty_id = counterparties.id'
const EACH = 'where counterparties.organization_id = $1 group by counterparties.id'

/** A title, the calls over duplicated rows after =>, and the statement. */
const STATEMENTS = `
a document for each of its lines => sum(sales.project_id)
  select sum(sales.project_id), sum(sale_lines.amount_kopecks) from sales join ${LINES} where ${OF_SALES}
rows that a filter chooses by their own columns => sum(deals.amount_kopecks) filter (where deals.won_at is n...; count(deals.id)
  select sum(deals.amount_kopecks) filter (where deals.won_at is not null), count(deals.id)
  from deals left join ${VISITS} where deals.organization_id = $1
two kinds of rows that belong to a third => sum(sales.project_id); sum(operations.amount_kopecks)
  select counterparties.id, sum(sales.project_id), sum(operations.amount_kopecks)
  from counterparties ${SALES_OF_EACH} ${OPERATIONS_OF_EACH} ${EACH}
rows of a CTE => sum(amount)
  with report as materialized (
      select sale_lines.id, sales.project_id as amount, sale_lines.amount_kopecks as line
      from sales join ${LINES} where ${OF_SALES} order by sale_lines.id)
  select true, sum(amount), sum(line), null from report
  union all select false, amount, line, id from report
lines with their document
  select sales.counterparty_id, sum(sale_lines.amount_kopecks), count(*) filter (where sales.status = 'posted')
  from sales join ${LINES} where ${OF_SALES} group by 1
each row once for each month
  select month, sum(operations.amount_kopecks)
  from generate_series('2026-01-01'::date, '2026-12-01', interval '1 month') as month
  left join operations on operations.organization_id = $1 and operations.operation_date < month
  group by month
rows that a filter made single again
  select sum(numbered.amount) from (
      select sales.project_id as amount, row_number() over (partition by sales.id order by sale_lines.id) as number
      from sales join ${LINES} where ${OF_SALES}) as numbered
  where numbered.number = 1
products of both sides
  select sum(sales.project_id * sale_lines.quantity) from sales join ${LINES} where ${OF_SALES}
`

describe('sums of duplicated rows', () => {
  const standby = useStandby()

  for (const [, head = '', sql = ''] of STATEMENTS.matchAll(/^(\S.*)\n((?: {2}.*\n)+)/gm)) {
    const [what, calls] = head.split(' => ')
    it(`${calls === undefined ? 'are not found for' : 'are found for'} ${what}`, async () => {
      const { suspects } = await standby.explained(sql)
      const sums = suspects.filter(({ kind }) => kind === 'multiplied-sum')
      const found = sums.map(({ message }) => message.split(/ (?:adds up|averages|counts) rows/)[0])
      expect(found).to.have.members(calls?.split('; ') ?? [])
      for (const { message, offset = 0 } of sums) {
        const [, joined, own] = /makes ([\d,]+) rows of ([\d,]+)/.exec(message) ?? []
        expect(Number(joined?.replaceAll(',', ''))).to.be.above(Number(own?.replaceAll(',', '')))
        expect(message.startsWith(sql.slice(offset, offset + 4))).to.equal(true)
      }
    })
  }
})
