/*---
title: Платёжный календарь
columns:
  week_name:        { title: Неделя, type: text }
  week:             { title: Начало недели, type: date }
  opening:          { title: Остаток на начало, type: money }
  receipts:         { title: Ожидается поступлений, type: money }
  overdue_receipts: { title: В т. ч. просроченных, type: money }
  payments:         { title: Ожидается выплат, type: money }
  overdue_payments: { title: В т. ч. просроченных выплат, type: money }
  closing:          { title: Остаток на конец, type: money }
  lowest:           { title: Наименьший остаток, type: money }
key: [week]
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
  other {кассового разрыва не ожидается}}.
emptySummary: На {as_of} ожидаемых поступлений и выплат за {period} нет.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 10s
maxRows: 100000
---*/
-- Tuned 2026-11-21, over this year: 1.2 ms and 65 buffers for the median demo organization, 37 ms and 1,673 for
-- the large one, with operations_posted_by_payment and operations_planned_by_day; without: 7.5 ms and 5,192, 87 ms
-- and 15,248.
-- By the day when money is expected: of a debt the day it is due, of a plan its own, of what is overdue at once.
with debts as (
    -- why: two parts instead of an or, each one stretch of the index operations_posted_by_payment
    select operations.kind, operations.operation_date, operations.due_on, operations.amount_kopecks
    from operations
    where operations.organization_id = :organization_id
      and operations.paid_on is null
      and operations.operation_date <= :as_of
      and operations.status = 'posted'
      and operations.kind in ('income', 'expense')
    union all
    select operations.kind, operations.operation_date, operations.due_on, operations.amount_kopecks
    from operations
    where operations.organization_id = :organization_id
      and operations.paid_on > :as_of
      and operations.operation_date <= :as_of
      and operations.status = 'posted'
      and operations.kind in ('income', 'expense')
),
expected as (
    select
        greatest(coalesce(debts.due_on, debts.operation_date), :as_of) as day,
        coalesce(debts.due_on, debts.operation_date) < :as_of as is_overdue,
        case debts.kind when 'income' then debts.amount_kopecks else -debts.amount_kopecks end as flow
    from debts
    where coalesce(debts.due_on, debts.operation_date) < :period_end
    union all
    -- A plan whose day has passed is no expectation: what came of it was posted.
    select
        coalesce(operations.due_on, operations.operation_date),
        false,
        case operations.kind when 'income' then operations.amount_kopecks else -operations.amount_kopecks end
    from operations
    where operations.organization_id = :organization_id
      and coalesce(operations.due_on, operations.operation_date) >= :today
      and coalesce(operations.due_on, operations.operation_date) < :period_end
      and operations.status = 'planned'
      and operations.kind in ('income', 'expense')
),
accounts_opening as (
    select coalesce(sum(accounts.opening_balance_kopecks), 0) as balance
    from accounts
    where accounts.organization_id = :organization_id
),
paid as (
    select
        coalesce(
            sum(case operations.kind when 'income' then operations.amount_kopecks else -operations.amount_kopecks end),
            0
        ) as balance
    from operations
    where operations.organization_id = :organization_id
      and operations.paid_on <= :as_of
      and operations.status = 'posted'
      and operations.kind in ('income', 'expense')
),
-- Before a period that has not begun, money comes and goes too: its calendar opens with what is expected by then.
awaited as (
    select coalesce(sum(expected.flow), 0) as balance
    from expected
    where expected.day < :period_start
),
calendar as (
    select
        greatest(:period_start, :as_of) as first_day,
        accounts_opening.balance + paid.balance + awaited.balance as opening
    from accounts_opening
    cross join paid
    cross join awaited
),
weeks as (
    select greatest(monday::date, calendar.first_day) as begins_on
    from calendar
    cross join generate_series(
        date_trunc('week', calendar.first_day::timestamp),
        (select max(expected.day) from expected where expected.day >= :period_start)::timestamp,
        interval '1 week'
    ) as monday
),
-- Nothing is expected before :as_of, so that the first day of the calendar need not be asked for.
changes as (
    select expected.day, expected.flow, expected.is_overdue
    from expected
    where expected.day >= :period_start
    union all
    -- A week without expectations has its row, and each one begins with the balance of the week before.
    select weeks.begins_on, 0, false
    from weeks
),
balances as (
    select
        date_trunc('week', changes.day::timestamp)::date as monday,
        changes.day,
        changes.flow,
        changes.is_overdue,
        -- At the day's end: rows of one day are peers, and each one has the sum of all.
        calendar.opening + sum(changes.flow) over (order by changes.day) as balance
    from changes
    cross join calendar
),
-- why: grouping sets, since the balances of the whole are no sums of the weeks'; () is there with no weeks too
figures as (
    select
        grouping(balances.monday) = 1 as is_total,
        balances.monday,
        coalesce(sum(balances.flow) filter (where balances.flow > 0), 0) as receipts,
        coalesce(sum(balances.flow) filter (where balances.flow > 0 and balances.is_overdue), 0) as overdue_receipts,
        coalesce(-sum(balances.flow) filter (where balances.flow < 0), 0) as payments,
        coalesce(-sum(balances.flow) filter (where balances.flow < 0 and balances.is_overdue), 0) as overdue_payments,
        (array_agg(balances.balance order by balances.day desc))[1] as closing,
        min(balances.balance) as lowest,
        min(balances.day) filter (where balances.balance < 0) as first_gap
    from balances
    group by grouping sets ((), (balances.monday))
),
shown as (
    select
        figures.is_total,
        case when not figures.is_total then greatest(figures.monday, calendar.first_day) end as begins_on,
        case when not figures.is_total then least(figures.monday + 6, :period_end - 1) end as ends_on,
        coalesce(figures.closing - figures.receipts + figures.payments, calendar.opening) as opening,
        figures.receipts,
        figures.overdue_receipts,
        figures.payments,
        figures.overdue_payments,
        coalesce(figures.closing, calendar.opening) as closing,
        coalesce(figures.lowest, calendar.opening) as lowest,
        calendar.first_day,
        case
            when figures.closing is not null then figures.first_gap
            when calendar.opening < 0 then calendar.first_day
        end as first_gap
    from figures
    cross join calendar
)
select
    shown.is_total,
    to_char(shown.begins_on, 'DD.MM') || '–' || to_char(shown.ends_on, 'DD.MM.YYYY') as week_name,
    shown.begins_on as week,
    shown.opening,
    shown.receipts,
    shown.overdue_receipts,
    shown.payments,
    shown.overdue_payments,
    shown.closing,
    shown.lowest,
    shown.first_day - :as_of as days_ahead,
    shown.first_day,
    :period_end - 1 as last_day,
    shown.first_gap,
    greatest(0, -shown.lowest) as gap
from shown
order by shown.is_total desc, shown.begins_on
