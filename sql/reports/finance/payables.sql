/*---
title: Задолженность поставщикам
description: Кому должны вы, сколько, с какого времени и сколько уже просрочено. Учтены начисленные и не оплаченные к концу дня расходы за вычетом возвратов.
dateBasis: state
keywords: [долг, долги, должен, должны, кому, кредиторская, кредиторка, просрочка, просроченные, неоплаченные, поставщики, заплатить, задержки, счета, payables, creditors, suppliers, vendors, debts, overdue, late payments, unpaid, bills, payables_overdue]
position: 4
columns:
  counterparty:    { title: Контрагент, type: text, link: "/reports/debts?counterparty={counterparty_id}&from={from}&to={to}" }
  total:           { title: Задолженность, type: money, total: sum(total), aggregation: { rows: sum, periods: last } }
  days_0_30:       { title: 0–30 дней, type: money, total: sum(days_0_30), aggregation: { rows: sum, periods: last } }
  days_31_60:      { title: 31–60 дней, type: money, total: sum(days_31_60), aggregation: { rows: sum, periods: last } }
  days_61_90:      { title: 61–90 дней, type: money, total: sum(days_61_90), aggregation: { rows: sum, periods: last } }
  days_over_90:    { title: Свыше 90 дней, type: money, total: sum(days_over_90), aggregation: { rows: sum, periods: last } }
  overdue:         { title: В т. ч. просрочено, type: money, total: sum(overdue), aggregation: { rows: sum, periods: last } }
  oldest:          { title: Старейший долг, type: date, total: min(oldest) }
  counterparty_id: { title: Номер контрагента, type: text, total: none }
  inn:             { title: ИНН, type: text, total: none }
key: [counterparty_id]
chart: { kind: bars, measures: [total, overdue], label: counterparty }
facts:
  creditors: { type: integer, total: count(*) filter (where total > 0 and counterparty_id <> '0') }
summary: >-
  На {as_of}
  {total_sign, select,
  positive {{creditors, plural,
  =0 {задолженность поставщикам составляет {total}}
  one {мы должны # поставщику {total}}
  other {мы должны # поставщикам {total}}}, из них просрочено {overdue}}
  negative {возвраты от поставщиков превышают долги им на {total_abs}}
  other {долги поставщикам и возвраты от них равны}}.
emptySummary: На {as_of} задолженности поставщикам нет.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 100000
budget: { buffersPerThousandRows: 30 }
---*/
-- Tuned 2026-11-21, over this year: 0.2 ms and 10 buffers for the median demo organization, 1.9 ms and 146 for the
-- large one, with operations_posted_by_payment, operations_unpaid and counterparties_named; without: 0.3 ms and
-- 168, 5.8 ms and 2,463.
-- As of the end of last year, all later payments are read: 2,803 buffers for the large one.
-- Documents accrued by the end of as_of and not paid by then, even if paid later; refunds due reduce the debt.
-- Differs from receivables only in the kind of operation.
-- why: two parts instead of an or: each is one range of an index, operations_unpaid and operations_posted_by_payment
with unpaid as (
    select
        operations.counterparty_id,
        operations.operation_date,
        operations.due_on,
        operations.amount_kopecks
    from operations
    where operations.paid_on is null
      and operations.operation_date <= :as_of
      and operations.status = 'posted'
      and operations.kind = 'expense'
    union all
    select
        operations.counterparty_id,
        operations.operation_date,
        operations.due_on,
        operations.amount_kopecks
    from operations
    where operations.paid_on > :as_of
      and operations.operation_date <= :as_of
      and operations.status = 'posted'
      and operations.kind = 'expense'
),
aged as (
    select
        unpaid.counterparty_id,
        unpaid.operation_date,
        unpaid.amount_kopecks,
        :as_of - unpaid.operation_date as age,
        coalesce(unpaid.due_on, unpaid.operation_date) < :as_of as is_overdue
    from unpaid
),
by_counterparty as (
    select
        aged.counterparty_id,
        sum(aged.amount_kopecks) as total,
        coalesce(sum(aged.amount_kopecks) filter (where aged.age <= 30), 0) as days_0_30,
        coalesce(sum(aged.amount_kopecks) filter (where aged.age > 30 and aged.age <= 60), 0) as days_31_60,
        coalesce(sum(aged.amount_kopecks) filter (where aged.age > 60 and aged.age <= 90), 0) as days_61_90,
        coalesce(sum(aged.amount_kopecks) filter (where aged.age > 90), 0) as days_over_90,
        coalesce(sum(aged.amount_kopecks) filter (where aged.is_overdue), 0) as overdue,
        min(aged.operation_date) as oldest
    from aged
    group by aged.counterparty_id
)
select
    coalesce(counterparties.name, 'Без контрагента') as counterparty,
    by_counterparty.total,
    by_counterparty.days_0_30,
    by_counterparty.days_31_60,
    by_counterparty.days_61_90,
    by_counterparty.days_over_90,
    by_counterparty.overdue,
    by_counterparty.oldest,
    -- why: a key is never null, and ids begin with 1
    coalesce(by_counterparty.counterparty_id::text, '0') as counterparty_id,
    counterparties.inn
from by_counterparty
left join counterparties on counterparties.id = by_counterparty.counterparty_id
-- total is the sum of the four age columns: if it is not 0, one of them is not 0.
where by_counterparty.days_0_30 <> 0
   or by_counterparty.days_31_60 <> 0
   or by_counterparty.days_61_90 <> 0
   or by_counterparty.days_over_90 <> 0
   or by_counterparty.overdue <> 0
order by
    by_counterparty.total desc,
    coalesce(counterparties.name, 'Без контрагента') collate "C",
    by_counterparty.counterparty_id
