/*---
title: Реестр операций
description: Все платежи, начисления и переводы по одному. Учтены проведённые операции любого вида.
dateBasis: accrual
keywords: [платежи, проводки, журнал, оплаты, выписка, назначение, НДС, последние, transactions, entries, register, latest, recent, payments, VAT, journal, ledger]
position: 13
columns:
  operation_id: { title: Номер, type: text }
  date:         { title: Дата, type: date }
  paid_on:      { title: Дата оплаты, type: date }
  kind:         { title: Вид, type: text }
  section:      { title: Раздел, type: text }
  category:     { title: Статья, type: text }
  account:      { title: Счёт, type: text }
  to_account:   { title: На счёт, type: text }
  counterparty: { title: Контрагент, type: text }
  project:      { title: Проект, type: text }
  description:  { title: Назначение, type: text }
  income:       { title: Доход, type: money, aggregation: { rows: sum, periods: sum } }
  expense:      { title: Расход, type: money, aggregation: { rows: sum, periods: sum } }
  transfer:     { title: Перевод, type: money, aggregation: { rows: sum, periods: sum } }
  updated_at:   { title: Изменена, type: datetime }
key: [operation_id]
chart: { kind: columns, measures: [income, expense], label: date }
facts:
  advances: { type: integer }
summary: >-
  За {period}
  {row_count, plural,
  one {проведена # операция}
  few {проведены # операции}
  many {проведено # операций}
  other {проведено # операции}}{advances, plural,
  =0 {} other { (будущим числом — #)}}:
  вида «Доход» — на {income}, «Расход» — на {expense}, «Перевод» — на {transfer}.
emptySummary: За {period} операций не было.
parameters:
  account:
    title: Счёт
    type: integer
    values: { sql: "select id as value, name as label from accounts order by name collate \"C\", id" }
  category:
    title: Статья
    type: integer
    values: { sql: "select value, label from (select 0 as value, 'Без статьи' as label union all select id, name from categories) as options order by value > 0, label collate \"C\", value" }
  counterparty:
    title: Контрагент
    type: integer
    values: { sql: "select value, label from (select 0 as value, 'Без контрагента' as label union all select id, name from counterparties) as options order by value > 0, label collate \"C\", value" }
  kind: { title: Вид, type: text, values: { income: Доход, expense: Расход, transfer: Перевод } }
  project:
    title: Проект
    type: integer
    values: { sql: "select value, label from (select 0 as value, 'Без проекта' as label union all select id, name from projects) as options order by value > 0, label collate \"C\", value" }
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 40s
maxRows: 1000000
budget: { buffersPerThousandRows: 480 }
---*/
-- Tuned 2026-11-21, over this year: 6.5 ms and 1,048 buffers for the median demo organization, 209 ms and 13,498
-- for the large one, with operations_posted_by_date, counterparties_named and categories_named; without: 7.9 ms and
-- 2,002, 282 ms and 17,870.
with totals as (
    select
        count(*) as row_count,
        coalesce(sum(operations.amount_kopecks) filter (where operations.kind = 'income'), 0) as income,
        coalesce(sum(operations.amount_kopecks) filter (where operations.kind = 'expense'), 0) as expense,
        coalesce(sum(operations.amount_kopecks) filter (where operations.kind = 'transfer'), 0) as transfer,
        count(*) filter (where operations.operation_date > :as_of) as advances
    from operations
    where operations.operation_date >= :period_start
      and operations.operation_date < :period_end
      and operations.status = 'posted'
      and (:account::bigint is null or operations.account_id = :account or operations.to_account_id = :account)
      and (:category::bigint is null or coalesce(operations.category_id, 0) = :category)
      and (:counterparty::bigint is null or coalesce(operations.counterparty_id, 0) = :counterparty)
      and (:kind::text is null or operations.kind = :kind)
      and (:project::bigint is null or coalesce(operations.project_id, 0) = :project)
)
select
    register.is_total,
    register.row_count,
    register.operation_id,
    register.date,
    register.paid_on,
    register.kind,
    register.section,
    register.category,
    register.account,
    register.to_account,
    register.counterparty,
    register.project,
    register.description,
    register.income,
    register.expense,
    register.transfer,
    register.updated_at,
    register.advances
from (
    -- why: the totals have the earliest date, so that two sorted parts are merged without a sort
    select
        '-infinity'::date as order_date,
        0::bigint as order_id,
        true as is_total,
        totals.row_count,
        null::text as operation_id,
        null::date as date,
        null::date as paid_on,
        null::text as kind,
        null::text as section,
        null::text as category,
        null::text as account,
        null::text as to_account,
        null::text as counterparty,
        null::text as project,
        null::text as description,
        totals.income,
        totals.expense,
        totals.transfer,
        null::timestamptz as updated_at,
        totals.advances
    from totals
    union all
    (
        select
            operations.operation_date,
            operations.id,
            false,
            null::bigint,
            operations.id::text,
            operations.operation_date,
            operations.paid_on,
            case operations.kind when 'income' then 'Доход' when 'expense' then 'Расход' else 'Перевод' end,
            case
                coalesce(
                    categories.section,
                    -- Without a category, income is income and an expense is operating; a transfer is neither.
                    case operations.kind when 'income' then 'income' when 'expense' then 'operating' end
                )
                when 'income' then 'Доходы'
                when 'cost_of_goods' then 'Себестоимость'
                when 'operating' then 'Операционные расходы'
                when 'goods_purchase' then 'Закупка товаров'
                when 'investing' then 'Инвестиции'
                when 'financing' then 'Финансирование'
            end,
            case when operations.kind <> 'transfer' then coalesce(categories.name, 'Без статьи') end,
            accounts.name,
            to_accounts.name,
            counterparties.name,
            projects.name,
            operations.description,
            case when operations.kind = 'income' then operations.amount_kopecks else 0 end::numeric,
            case when operations.kind = 'expense' then operations.amount_kopecks else 0 end::numeric,
            case when operations.kind = 'transfer' then operations.amount_kopecks else 0 end::numeric,
            operations.updated_at,
            null::bigint
        from operations
        left join categories on categories.id = operations.category_id
        left join accounts on accounts.id = operations.account_id
        left join accounts as to_accounts on to_accounts.id = operations.to_account_id
        left join counterparties on counterparties.id = operations.counterparty_id
        left join projects on projects.id = operations.project_id
        where operations.operation_date >= :period_start
          and operations.operation_date < :period_end
          and operations.status = 'posted'
          and (:account::bigint is null or operations.account_id = :account or operations.to_account_id = :account)
          and (:category::bigint is null or coalesce(operations.category_id, 0) = :category)
          and (:counterparty::bigint is null or coalesce(operations.counterparty_id, 0) = :counterparty)
          and (:kind::text is null or operations.kind = :kind)
          and (:project::bigint is null or coalesce(operations.project_id, 0) = :project)
        order by operations.operation_date, operations.id
        -- why: removes no rows, but with a variable limit the planner prefers an ordered scan of the index
        -- operations_posted_by_date to a sort of all rows, which spills
        limit (select totals.row_count from totals)
    )
) as register
order by register.order_date, register.order_id
