/*---
title: Движение денег по месяцам
description: Сколько денег пришло и ушло в каждом месяце и сколько осталось. Учтены все счета, кроме переводов между ними.
dateBasis: payment
keywords: [ддс, поток, остатки, деньги, денег, динамика, monthly cash flow, money, receipts, payments, balances]
position: 10
columns:
  month_name: { title: Период, type: text, link: "/reports/payments?from={month.from}&to={month.to}" }
  month:      { title: Месяц, type: month }
  opening:    { title: Остаток на начало, type: money, aggregation: { periods: first } }
  received:   { title: Поступило, type: money, aggregation: { rows: sum, periods: sum } }
  paid:       { title: Выплачено, type: money, aggregation: { rows: sum, periods: sum } }
  operating:  { title: Операционный поток, type: money, aggregation: { rows: sum, periods: sum } }
  investing:  { title: Инвестиционный, type: money, aggregation: { rows: sum, periods: sum } }
  financing:  { title: Финансовый, type: money, aggregation: { rows: sum, periods: sum } }
  net:        { title: Чистый поток, type: money, aggregation: { rows: sum, periods: sum } }
  closing:    { title: Остаток на конец, type: money, aggregation: { periods: last } }
key: [month]
chart: { kind: columns, measures: [received, paid], label: month }
summary: >-
  {period_dates} поступило {received}, выплачено {paid}, чистый поток — {net},
  {closing_sign, select,
  negative {перерасход на счетах — {closing_abs}}
  zero {на счетах ничего не осталось}
  other {на счетах осталось {closing}}}.
emptySummary: За {period} движения денег не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 10000
budget: { buffersPerThousandRows: 25 }
---*/
-- Tuned 2026-11-21, over this year: 1.6 ms and 46 buffers for the median demo organization, 54 ms and 1,489 for the
-- large one, with operations_posted_by_payment and categories_named; without: 5.0 ms and 2,563, 95 ms and 9,258.
-- One materialized scan for both the opening balance and the months spilled to disk: 157 ms for the large one.
-- By the day the money moved, and by its direction: a refund to a customer is paid, one from a supplier is received.
-- Transfers between own accounts are excluded.
with opening as (
    select
        (
            select coalesce(sum(accounts.opening_balance_kopecks), 0)
            from accounts
        ) + (
            select
                coalesce(
                    sum(case when operations.kind = 'income' then operations.amount_kopecks else -operations.amount_kopecks end),
                    0
                )
            from operations
            where operations.paid_on < :period_start
              and operations.status = 'posted'
              and operations.kind in ('income', 'expense')
        ) as balance
),
flows as (
    select
        -- why: a timestamp, because date_trunc of a date converts to timestamptz and takes 20-30 % longer
        date_trunc('month', operations.paid_on::timestamp) as month,
        coalesce(categories.section, 'operating') as section,
        case when operations.kind = 'income' then operations.amount_kopecks else -operations.amount_kopecks end as amount
    from operations
    left join categories on categories.id = operations.category_id
    where operations.paid_on >= :period_start
      and operations.paid_on < :period_end
      and operations.status = 'posted'
      and operations.kind in ('income', 'expense')
),
flows_by_month as (
    select
        flows.month,
        coalesce(sum(flows.amount) filter (where flows.amount > 0), 0) as received,
        coalesce(-sum(flows.amount) filter (where flows.amount < 0), 0) as paid,
        -- Including purchases for stock and operations without a category.
        coalesce(sum(flows.amount) filter (where flows.section not in ('investing', 'financing')), 0) as operating,
        coalesce(sum(flows.amount) filter (where flows.section = 'investing'), 0) as investing,
        coalesce(sum(flows.amount) filter (where flows.section = 'financing'), 0) as financing,
        sum(flows.amount) as net
    from flows
    group by flows.month
),
first_fact as (
    select min(operations.paid_on) as date
    from operations
    where operations.status = 'posted'
      and operations.kind in ('income', 'expense')
),
-- From the first flow to as_of. A future period without flows has no months, even if it begins in the current month.
months as (
    select generate_series(
        date_trunc('month', greatest(:period_start, first_fact.date)::timestamp),
        greatest(
            date_trunc('month', :as_of::timestamp),
            (select max(flows_by_month.month) from flows_by_month)
        ),
        interval '1 month'
    ) as month
    from first_fact
    where first_fact.date is not null
      and (:as_of >= :period_start or exists (select from flows_by_month))
),
figures as (
    select
        months.month,
        coalesce(flows_by_month.received, 0) as received,
        coalesce(flows_by_month.paid, 0) as paid,
        coalesce(flows_by_month.operating, 0) as operating,
        coalesce(flows_by_month.investing, 0) as investing,
        coalesce(flows_by_month.financing, 0) as financing,
        coalesce(flows_by_month.net, 0) as net
    from months
    left join flows_by_month on flows_by_month.month = months.month
),
-- why: the statement computes the totals, because a period without months has opening and closing balances;
-- the empty grouping set returns a row even if there are no months
summed as (
    select
        grouping(figures.month) = 1 as is_total,
        figures.month,
        coalesce(sum(figures.received), 0) as received,
        coalesce(sum(figures.paid), 0) as paid,
        coalesce(sum(figures.operating), 0) as operating,
        coalesce(sum(figures.investing), 0) as investing,
        coalesce(sum(figures.financing), 0) as financing,
        coalesce(sum(figures.net), 0) as net
    from figures
    group by grouping sets ((), (figures.month))
),
-- The closing balance of the total includes the whole period, that of a month all months up to it.
balanced as (
    select
        summed.is_total,
        summed.month,
        summed.received,
        summed.paid,
        summed.operating,
        summed.investing,
        summed.financing,
        summed.net,
        opening.balance + sum(summed.net) over (partition by summed.is_total order by summed.month) as closing
    from summed
    cross join opening
)
select
    balanced.is_total,
    (array[
        'Январь', 'Февраль', 'Март', 'Апрель', 'Май', 'Июнь',
        'Июль', 'Август', 'Сентябрь', 'Октябрь', 'Ноябрь', 'Декабрь'
    ])[extract(month from balanced.month)::integer] || ' ' || extract(year from balanced.month) as month_name,
    to_char(balanced.month, 'YYYY-MM') as month,
    balanced.closing - balanced.net as opening,
    balanced.received,
    balanced.paid,
    balanced.operating,
    balanced.investing,
    balanced.financing,
    balanced.net,
    balanced.closing
from balanced
order by balanced.is_total desc, balanced.month
