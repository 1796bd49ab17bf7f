/** The kinds of findings that loading, PostgreSQL's plan or an execution shows. */
import type { Kind } from './kinds.ts'

const kind = (
  level: Kind['level'],
  id: string,
  sentence: string,
  bad: string,
  good: string,
): Kind => ({ id, level, sentence, bad, good })

/** Found without a definition, or before it can be read: these cannot be allowed. */
export const OF_LOADING = {
  load: kind('error', 'load', 'The definition does not load.', 'type: mony', 'type: money'),
  prepare: kind(
    'error',
    'prepare',
    'PostgreSQL cannot plan the statement or its totals, or it has other columns than the front matter.',
    ', sales.amuont',
    ', sales.amount',
  ),
  product: kind(
    'error',
    'product',
    'A file of the whole product does not fit the database: tenancy.yaml, access files, the heartbeat.',
    'sales: organisation_id',
    'sales: organization_id',
  ),
  allowance: kind(
    'warning',
    'allowance',
    'An allowance has no reason, no known id or no effect.',
    '-- allow: star',
    '-- allow: star because the table is a view of this report',
  ),
} as const

export const OF_EXECUTION = {
  isolation: kind(
    'note',
    'isolation',
    'Keeping organizations apart makes the statement read more than it must.',
    'join lines on true',
    'join lines on lines.sale_id = sales.id',
  ),
  columns: kind(
    'error',
    'columns',
    'A column has a type that no reader would understand, or a percent is an integer.',
    ', sales.is_paid as paid',
    ", case when sales.is_paid then 'yes' else 'no' end as paid",
  ),
  value: kind(
    'error',
    'value',
    'A value has no form of its type: a fraction of a kopeck, a month 13.',
    ', sales.amount * 0.333 as amount',
    ', round(sales.amount * 0.333) as amount',
  ),
  label: kind(
    'error',
    'label',
    "The rows' label is null in a row.",
    ', shops.name as shop',
    ", coalesce(shops.name, 'No shop') as shop",
  ),
  key: kind(
    'error',
    'key',
    'Two rows have the same key, or a key is null.',
    'key: [shop]',
    'key: [shop_id]',
  ),
  maxRows: kind(
    'error',
    'max-rows',
    'A result has more rows than `maxRows`.',
    'maxRows: 10',
    'maxRows: 10000',
  ),
  oneRow: kind(
    'error',
    'one-row',
    'There is not one row of metrics, or not one row of totals.',
    'group by grouping sets ((sales.shop_id))',
    'group by grouping sets ((sales.shop_id), ())',
  ),
  summary: kind(
    'error',
    'summary',
    'The summary cannot be built from a result.',
    'summary: Sold {amount}.',
    'summary: Sold for {amount}.',
  ),
  timeout: kind(
    'error',
    'timeout',
    'An execution exceeds its timeout.',
    'timeout: 100ms',
    'timeout: 10s',
  ),
  execution: kind(
    'error',
    'execution',
    'PostgreSQL refuses an execution, such as a division by zero.',
    ', sales.amount / sales.pieces as price',
    ', sales.amount / nullif(sales.pieces, 0) as price',
  ),
  budget: kind(
    'error',
    'budget',
    "The plan of an execution exceeds the definition's budget.",
    'budget: { buffersPerThousandRows: 1 }',
    'budget: { buffersPerThousandRows: 100 }',
  ),
  order: kind(
    'warning',
    'row-order',
    'Rows tie in the order, or the result depends on the physical order of rows.',
    'order by sales.day',
    'order by sales.day, sales.id',
  ),
  names: kind(
    'warning',
    'name-as-key',
    'Rows whose names are the same have one key.',
    'key: [shop]',
    'key: [shop_id]',
  ),
  collation: kind(
    'warning',
    'collation',
    "The result depends on the database's collation.",
    'order by shops.name, shops.id',
    'order by shops.name collate "C", shops.id',
  ),
  zone: kind(
    'warning',
    'session-zone',
    'The result depends on the time zone of the session.',
    ', sales.sold_at::date as day',
    ', (sales.sold_at at time zone :time_zone)::date as day',
  ),
  fanOut: kind(
    'warning',
    'fan-out',
    'A join repeats rows that are added up, averaged or counted.',
    ', sum(sales.amount) as amount from sales join lines on lines.sale_id = sales.id',
    ', sum(lines.amount) as amount from sales join lines on lines.sale_id = sales.id',
  ),
  leftJoinCount: kind(
    'warning',
    'left-join-count',
    'A count includes a row for each that a left join finds nothing for.',
    ', count(*) as pieces from customers left join sales on sales.customer_id = customers.id',
    ', count(sales.id) as pieces from customers left join sales on sales.customer_id = customers.id',
  ),
  parameter: kind(
    'error',
    'parameter',
    'A value that no row has leaves rows or figures: a part of the statement does not select by the parameter.',
    ', (select sum(amount) from sales) as amount',
    ', (select sum(amount) from sales where :shop::bigint is null or shop_id = :shop) as amount',
  ),
  splitPeriod: kind(
    'warning',
    'split-period',
    'A column says `periods: sum`, and the parts of a period do not add up to it.',
    'and not (sales.day < :period_start or sales.day > :period_end)',
    'and not (sales.day < :period_start or sales.day >= :period_end)',
  ),
  outsidePeriod: kind(
    'warning',
    'outside-period',
    'A column says `periods: sum`, and rows outside of the period change it.',
    ', (select count(*) from notes where notes.day < :period_start + 366) as pieces',
    ', (select count(*) from notes where notes.day < :period_end) as pieces',
  ),
  noRows: kind(
    'warning',
    'no-rows',
    'A figure remains over no rows at all, as an organization has them on its first day.',
    ', 100 - coalesce(100 * sum(sales.share), 0) as share',
    ', 100 - 100 * sum(sales.share) as share',
  ),
  organizationId: kind(
    'warning',
    'organization-id',
    'The same rows give another result for the id of another organization.',
    'and sales.customer_id = :organization_id',
    'and sales.customer_id = customers.id',
  ),
  oracle: kind(
    'error',
    'oracle',
    'A figure is not that of the oracle, the naive SQL beside the definition.',
    'and sales.day <= :period_end - 2',
    'and sales.day < :period_end',
  ),
  oracleCopy: kind(
    'warning',
    'oracle-copy',
    "The oracle has the definition's own statement, so that it proves nothing.",
    'select count(*) as sold from sales where sales.day < :period_end',
    'select coalesce(sum(1), 0) as sold from sales where sales.day <= :period_end - 1',
  ),
} as const

export const EVIDENCE: readonly Kind[] = [
  ...Object.values(OF_LOADING),
  ...Object.values(OF_EXECUTION),
]
