/** Faults that only a database shows, and correct definitions in unusual forms. */
import { table } from '../bad-definitions.ts'

export const ACCOUNTS = [
  ...table('accounts')`
a misspelt column in a nested WITH
  = select listed.name, listed.amount
  = from (
  =     with kept as (
  =         select accounts.id::text as name,
  =             accounts.opening_balance_kopeck as amount from accounts
  =     )
  =     select kept.name, kept.amount from kept
  = ) as listed
  = where :period_end > :period_start
  = order by listed.name
  replica 13: column accounts.opening_balance_kopeck does not exist
a table with its schema
  = select operations.id::text as name, operations.amount_kopecks as amount
  = from public.operations
  = where operations.paid_on >= :period_start and operations.paid_on < :period_end
  = order by operations.id
  load 10: public.operations is named with its schema, expected operations
a key that is a name
  = select projects.name, 1 as amount
  = from projects
  = where projects.organization_id = :organization_id and :period_end > :period_start
  = order by projects.name collate "C", projects.id
  replica 6: rows whose names are the same have one name
one arm of a union
  - order by accounts.id
  + union all
  + select 'account ' || accounts.id, 0 from accounts
  + order by name
the last row of each, by an instant only
  - sum(amount)
  + none
  = select newest.id::text as name, newest.amount_kopecks as amount
  = from (
  =     select distinct on (deals.manager_id) deals.manager_id, deals.id, deals.amount_kopecks
  =     from deals where deals.organization_id = :organization_id and deals.created_at < :period_end_at
  =     order by deals.manager_id, deals.created_at desc
  = ) as newest
  = order by newest.manager_id
  replica 9: depends on the physical row order
a statement that takes too long
  - summary:
  + timeout: 100ms
  + summary:
  = select many.number::text as name, many.number as amount
  = from generate_series(1, 30000000) as many (number)
  = where exists (select from accounts) and many.number % 29999999 = 0 and :period_end > :period_start
  = order by many.number
  replica 7: exceeded its timeout (organization business, 20
a month before Christ
  - type: money, total: sum(amount)
  + type: month, total: none
  - accounts.opening_balance_kopecks
  + date '0044-03-15 BC'
  replica 5: column "amount" is "0044-03-15 BC" in a row
a month that does not exist
  - type: money, total: sum(amount)
  + type: month, total: none
  - accounts.opening_balance_kopecks
  + '20' || '26-13'
  replica 5: column "amount" is "2026-13" in a row
a share that is not a number
  - type: money, total: sum(amount)
  + type: percent, total: "'NaN'::numeric"
  - accounts.opening_balance_kopecks
  + 1.0
  replica 5: column "amount" is "NaN" in the totals row
many things at once
  - amount: { title: Сумма, type: money, total: sum(amount) }
  + amounts: { title: Сумма, type: money, total: sum(amounts) }
  +   share: { title: Доля, type: percent, total: "round(avg(missing))" }
  = select categories.section as name, 1 as amount, 1.0 as share
  = from categories
  = where :period_end > :period_start
  = order by categories.id
  text 5: columns.amounts: the statement selects no "amounts"
  text 6: avg(missing) is of no column
  text 10: "amount" is selected and not declared
  replica 5: column "amounts" is not selected, expected
  replica 6: columns.share.total: column "missing" does not exist
  replica 7: key: two rows have name "income"
each joined row has its part of a sum
  - sum(amount)
  + none
  = with parts as (
  =     select deal_stage_visits.stage_id, deals.amount_kopecks::numeric / count(*) over (partition by deals.id) as part
  =     from deals
  =     join deal_stage_visits
  =         on deal_stage_visits.organization_id = :organization_id and deal_stage_visits.deal_id = deals.id
  =     where deals.organization_id = :organization_id and deals.created_at < :period_end_at
  = )
  = select parts.stage_id::text as name, round(sum(parts.part)) as amount
  = from parts
  = group by parts.stage_id
  = order by parts.stage_id
a total of a repeated value
  = select deal_stage_visits.id::text as name, deals.amount_kopecks as amount
  = from deals
  = join deal_stage_visits
  =     on deal_stage_visits.organization_id = :organization_id and deal_stage_visits.deal_id = deals.id
  = where deals.organization_id = :organization_id
  =   and deals.created_at >= :period_start_at and deals.created_at < :period_end_at
  = order by deal_stage_visits.id
  replica 11: this join multiplies rows of deals by those of deal_stage_visits, and sum(amount) adds
two kinds of rows of a third are counted together
  - sum(amount)
  + none
  = select deals.manager_id::text as name, count(*) as amount
  = from deals
  = join deal_stage_visits
  =     on deal_stage_visits.organization_id = :organization_id and deal_stage_visits.deal_id = deals.id
  = join deal_stage_visits as others on others.organization_id = :organization_id and others.deal_id = deals.id
  = where deals.organization_id = :organization_id
  =   and deals.created_at >= :period_start_at and deals.created_at < :period_end_at
  =   and deals.manager_id is not null
  = group by deals.manager_id
  = order by deals.manager_id
  replica 13: this join pairs rows of deal_stage_visits with rows of others
an order that is unique in the product without being the key
  = select deal_stages.id::text as name, 0 as amount
  = from deal_stages
  = where deal_stages.organization_id = :organization_id and :period_end > :period_start
  = order by deal_stages.position
@ instead of amount: { title: Сумма, type: money, total: sum(amount) }
amount: { title: Сумма, type: money, total: "(select max(id) from projects)" }
  load 5: columns.amount.total: 
`,
]
