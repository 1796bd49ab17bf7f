/*---
title: Прибыли и убытки
description: "Сколько заработали: доходы, расходы и прибыль по месяцам. Доходы и операционные расходы учтены по дате начисления, себестоимость товаров — по дате движения."
dateBasis: accrual
keywords: [ОПиУ, P&L, выручка, доходы, расходы, рентабельность, заработали, заработок, прибыль, убыток, маржа, итоги, revenue, income, expenses, costs, earnings, profit, loss, margin, profitability]
position: 6
columns:
  month_name:         { title: Период, type: text }
  month:              { title: Месяц, type: month, total: none }
  income:             { title: Доходы, type: money, total: sum(income), aggregation: { rows: sum, periods: sum }, link: "/reports/income_by_category?from={month.from}&to={month.to}" }
  cost_of_goods:      { title: Себестоимость, type: money, total: sum(cost_of_goods), aggregation: { rows: sum, periods: sum } }
  gross_profit:       { title: Валовая прибыль, type: money, total: sum(gross_profit), aggregation: { rows: sum, periods: sum } }
  operating_expenses: { title: Операционные расходы, type: money, total: sum(operating_expenses), aggregation: { rows: sum, periods: sum } }
  profit:             { title: Прибыль, type: money, total: sum(profit), aggregation: { rows: sum, periods: sum } }
  margin:             { title: Рентабельность, type: percent, total: "round(100.00000000000000000000 * sum(profit) / nullif(greatest(sum(income), 0), 0), 1)" }
  expenses:           { title: Расходы, type: money, total: sum(expenses), hidden: true }
key: [month]
chart: { kind: columns, measures: [income, cost_of_goods, operating_expenses, profit], label: month }
summary: >-
  За {period} доходы составили {income}, расходы — {expenses},
  {profit_sign, select,
  negative {убыток — {profit_abs}}
  other {прибыль — {profit}{margin_sign, select, none {} other {, рентабельность — {margin}}}}}.
emptySummary: За {period} операций не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 10000
budget: { buffersPerThousandRows: 30 }
---*/
-- Tuned 2026-11-21, over this year: 1.3 ms and 39 buffers for the median demo organization, 66 ms and 821 for the
-- large one, with operations_posted_by_date, stock_movements_by_moment and categories_named; without: 3.7 ms and
-- 1,322, 78 ms and 3,249.
-- By accrual: operations by operation_date, the cost of goods and losses by the local day of the movement.
with operations_by_month as (
    select
        -- why: a timestamp, because date_trunc of a date converts to timestamptz and takes 20-30 % longer
        date_trunc('month', operations.operation_date::timestamp) as month,
        sum(operations.amount_kopecks) filter (where operations.kind = 'income') as income,
        sum(operations.amount_kopecks) filter (where categories.section = 'cost_of_goods') as cost_of_goods,
        sum(operations.amount_kopecks) filter (
            where operations.kind = 'expense'
              and categories.section is distinct from 'cost_of_goods'
        ) as operating_expenses
    from operations
    left join categories on categories.id = operations.category_id
    where operations.operation_date >= :period_start
      and operations.operation_date < :period_end
      and operations.status = 'posted'
      and (
          (operations.kind = 'income' and coalesce(categories.section, 'income') = 'income')
          or (operations.kind = 'expense' and coalesce(categories.section, 'operating') in ('operating', 'cost_of_goods'))
      )
    group by 1
),
-- why: looking up a movement's month among the period's months takes a fifth of the time of a time zone conversion
beginnings as (
    select array(
        select
            case
                when next_day.at at time zone :time_zone = months.month then next_day.at
                else months.month at time zone :time_zone
            end
        from generate_series(
            date_trunc('month', :period_start::timestamp),
            greatest(:as_of, :period_start)::timestamp,
            interval '1 month'
        ) as months (month)
        -- why: of a midnight that comes twice, a month begins at the first: 24 hours after the midnight before
        cross join lateral (
            select (months.month - interval '1 day') at time zone :time_zone + interval '24 hours' as at
        ) as next_day
    ) as instants
),
movements_by_number as (
    select
        width_bucket(stock_movements.moved_at, (select beginnings.instants from beginnings)) as number,
        -sum(stock_movements.cost_kopecks) filter (
            where stock_movements.kind in ('sale', 'customer_return')
        ) as cost_of_goods,
        -sum(stock_movements.cost_kopecks) filter (
            where stock_movements.kind in ('write_off', 'surplus')
        ) as operating_expenses
    from stock_movements
    where stock_movements.moved_at >= :period_start_at
      and stock_movements.moved_at < :period_end_at
      and stock_movements.kind in ('sale', 'customer_return', 'write_off', 'surplus')
    group by 1
),
movements_by_month as (
    select
        date_trunc('month', :period_start::timestamp) + (movements_by_number.number - 1) * interval '1 month' as month,
        movements_by_number.cost_of_goods,
        movements_by_number.operating_expenses
    from movements_by_number
),
facts_by_month as (
    select
        facts.month,
        coalesce(sum(facts.income), 0) as income,
        coalesce(sum(facts.cost_of_goods), 0) as cost_of_goods,
        coalesce(sum(facts.operating_expenses), 0) as operating_expenses
    from (
        select
            operations_by_month.month,
            operations_by_month.income,
            operations_by_month.cost_of_goods,
            operations_by_month.operating_expenses
        from operations_by_month
        union all
        select
            movements_by_month.month,
            0,
            movements_by_month.cost_of_goods,
            movements_by_month.operating_expenses
        from movements_by_month
    ) as facts
    group by facts.month
),
-- why: order by and limit 1 stop at the first row of the index; min() over a join reads all rows
first_operation as (
    select operations.operation_date as date
    from operations
    left join categories on categories.id = operations.category_id
    where operations.status = 'posted'
      and (
          (operations.kind = 'income' and coalesce(categories.section, 'income') = 'income')
          or (operations.kind = 'expense' and coalesce(categories.section, 'operating') in ('operating', 'cost_of_goods'))
      )
    order by operations.operation_date
    limit 1
),
first_movement as (
    select (stock_movements.moved_at at time zone :time_zone)::date as date
    from stock_movements
    where stock_movements.kind in ('sale', 'customer_return', 'write_off', 'surplus')
    order by stock_movements.moved_at
    limit 1
),
first_fact as (
    select min(firsts.date) as date
    from (
        select first_operation.date from first_operation
        union all
        select first_movement.date from first_movement
    ) as firsts
),
-- From the month of the first fact to that of as_of, or of a later paid advance. A future period without advances has
-- no months, even if it begins in the current month.
months as (
    select generate_series(
        date_trunc('month', greatest(:period_start, first_fact.date)::timestamp),
        greatest(
            date_trunc('month', :as_of::timestamp),
            (select max(facts_by_month.month) from facts_by_month)
        ),
        interval '1 month'
    ) as month
    from first_fact
    where first_fact.date is not null
      and (:as_of >= :period_start or exists (select from facts_by_month))
),
figures as (
    select
        months.month,
        coalesce(facts_by_month.income, 0) as income,
        coalesce(facts_by_month.cost_of_goods, 0) as cost_of_goods,
        coalesce(facts_by_month.operating_expenses, 0) as operating_expenses,
        coalesce(facts_by_month.cost_of_goods + facts_by_month.operating_expenses, 0) as expenses,
        coalesce(facts_by_month.income - facts_by_month.cost_of_goods - facts_by_month.operating_expenses, 0) as profit
    from months
    left join facts_by_month on facts_by_month.month = months.month
)
select
    (array[
        'Январь', 'Февраль', 'Март', 'Апрель', 'Май', 'Июнь',
        'Июль', 'Август', 'Сентябрь', 'Октябрь', 'Ноябрь', 'Декабрь'
    ])[extract(month from figures.month)::integer] || ' ' || extract(year from figures.month) as month_name,
    to_char(figures.month, 'YYYY-MM') as month,
    figures.income,
    figures.cost_of_goods,
    figures.income - figures.cost_of_goods as gross_profit,
    figures.operating_expenses,
    figures.profit,
    round(100.00000000000000000000 * figures.profit / nullif(greatest(figures.income, 0), 0), 1) as margin,
    figures.expenses
from figures
order by figures.month
