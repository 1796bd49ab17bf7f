/*---
title: Invoices
columns:
  status: { title: Status, type: text }
  part: { title: Part, type: percent, total: none }
key: [status]
summary: There were {row_count}.
---*/
with sums as (
    select
        invoices.status,
        sum(invoices.total * 100)::bigint as amount,
        coalesce(sum(invoices.total * 100) filter (where invoices.day = :period_start), 0)::bigint as first_amount
    from invoices
    where invoices.day >= :period_start and invoices.day < :period_end
      and invoices.currency = 'RUB' and invoices.deleted_at is null
    group by invoices.status
)
select sums.status, round(1.0 * sums.first_amount / nullif(sums.amount, 0), 3) as part -- expect: share-of-one
from sums
order by sums.status collate "C"
