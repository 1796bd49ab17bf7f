/*---
title: Долги по документам
description: "Каждый неоплаченный документ: кто кому должен и когда срок. Учтены долги покупателей и поставщикам к концу дня."
dateBasis: state
keywords: [долг, долги, должен, должны, дебиторская, кредиторская, задолженность, просрочка, просроченные, неоплаченные, счета, накладные, акты, срок, выставленные, инвойсы, задержки, invoices, bills, unpaid, overdue, late payments, due dates, debts, receivables, payables]
position: 5
columns:
  operation_id:       { title: Номер, type: text }
  counterparty:       { title: Контрагент, type: text, total: none }
  inn:                { title: ИНН, type: text, total: none }
  document:           { title: Документ, type: text, total: none }
  description:        { title: Назначение, type: text, total: none }
  date:               { title: Дата, type: date, total: none }
  due_on:             { title: Срок оплаты, type: date, total: none }
  overdue_days:       { title: Дней просрочки, type: integer, total: none, unit: day }
  receivable:         { title: Должны нам, type: money, total: sum(receivable), aggregation: { rows: sum, periods: last } }
  overdue_receivable: { title: В т. ч. просрочено, type: money, total: sum(overdue_receivable), aggregation: { rows: sum, periods: last } }
  payable:            { title: Должны мы, type: money, total: sum(payable), aggregation: { rows: sum, periods: last } }
  overdue_payable:    { title: В т. ч. просрочено нами, type: money, total: sum(overdue_payable), aggregation: { rows: sum, periods: last } }
key: [operation_id]
chart: { kind: bars, measures: [receivable, payable], label: counterparty }
facts:
  receivables: { type: integer, total: count(*) filter (where receivable <> 0) }
  payables:    { type: integer, total: count(*) filter (where payable <> 0) }
summary: >-
  На {as_of}
  {receivable_sign, select,
  positive {нам должны {receivable} по {receivables, plural, one {# документу} other {# документам}}, из них
  просрочено {overdue_receivable}}
  negative {мы должны вернуть покупателям на {receivable_abs} больше, чем должны они}
  other {{receivables, plural, =0 {нам никто не должен} other {покупатели должны столько же, сколько надо им вернуть}}}},
  {payable_sign, select,
  positive {мы должны {payable} по {payables, plural, one {# документу} other {# документам}}, из них
  просрочено {overdue_payable}}
  negative {поставщики должны вернуть нам на {payable_abs} больше, чем должны мы}
  other {{payables, plural, =0 {мы никому не должны} other {мы должны столько же, сколько надо вернуть нам}}}}.
emptySummary: На {as_of} неоплаченных документов нет.
parameters:
  counterparty:
    title: Контрагент
    type: integer
    values: { sql: "select value, label from (select 0 as value, 'Без контрагента' as label union all select id, name from counterparties) as options order by value > 0, label collate \"C\", value" }
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 20s
maxRows: 200000
budget: { buffersPerThousandRows: 360 }
---*/
-- Tuned 2026-11-21, over this year: 0.2 ms and 34 buffers for the median demo organization, 11 ms and 2,463 for the
-- large one, with operations_posted_by_payment, operations_unpaid and counterparties_named; without: 0.4 ms and
-- 168, 12 ms and 2,463.
-- Most documents of the large one are on separate pages.
-- Documents accrued by the end of as_of and not paid by then, even if paid later.
with debts as (
    -- why: two parts instead of an or: each is one range of the index operations_posted_by_payment
    select
        operations.id,
        operations.kind,
        operations.operation_date,
        operations.due_on,
        operations.amount_kopecks,
        operations.counterparty_id,
        operations.document_number,
        operations.description
    from operations
    where operations.paid_on is null
      and operations.operation_date <= :as_of
      and operations.status = 'posted'
      and operations.kind in ('income', 'expense')
      and (:counterparty::bigint is null or coalesce(operations.counterparty_id, 0) = :counterparty)
    union all
    select
        operations.id,
        operations.kind,
        operations.operation_date,
        operations.due_on,
        operations.amount_kopecks,
        operations.counterparty_id,
        operations.document_number,
        operations.description
    from operations
    where operations.paid_on > :as_of
      and operations.operation_date <= :as_of
      and operations.status = 'posted'
      and operations.kind in ('income', 'expense')
      and (:counterparty::bigint is null or coalesce(operations.counterparty_id, 0) = :counterparty)
),
dated as (
    select
        debts.id,
        debts.operation_date,
        coalesce(debts.due_on, debts.operation_date) as due_on,
        coalesce(debts.due_on, debts.operation_date) < :as_of as is_overdue,
        case when debts.kind = 'income' then debts.amount_kopecks else 0 end as receivable,
        case when debts.kind = 'expense' then debts.amount_kopecks else 0 end as payable,
        debts.counterparty_id,
        debts.document_number,
        debts.description
    from debts
)
select
    dated.id::text as operation_id,
    counterparties.name as counterparty,
    counterparties.inn,
    dated.document_number as document,
    dated.description,
    dated.operation_date as date,
    dated.due_on,
    greatest(:as_of - dated.due_on, 0) as overdue_days,
    dated.receivable,
    case when dated.is_overdue then dated.receivable else 0 end as overdue_receivable,
    dated.payable,
    case when dated.is_overdue then dated.payable else 0 end as overdue_payable
from dated
left join counterparties on counterparties.id = dated.counterparty_id
order by dated.due_on, dated.id
