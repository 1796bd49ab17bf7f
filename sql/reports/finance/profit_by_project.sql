/*---
title: Прибыль по проектам
description: Какие проекты приносят прибыль, а какие — убыток. Общие расходы и потери склада распределены между проектами по доходам.
dateBasis: accrual
keywords: [рентабельность, маржа, направления, объекты, убыток, projects, margin, profitability, loss]
position: 7
columns:
  project:         { title: Проект, type: text }
  income:          { title: Доходы, type: money, total: sum(income), aggregation: { rows: sum, periods: sum }, link: "/reports/operations?kind=income&project={operations_project_id}&from={from}&to={to}" }
  direct_expenses: { title: Прямые расходы, type: money, total: sum(direct_expenses), aggregation: { rows: sum, periods: sum } }
  shared_expenses: { title: Доля общих расходов, type: money, total: sum(shared_expenses), aggregation: { rows: sum, periods: sum } }
  profit:          { title: Прибыль, type: money, total: sum(profit), aggregation: { rows: sum, periods: sum } }
  margin:          { title: Рентабельность, type: percent, total: "round(100.00000000000000000000 * sum(profit) / nullif(greatest(sum(income), 0), 0), 1)" }
  project_id:      { title: Номер проекта, type: text, total: none }
  operations_project_id: { title: Номер проекта операций, type: text, total: none }
key: [project_id]
chart: { kind: bars, measures: [profit, income], label: project }
facts:
  losing:      { type: integer, total: count(*) filter (where profit < 0 and project_id <> '0') }
  best:        { type: text, total: "(array_agg(project order by profit desc, project collate \"C\", project_id::bigint) filter (where project_id <> '0'))[1]" }
  best_profit: { type: money, total: max(profit) filter (where project_id <> '0') }
summary: >-
  За {period}
  {profit_sign, select,
  negative {убыток составил {profit_abs}}
  other {прибыль составила {profit}{margin_sign, select, none {} other {, рентабельность — {margin}}}}}{best_profit_sign, select,
  positive {, самый прибыльный проект — «{best}»: {best_profit}}
  none {, на проекты ничего не отнесено}
  other {}}{losing, plural,
  =0 {}
  one {, убыточен # проект}
  few {, убыточны # проекта}
  many {, убыточно # проектов}
  other {, убыточно # проекта}}.
emptySummary: За {period} операций не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 10000
# why: movements are joined to their documents, and an organization with most of sale_lines gets a sequential scan
budget: { buffersPerThousandRows: 40, seqScan: 64MiB }
# allow: split-period because shares of two periods add up in the total alone
---*/
-- Tuned 2026-11-21, over this year: 1.6 ms and 61 buffers for the median demo organization, 77 ms and 3,902 for the
-- large one, with operations_posted_by_date, stock_movements_by_moment, sales_by_shipment, sale_lines_by_document
-- and categories_named; without: 7.3 ms and 2,626, 73 ms and 6,327.
-- With operations joined before aggregation, and movements read twice, for sales and for losses, the large one took
-- 161 ms. The ids of documents are not bounded, as they are in product_sales: bounds made the median one read 484
-- buffers.
-- By accrual. A project has its own expenses and cost of goods. Other expenses and stock losses are shared among all
-- projects by income.
-- why: aggregation before the join, whose row count the planner cannot estimate, leaves a thousand rows to join instead
-- of tens of thousands
with operations_by_category as (
    select
        operations.project_id,
        operations.category_id,
        operations.kind,
        sum(operations.amount_kopecks) as amount
    from operations
    where operations.operation_date >= :period_start
      and operations.operation_date < :period_end
      and operations.status = 'posted'
      and operations.kind in ('income', 'expense')
    group by operations.project_id, operations.category_id, operations.kind
),
accrued as (
    select
        operations_by_category.project_id,
        case when operations_by_category.kind = 'income' then operations_by_category.amount else 0 end as income,
        case when operations_by_category.kind = 'expense' then operations_by_category.amount else 0 end as expenses
    from operations_by_category
    left join categories on categories.id = operations_by_category.category_id
    where
        case operations_by_category.kind
            when 'income' then coalesce(categories.section, 'income') = 'income'
            else coalesce(categories.section, 'operating') in ('operating', 'cost_of_goods')
        end
),
-- The cost of goods is recognized at shipment, in the project of the sale; write-offs and surpluses are losses.
taken_from_stock as (
    select
        sales.project_id,
        stock_movements.sale_line_id is null as is_lost,
        -sum(stock_movements.cost_kopecks) as expenses
    from stock_movements
    left join sale_lines on sale_lines.id = stock_movements.sale_line_id
    left join sales on sales.id = sale_lines.sale_id
    where stock_movements.moved_at >= :period_start_at
      and stock_movements.moved_at < :period_end_at
      and stock_movements.kind in ('sale', 'customer_return', 'write_off', 'surplus')
    group by 1, 2
),
own as (
    select
        facts.project_id,
        sum(facts.income) as income,
        sum(facts.direct_expenses) as direct_expenses,
        sum(facts.expenses_to_share) as expenses_to_share
    from (
        select
            accrued.project_id,
            accrued.income,
            case when accrued.project_id is not null then accrued.expenses else 0 end as direct_expenses,
            case when accrued.project_id is null then accrued.expenses else 0 end as expenses_to_share
        from accrued
        union all
        select
            taken_from_stock.project_id,
            0,
            case when not taken_from_stock.is_lost then taken_from_stock.expenses else 0 end,
            case when taken_from_stock.is_lost then taken_from_stock.expenses else 0 end
        from taken_from_stock
        union all
        -- «Без проекта» always exists, for expenses that cannot be shared.
        select null, 0, 0, 0
    ) as facts
    group by facts.project_id
),
-- Shared by income; without any income, all goes to «Без проекта».
weighed as (
    select
        own.project_id,
        own.income,
        own.direct_expenses,
        sum(own.expenses_to_share) over () as shared,
        case
            when own.project_id is null and max(own.income) over () <= 0 then 1
            else greatest(own.income, 0)
        end as weight
    from own
),
running as (
    select
        weighed.project_id,
        weighed.income,
        weighed.direct_expenses,
        weighed.shared,
        sum(weighed.weight) over (order by weighed.income desc, weighed.project_id) as weight_so_far,
        sum(weighed.weight) over () as weight
    from weighed
),
-- Rounded running totals, so that the differences sum to the total.
shared_running as (
    select
        running.project_id,
        running.income,
        running.direct_expenses,
        -- why: shared * weight_so_far / weight, rounded half away from zero; div is exact, a quotient of numeric is not
        div(2 * running.shared * running.weight_so_far + sign(running.shared) * running.weight, 2 * running.weight)
            as shared_so_far
    from running
),
allotted as (
    select
        shared_running.project_id,
        shared_running.income,
        shared_running.direct_expenses,
        shared_running.shared_so_far
            - lag(shared_running.shared_so_far, 1, 0) over (order by shared_running.income desc, shared_running.project_id)
            as shared_expenses
    from shared_running
),
figures as (
    select
        coalesce(projects.name, 'Без проекта') as project,
        allotted.income,
        allotted.direct_expenses,
        allotted.shared_expenses,
        allotted.income - allotted.direct_expenses - allotted.shared_expenses as profit,
        allotted.project_id
    from allotted
    left join projects on projects.id = allotted.project_id
    where allotted.income <> 0
       or allotted.direct_expenses <> 0
       or allotted.shared_expenses <> 0
)
select
    figures.project,
    figures.income,
    figures.direct_expenses,
    figures.shared_expenses,
    figures.profit,
    round(100.00000000000000000000 * figures.profit / nullif(greatest(figures.income, 0), 0), 1) as margin,
    -- why: a key is never null, and ids begin with 1
    coalesce(figures.project_id::text, '0') as project_id,
    -- why: operations without a project have loans and contributions, too, which are no income
    figures.project_id::text as operations_project_id
from figures
order by figures.income desc, figures.project collate "C", figures.project_id
