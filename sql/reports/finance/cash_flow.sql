/*---
title: Движение денег по счетам
description: Сколько денег на каждом счёте и в кассе, сколько пришло и ушло за период. Учтены все операции по дате оплаты, переводы между счетами показаны отдельно.
dateBasis: payment
keywords: [ддс, остатки, банк, касса, деньги, денег, счета, приход, расход, сколько денег, money, bank, accounts, balances, cash, receipts, payments, account_balance]
position: 1
columns:
  account:         { title: Счёт, type: text }
  opening:         { title: Остаток на начало, type: money, total: sum(opening), aggregation: { rows: sum, periods: first } }
  received:        { title: Поступило, type: money, total: sum(received), aggregation: { rows: sum, periods: sum } }
  paid:            { title: Выплачено, type: money, total: sum(paid), aggregation: { rows: sum, periods: sum } }
  transferred_in:  { title: Переведено на счёт, type: money, total: sum(transferred_in), aggregation: { rows: sum, periods: sum } }
  transferred_out: { title: Переведено со счёта, type: money, total: sum(transferred_out), aggregation: { rows: sum, periods: sum } }
  closing:         { title: Остаток на конец, type: money, total: sum(closing), aggregation: { rows: sum, periods: last } }
  account_id:      { title: Код счёта, type: text, total: none }
  is_in_use:       { title: Действует или с остатком, type: integer, hidden: true }
key: [account_id]
chart: { kind: bars, measures: [closing, received, paid], label: account }
facts:
  accounts: { type: integer, total: sum(is_in_use) }
summary: >-
  {period_dates} поступило {received}, выплачено {paid},
  {closing_sign, select,
  negative {перерасход {accounts, plural,
  one {на # счёте} few {на # счетах} many {на # счетах} other {на # счёта}} — {closing_abs}}
  other {{accounts, plural,
  =0 {на счетах ничего не осталось}
  one {на # счёте осталось {closing}}
  few {на # счетах осталось {closing}}
  many {на # счетах осталось {closing}}
  other {на # счёта осталось {closing}}}}}.
emptySummary: За {period} движения денег не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 10000
budget: { buffersPerThousandRows: 65 }
---*/
-- Tuned 2026-11-21, over this year: 1.2 ms and 38 buffers for the median demo organization, 41 ms and 1,500 for the
-- large one, with operations_posted_by_payment and operations_arrivals; without: 4.8 ms and 2,626, 52 ms and 8,268.
-- By the day the money moved, and by its direction: a refund to a customer is paid, one from a supplier is received.
with movements as (
    select
        operations.account_id,
        operations.paid_on >= :period_start as in_period,
        operations.kind = 'transfer' as is_transfer,
        case when operations.kind = 'income' then operations.amount_kopecks else -operations.amount_kopecks end as amount
    from operations
    where operations.paid_on < :period_end
      and operations.status = 'posted'
),
by_account as (
    select
        movements.account_id,
        sum(movements.amount) filter (where not movements.in_period) as before,
        sum(movements.amount) filter (where movements.in_period and not movements.is_transfer and movements.amount > 0) as received,
        -sum(movements.amount) filter (where movements.in_period and not movements.is_transfer and movements.amount < 0) as paid,
        -sum(movements.amount) filter (where movements.in_period and movements.is_transfer) as transferred_out
    from movements
    group by movements.account_id
),
arrivals as (
    select
        operations.to_account_id,
        sum(operations.amount_kopecks) filter (where operations.paid_on < :period_start) as before,
        sum(operations.amount_kopecks) filter (where operations.paid_on >= :period_start) as transferred_in
    from operations
    where operations.paid_on < :period_end
      and operations.status = 'posted'
      and operations.to_account_id is not null
    group by operations.to_account_id
),
balances as (
    select
        accounts.id,
        accounts.name,
        accounts.archived_at is not null as is_archived,
        accounts.opening_balance_kopecks + coalesce(by_account.before, 0) + coalesce(arrivals.before, 0) as opening,
        coalesce(by_account.received, 0) as received,
        coalesce(by_account.paid, 0) as paid,
        coalesce(arrivals.transferred_in, 0) as transferred_in,
        coalesce(by_account.transferred_out, 0) as transferred_out
    from accounts
    left join by_account on by_account.account_id = accounts.id
    left join arrivals on arrivals.to_account_id = accounts.id
),
closed as (
    select
        balances.id,
        balances.name,
        balances.is_archived,
        balances.opening,
        balances.received,
        balances.paid,
        balances.transferred_in,
        balances.transferred_out,
        balances.opening + balances.received - balances.paid + balances.transferred_in - balances.transferred_out as closing
    from balances
)
select
    closed.name as account,
    closed.opening,
    closed.received,
    closed.paid,
    closed.transferred_in,
    closed.transferred_out,
    closed.closing,
    closed.id::text as account_id,
    -- An archived account that was emptied in the period has a row, but is not in use.
    case when closed.is_archived and closed.closing = 0 then 0 else 1 end as is_in_use
from closed
where not closed.is_archived
   or closed.opening <> 0
   or closed.received <> 0
   or closed.paid <> 0
   or closed.transferred_in <> 0
   or closed.transferred_out <> 0
order by closed.closing desc, closed.name collate "C", closed.id
