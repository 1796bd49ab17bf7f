/*---
# sql/README.md explains every key. This report works: change it step by step, and run it after each change.
title: Новый отчёт
columns:
  counterparty:    { title: Контрагент, type: text }
  operations:      { title: Операций, type: integer, total: sum(operations) }
  income:          { title: Доходы, type: money, total: sum(income) }
  expenses:        { title: Расходы, type: money, total: sum(expenses) }
  counterparty_id: { title: Номер контрагента, type: text, total: none }
key: [counterparty_id]
chart: { kind: bars, measures: [income, expenses], label: counterparty }
facts:
  best: { type: text, total: "(array_agg(counterparty order by income desc, counterparty collate \"C\", counterparty_id::bigint) filter (where income > 0 and counterparty_id <> '0'))[1]" }
summary: >-
  За {period}
  {operations, plural,
  one {была # операция} few {были # операции} many {было # операций} other {было # операции}}:
  доходы {income}, расходы {expenses}{best, select,
  none {} other {; больше всего принёс контрагент «{best}»}}.
emptySummary: За {period} операций не было.
fresh: { open: 60s, closed: 1h }
stale: 24h
timeout: 5s
maxRows: 10000
# buffers per thousand rows read: twice the figure of `svodka explain --org large`
budget: { buffersPerThousandRows: 60 }
---*/
with by_counterparty as (
    select
        operations.counterparty_id,
        count(*) as operations,
        coalesce(sum(operations.amount_kopecks) filter (where operations.kind = 'income'), 0) as income,
        coalesce(sum(operations.amount_kopecks) filter (where operations.kind = 'expense'), 0) as expenses
    from operations
    where operations.operation_date >= :period_start
      and operations.operation_date < :period_end
      and operations.status = 'posted'
      and operations.kind <> 'transfer'
    group by operations.counterparty_id
)
select
    coalesce(counterparties.name, 'Без контрагента') as counterparty,
    by_counterparty.operations,
    by_counterparty.income,
    by_counterparty.expenses,
    -- why: a key is never null, and ids begin with 1
    coalesce(by_counterparty.counterparty_id::text, '0') as counterparty_id
from by_counterparty
left join counterparties on counterparties.id = by_counterparty.counterparty_id
-- why: the id comes last, so that no two rows tie
order by
    by_counterparty.income desc,
    coalesce(counterparties.name, 'Без контрагента') collate "C",
    by_counterparty.counterparty_id
