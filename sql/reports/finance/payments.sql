/*---
title: Платежи
description: "Каждый платёж: когда, от кого или кому, за что и с какого счёта. Учтены проведённые операции по дате оплаты: поступления, выплаты и переводы."
dateBasis: payment
keywords: [последние, оплаты, выписка, приход, расход, поступления, выплаты, банк, касса, назначение, payments, latest, recent, receipts, transactions, bank statement]
position: 12
columns:
  operation_id: { title: Номер, type: text }
  paid_on:      { title: Дата оплаты, type: date }
  date:         { title: Дата начисления, type: date }
  category:     { title: Статья, type: text }
  account:      { title: Счёт, type: text }
  to_account:   { title: На счёт, type: text }
  counterparty: { title: Контрагент, type: text }
  project:      { title: Проект, type: text }
  description:  { title: Назначение, type: text }
  received:     { title: Поступило, type: money, aggregation: { rows: sum, periods: sum } }
  paid:         { title: Выплачено, type: money, aggregation: { rows: sum, periods: sum } }
  transferred:  { title: Переведено, type: money, aggregation: { rows: sum, periods: sum } }
  updated_at:   { title: Изменена, type: datetime }
key: [operation_id]
chart: { kind: columns, measures: [received, paid], label: paid_on }
summary: >-
  За {period}
  {row_count, plural,
  one {проведён # платёж}
  few {проведены # платежа}
  many {проведено # платежей}
  other {проведено # платежа}}:
  поступило {received}, выплачено {paid}, между счетами переведено {transferred}.
emptySummary: За {period} платежей не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 40s
maxRows: 1000000
budget: { buffersPerThousandRows: 480 }
---*/
-- Tuned 2026-11-28, over this year: 3.0 ms and 1,193 buffers for the median demo organization, 116 ms and 25,433
-- for the large one, with operations_posted_by_payment, counterparties_named and categories_named; without: 3.3
-- ms and 2,124, 126 ms and 30,714.
-- By the day and the direction of the money, as cash_flow: a refund to a customer is paid.
with totals as (
    select
        count(*) as row_count,
        coalesce(sum(operations.amount_kopecks) filter (where operations.kind = 'income' and operations.amount_kopecks > 0), 0)
            - coalesce(sum(operations.amount_kopecks) filter (where operations.kind = 'expense' and operations.amount_kopecks < 0), 0)
            as received,
        coalesce(sum(operations.amount_kopecks) filter (where operations.kind = 'expense' and operations.amount_kopecks > 0), 0)
            - coalesce(sum(operations.amount_kopecks) filter (where operations.kind = 'income' and operations.amount_kopecks < 0), 0)
            as paid,
        coalesce(sum(operations.amount_kopecks) filter (where operations.kind = 'transfer'), 0) as transferred
    from operations
    where operations.paid_on >= :period_start
      and operations.paid_on < :period_end
      and operations.status = 'posted'
)
select
    register.is_total,
    register.row_count,
    register.operation_id,
    register.paid_on,
    register.date,
    register.category,
    register.account,
    register.to_account,
    register.counterparty,
    register.project,
    register.description,
    register.received,
    register.paid,
    register.transferred,
    register.updated_at
from (
    -- why: the totals have the earliest date, so that two sorted parts are merged without a sort
    select
        '-infinity'::date as order_date,
        0::bigint as order_id,
        true as is_total,
        totals.row_count,
        null::text as operation_id,
        null::date as paid_on,
        null::date as date,
        null::text as category,
        null::text as account,
        null::text as to_account,
        null::text as counterparty,
        null::text as project,
        null::text as description,
        totals.received,
        totals.paid,
        totals.transferred,
        null::timestamptz as updated_at
    from totals
    union all
    (
        select
            operations.paid_on,
            operations.id,
            false,
            null::bigint,
            operations.id::text,
            operations.paid_on,
            operations.operation_date,
            case when operations.kind <> 'transfer' then coalesce(categories.name, 'Без статьи') end,
            accounts.name,
            to_accounts.name,
            counterparties.name,
            projects.name,
            operations.description,
            case
                when operations.kind = 'income' then greatest(operations.amount_kopecks, 0)
                when operations.kind = 'expense' then greatest(-operations.amount_kopecks, 0)
                else 0
            end::numeric,
            case
                when operations.kind = 'expense' then greatest(operations.amount_kopecks, 0)
                when operations.kind = 'income' then greatest(-operations.amount_kopecks, 0)
                else 0
            end::numeric,
            case when operations.kind = 'transfer' then operations.amount_kopecks else 0 end::numeric,
            operations.updated_at
        from operations
        left join categories on categories.id = operations.category_id
        left join accounts on accounts.id = operations.account_id
        left join accounts as to_accounts on to_accounts.id = operations.to_account_id
        left join counterparties on counterparties.id = operations.counterparty_id
        left join projects on projects.id = operations.project_id
        where operations.paid_on >= :period_start
          and operations.paid_on < :period_end
          and operations.status = 'posted'
        order by operations.paid_on, operations.id
        -- why: removes no rows, but with a variable limit the planner prefers an ordered scan of the index
        -- operations_posted_by_payment to a sort of all rows, which spills
        limit (select totals.row_count from totals)
    )
) as register
order by register.order_date, register.order_id
