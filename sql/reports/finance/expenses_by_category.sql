/*---
title: Расходы по статьям
description: На что тратим и какая доля у каждой статьи. Себестоимость проданных товаров и потери склада — две отдельные строки.
dateBasis: accrual
keywords: [затраты, траты, тратим, потратили, издержки, месяц, зарплата, аренда, налоги, структура, costs, spending, payroll, salaries, wages, rent, taxes]
position: 9
columns:
  parent:      { title: Группа статей, type: text }
  category:    { title: Статья, type: text, total: none, link: "/reports/operations?category={operations_category_id}&kind=expense&from={from}&to={to}" }
  section:     { title: Вид расходов, type: text, total: none }
  operations:  { title: Операций, type: integer, total: sum(operations), aggregation: { rows: sum, periods: sum } }
  amount:      { title: Сумма, type: money, total: sum(amount), aggregation: { rows: sum, periods: sum } }
  share:       { title: Доля, type: percent, total: case when sum(amount) > 0 then 100.0 end }
  category_id: { title: Код статьи, type: text, total: none }
  operations_category_id: { title: Код статьи операций, type: text, total: none }
  position:    { title: Порядок, type: integer, hidden: true }
key: [category_id]
chart: { kind: bars, measures: [amount], label: category }
facts:
  best:        { type: text, total: "(array_agg(category order by position))[1]" }
  best_amount: { type: money, total: max(amount) }
  best_share:  { type: percent, total: max(share) }
summary: >-
  За {period} расходы составили {amount}{row_count, plural,
  =1 {, все — «{best}»}
  one { по # статье}
  other { по # статьям}}{row_count, plural,
  =1 {}
  other {{best_amount_sign, select,
  positive {, больше всего — «{best}»: {best_amount}{best_share_sign, select, none {} other { ({best_share})}}}
  other {}}}}.
emptySummary: За {period} расходов не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 10000
budget: { buffersPerThousandRows: 30 }
---*/
-- Tuned 2026-11-21, over this year: 0.8 ms and 34 buffers for the median demo organization, 24 ms and 812 for the
-- large one, with operations_posted_by_date, stock_movements_by_moment and categories_named; without: 3.2 ms and
-- 1,372, 35 ms and 3,271.
-- By accrual. One row for each category that has operations, and two rows for stock, so that the total equals the
-- expenses of profit_loss.
with sums as (
    select
        operations.category_id,
        count(*) as operations,
        sum(operations.amount_kopecks) as amount
    from operations
    where operations.operation_date >= :period_start
      and operations.operation_date < :period_end
      and operations.status = 'posted'
      and operations.kind = 'expense'
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
        case categories.section when 'cost_of_goods' then 'Себестоимость' else 'Операционные расходы' end as section,
        sums.operations,
        sums.amount
    from sums
    left join categories on categories.id = sums.category_id
    left join categories as parents on parents.id = categories.parent_id
    where coalesce(categories.section, 'operating') in ('cost_of_goods', 'operating')
),
-- The cost of goods is recognized at shipment; write-offs and surpluses are losses.
taken_from_stock as (
    select
        stock_movements.kind in ('sale', 'customer_return') as is_sold,
        -sum(stock_movements.cost_kopecks) as amount
    from stock_movements
    where stock_movements.moved_at >= :period_start_at
      and stock_movements.moved_at < :period_end_at
      and stock_movements.kind in ('sale', 'customer_return', 'write_off', 'surplus')
    group by 1
),
expenses as (
    select
        named.category_id,
        -- why: a key is never null, and ids begin with 1
        coalesce(named.category_id::text, '0') as code,
        named.parent,
        named.category,
        named.section,
        named.operations,
        named.amount
    from named
    union all
    select
        null,
        case when taken_from_stock.is_sold then 'cost_of_goods' else 'losses' end,
        'Склад',
        case when taken_from_stock.is_sold then 'Себестоимость проданных товаров' else 'Списания и недостачи' end,
        case when taken_from_stock.is_sold then 'Себестоимость' else 'Операционные расходы' end,
        0,
        taken_from_stock.amount
    from taken_from_stock
    where taken_from_stock.amount <> 0
)
select
    expenses.parent,
    expenses.category,
    expenses.section,
    expenses.operations,
    expenses.amount,
    round(100.00000000000000000000 * expenses.amount / nullif(greatest(sum(expenses.amount) over (), 0), 0), 1) as share,
    expenses.code as category_id,
    -- why: no operations stand behind the rows of the stock
    case when expenses.operations > 0 then expenses.code end as operations_category_id,
    row_number() over (order by expenses.amount desc, expenses.category collate "C", expenses.category_id) as position
from expenses
order by position
