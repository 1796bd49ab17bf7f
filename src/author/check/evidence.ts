/** The kinds of findings that loading, PostgreSQL's plan or an execution shows. */
import type { FileFinding, Finding } from '../../definitions/findings.ts'
import type { Kind } from './kinds.ts'

/** As the reference shows them. */
const KINDS = `
error load: The definition does not load.
  bad:  type: mony
  good: type: money
error prepare: PostgreSQL cannot plan the statement or its totals, or it has other columns than the front matter.
  bad:  , sales.amuont
  good: , sales.amount
error product: A file of the whole product does not fit the database: tenancy.yaml, access files, the heartbeat.
  bad:  sales: organisation_id
  good: sales: organization_id
warning allowance: An allowance has no reason, no known id or no effect.
  bad:  -- allow: star
  good: -- allow: star because the table is a view of this report
note isolation: Keeping organizations apart makes the statement read more than it must.
  bad:  join lines on true
  good: join lines on lines.sale_id = sales.id
error columns: A column has a type that no reader would understand, or a percent is an integer.
  bad:  , sales.is_paid as paid
  good: , case when sales.is_paid then 'yes' else 'no' end as paid
error value: A value has no form of its type: a fraction of a kopeck, a month 13.
  bad:  , sales.amount * 0.333 as amount
  good: , round(sales.amount * 0.333) as amount
error label: The rows' label is null in a row.
  bad:  , shops.name as shop
  good: , coalesce(shops.name, 'No shop') as shop
error key: Two rows have the same key, or a key is null.
  bad:  key: [shop]
  good: key: [shop_id]
error max-rows: A result has more rows than \`maxRows\`.
  bad:  maxRows: 10
  good: maxRows: 10000
error one-row: There is not one row of metrics, or not one row of totals.
  bad:  group by grouping sets ((sales.shop_id))
  good: group by grouping sets ((sales.shop_id), ())
error row-sum: A column says \`rows: sum\`, and its total is not the sum of the rows.
  bad:  amount: { title: Amount, type: money, total: max(amount), aggregation: { rows: sum } }
  good: amount: { title: Amount, type: money, total: sum(amount), aggregation: { rows: sum } }
error timeout: An execution exceeds its timeout.
  bad:  timeout: 100ms
  good: timeout: 10s
error execution: PostgreSQL refuses an execution, such as a division by zero.
  bad:  , sales.amount / sales.pieces as price
  good: , sales.amount / nullif(sales.pieces, 0) as price
error budget: The plan of an execution exceeds the definition's budget.
  bad:  budget: { buffersPerThousandRows: 1 }
  good: budget: { buffersPerThousandRows: 100 }
warning row-order: Rows tie in the order, or the result depends on the physical order of rows.
  bad:  order by sales.day
  good: order by sales.day, sales.id
warning name-as-key: Rows whose names are the same have one key.
  bad:  key: [shop]
  good: key: [shop_id]
warning collation: The result depends on the database's collation.
  bad:  order by shops.name, shops.id
  good: order by shops.name collate "C", shops.id
warning session-zone: The result depends on the time zone of the session.
  bad:  , sales.sold_at::date as day
  good: , (sales.sold_at at time zone :time_zone)::date as day
warning fan-out: A join repeats rows that are added up, averaged or counted.
  bad:  , sum(sales.amount) as amount from sales join lines on lines.sale_id = sales.id
  good: , sum(lines.amount) as amount from sales join lines on lines.sale_id = sales.id
warning left-join-count: A count includes a row for each that a left join finds nothing for.
  bad:  , count(*) as pieces from customers left join sales on sales.customer_id = customers.id
  good: , count(sales.id) as pieces from customers left join sales on sales.customer_id = customers.id
error parameter: A value that no row has leaves rows or figures: a part of the statement does not select by the parameter.
  bad:  , (select sum(amount) from sales) as amount
  good: , (select sum(amount) from sales where :shop::bigint is null or shop_id = :shop) as amount
warning split-period: A column says \`periods: sum\`, and rows outside of the period change it, or its parts do not add up.
  bad:  and not (sales.day < :period_start or sales.day > :period_end)
  good: and not (sales.day < :period_start or sales.day >= :period_end)
warning no-rows: A figure remains over no rows at all, as an organization has them on its first day.
  bad:  , 100 - coalesce(100 * sum(sales.share), 0) as share
  good: , 100 - 100 * sum(sales.share) as share
warning organization-id: The same rows give another result for the id of another organization.
  bad:  and sales.customer_id = :organization_id
  good: and sales.customer_id = customers.id
error oracle: A figure is not that of the oracle, the naive SQL beside the definition.
  bad:  and sales.day <= :period_end - 2
  good: and sales.day < :period_end
warning oracle-copy: The oracle has the definition's own statement, so that it proves nothing.
  bad:  select count(*) as sold from sales where sales.day < :period_end
  good: select coalesce(sum(1), 0) as sold from sales where sales.day <= :period_end - 1
`

const SECTION = /^(\w+) ([a-z-]+): (.*)\n {2}bad: {2}(.*)\n {2}good: (.*)$/gm

export const EVIDENCE = Array.from(
  KINDS.matchAll(SECTION),
  ([, level, id = '', sentence = '', bad = '', good = '']): Kind => ({
    level: level as Kind['level'],
    id,
    sentence,
    bad,
    good,
  }),
)

/** The others are found before a definition can be read. */
export const ALLOWABLE = EVIDENCE.filter(
  ({ id }) => !/^(?:load|prepare|product|allowance)$/.test(id),
)

/** @returns the findings as those of the kind */
export function findingsOfKind<Found extends Finding | FileFinding>(
  id: string,
  findings: readonly Found[],
): Array<Found & Pick<Kind, 'id' | 'level'>> {
  const { level } = EVIDENCE.find(one => one.id === id)!
  return findings.map(finding => ({ ...finding, id, level }))
}
