/*---
title: Доходы по статьям
description: За что получили доход и какая доля у каждой статьи. Учтены проведённые операции вида «Доход», возвраты покупателям их уменьшают.
dateBasis: accrual
keywords: [выручка, поступления, доходы, заработали, структура, revenue, earnings, income]
position: 8
columns:
  parent:      { title: Группа статей, type: text }
  category:    { title: Статья, type: text, total: none, link: "/reports/operations?category={category_id}&kind=income&from={from}&to={to}" }
  operations:  { title: Операций, type: integer, total: sum(operations), aggregation: { rows: sum, periods: sum } }
  amount:      { title: Сумма, type: money, total: sum(amount), aggregation: { rows: sum, periods: sum } }
  share:       { title: Доля, type: percent, total: case when sum(amount) > 0 then 100.0 end }
  category_id: { title: Код статьи, type: text, total: none }
  position:    { title: Порядок, type: integer, hidden: true }
key: [category_id]
chart: { kind: bars, measures: [amount], label: category }
facts:
  best:        { type: text, total: "(array_agg(category order by position))[1]" }
  best_amount: { type: money, total: max(amount) }
  best_share:  { type: percent, total: max(share) }
summary: >-
  За {period} доходы составили {amount}{row_count, plural,
  =1 {, все — «{best}»}
  one { по # статье}
  other { по # статьям}}{row_count, plural,
  =1 {}
  other {{best_amount_sign, select,
  positive {, больше всего — «{best}»: {best_amount}{best_share_sign, select, none {} other { ({best_share})}}}
  other {}}}}.
emptySummary: За {period} доходов не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 10000
budget: { buffersPerThousandRows: 30 }
---*/
-- Tuned 2026-11-21, over this year: 0.4 ms and 46 buffers for the median demo organization, 15 ms and 526 for the
-- large one, with operations_posted_by_date and categories_named; without: 1.7 ms and 877, 17 ms and 2,181.
-- By accrual. One row for each category that has operations; the row of a group excludes its subcategories.
with sums as (
    select
        operations.category_id,
        count(*) as operations,
        sum(operations.amount_kopecks) as amount
    from operations
    where operations.operation_date >= :period_start
      and operations.operation_date < :period_end
      and operations.status = 'posted'
      and operations.kind = 'income'
    group by operations.category_id
),
-- Categories have two levels; operations of a group itself are in its row «Прочее». Kind and section must agree.
named as (
    select
        sums.category_id,
        coalesce(parents.name, categories.name, 'Без статьи') as parent,
        case
            when exists (
                select
                from categories as children
                where children.parent_id = categories.id
            ) then 'Прочее: ' || categories.name
            else coalesce(categories.name, 'Без статьи')
        end as category,
        sums.operations,
        sums.amount
    from sums
    left join categories on categories.id = sums.category_id
    left join categories as parents on parents.id = categories.parent_id
    where coalesce(categories.section, 'income') = 'income'
)
select
    named.parent,
    named.category,
    named.operations,
    named.amount,
    round(100.00000000000000000000 * named.amount / nullif(greatest(sum(named.amount) over (), 0), 0), 1) as share,
    -- why: a key is never null, and ids begin with 1
    coalesce(named.category_id::text, '0') as category_id,
    row_number() over (order by named.amount desc, named.category collate "C", named.category_id) as position
from named
order by position
