/*---
# no title
columns:
  counterparty:    { title: Контрагент, type: text }
  operations:      { title: Операций, type: integer, total: sum(operations) }
  income:          { title: Поступления, type: money, total: sum(income) }
  expenses:        { title: Выплаты, type: money, total: sum(expenses) }
  share:           { title: Доля поступлений, type: percent, total: "round(100.0 * sum(income) / nullif(sum(income) + sum(expenses), 0), 1)" }
  counterparty_id: { title: Номер контрагента, type: integer, total: none }
key: [counterparty_id]
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
-- # no title
-- 1: load: no key "title", expected a title
