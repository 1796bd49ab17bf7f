/*---
title: Оплаты по контрагентам
columns:
  counterparty:    { title: Контрагент, type: text }
  operations:      { title: Операций, type: integer, total: sum(operations) }
  income:          { title: Поступления, type: money, total: sum(income) }
  expenses:        { title: Выплаты, type: money, total: sum(expenses) }
  share:           { title: Доля поступлений, type: percent, total: "round(100.0 * sum(income) / nullif(sum(income) + sum(expenses), 0), 1)" }
  counterparty_id: { title: Номер контрагента, type: integer, total: none }
key: [counterparty_id]
chart: { kind: columns, measures: [income, share, counterparty], label: counterparty, order: rows }
facts:
  payers: { type: integer, total: count(*) filter (where income > 0 and counterparty_id <> 0) }
summary: За {period} поступило {income}, выплачено {expenses}, плательщиков — {payers}.
emptySummary: За {period} оплат не было.
maxRows: 10000
---*/
with paid as (
    select
        operations.counterparty_id,
        count(*) as operations,
        coalesce(sum(operations.amount_kopecks) filter (where operations.kind = 'income'), 0) as income,
        coalesce(sum(operations.amount_kopecks) filter (where operations.kind = 'expense'), 0) as expenses
    from operations
    where operations.organization_id = :organization_id
      and operations.paid_on >= :period_start
      and operations.paid_on < :period_end
      and operations.status = 'posted'
      and operations.kind in ('income', 'expense')
    group by operations.counterparty_id
)
select
    coalesce(counterparties.name, 'Без контрагента') as counterparty,
    paid.operations,
    paid.income,
    paid.expenses,
    round(100.0 * paid.income / nullif(paid.income + paid.expenses, 0), 1) as share,
    coalesce(paid.counterparty_id, 0) as counterparty_id
from paid
left join counterparties
    on counterparties.organization_id = :organization_id
    and counterparties.id = paid.counterparty_id
order by paid.income desc, coalesce(counterparties.name, 'Без контрагента') collate "C", paid.counterparty_id
-- a chart of unlike measures, over no time
-- 11: load: chart.measures: column "counterparty" is no measure, expected a number that is not in the key
-- 11: load: chart.measures: found money and percent and text, expected one type and unit: one axis
-- 11: load: chart.label: found a column of type text, expected date, month, datetime
-- 11: load: chart.order: columns have the order of time, expected no order
-- 11: load: chart.label: no time is in the key, so rows are added up by "counterparty", and "income" has no aggregation
