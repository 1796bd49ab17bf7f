import { table } from '../bad-definitions.ts'

export const NEW_DEALS = [
  ...table('new_deals')`
a column is not selected
  -     deals.title,
  +
  replica 6: column "title" is not selected
  text 6: columns.title: the statement selects no "title"
a column too many
  - deals.title,
  + deals.title, deals.won_at,
  replica 17: column "won_at" (timestamp with time zone) is selected and not declared
  text 17: "won_at" is selected and not declared
a key that two rows have
  - key: [deal_id]
  + key: [created_on]
  replica 9: key: two rows have created_on 
a key that is null
  - key: [deal_id]
  + key: [deal_id, manager]
  replica 9: key: manager is null in a row (organization business, last year), expected a value in every row
a label that is null
  - key: [deal_id]
  + key: [created_on, amount, title]
  - deals.id::text
  + deals.lost_reason
  replica 4: column "deal_id" is null in a row (organization business, this year), expected a text
money as a text
  - sum(amount)
  + none
  - , на {amount}
  +
  - deals.amount_kopecks
  + deals.amount_kopecks::text
  replica 8: column "amount" is text, expected smallint or integer or bigint or numeric for money
a where that undoes a left join
  - on employees.organization_id = :organization_id
  + on true
  - where deals.organization_id = :organization_id
  + where deals.organization_id = :organization_id and employees.organization_id = :organization_id
  24: employees.organization_id in where removes the rows without a match that left join returns
rows that are numbered by chance
  - deals.id::text
  + (row_number() over ())::text
  15: row_number() without an order by depends on chance
a month as the session prints it
  - type: date
  + type: month
  - (deals.created_at at time zone :time_zone)::date
  + to_char(deals.created_at, 'YYYY-MM')
  16: to_char() of deals.created_at is taken in the time zone of the session
a sort that spills where the budget forbids it
  - maxRows: 200000
  + maxRows: 200000
  + budget: { buffersPerThousandRows: 5000, seqScan: any, spill: none }
  - deals.title,
  + repeat(deals.title, 200) as title,
  - order by deals.created_at, deals.id
  + order by repeat(deals.title, 200) collate "C", deals.id
  replica 13: MiB of temporary files, expected none
a star
  - from deals
  + from (select * from deals where deals.organization_id = :organization_id) as deals
  20: * takes whatever columns deals has, expected them by name
a misspelt table
  - join employees
  + join employes as employees
  load 21: employes is neither a table in sql/tenancy.yaml nor a CTE that is visible here, did you mean "employees"?
an instant of another name that becomes a day
  - (deals.created_at at time zone :time_zone)::date
  + moments.moment::date
  - left join employees
  + join (select moved.id, (array[moved.created_at])[1] as moment from deals as moved where moved.organization_id = :organization_id) as moments
  +     on moments.id = deals.id
  + left join employees
  replica 16: the result depends on the session time zone
the organization of the table that it is joined to
  - employees.organization_id = :organization_id
  + employees.organization_id = deals.organization_id
more rows than maxRows
  - maxRows: 200000
  + maxRows: 5
  replica 12: expected at most maxRows, 5
@ instead of (deals.created_at at time zone :time_zone)::date as created_on
deals.created_at::date as created_on
  16: deals.created_at::date is a day in the time zone of the session, expected (deals.created_at at time zone :time_zone)::date
(deals.created_at + interval '3 hours')::date as created_on
  16: is a day in the time zone of the session
date_trunc('month', deals.created_at)::date as created_on
  16: date_trunc() of deals.created_at is taken in the time zone of the session, expected deals.created_at at time zone :time_zone
(deals.created_at at time zone 'Europe/Moscow')::date as created_on
  16: time zone 'Europe/Moscow' is not that of every organization, expected :time_zone
deals.created_at as created_on
  replica 5: column "created_on" is timestamp with time zone, expected date
@ instead of deals.amount_kopecks as amount
coalesce(lag(deals.amount_kopecks) over (order by deals.created_at), 0) as amount
  replica 19: column "amount" depends on the physical row order
coalesce(lag(deals.amount_kopecks) over (order by deals.title, deals.id), 0) as amount
  replica 19: column "amount" depends on the database's collation
round(extract(epoch from :now - deals.created_at)) as amount
deals.amount_kopeck as amount
  replica 19: column deals.amount_kopeck does not exist
deals.amount_kopecks / (deals.amount_kopecks - deals.amount_kopecks) as amount
  replica 19: division by zero
deals.amount_kopecks * 0.333 as amount
  replica 8: in the totals row (organization business, this year), expected money, whole kopecks
@ instead of order by deals.created_at, deals.id
order by deals.title, deals.id
  replica 27: depends on the database's collation
order by created_on
  replica 27: two rows tie:
order by deals.title
  replica 27: two rows tie:
@ instead of deals.created_at < :period_end_at
deals.created_at < :period_end
  26: deals.created_at < :period_end compares an instant with a date, expected :period_end_at
deals.created_at <= :period_end_at
  26: <= :period_end_at includes the moment after the period, expected < :period_end_at
@ instead of employees.full_name as manager
(select string_agg(tasks.title, ', ') from tasks where tasks.organization_id = :organization_id and tasks.assignee_id = employees.id) as manager
  18: string_agg() without an order by depends on chance
(select tasks.title from tasks where tasks.organization_id = :organization_id and tasks.assignee_id = employees.id limit 1) as manager
  18: limit without an order by takes rows by chance
(select count(*) from tasks where tasks.assignee_id = deals.manager_id)::text as manager
`,
  ...table('won_deals')`
a percentage of integers
  - 100.0
  + 100
  20: 100 * ended.won / nullif(ended.deals, 0) drops the fraction of integers, expected 100.0
a sum over no rows
  - coalesce(sum(deals.amount_kopecks) filter (where deals.won_at is not null), 0)
  + sum(deals.amount_kopecks) filter (where deals.won_at is not null)
  11: sum(deals.amount_kopecks) over no rows is null, expected coalesce(sum(deals.amount_kopecks), 0)
a metric as a text
  - ended.amount as
  + ended.amount::text as
  replica 4: column "sales_amount" is text, expected smallint or integer or bigint or numeric for money
two rows
  - from ended
  + from ended cross join (values (1), (2)) as twice (times)
  replica 7: found 2 rows (organization business, this year), expected one row of metrics
`,
  ...table('done_tasks')`
a misspelt column, with totals in the statement
  - and employees.id
  + and employees.ident
  replica 26: column employees.ident does not exist
no totals row
  - , ())
  + )
  replica 15: found no totals row
two totals rows
  - , ())
  + , (), ())
  replica 15: found 2 totals rows
`,
]
