/*---
title: Invoices
columns:
  invoice: { title: Invoice, type: text }
  amount: { title: Amount, type: money, total: sum(amount) }
key: [invoice]
summary: Invoiced {amount}.
---*/
select invoices.id::text as invoice, round(100 * invoices.weight)::bigint as amount -- expect: amount-type
from invoices
where invoices.day >= :period_start and invoices.day < :period_end
  and invoices.currency = 'RUB' and invoices.deleted_at is null
order by invoices.id
