import { table } from '../bad-definitions.ts'

export const PAYMENTS = [
  ...table('payments')`
a comma is forgotten
  - in ('income', 'expense')
  + in (
  + 'income'
  + 'expense')
  30: 'income' and 'expense' without a comma are 'incomeexpense', expected a comma
no condition on the organization, which compiling adds
  - operations.organization_id = :organization_id
  + true
  - counterparties.organization_id = :organization_id
  + true
a bracket is not closed
  - 'expense'), 0)
  + 'expense'), 0
  load 22: syntax error at or near "as" (column 95), expected what PostgreSQL 18
an order inside
  - order by paid.income desc, coalesce(counterparties.name, 'Без контрагента') collate "C", paid.counterparty_id
  +
  - from paid
  + from (select * from paid order by paid.income desc, paid.counterparty_id) as paid
  load 17: no order by at the top level
an order of storage
  - order by paid.income desc,
  + order by (
  + select max(operations.ctid) from operations
  + where operations.organization_id = :organization_id and operations.counterparty_id = paid.counterparty_id),
  load 43: ctid depends on where a row is stored
a write
  - with paid as (
  + with changed as (update deals set title = title where organization_id = :organization_id returning id),
  + paid as (
  - from paid
  + from paid cross join changed
  load 17: update writes, expected a statement that only reads
a CTE that is not read
  - with paid as (
  + with planned as (select count(*) as rows from operations where operations.organization_id = :organization_id),
  + paid as (
  17: nothing reads planned
a join that multiplies rows
  - from operations
  + from operations
  + left join deals
  + on deals.organization_id = :organization_id and deals.counterparty_id = operations.counterparty_id
  replica 24: this join multiplies rows of operations
a union that drops rows
  - operations.organization_id = :organization_id
  + true
  - from operations
  + from (
  + select operations.counterparty_id, operations.kind, operations.amount_kopecks, operations.paid_on, operations.status
  + from operations where operations.organization_id = :organization_id
  + union
  + select operations.counterparty_id, operations.kind, operations.amount_kopecks, operations.paid_on, operations.status
  + from operations where operations.organization_id = :organization_id
  + ) as operations
  26: union drops rows that are equal, and their amount_kopecks with them, expected union all
an average is added up
  - total: sum(expenses) }
  + total: sum(expenses) }
  +   average: { title: Средняя операция, type: money, total: sum(average) }
  - count(*) as operations,
  + count(*) as operations, round(avg(operations.amount_kopecks)) as average,
  -     paid.expenses,
  + paid.expenses, paid.average,
  8: sum(average) is a sum of averages, which do not add up
a total divides integers
  - facts:
  + facts:
  +   paying: { type: percent, total: "round(100 * count(counterparty_id) filter (where income > 0) / nullif(count(*), 0), 1)" }
  - {payers}.
  + {payers} ({paying}).
  12: drops the fraction of integers
two kinds of totals
  - coalesce(counterparties.name, 'Без контрагента') as counterparty,
  + coalesce(counterparties.name, 'Без контрагента') as counterparty, false as is_total,
  load 5: columns.operations.total: the statement selects is_total
  load 6: columns.income.total: the statement selects is_total
  load 7: columns.expenses.total: the statement selects is_total
  load 8: columns.share.total: the statement selects is_total
  load 9: columns.counterparty_id.total: the statement selects is_total
  load 12: facts.payers.total: the statement selects is_total
a key that is hidden
  - integer, total: none }
  + integer, hidden: true }
  load 10: key: column "counterparty_id" is hidden, expected a visible one
the front matter is not closed
  - ---*/
  + --*/
  load 1: front matter is not closed
a key in a comment
  - ---*/
  + ---*/
  + -- Tried with curl -H 'X-Api-Key: sk_live_Xq93kd02mz'.
  17: "sk_live_..." looks like a key, expected no secret in a definition
no label
  - type: text }
  + type: integer, total: none }
  load 3: columns: no visible column of type text, expected one for the totals' label
an unknown key of the front matter
  - emptySummary:
  + emptySumary:
  load 14: unknown key "emptySumary", did you mean "emptySummary"?
a tab
  -   operations:
  + 	operations:
  load 5: a tab in YAML, expected spaces as indentation
a response that is stale before it stops being fresh
  - maxRows: 10000
  + fresh: { open: 1h, closed: 6h }
  + stale: 10m
  16: stale: found 10m, expected at least 1h, for which a response is fresh
a hidden column that nothing reads
  - integer, total: none }
  + integer, total: none }
  +   project_count: { title: Проектов, type: integer, hidden: true }
  - count(*) as operations,
  + count(*) as operations, count(distinct operations.project_id) as project_count,
  -     paid.expenses,
  + paid.expenses, paid.project_count,
  10: columns.project_count: nothing reads it
@ instead of operations.paid_on >= :period_start\n      and operations.paid_on < :period_end
operations.paid_on between :period_start and :period_end
  load 25: between takes in the day after the period
operations.paid_on >= :period_start
  25: operations.paid_on >= :period_start without an end, expected < :period_end with it
operations.paid_on >= :period_end and operations.paid_on < :period_start
  25: is never true, expected start and end the other way round
operations.paid_on > :period_start and operations.paid_on < :period_end
  25: > :period_start leaves out the period's first day, expected >= :period_start
operations.paid_on >= :period_start and operations.paid_on <= :period_end
  25: <= :period_end includes the day after the period, expected < :period_end
operations.paid_on >= :period_start_at and operations.paid_on < :period_end
  25: operations.paid_on >= :period_start_at compares a date with an instant, expected :period_start
operations.paid_on >= :period_start and operations.paid_on < least(:period_end, now())
  load 25: now() reads the clock, expected :today, :as_of or :now
operations.paid_on >= '2026-01-01' and operations.paid_on < :period_end
  25: '2026-01-01' is one period, expected :period_start and :period_end, or :as_of
operations.paid_on >= (':period_start')::date and operations.paid_on < :period_end
  25: :period_start in quotes is a text, expected it without quotes
operations.paid_on >= :period_begin and operations.paid_on < :period_end
  load 25: unknown placeholder :period_begin, did you mean ":period_end"?
extract(year from operations.paid_on) = extract(year from :period_start)
  25: includes the whole year, expected :period_start and :period_end
operations.paid_on is not null
  17: no placeholder of the period
@ instead of operations.status = 'posted'
operations.status = 'post'
  replica 27: operations.status is never 'post', expected one of planned, posted, cancelled
operations.status = 'posted
  load 28: syntax error at or near "income" (column 32), expected every quote and comment to be closed
operations.paid_on <= current_date
  load 27: current_date reads the clock
extract(year from operations.paid_on) = 2026
  27: 2026 is one period
current_user <> ''
  load 27: current_user depends on the session or the server
operations.project_id = null
  27: = null is never true, expected is null
operations.id not in (select sales.counterparty_id from sales where sales.organization_id = :organization_id)
  27: not in (select ...) is never true if the select returns a null, expected not exists
operations.category_id in (select categories.id from categories where categories.section = 'operating')
@ instead of operations.organization_id = :organization_id
operations.organization_id = '5d0a0000-0000-4000-8000-000000000001'
  24: '5d0a0000-0000-4000-8000-000000000001' is one organization's, or a row of it, expected :organization_id or a join
operations.organization_id = $1
  load 24: parameter $1, expected a placeholder by name
true
@ instead of on counterparties.organization_id = :organization_id
on counterparties.organization_id = :organisation_id
  load 40: unknown placeholder :organisation_id, did you mean ":organization_id"?
on true
@ instead of sum(operations.amount_kopecks) filter (where operations.kind = 'income')
sum(operations.amount_kopecks::double precision) filter (where operations.kind = 'income')
  load 21: a cast to double precision loses kopecks
sum(distinct operations.amount_kopecks) filter (where operations.kind = 'income')
  21: drops amounts that are equal
@ instead of round(100.0 * paid.income / nullif(paid.income + paid.expenses, 0), 1)
round(1.000 * paid.income / nullif(paid.income + paid.expenses, 0), 1)
  36: share is a share of 1, expected percent: 100.0 * ... / ...
(100 * paid.income / nullif(paid.income + paid.expenses, 0))::bigint
  replica 8: column "share": found bigint for percent, expected numeric
@ instead of "round(100.0 * sum(income) / nullif(sum(income) + sum(expenses), 0), 1)"
"sum(share)"
  8: sum(share) adds up percentages, expected the ratio of sums
"avg(share)"
  8: avg(share) averages percentages, expected the ratio of sums
"round(100.0 * sum(income) / sum(expenses), 1)"
  8: sum(expenses) may be 0, expected nullif(sum(expenses), 0) as the divisor
@ instead of maxRows: 10000
summary: За {period} выплачено {expenses}.
  load 15: key "summary" again, expected each key once
budget: { buffersPerThousandRows: 0.5 }
  replica 15: buffers per thousand rows
timeout: 5m
  load 15: timeout: found 5m, expected more than 0 and at most 45s
@ instead of summary: За {period} поступило {income}, выплачено {expenses}, плательщиков — {payers}.
summary: За {period} {income} ₽, {payers}.
  13: summary: {income} prints its ₽ itself, expected it without "₽"
summary: За {period} {income, {payers}.
  load 13: summary: ICU MessageFormat:
summary: За {period} всё хорошо.
  load 13: summary: names no column, expected at least one figure, such as {row_count}
summary: "{income}, {payers, plural, one {#} few {#} mny {#} other {#}} за {period}."
  load 13: summary: "mny" is not a form of {payers, plural, ...}, did you mean "many"?
summary: За {period} {income}, {payer}.
  load 13: summary: unknown {payer}, did you mean "payers"?
summary: За {period} {income}.
  12: facts.payers: nothing reads it, expected the summary to name it
@ instead of key: [counterparty_id]
# no key
  1: no key "key", expected the columns that identify a row, such as [category]
key: [counterpart]
  load 10: key: no column "counterpart", did you mean "counterparty"?
@ instead of { title: Поступления, type: money, total: sum(income) }
{ title: Поступления, type: money, total: count(*) }
  6: count(*) is the number of rows under a column of type money, expected sum(income), or none
{ title: Поступления, type: mony, total: sum(income) }
  load 6: columns.income.type: found "mony", expected a type: text, date, month, datetime, integer, number, percent, money; did you mean "money"?
{ type: money, total: sum(income) }
  load 6: columns.income: no key "title", expected a title in Russian
@ instead of { title: Выплаты, type: money, total: sum(expenses) }
{ title: Выплаты, type: money, total: sum(expense) }
  replica 7: columns.expenses.total: column "expense" does not exist
  text 7: sum(expense) is of no column, did you mean "expenses"?
{ title: Выплаты, type: money }
  load 7: columns.expenses: no total, expected an aggregate or none
{ title: Поступления, type: money, total: sum(expenses) }
  7: columns.expenses: «Поступления» is the title of income too
@ instead of order by paid.income desc, coalesce(counterparties.name, 'Без контрагента') collate "C", paid.counterparty_id
-- no order
  load 17: no order by at the top level
order by paid.counterparty_id; select count(*) from operations
  load 42: a second statement, expected one in a file
order by paid.income desc, paid.counterparty_id limit 100
  42: limit on the whole statement drops rows silently
@ instead of title: Оплаты по контрагентам
title: Оплаты: по контрагентам
  load 2: YAML:
# no title
  load 1: no key "title", expected a title in Russian
@ instead of operations.kind in ('income', 'expense')
operations.kind in ('incomes', 'expense')
  replica 28: operations.kind is never 'incomes', did you mean "income"?
`,
]
