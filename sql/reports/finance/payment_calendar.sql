/*---
title: Платёжный календарь
description: "Хватит ли денег: ожидаемые поступления и выплаты по неделям и остаток после них. Учтены планы и неоплаченные документы по сроку оплаты, просроченные выплаты — сегодня."
dateBasis: due
keywords: [платежи, кассовый, разрыв, план, прогноз, хватит, деньги, денег, заплатить, cash gap, forecast, plan, upcoming payments, liquidity, money]
position: 2
columns:
  week_name:        { title: Неделя, type: text }
  week:             { title: Начало недели, type: date }
  opening:          { title: Остаток на начало, type: money }
  receipts:         { title: Ожидается поступлений, type: money, aggregation: { rows: sum, periods: sum } }
  payments:         { title: Ожидается выплат, type: money, aggregation: { rows: sum, periods: sum } }
  overdue_payments: { title: В т. ч. просроченных выплат, type: money, aggregation: { rows: sum, periods: sum } }
  closing:          { title: Остаток на конец, type: money, aggregation: { periods: last } }
  lowest:           { title: Наименьший остаток, type: money }
  overdue_receipts: { title: "Просрочено покупателями, вне остатка", type: money, aggregation: { rows: sum, periods: sum } }
  week_end:         { title: Конец недели, type: date }
key: [week]
chart: { kind: lines, measures: [closing, lowest], label: week_end }
facts:
  days_ahead: { type: integer }
  first_day:  { type: date }
  last_day:   { type: date }
  first_gap:  { type: date }
  gap:        { type: money }
summary: >-
  На {as_of}
  {days_ahead, plural,
  =0 {{opening_sign, select,
  negative {перерасход на счетах — {opening_abs}}
  other {на счетах {opening}}}}
  other {ожидается, что к {first_day}
  {opening_sign, select,
  negative {перерасход на счетах составит {opening_abs}}
  other {на счетах будет {opening}}}}},
  по {last_day} ожидается поступлений на {receipts}, выплат — на {payments},
  {gap_sign, select,
  positive {с {first_gap} ожидается кассовый разрыв, самое большее — {gap}}
  other {кассового разрыва не ожидается}}{overdue_receipts_sign, select,
  zero {}
  other {; просроченные покупателями {overdue_receipts} в расчёт не входят}}.
emptySummary: За {period} платежей не ожидается.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 10s
maxRows: 100000
budget: { buffersPerThousandRows: 30 }
# allow: split-period because what is overdue is expected today
---*/
-- Tuned 2026-11-21, over this year: 1.2 ms and 64 buffers for the median demo organization, 34 ms and 1,617 for the
-- large one, with operations_posted_by_payment, operations_unpaid and operations_planned_by_day; without: 6.8 ms
-- and 5,223, 77 ms and 15,272.
-- By the expected day of payment. A past period has no rows: payments are expected today or later.
with dues as (
    select
        coalesce(operations.due_on, operations.operation_date) as due_on,
        case operations.kind when 'income' then operations.amount_kopecks else -operations.amount_kopecks end as flow
    from operations
    where operations.operation_date <= :today
      and operations.status = 'posted'
      and operations.paid_on is null
      and operations.kind in ('income', 'expense')
    union all
    -- Planned payments of past days are excluded: those that were made are posted.
    select
        coalesce(operations.due_on, operations.operation_date),
        case operations.kind when 'income' then operations.amount_kopecks else -operations.amount_kopecks end
    from operations
    where coalesce(operations.due_on, operations.operation_date) >= :today
      and coalesce(operations.due_on, operations.operation_date) < :period_end
      and operations.status = 'planned'
      and operations.kind in ('income', 'expense')
),
-- Overdue payables are expected today; overdue receivables are not expected.
expected as (
    select
        greatest(dues.due_on, :today) as day,
        coalesce(sum(dues.flow) filter (where dues.flow > 0 and dues.due_on >= :today), 0) as receipts,
        coalesce(-sum(dues.flow) filter (where dues.flow < 0), 0) as payments,
        coalesce(-sum(dues.flow) filter (where dues.flow < 0 and dues.due_on < :today), 0) as overdue_payments,
        coalesce(sum(dues.flow) filter (where dues.flow > 0 and dues.due_on < :today), 0) as overdue_receipts
    from dues
    where greatest(dues.due_on, :today) < :period_end
    group by greatest(dues.due_on, :today)
),
accounts_opening as (
    select coalesce(sum(accounts.opening_balance_kopecks), 0) as balance
    from accounts
),
paid as (
    select
        coalesce(
            sum(case operations.kind when 'income' then operations.amount_kopecks else -operations.amount_kopecks end),
            0
        ) as balance
    from operations
    where operations.paid_on <= :as_of
      and operations.status = 'posted'
      and operations.kind in ('income', 'expense')
),
-- The opening balance of a future period includes earlier expected payments.
expected_before as (
    select coalesce(sum(expected.receipts - expected.payments), 0) as balance
    from expected
    where expected.day < :period_start
),
calendar as (
    select
        greatest(:period_start, :today) as first_day,
        accounts_opening.balance + paid.balance + expected_before.balance as opening
    from accounts_opening
    cross join paid
    cross join expected_before
),
days as (
    select
        dates.day::date as day,
        greatest(date_trunc('week', dates.day)::date, calendar.first_day) as week,
        least(date_trunc('week', dates.day)::date + 6, :period_end - 1) as last_day,
        coalesce(expected.receipts, 0) as receipts,
        coalesce(expected.payments, 0) as payments,
        coalesce(expected.overdue_payments, 0) as overdue_payments,
        coalesce(expected.overdue_receipts, 0) as overdue_receipts,
        calendar.opening + coalesce(sum(expected.receipts - expected.payments) over (order by dates.day), 0) as balance
    from calendar
    cross join generate_series(
        calendar.first_day::timestamp,
        (select max(expected.day) from expected)::timestamp,
        interval '1 day'
    ) as dates (day)
    left join expected on expected.day = dates.day::date
),
-- why: grouping sets, because total balances are not sums of the weeks' balances;
-- the empty grouping set returns a row even if there are no weeks
figures as (
    select
        grouping(days.week) = 1 as is_total,
        days.week,
        days.last_day,
        coalesce(sum(days.receipts), 0) as receipts,
        coalesce(sum(days.payments), 0) as payments,
        coalesce(sum(days.overdue_payments), 0) as overdue_payments,
        coalesce(sum(days.overdue_receipts), 0) as overdue_receipts,
        (array_agg(days.balance order by days.day desc))[1] as closing,
        min(days.balance) as lowest,
        min(days.day) filter (where days.balance < 0) as first_gap
    from days
    group by grouping sets ((), (days.week, days.last_day))
)
select
    figures.is_total,
    case when figures.week < figures.last_day then to_char(figures.week, 'DD.MM') || '–' else '' end
        || to_char(figures.last_day, 'DD.MM.YYYY') as week_name,
    figures.week,
    coalesce(figures.closing - figures.receipts + figures.payments, calendar.opening) as opening,
    figures.receipts,
    figures.payments,
    figures.overdue_payments,
    coalesce(figures.closing, calendar.opening) as closing,
    coalesce(figures.lowest, calendar.opening) as lowest,
    figures.overdue_receipts,
    figures.last_day as week_end,
    calendar.first_day - :as_of as days_ahead,
    calendar.first_day,
    :period_end - 1 as last_day,
    case
        when figures.closing is not null then figures.first_gap
        when calendar.opening < 0 and :as_of = :today then calendar.first_day
    end as first_gap,
    greatest(0, -coalesce(figures.lowest, calendar.opening)) as gap
from figures
cross join calendar
order by figures.is_total desc, figures.week
