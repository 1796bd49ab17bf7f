/*---
title: Paid and invoiced
columns:
  what: { title: What, type: text }
  paid: { title: Paid, type: money, total: sum(paid) }
  invoices: { title: Invoices, type: integer, total: sum(invoices) }
key: [what]
summary: Paid {paid}.
---*/
select 'All' as what, coalesce(paid.amount, 0) as paid, invoiced.invoices
from (
    select sum(payments.amount) as amount
    from payments -- expect: deleted-rows
    where payments.paid_on >= :period_start and payments.paid_on < :period_end
) as paid
cross join (
    select count(*) as invoices
    from invoices
    where invoices.day >= :period_start and invoices.day < :period_end
      and invoices.deleted_at is null and invoices.currency = 'RUB'
) as invoiced
order by what
